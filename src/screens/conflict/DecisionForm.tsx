import { Button, Chip, Group, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import { ConflictPart, FieldConflict } from './FieldConflict.tsx'
import classes from './conflict.module.css'
import type { NamedConflict } from './subject.ts'
import { useDecision } from './useDecision.ts'
import type { Decision } from './useDecision.ts'

/** Reasons that a person can give; the other reasons are written by the system. */
const REASONS = ['transcription', 'new_source', 'clarification', 'adjudication', 'other'] as const

/**
 * The user chooses a value for each field and one reason for all. The decisions are saved on this tablet, with or
 * without a network; a field that nobody decided stays as it is.
 */
export function DecisionForm({ conflicts }: { readonly conflicts: readonly NamedConflict[] }) {
  const { t } = useTranslation('conflict')
  const errorText = useErrorText()
  const decision = useDecision(conflicts)
  const { count, tried, busy, error } = decision
  const total = conflicts.length
  return (
    // No <form> element: the box for another value is one, and a <form> cannot contain another.
    <div className={classes.decision} data-several={total > 1 || undefined}>
      {conflicts.map((conflict) => (
        <ConflictPart key={conflict.view.row.id} conflict={conflict}>
          <FieldConflict conflict={conflict} decision={decision} />
        </ConflictPart>
      ))}
      {tried && count === 0 && <Problem>{t('required.choice')}</Problem>}
      <Grounds decision={decision} />
      {error !== null && (
        <Note tone="error" live>
          {errorText(error)}
        </Note>
      )}
      <div className={classes.foot}>
        {total > 1 && <output>{t('progress', { done: count, total })}</output>}
        <Button size="md" loading={busy} onClick={() => void decision.submit()}>
          {t('submit')}
        </Button>
      </div>
    </div>
  )
}

/** The reason: one of the list, with the user's own words. */
function Grounds({ decision }: { readonly decision: Decision }) {
  const { t } = useTranslation('conflict')
  const { code, setCode, text, setText, lacksText, tried } = decision
  return (
    <fieldset className={classes.grounds}>
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
