import { Button, Chip, Group, Stack, Textarea } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { FormState } from '#core/form/engine/engine.ts'
import type { ConflictView } from '#src/data/shapes/types.ts'
import { FormView } from '#src/form/FormView.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { TwoValues } from './TwoValues.tsx'
import classes from './conflict.module.css'
import type { Subject } from './subject.ts'
import { useDecision } from './useDecision.ts'
import type { ConflictDecision } from './useDecision.ts'

/** Reasons that a person can give; the other reasons are written by the system. */
const REASONS = ['adjudication', 'transcription', 'new_source', 'clarification', 'other'] as const

interface DecisionFormProps {
  readonly view: ConflictView
  readonly subject: Subject
}

/** The user chooses a value and a reason. The decision is saved on this tablet, with or without a network. */
export function DecisionForm({ view, subject }: DecisionFormProps) {
  const { t } = useTranslation('conflict')
  const errorText = useErrorText()
  const name = useId()
  const decision = useDecision(view, subject)
  const { chosen, tried, busy, error } = decision
  return (
    // No <form> element: the box for another value is one, and a <form> cannot contain another.
    <Stack>
      <fieldset className={classes.group}>
        <legend className={classes.legend}>{t('which')}</legend>
        <TwoValues view={view} subject={subject} choosing={{ name, chosen, onChoose: decision.choose }} />
        {decision.another !== null && <AnotherValue name={name} another={decision.another} decision={decision} />}
        {tried && chosen === null && <Problem>{t('required.choice')}</Problem>}
      </fieldset>
      <Grounds decision={decision} />
      {error !== null && (
        <Note tone="error" live>
          {errorText(error)}
        </Note>
      )}
      <Group justify="flex-end">
        <Button size="md" loading={busy} onClick={() => void decision.submit()}>
          {t('submit')}
        </Button>
      </Group>
    </Stack>
  )
}

interface AnotherValueProps {
  /** Name of the group of radio buttons. */
  readonly name: string
  readonly another: FormState
  readonly decision: ConflictDecision
}

/** A value that differs from both. */
function AnotherValue({ name, another, decision }: AnotherValueProps) {
  const { t } = useTranslation('conflict')
  const language = useLanguage()
  const isChosen = decision.chosen === 'new'
  return (
    <div className={classes.card} data-chosen={isChosen}>
      <label className={classes.pick}>
        <input type="radio" name={name} value="new" checked={isChosen} onChange={() => decision.choose('new')} />
        {t('another.title')}
      </label>
      <span className={classes.facts}>{t('another.hint')}</span>
      {isChosen && <FormView state={another} mode="input" language={language} onEdit={decision.anotherEdited} />}
      {decision.isValueWrong && <Problem>{t('required.value')}</Problem>}
    </div>
  )
}

/** The reason: one of the list, with the user's own words. */
function Grounds({ decision }: { readonly decision: ConflictDecision }) {
  const { t } = useTranslation('conflict')
  const { code, setCode, text, setText, lacksText, tried } = decision
  return (
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
        error={tried && lacksText ? t('required.text') : null}
      />
    </fieldset>
  )
}

function Problem({ children }: { readonly children: string }) {
  return (
    <p className={classes.problem} role="alert">
      {children}
    </p>
  )
}
