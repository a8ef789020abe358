import { useTranslation } from 'react-i18next'

import type { FormState } from '#core/form/engine.ts'
import type { Issue } from '#core/form/issue.ts'

import classes from './form.module.css'
import type { Language } from './words.ts'
import { issueText, labelOf } from './words.ts'

export interface FormErrorBoxProps {
  readonly state: FormState
  /** What `state.validate()` gave, and messages of the server by field code. */
  readonly issues: readonly { readonly prop: string; readonly issues: readonly Issue[] }[]
  readonly messages?: Readonly<Record<string, string>>
  readonly language: Language
  readonly onJump: (prop: string) => void
}

/** All errors of a page in one box; each line goes to its field. Nothing without errors. */
export function FormErrorBox({ state, issues, messages = {}, language, onJump }: FormErrorBoxProps) {
  const { i18n } = useTranslation('form')
  const t = i18n.getFixedT(language, 'form')
  const lines = state.compiled.page.fields.flatMap((field) => {
    const label = labelOf(field, language)
    const own = issues.find((item) => item.prop === field.prop)?.issues ?? []
    const texts = own.map((issue) => issueText(issue, label, language, t))
    const message = messages[field.prop]
    if (message !== undefined) texts.push(message)
    return texts.map((text) => ({ prop: field.prop, text: text.includes(label) ? text : `${label}：${text}` }))
  })
  if (lines.length === 0) return null
  return (
    <div className={classes.errorBox} role="alert">
      <h2>{t('errors.title')}</h2>
      <ul>
        {lines.map(({ prop, text }) => (
          <li key={`${prop} ${text}`}>
            <button type="button" onClick={() => onJump(prop)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
