import { useTranslation } from 'react-i18next'
import type { FormState } from '#core/form/engine/engine.ts'
import type { FieldIssues, Issue } from '#core/form/engine/issue.ts'
import { isError } from '#core/form/engine/issue.ts'

import classes from './form.module.css'
import type { Language } from './words.ts'
import { issueText, labelOf, placeName } from './words.ts'

export interface FormErrorBoxProps {
  readonly state: FormState
  /** The result of `state.validate()`, and messages of the server by the address of their field. */
  readonly issues: readonly FieldIssues[]
  readonly messages?: Readonly<Record<string, string>>
  readonly language: Language
  readonly onJump: (address: string) => void
}

interface Line {
  readonly address: string
  readonly text: string
}

/**
 * All errors of a page in one box, with how many fields have any, and its warnings in a separate list; each line goes
 * to its field. Draws nothing without either.
 */
export function FormErrorBox({ state, issues, messages = {}, language, onJump }: FormErrorBoxProps) {
  const { i18n } = useTranslation('form')
  const t = i18n.getFixedT(language, 'form')
  const linesOf = (wanted: (issue: Issue) => boolean, said: Readonly<Record<string, string>>): readonly Line[] =>
    state.cells().flatMap((cell) => {
      const { key: address, field } = cell
      const own = issues.find((item) => item.key === address)?.issues ?? []
      if (own.length === 0 && said[address] === undefined) return []
      const label = placeName(state, cell, language, t)
      const texts = own.filter(wanted).map((issue) => issueText(issue, labelOf(field, language), language, t))
      const message = said[address]
      if (message !== undefined) texts.push(message)
      return texts.map((text) => ({ address, text: text.includes(label) ? text : `${label}${t('colon')}${text}` }))
    })
  const errors = linesOf(isError, messages)
  const warnings = linesOf((issue) => !isError(issue), {})
  if (errors.length === 0 && warnings.length === 0) return null
  return (
    <div className={classes.errorBox} role="alert" data-severity={errors.length > 0 ? 'error' : 'warning'}>
      {errors.length > 0 && (
        <>
          <h2>{t('errors.title')}</h2>
          <p>{t('errors.count', { count: new Set(errors.map(({ address }) => address)).size })}</p>
          <LineList lines={errors} onJump={onJump} />
        </>
      )}
      {warnings.length > 0 && (
        <>
          <h2 data-severity="warning">{t('errors.warnings')}</h2>
          <LineList lines={warnings} onJump={onJump} />
        </>
      )}
    </div>
  )
}

function LineList({ lines, onJump }: { readonly lines: readonly Line[]; readonly onJump: (address: string) => void }) {
  return (
    <ul>
      {lines.map(({ address, text }) => (
        <li key={`${address} ${text}`}>
          <button type="button" onClick={() => onJump(address)}>
            {text}
          </button>
        </li>
      ))}
    </ul>
  )
}
