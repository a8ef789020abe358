import { Button, Chip, Group, Text, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { addressKey } from '#core/form/definition/address.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { Field } from '#core/form/definition/page.ts'
import { err, ok } from '#core/result.ts'
import { OFFERED_REASONS, reasonKey } from '#core/sync/reasons.ts'
import type { OfferedReason, ReasonPlace } from '#core/sync/reasons.ts'
import type { ExplainedChange, LocalWrite, UnexplainedChange } from '#src/data/shapes/types.ts'
import { ContentText } from '#src/form/ContentText.tsx'
import { contentWords } from '#src/form/words.ts'
import { Note } from '#src/ui/Note.tsx'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'
import { Marked } from '#src/ui/difference/Marked.tsx'
import { differingParts } from '#src/ui/difference/textParts.ts'

import classes from './reasons.module.css'
import { useChangeName } from './useChangeName.ts'

interface ReasonsDialogProps {
  readonly form: FormState
  readonly changes: readonly UnexplainedChange[]
  /** Whether the page is submitted as soon as every change has its reason. */
  readonly submits: boolean
  /** Whether new changes came while the user gave reasons: reasons that were given already stay as entered. */
  readonly again: boolean
  readonly onGive: (given: readonly ExplainedChange[]) => Promise<LocalWrite>
  readonly onClose: () => void
}

interface Given {
  readonly code: OfferedReason | null
  readonly text: string
}

const NOTHING: Given = { code: null, text: '' }

/**
 * Each change of a submitted page, with the value before and after, and its reason: chosen one by one, or once for all.
 */
export function ReasonsDialog({ form, changes, submits, again, onGive, onClose }: ReasonsDialogProps) {
  const { t } = useTranslation('reasons')
  const nameOf = useChangeName(form)
  const [given, setGiven] = useState<ReadonlyMap<string, Given>>(new Map())
  const [tried, setTried] = useState(false)
  const isWhole = ({ code, text }: Given): boolean => code !== null && (code !== 'other' || text.trim() !== '')
  const left = changes.filter((change) => !isWhole(given.get(reasonKey(change)) ?? NOTHING))
  const send = () => {
    setTried(true)
    const reasons = changes.flatMap((change): readonly ExplainedChange[] => {
      const { code, text } = given.get(reasonKey(change)) ?? NOTHING
      return code === null || !isWhole({ code, text }) ? [] : [{ change, reason: { code, text: text.trim() } }]
    })
    if (left.length > 0 || reasons.length === 0) return null
    return onGive(reasons).then((done) => {
      // A change that is asked about once more was not left out by anybody.
      if (done.ok) setTried(false)
      return done.ok ? ok(true) : err(done.error)
    })
  }
  const put = (change: UnexplainedChange, next: Given) => setGiven(new Map([...given, [reasonKey(change), next]]))
  const list = useRef<HTMLUListElement>(null)
  /** The reason of an only change is all that is asked for: with it the dialog is done. */
  const putAndSend = (change: UnexplainedChange, next: Given) => {
    flushSync(() => put(change, next))
    list.current?.closest('form')?.requestSubmit()
  }
  return (
    <SubmitDialog
      title={t('dialog.title')}
      submit={t(submits ? 'dialog.submitAndSend' : 'dialog.submit')}
      size="lg"
      onSubmit={send}
      onClose={onClose}
    >
      {again && (
        <Note tone="info" live>
          {t('dialog.again')}
        </Note>
      )}
      {changes.length > 1 && <Text size="sm">{t('dialog.intro')}</Text>}
      <ul ref={list} className={classes.list}>
        {changes.map((change) => (
          <Change
            key={reasonKey(change)}
            change={change}
            name={nameOf(change)}
            field={fieldOf(form, change)}
            given={given.get(reasonKey(change)) ?? NOTHING}
            tried={tried}
            onChange={(next) => put(change, next)}
            onGive={changes.length === 1 ? (next) => putAndSend(change, next) : null}
            applyTo={changes.length > 1 ? changes.length : null}
            onApply={(next) => setGiven(new Map(changes.map((one) => [reasonKey(one), next])))}
          />
        ))}
      </ul>
      {tried && left.length > 0 && (
        <p className={classes.problem} role="alert">
          {t('dialog.left', { count: left.length })}
        </p>
      )}
    </SubmitDialog>
  )
}

interface ChangeProps {
  readonly change: UnexplainedChange
  readonly name: string
  readonly field: Field | null
  readonly given: Given
  readonly tried: boolean
  readonly onChange: (next: Given) => void
  /** Takes a reason that needs no more words, and ends the dialog; null where several changes are asked about. */
  readonly onGive: ((next: Given) => void) | null
  /** To how many changes a reason can be applied at once; null where there is only one change. */
  readonly applyTo: number | null
  readonly onApply: (given: Given) => void
}

function Change(props: ChangeProps) {
  const { change, name, field, given, tried, onChange, onGive, applyTo, onApply } = props
  const { from, to, row } = change
  const { t } = useTranslation('reasons')
  const { code, text } = given
  const [wordy, setWordy] = useState(false)
  const choose = (chosen: OfferedReason | null) => {
    const next = { ...given, code: chosen }
    if (onGive !== null && !wordy && chosen !== null && chosen !== 'other') onGive(next)
    else onChange(next)
  }
  return (
    <li>
      <fieldset className={classes.change} aria-label={t('dialog.reason', { field: name })}>
        <span className={classes.name}>{name}</span>
        {row === null ? <FromTo field={field} from={from} to={to} /> : <span>{t(`row.${row}`)}</span>}
        <Chip.Group value={code} onChange={(value) => choose(OFFERED_REASONS.find((one) => one === value) ?? null)}>
          <Group gap="xs">
            {OFFERED_REASONS.map((one) => (
              <Chip key={one} value={one} size="md" radius="md" variant="outline" className={classes.chip ?? ''}>
                {t(`code.${one}`)}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        {onGive !== null && code === null && !wordy && (
          <Button size="md" variant="subtle" className={classes.addText ?? ''} onClick={() => setWordy(true)}>
            {t('dialog.addText')}
          </Button>
        )}
        {(code !== null || wordy) && (
          <TextInput
            size="md"
            label={t('dialog.text')}
            placeholder={t('dialog.textHint')}
            required={code === 'other'}
            maxLength={1000}
            value={text}
            error={tried && code === 'other' && text.trim() === '' ? t('dialog.textMissing') : null}
            onChange={(event) => onChange({ ...given, text: event.currentTarget.value })}
          />
        )}
        {tried && code === null && <p className={classes.problem}>{t('dialog.missing')}</p>}
        {applyTo !== null && code !== null && (
          <Button size="md" variant="subtle" onClick={() => onApply(given)}>
            {t('dialog.applyAll', { count: applyTo })}
          </Button>
        )}
      </fieldset>
    </li>
  )
}

interface FromToProps {
  readonly field: Field | null
  readonly from: UnexplainedChange['from']
  readonly to: UnexplainedChange['to']
}

/** A text longer than this is searched for what was changed in it. */
const LONG = 20

/** The value before and after; in long texts what was changed is marked. */
function FromTo({ field, from, to }: FromToProps) {
  const { t } = useTranslation('reasons')
  const { t: words } = useTranslation('form')
  const texts = [from, to].map((content) => (content === null ? '' : contentWords(field, content, words))) as [
    string,
    string,
  ]
  const isLong = texts.some(({ length }) => length > LONG)
  const [before, after] = differingParts(...texts)
  return (
    <dl className={classes.values}>
      {from !== null && (
        <div>
          <dt>{t('dialog.from')}</dt>
          <dd>{isLong ? <Marked parts={before} /> : <ContentText field={field} content={from} />}</dd>
        </div>
      )}
      {to !== null && (
        <div>
          <dt>{t('dialog.to')}</dt>
          <dd>{isLong ? <Marked parts={after} /> : <ContentText field={field} content={to} />}</dd>
        </div>
      )}
    </dl>
  )
}

function fieldOf(form: FormState, { table, rid, code }: ReasonPlace): Field | null {
  const cell = form.getCell(addressKey({ table, rid, code }))
  if (cell !== undefined) return cell.field
  return form.getCell(table ?? code)?.field.children.find((child) => child.code === code) ?? null
}
