import { useTranslation } from 'react-i18next'

import classes from './dict.module.css'
import { useEntryProblem } from './entryWords.ts'

/** Lines that are told; who corrects these sees the next. */
const TOLD = 20

interface ProblemLinesProps {
  readonly problems: readonly { readonly line: number; readonly problem: string; readonly key: string }[]
}

/** What is wrong with lines of a text or rows of a spreadsheet. */
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
