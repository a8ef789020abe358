import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ConflictChoice } from '#core/sync/conflict.ts'
import { Marked } from '#src/ui/difference/Marked.tsx'
import type { TextPart } from '#src/ui/difference/textParts.ts'

import classes from './conflict.module.css'

/** A longer value is read as a text, and not said again in the words of the button. */
const SHORT = 20

/** How the user chooses one of the values. */
export interface Choosing {
  /** Name of the group of radio buttons. */
  readonly name: string
  readonly chosen: ConflictChoice | null
  readonly onChoose: (choice: ConflictChoice) => void
}

interface ValueCardProps {
  /** Whose value it is. */
  readonly title: string
  /** What else is to be known about it at a glance. */
  readonly tag: string | null
  /** How the button calls whose value it takes. */
  readonly by: string
  readonly value: 'server' | 'mine'
  readonly words: string
  /** The words, with what differs from the other value marked. */
  readonly parts: readonly TextPart[]
  /** Times and places of the value. */
  readonly facts: readonly string[]
  /** Whether the decision took it. */
  readonly taken: boolean
  readonly choosing: Choosing | null
}

/** One of the two values. While something can be chosen, the whole card is the button. */
export function ValueCard({ title, tag, by, value, words, parts, facts, taken, choosing }: ValueCardProps) {
  const { t } = useTranslation('conflict')
  const inside = (
    <>
      <span className={classes.cardHead}>
        <span className={classes.who}>{title}</span>
        {tag !== null && <span className={classes.tag}>{tag}</span>}
        {taken && (
          <span className={classes.tag} data-taken>
            {t('taken')}
          </span>
        )}
      </span>
      <span className={classes.value} data-long={words.length > SHORT || undefined}>
        <Marked parts={parts} />
      </span>
      <span className={classes.facts}>
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </span>
    </>
  )
  if (choosing === null)
    return (
      <div className={classes.card} data-chosen={taken}>
        {inside}
      </div>
    )
  const { name, chosen, onChoose } = choosing
  const isChosen = chosen === value
  const Mark = isChosen ? IconCircleCheckFilled : IconCircle
  return (
    <label className={classes.card} data-chosen={isChosen}>
      <input
        type="radio"
        className={classes.radio}
        name={name}
        value={value}
        checked={isChosen}
        onChange={() => onChoose(value)}
      />
      {inside}
      <span className={classes.take}>
        <Mark size={20} aria-hidden="true" />
        {words.length > SHORT ? t('takeLong', { name: by }) : t('take', { value: words, name: by })}
      </span>
    </label>
  )
}
