import { useTranslation } from 'react-i18next'
import type { InboxLine } from '#core/api/calls/sync.ts'
import type { InboxRow } from '#core/api/sync/rows.ts'
import { useCallName } from '#src/ui/words/callName.ts'
import { clockTime, fullTime } from '#src/ui/words/format.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import classes from './inbox.module.css'

interface InboxTableProps {
  readonly state: InboxRow['state']
  readonly lines: readonly InboxLine[]
  readonly onOpen: (id: string) => void
}

/** The operations of a state, those together that are here for the same reason: they are decided alike. */
export function InboxTable({ state, lines, onOpen }: InboxTableProps) {
  const { t } = useTranslation('inbox')
  const caption = `${t('title')} · ${t(`tabs.${state}`)}`
  const isOpen = state === 'open'
  const titles = ['received', 'author', 'patient', 'what', ...(isOpen ? [] : (['decided'] as const)), 'open'] as const
  return (
    // What scrolls must be reachable by the keyboard, or its right end cannot be read.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={classes.scroll} aria-label={caption} tabIndex={0}>
      <table className={classes.table}>
        <caption className={classes.hidden}>{caption}</caption>
        <thead>
          <tr>
            {titles.map((title) => (
              <th key={title} scope="col">
                {t(`columns.${title}`)}
              </th>
            ))}
          </tr>
        </thead>
        {[...Map.groupBy(lines, ({ reason }) => reason)].map(([reason, ofReason]) => (
          <tbody key={reason}>
            <tr className={classes.reason}>
              <th scope="rowgroup" colSpan={titles.length}>
                {t(`reason.${reason}`)} <span className={classes.count}>{ofReason.length}</span>
              </th>
            </tr>
            {ofReason.map((line) => (
              <Line key={line.id} line={line} isOpen={isOpen} onOpen={onOpen} />
            ))}
          </tbody>
        ))}
      </table>
    </section>
  )
}

interface LineProps {
  readonly line: InboxLine
  /** Whether it waits for a decision. */
  readonly isOpen: boolean
  readonly onOpen: (id: string) => void
}

function Line({ line, isOpen, onOpen }: LineProps) {
  const names = useNames()
  const { t } = useTranslation('inbox')
  const callName = useCallName()
  const { receivedAt, authorName, patientNo, centerName, decidedByName, decidedAt, note } = line
  const page = names.page(line)
  return (
    <tr>
      <td className={classes.time} title={fullTime(receivedAt)}>
        {clockTime(receivedAt)}
      </td>
      <td>{authorName}</td>
      <td>
        {patientNo} {centerName !== null && <span className={classes.quiet}>{centerName}</span>}
      </td>
      <td>
        {page ?? callName(line.call)} {page !== null && <span className={classes.quiet}>{callName(line.call)}</span>}
      </td>
      {!isOpen && (
        <td>
          {[decidedByName, decidedAt === null ? null : clockTime(decidedAt)].filter(Boolean).join(' · ')}{' '}
          {note !== null && <span className={classes.quiet}>{note}</span>}
        </td>
      )}
      <td className={classes.last}>
        <button
          type="button"
          className={classes.open}
          aria-label={t(isOpen ? 'decideItLabel' : 'openLabel', {
            who: authorName,
            where: [patientNo, page].filter(Boolean).join(' · '),
          })}
          onClick={() => onOpen(line.id)}
        >
          {t(isOpen ? 'decideIt' : 'open')}
        </button>
      </td>
    </tr>
  )
}
