import { useTranslation } from 'react-i18next'
import { sameContent } from '#core/sync/merge.ts'
import { unitOf } from '#src/form/words.ts'
import { differingParts } from '#src/ui/difference/textParts.ts'
import { fullTime } from '#src/ui/words/format.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { ValueCard } from './ValueCard.tsx'
import type { Choosing } from './ValueCard.tsx'
import classes from './conflict.module.css'
import type { NamedConflict } from './subject.ts'
import { useContentWords } from './useContentWords.ts'

/**
 * From this difference on, in milliseconds, the tablet's time of a value and the time of its receipt at the server are
 * both shown.
 */
const SAME_TIME_MS = 60_000

interface TwoValuesProps {
  readonly conflict: NamedConflict
  /** Null where the values are read only. */
  readonly choosing: Choosing | null
}

/**
 * Both values side by side, each with its author and times, what differs between them marked; above them what the item
 * held before both. While something can be chosen, the cards are the buttons.
 */
export function TwoValues({ conflict: { view, subject }, choosing }: TwoValuesProps) {
  const { t } = useTranslation('conflict')
  const wordsOf = useContentWords()
  const language = useLanguage()
  const { row, current, arrivedAt, decided } = view
  // After the decision, the standing value is the decided one; beside it are the values between which it decided.
  const standing = decided === null ? current : row.server
  const changedSince = !sameContent(standing, row.server)
  const isLate = arrivedAt !== null && Math.abs(Date.parse(arrivedAt) - Date.parse(row.mineAt)) > SAME_TIME_MS
  const [server, mine] = [wordsOf(subject, standing), wordsOf(subject, row.mine)]
  const [ofServer, ofMine] =
    subject.kind === 'deletion'
      ? [[{ text: server, differs: false }], [{ text: mine, differs: false }]]
      : differingParts(server, mine, subject.field === null ? null : unitOf(subject.field, language))
  const [then, keeper] = [wordsOf(subject, row.server), changedSince ? t('current') : row.serverByName]
  return (
    <>
      <p className={classes.base}>
        <span className={classes.baseName}>{t('base')}</span>
        <span className={classes.baseValue}>{wordsOf(subject, row.base)}</span>
      </p>
      <div className={classes.pair}>
        <ValueCard
          title={changedSince ? t('changedSince.title') : t('entered', { name: row.serverByName })}
          tag={decided === null && !changedSince ? t('current') : null}
          by={keeper}
          value="server"
          words={server}
          parts={ofServer}
          facts={
            changedSince
              ? [t('changedSince.then', { value: then, name: row.serverByName })]
              : [row.serverAt === null ? t('atUnknown') : t('at', { time: fullTime(row.serverAt) })]
          }
          taken={decided?.choice === 'server'}
          choosing={choosing}
        />
        <ValueCard
          title={t('entered', { name: row.mineByName })}
          tag={null}
          by={row.mineByName}
          value="mine"
          words={mine}
          parts={ofMine}
          facts={[
            t('at', { time: fullTime(row.mineAt) }),
            ...(isLate ? [t('arrived', { time: fullTime(arrivedAt) })] : []),
            // A receipt of this device says that it was sent from here.
            ...(arrivedAt === null ? [] : [t('fromHere')]),
          ]}
          taken={decided?.choice === 'mine'}
          choosing={choosing}
        />
      </div>
    </>
  )
}
