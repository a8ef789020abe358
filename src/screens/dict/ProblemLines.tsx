import { useTranslation } from 'react-i18next'

import classes from './dict.module.css'
import { useEntryProblem } from './entryWords.ts'

/** How many lines are named; whoever corrects these sees the next ones. */
const TOLD = 20

interface ProblemLinesProps {
  readonly problems: readonly { readonly line: number; readonly problem: string; readonly key: string }[]
}

/** The problems in the lines of a text or the rows of a spreadsheet. */
export function ProblemLines({ problems }: ProblemLinesProps) {
  const { t } = useTranslation('dict')
  const words = useEntryProblem()
  return (
    <ul className={classes.problems}>
      {problems.slice(0, TOLD).map(({ line, problem, key }) => (
        <li key={line}>
          {key === ''
            ? t('dictionary.line', { line, problem: words(problem) })
            : t('dictionary.lineOf', { line, key, problem: words(problem) })}
        </li>
      ))}
      {problems.length > TOLD && <li>{t('dictionary.moreLines', { count: problems.length - TOLD })}</li>}
    </ul>
  )
}
