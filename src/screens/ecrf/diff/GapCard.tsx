import { Button } from '@mantine/core'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { GapRow } from '#core/api/calls/double.ts'
import type { Field } from '#core/form/definition/page.ts'
import { isTable } from '#core/form/definition/page.ts'
import { labelOf } from '#src/form/words.ts'
import { dayOf, fullTime } from '#src/ui/words/format.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { NewValue } from './NewValue.tsx'
import { PassValue } from './PassValue.tsx'
import type { Choice, Decision } from './decisions.ts'
import { newValueForm, problemOf } from './decisions.ts'
import classes from './diff.module.css'

interface GapCardProps {
  readonly gap: GapRow
  /** The field; for a whole row its table; null where no definition has the field. */
  readonly field: Field | null
  readonly table: Field | null
  readonly decision: Decision | undefined
  readonly readOnly: boolean
  /** Whether somebody has tried to merge: only then the card says what is missing. */
  readonly tried: boolean
  readonly onDecide: (id: string, decision: Decision) => void
  readonly onIgnore: (gap: GapRow) => void
  readonly onOpenAgain: (gap: GapRow) => void
}

/** One difference: both values, who entered each, and the choice between them. */
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
  const { t } = useTranslation('diff')
  const language = useLanguage()
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
  const isDecided = decision !== undefined && problemOf(decision) === null
  return (
    <fieldset className={classes.gap} data-done={isDecided || ignored !== null || undefined}>
      <legend className={classes.name}>{name}</legend>
      <span className={classes.kind} data-kind={kind}>
        {t(`kind.${kind}`)}
      </span>
      <div className={classes.values}>
        {(['first', 'second'] as const).map((pass) => (
          <PassValue
            key={pass}
            gap={gap}
            pass={pass}
            field={kind === 'row' ? (table ?? field) : field}
            chosen={decision?.choose === pass}
            onChoose={readOnly ? null : () => choose(pass)}
          />
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
          <IgnoreButton name={name} gap={gap} onIgnore={onIgnore} onOpenAgain={onOpenAgain} />
        </div>
      )}
      {ignored !== null && decision === undefined && (
        <p className={classes.note}>{t('ignore.done', { reason: ignored.reason, name: ignored.byName })}</p>
      )}
      {decision?.choose === 'new' && decision.form !== null && (
        <NewValue decision={decision} form={decision.form} tried={tried} onDecide={(next) => onDecide(id, next)} />
      )}
    </fieldset>
  )
})

const NO_MOMENT = { today: '2000-01-01', now: '2000-01-01 00:00:00' }

interface IgnoreButtonProps extends Pick<GapCardProps, 'gap' | 'onIgnore' | 'onOpenAgain'> {
  /** The name of the gap. */
  readonly name: string
}

/** Accepts the two values as equal, or takes that back. */
function IgnoreButton({ name, gap, onIgnore, onOpenAgain }: IgnoreButtonProps) {
  const { t } = useTranslation('diff')
  return gap.ignored === null ? (
    <Button size="md" variant="subtle" onClick={() => onIgnore(gap)} aria-label={`${name}: ${t('ignore.open')}`}>
      {t('ignore.open')}
    </Button>
  ) : (
    <Button size="md" variant="subtle" onClick={() => onOpenAgain(gap)} aria-label={`${name}: ${t('ignore.undo')}`}>
      {t('ignore.undo')}
    </Button>
  )
}
