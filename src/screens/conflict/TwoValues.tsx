import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConflictChoice } from '#core/sync/conflict.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { sameContent } from '#core/sync/merge.ts'
import type { ConflictView } from '#src/data/shapes/types.ts'
import { fullTime } from '#src/ui/words/format.ts'

import { Content } from './Content.tsx'
import classes from './conflict.module.css'
import type { Subject } from './subject.ts'

/**
 * From this difference on, in milliseconds, the tablet's time of a value and the time of its receipt at the server are
 * both shown.
 */
const SAME_TIME_MS = 60_000

/** How the user chooses one of the values. */
export interface Choosing {
  /** Name of the group of radio buttons. */
  readonly name: string
  readonly chosen: ConflictChoice | null
  readonly onChoose: (choice: ConflictChoice) => void
}

interface TwoValuesProps {
  readonly view: ConflictView
  readonly subject: Subject
  /** Null where the values are read only. */
  readonly choosing: Choosing | null
}

/** Both values side by side, drawn as the field shows them, each with its author and time; and the value before. */
export function TwoValues({ view: { row, current, arrivedAt, decided: decision }, subject, choosing }: TwoValuesProps) {
  const { t } = useTranslation('conflict')
  // After the decision, the standing value is the decided one; beside it are the values between which it decided.
  const decided = decision !== null
  const standing = decided ? row.server : current
  const changedSince = !sameContent(standing, row.server)
  const late = arrivedAt !== null && Math.abs(Date.parse(arrivedAt) - Date.parse(row.mineAt)) > SAME_TIME_MS
  return (
    <>
      <div className={classes.pair}>
        <ValueCard
          title={t(decided ? 'standing.then' : 'standing.title')}
          action={t('standing.keep')}
          value="server"
          content={standing}
          subject={subject}
          choosing={choosing}
        >
          {changedSince ? (
            <span>
              {t('changedSince')} <Content subject={subject} content={row.server} /> · {row.serverByName}
            </span>
          ) : (
            <>
              <span>{t('by', { name: row.serverByName })}</span>
              <span>{row.serverAt === null ? t('atUnknown') : t('at', { time: fullTime(row.serverAt) })}</span>
            </>
          )}
        </ValueCard>
        <ValueCard
          title={t('other.title')}
          action={t('other.take')}
          value="mine"
          content={row.mine}
          subject={subject}
          choosing={choosing}
        >
          <span>{t('by', { name: row.mineByName })}</span>
          <span>{t('at', { time: fullTime(row.mineAt) })}</span>
          {late && <span>{t('arrived', { time: fullTime(arrivedAt) })}</span>}
        </ValueCard>
      </div>
      <p className={classes.base}>
        {t('base')} <Content subject={subject} content={row.base} />
      </p>
    </>
  )
}

interface ValueCardProps {
  readonly title: string
  readonly action: string
  readonly value: 'server' | 'mine'
  readonly content: ItemContent
  readonly subject: Subject
  readonly choosing: Choosing | null
  /** The author and the time of the value. */
  readonly children: ReactNode
}

function ValueCard({ title, action, value, content, subject, choosing, children }: ValueCardProps) {
  const inside = (
    <>
      <span className={classes.cardTitle}>{title}</span>
      <span className={classes.value}>
        <Content subject={subject} content={content} />
      </span>
      <span className={classes.facts}>{children}</span>
    </>
  )
  if (choosing === null) return <div className={classes.card}>{inside}</div>
  const { name, chosen, onChoose } = choosing
  return (
    <label className={classes.card} data-chosen={chosen === value}>
      {inside}
      <span className={classes.pick}>
        <input type="radio" name={name} value={value} checked={chosen === value} onChange={() => onChoose(value)} />
        {action}
      </span>
    </label>
  )
}
