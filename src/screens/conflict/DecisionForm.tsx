import { Button, Chip, Group, Stack, Textarea } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { isError } from '#core/form/engine/issue.ts'
import type { ConflictChoice } from '#core/sync/conflict.ts'
import type { ChangeReason, ItemContent } from '#core/sync/entryChange.ts'
import { sameContent } from '#core/sync/merge.ts'
import type { ConflictView, DecisionInput } from '#src/data/shapes/types.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import { FormView } from '#src/form/FormView.tsx'
import { contentOf, oneFieldForm } from '#src/form/oneField.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { dayOf, fullTime } from '#src/ui/words/format.ts'

import { TwoValues } from './TwoValues.tsx'
import classes from './conflict.module.css'
import type { Subject } from './subject.ts'

/** Grounds that a person can give; the others are what the system writes. */
const REASONS = ['adjudication', 'transcription', 'new_source', 'clarification', 'other'] as const

interface DecisionFormProps {
  readonly view: ConflictView
  readonly subject: Subject
}

/** Chooses a value, on what grounds, and saves that: on this tablet, whether or not there is a network. */
export function DecisionForm({ view, subject }: DecisionFormProps) {
  const { t, i18n } = useTranslation('conflict')
  const errorText = useErrorText()
  const { decideConflict } = useDataActions()
  const name = useId()
  const [chosen, setChosen] = useState<ConflictChoice | null>(null)
  const [another] = useState(() => anotherForm(view, subject))
  const [code, setCode] = useState<ChangeReason['code'] | null>(null)
  const [text, setText] = useState('')
  const [tried, setTried] = useState(false)
  const [valueWrong, setValueWrong] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const textMissing = code === 'other' && text.trim() === ''

  const submit = async () => {
    setTried(true)
    const wrong =
      chosen === 'new' && (another === null || another.validate().some(({ issues }) => issues.some(isError)))
    setValueWrong(wrong)
    if (chosen === null || code === null || textMissing || wrong) return
    setBusy(true)
    const done = await decideConflict(view, {
      ...decisionOf(view, chosen, another),
      reason: { code, text: text.trim() },
    })
    setBusy(false)
    setError(done.ok ? null : done.error)
  }
  return (
    // No form of the browser's: the box for another value is one, and none may lie in another.
    <Stack>
      <fieldset className={classes.group}>
        <legend className={classes.legend}>{t('which')}</legend>
        <TwoValues view={view} subject={subject} choosing={{ name, chosen, onChoose: setChosen }} />
        {another !== null && (
          <div className={classes.card} data-chosen={chosen === 'new'}>
            <label className={classes.pick}>
              <input
                type="radio"
                name={name}
                value="new"
                checked={chosen === 'new'}
                onChange={() => setChosen('new')}
              />
              {t('another.title')}
            </label>
            <span className={classes.facts}>{t('another.hint')}</span>
            {chosen === 'new' && (
              <FormView
                state={another}
                mode="input"
                language={i18n.language === 'en' ? 'en' : 'zh'}
                onEdit={() => setValueWrong(false)}
              />
            )}
            {valueWrong && <Problem>{t('required.value')}</Problem>}
          </div>
        )}
        {tried && chosen === null && <Problem>{t('required.choice')}</Problem>}
      </fieldset>
      <fieldset className={classes.group}>
        <legend className={classes.legend}>{t('reason.title')}</legend>
        <Chip.Group value={code} onChange={(value) => setCode(REASONS.find((one) => one === value) ?? null)}>
          <Group gap="xs">
            {REASONS.map((one) => (
              <Chip key={one} value={one} size="md" radius="md" variant="outline" className={classes.reason ?? ''}>
                {t(`reason.${one}`)}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        {tried && code === null && <Problem>{t('required.reason')}</Problem>}
        <Textarea
          size="md"
          label={t('reason.text')}
          placeholder={t('reason.textHint')}
          required={code === 'other'}
          maxLength={1000}
          rows={2}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={tried && textMissing ? t('required.text') : null}
        />
      </fieldset>
      {error !== null && (
        <Note tone="error" live>
          {errorText(error)}
        </Note>
      )}
      <Group justify="flex-end">
        <Button size="md" loading={busy} onClick={() => void submit()}>
          {t('submit')}
        </Button>
      </Group>
    </Stack>
  )
}

function Problem({ children }: { readonly children: string }) {
  return (
    <p className={classes.problem} role="alert">
      {children}
    </p>
  )
}

/** A box for a third value; null where it cannot be entered away from its page. */
function anotherForm({ current }: ConflictView, { field }: Subject): FormState | null {
  const now = new Date()
  return field === null ? null : oneFieldForm(field, current, { today: dayOf(now), now: fullTime(now.toISOString()) })
}

/** What is decided; a value entered anew that is one of the two is that one. */
function decisionOf(
  { row, current }: ConflictView,
  chosen: ConflictChoice,
  another: FormState | null,
): Omit<DecisionInput, 'reason'> {
  const to: ItemContent =
    chosen === 'mine' ? row.mine : chosen === 'new' && another !== null ? contentOf(another) : current
  if (chosen !== 'new') return { choice: chosen, to }
  return { choice: sameContent(to, current) ? 'server' : sameContent(to, row.mine) ? 'mine' : 'new', to }
}
