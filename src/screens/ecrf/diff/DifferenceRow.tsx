import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { GapRow } from '#core/api/calls/review/double.ts'
import { isTable } from '#core/form/definition/page.ts'
import { dayOf, fullTime } from '#src/ui/words/format.ts'

import { NewValue } from './NewValue.tsx'
import { PassCell } from './PassCell.tsx'
import type { Choice, Decision } from './decisions.ts'
import { newValueForm, problemOf } from './decisions.ts'
import classes from './diff.module.css'
import type { NamedGap } from './gapWords.ts'

export interface DifferenceRowProps {
  readonly line: NamedGap
  readonly decision: Decision | undefined
  readonly readOnly: boolean
  /** Whether somebody has tried to merge: only then the row says what is missing. */
  readonly tried: boolean
  readonly onDecide: (id: string, decision: Decision) => void
  readonly onIgnore: (gap: GapRow) => void
  readonly onOpenAgain: (gap: GapRow) => void
}

/** One difference: the field, what each pass says, and what is decided about it. */
export const DifferenceRow = memo(function DifferenceRow({
  line,
  decision,
  readOnly,
  tried,
  onDecide,
  onIgnore,
  onOpenAgain,
}: DifferenceRowProps) {
  const { t } = useTranslation('diff')
  const { gap, name, field } = line
  const { id, kind, ignored } = gap
  const choose = (choice: Choice) => {
    const now = new Date()
    const form =
      choice === 'new' && field !== null
        ? newValueForm(field, gap, { today: dayOf(now), now: fullTime(now.toISOString()) })
        : null
    onDecide(id, { choose: choice, form, code: decision?.code ?? null, text: decision?.text ?? '' })
  }
  const isDecided = decision === undefined ? ignored !== null : problemOf(decision) === null
  return (
    <>
      <tr className={classes.row} data-gap data-open={!isDecided || undefined}>
        <th scope="row" className={classes.name}>
          <span>{name}</span>
          {kind !== 'different' && <span className={classes.kind}>{t(`kind.${kind}`)}</span>}
        </th>
        {(['first', 'second'] as const).map((pass) => (
          <PassCell
            key={pass}
            line={line}
            pass={pass}
            chosen={decision?.choose === pass}
            onChoose={readOnly ? null : () => choose(pass)}
          />
        ))}
        <td className={classes.rest}>
          {ignored !== null && decision === undefined && (
            <span className={classes.note}>{t('ignore.done', { reason: ignored.reason, name: ignored.byName })}</span>
          )}
          {!readOnly && (
            <Rest
              line={line}
              decision={decision}
              onNew={() => choose('new')}
              onIgnore={onIgnore}
              onOpenAgain={onOpenAgain}
            />
          )}
        </td>
      </tr>
      {decision?.choose === 'new' && decision.form !== null && (
        <tr className={classes.newRow}>
          <td colSpan={4}>
            <NewValue
              name={name}
              decision={decision}
              form={decision.form}
              tried={tried}
              onDecide={(next) => onDecide(id, next)}
            />
          </td>
        </tr>
      )}
    </>
  )
})

const NO_MOMENT = { today: '2000-01-01', now: '2000-01-01 00:00:00' }

interface RestProps extends Pick<DifferenceRowProps, 'line' | 'decision' | 'onIgnore' | 'onOpenAgain'> {
  readonly onNew: () => void
}

/** What can be done instead of taking one of the passes: another value, or accepting both as the same. */
function Rest({ line: { gap, name, field }, decision, onNew, onIgnore, onOpenAgain }: RestProps) {
  const { t } = useTranslation(['diff', 'form'])
  const canBeNew =
    gap.kind !== 'row' && field !== null && !isTable(field) && newValueForm(field, gap, NO_MOMENT) !== null
  const [act, word] =
    gap.ignored === null ? ([onIgnore, t('ignore.open')] as const) : ([onOpenAgain, t('ignore.undo')] as const)
  return (
    <span className={classes.acts}>
      {canBeNew && (
        <label className={classes.act}>
          <input
            type="radio"
            name={gap.id}
            checked={decision?.choose === 'new'}
            onChange={onNew}
            aria-label={`${name}${t('form:colon')}${t('choose.new')}`}
          />
          {t('choose.new')}
        </label>
      )}
      <button
        type="button"
        className={classes.act}
        onClick={() => act(gap)}
        aria-label={`${name}${t('form:colon')}${word}`}
      >
        {word}
      </button>
    </span>
  )
}
