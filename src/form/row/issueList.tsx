import type { ReactNode } from 'react'
import type { Issue } from '#core/form/engine/issue.ts'
import { isError } from '#core/form/engine/issue.ts'
import type { Warning } from '#core/form/engine/warning.ts'
import { isWarning, warningName } from '#core/form/engine/warning.ts'

import type { Drawing } from '../controls/drawing.ts'
import classes from '../form.module.css'
import { issueText } from '../words.ts'

type Told = Pick<Drawing, 'label' | 'environment'>

/** The issues of a field, the server's message first. Each warning has its answer, or the button to answer it. */
export function issueList(drawing: Drawing, issues: readonly Issue[], editable: boolean) {
  const { cell, ids, environment } = drawing
  const { words } = environment
  const isAsked = environment.mode === 'view' || environment.queries?.marks.has(cell.key) === true
  return (
    <ul id={ids.issues} className={classes.issues}>
      {cell.serverMessage !== null && (
        <li data-severity="error">
          <span className={classes.hiddenText}>{`${words.error}${words.colon}`}</span>
          {cell.serverMessage}
        </li>
      )}
      {issues.map((issue) =>
        issueLine(issue, drawing, isWarning(issue) && answerLine(drawing, issue, editable), isAsked),
      )}
    </ul>
  )
}

/** The issues of a text of the page; nobody answers these. */
export function titleIssueList(issues: readonly Issue[], id: string, told: Told) {
  return (
    <ul id={id} className={classes.issues}>
      {issues.map((issue) => issueLine(issue, told, null))}
    </ul>
  )
}

/**
 * The sentence, after a word for its severity; the word "error" is only for screen readers.
 *
 * @param isAsked whether what a check asks by itself is asked already, or its page is only read
 */
function issueLine(issue: Issue, { label, environment }: Told, answer: ReactNode, isAsked = false) {
  const { words, language, t } = environment
  const isBad = isError(issue)
  return (
    <li key={issue.code === 'check' ? `check-${issue.id}` : issue.code} data-severity={isBad ? 'error' : 'warning'}>
      <span className={isBad ? classes.hiddenText : undefined}>
        {`${isBad ? words.error : isQuestion(issue) ? words.asks[isAsked ? 'asked' : 'query'] : words.warning}${words.colon}`}
      </span>
      {issueText(issue, label, language, t)}
      {answer}
    </li>
  )
}

/** Whether the server asks about it by itself once the page is submitted. */
function isQuestion(issue: Issue): boolean {
  return issue.code === 'check' && issue.severity === 'query'
}

/** The answer to a warning, or the button to answer it. */
function answerLine({ label, environment: { mode, t, confirms } }: Drawing, warning: Warning, editable: boolean) {
  const { answer } = warning
  if (answer !== null) {
    return (
      <span className={classes.answer}>
        {answer.reason === ''
          ? t('confirm.done', { name: answer.byName })
          : t('confirm.doneWhy', { name: answer.byName, reason: answer.reason })}
      </span>
    )
  }
  // A form that is tried out asks for no answers.
  if (mode === 'input' && (!editable || confirms === null)) return null
  if (confirms === null || mode === 'view') return <span className={classes.answer}>{t('confirm.waits')}</span>
  return (
    <button
      type="button"
      className={classes.side}
      data-action="confirm"
      data-value={warningName(warning)}
      aria-label={t('confirm.openFor', { label })}
      aria-haspopup="dialog"
    >
      {t('confirm.open')}
    </button>
  )
}
