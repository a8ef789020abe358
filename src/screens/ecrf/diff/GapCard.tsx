import { Button, Select, TextInput } from '@mantine/core'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { GapRow } from '#core/api/calls/double.ts'
import type { Field } from '#core/form/definition/page.ts'
import { isTable } from '#core/form/definition/page.ts'
import { ContentText } from '#src/form/ContentText.tsx'
import { FormView } from '#src/form/FormView.tsx'
import { labelOf } from '#src/form/words.ts'
import { dayOf, fullTime } from '#src/ui/words/format.ts'

import type { Choice, Decision } from './decisions.ts'
import { REASONS, newValueForm, problemOf } from './decisions.ts'
import classes from './diff.module.css'

interface GapCardProps {
  readonly gap: GapRow
  /** The field, or of a whole row its table; null where no definition has it. */
  readonly field: Field | null
  readonly table: Field | null
  readonly decision: Decision | undefined
  readonly readOnly: boolean
  /** Whether somebody has tried to merge: then what is missing is said. */
  readonly tried: boolean
  readonly onDecide: (id: string, decision: Decision) => void
  readonly onIgnore: (gap: GapRow) => void
  readonly onOpenAgain: (gap: GapRow) => void
}

/** One difference: both values, whose they are, and the choice between them. */
export const GapCard = memo(function GapCard({
  gap,
  field,
  table,
  decision,
  readOnly,
  tried,
  onDecide,
  onIgnore,
  onOpenAgain,
}: GapCardProps) {
  const { t, i18n } = useTranslation('diff')
  const language = i18n.language === 'en' ? 'en' : 'zh'
  const { id, kind, ignored } = gap
  const nameOf = (one: Field | null, code: string) => (one === null ? code : labelOf(one, language))
  const name = [
    table === null ? null : nameOf(table, gap.table ?? ''),
    gap.rowNo === null ? null : t('row', { no: gap.rowNo }),
    kind === 'row' ? t('wholeRow') : nameOf(field, gap.code),
  ]
    .filter((part) => part !== null)
    .join(' · ')
  const choose = (choice: Choice) => {
    const now = new Date()
    const form =
      choice === 'new' && field !== null
        ? newValueForm(field, gap, { today: dayOf(now), now: fullTime(now.toISOString()) })
        : null
    onDecide(id, { choose: choice, form, code: decision?.code ?? null, text: decision?.text ?? '' })
  }
  const canBeNew = kind !== 'row' && field !== null && !isTable(field) && newValueForm(field, gap, NO_MOMENT) !== null
  const problem = decision === undefined ? null : problemOf(decision)
  return (
    <fieldset
      className={classes.gap}
      data-done={(decision !== undefined && problem === null) || ignored !== null || undefined}
    >
      <legend className={classes.name}>{name}</legend>
      <span className={classes.kind} data-kind={kind}>
        {t(`kind.${kind}`)}
      </span>
      <div className={classes.values}>
        {(['first', 'second'] as const).map((pass) => (
          <label key={pass} className={classes.value} data-chosen={decision?.choose === pass || undefined}>
            <span className={classes.pass}>{t(`pass.${pass}`)}</span>
            <span className={classes.content}>
              {kind === 'row' && gap[pass].value === null && gap[pass].missing === null ? (
                t('noRow')
              ) : (
                <ContentText field={kind === 'row' ? (table ?? field) : field} content={rowContent(gap, pass)} />
              )}
            </span>
            <By by={pass === 'first' ? gap.firstBy : gap.secondBy} />
            {!readOnly && (
              <span className={classes.pick}>
                <input type="radio" name={id} checked={decision?.choose === pass} onChange={() => choose(pass)} />
                {t(`choose.${pass}`)}
              </span>
            )}
          </label>
        ))}
      </div>
      {!readOnly && (
        <div className={classes.more}>
          {canBeNew && (
            <label className={classes.pick}>
              <input type="radio" name={id} checked={decision?.choose === 'new'} onChange={() => choose('new')} />
              {t('choose.new')}
            </label>
          )}
          {ignored === null ? (
            <Button
              size="md"
              variant="subtle"
              onClick={() => onIgnore(gap)}
              aria-label={`${name}: ${t('ignore.open')}`}
            >
              {t('ignore.open')}
            </Button>
          ) : (
            <Button
              size="md"
              variant="subtle"
              onClick={() => onOpenAgain(gap)}
              aria-label={`${name}: ${t('ignore.undo')}`}
            >
              {t('ignore.undo')}
            </Button>
          )}
        </div>
      )}
      {ignored !== null && decision === undefined && (
        <p className={classes.note}>{t('ignore.done', { reason: ignored.reason, name: ignored.byName })}</p>
      )}
      {decision?.choose === 'new' && decision.form !== null && (
        <div className={classes.newValue}>
          <FormView
            state={decision.form}
            mode="input"
            language={language}
            onEdit={() => onDecide(id, { ...decision })}
          />
          <Select
            size="md"
            label={t('reason.label')}
            data={REASONS.map((code) => ({ value: code, label: t(`reason.${code}`) }))}
            value={decision.code}
            onChange={(code) => onDecide(id, { ...decision, code: REASONS.find((one) => one === code) ?? null })}
            error={tried && problem === 'reason' ? t('reason.required') : null}
            withAsterisk
          />
          <TextInput
            size="md"
            label={t('reason.text')}
            value={decision.text}
            maxLength={1000}
            autoComplete="off"
            onChange={(event) => onDecide(id, { ...decision, text: event.currentTarget.value })}
            error={tried && problem === 'text' ? t('reason.textRequired') : null}
            withAsterisk={decision.code === 'other'}
          />
          {tried && problem === 'value' && <p className={classes.problem}>{t('newValue.required')}</p>}
        </div>
      )}
    </fieldset>
  )
})

const NO_MOMENT = { today: '2000-01-01', now: '2000-01-01 00:00:00' }

function By({ by }: { readonly by: GapRow['firstBy'] }) {
  const { t } = useTranslation('diff')
  return by === null ? null : <span className={classes.by}>{t('by', { name: by.name, time: fullTime(by.at) })}</span>
}

/** A whole row is shown as a table of one row. */
function rowContent({ kind, first, second }: GapRow, pass: 'first' | 'second'): GapRow['first'] {
  const content = pass === 'first' ? first : second
  return kind === 'row' && content.value !== null ? { ...content, value: [content.value] } : content
}
