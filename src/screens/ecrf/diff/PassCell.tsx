import { useTranslation } from 'react-i18next'
import { Marked } from '#src/ui/difference/Marked.tsx'
import { clockTime, fullTime } from '#src/ui/words/format.ts'

import classes from './diff.module.css'
import type { NamedGap } from './gapWords.ts'

interface PassCellProps {
  readonly line: NamedGap
  readonly pass: 'first' | 'second'
  readonly chosen: boolean
  /** Null where the choice is closed. */
  readonly onChoose: (() => void) | null
}

/** The value of one pass, and who entered it; a press anywhere on it chooses it. */
export function PassCell({ line, pass, chosen, onChoose }: PassCellProps) {
  const { t } = useTranslation(['diff', 'form'])
  const { gap, name } = line
  const by = pass === 'first' ? gap.firstBy : gap.secondBy
  const inside = (
    <>
      <span className={classes.content}>
        <Marked parts={line[pass]} />
      </span>
      {by !== null && (
        <span className={classes.by} title={fullTime(by.at)}>
          {t('by', { name: by.name, time: clockTime(by.at) })}
        </span>
      )}
    </>
  )
  return (
    <td className={classes.pass} data-pass={t(`pass.${pass}`)} data-chosen={chosen || undefined}>
      {onChoose === null ? (
        <div className={classes.value}>{inside}</div>
      ) : (
        <label className={classes.value}>
          <input
            type="radio"
            name={gap.id}
            checked={chosen}
            onChange={onChoose}
            aria-label={`${name}${t('form:colon')}${t(`choose.${pass}`)} ${line[pass].map(({ text }) => text).join('')}`}
          />
          {inside}
        </label>
      )}
    </td>
  )
}
