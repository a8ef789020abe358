import type { TFunction } from 'i18next'

import type { Cell } from '#core/form/cell.ts'
import type { BilingualText } from '#core/form/column.ts'
import type { Issue } from '#core/form/issue.ts'
import type { Field } from '#core/form/page.ts'
import { isList, valueText } from '#core/form/value.ts'

/** Words around a field in the reader's language. */

export type Language = 'zh' | 'en'
export type FormWords = TFunction<'form'>

/** The label of a field in a language; the definition's own where it has only one. */
export function labelOf(field: Field, language: Language): string {
  return language === 'en' ? (field.labelEn ?? field.label) : field.label
}

/** What is wrong, as a sentence. The words of a check are the designer's. */
export function issueText(issue: Issue, label: string, language: Language, t: FormWords): string {
  if (issue.code === 'check') return bilingual(issue.message, language)
  const { code, ...details } = issue
  return t(`issue.${code}`, { ...details, label })
}

export function bilingual(text: BilingualText, language: Language): string {
  return language === 'en' ? (text.en ?? text.zh) : text.zh
}

/** The label of a stored choice; the stored code where the definition has none. */
export function choiceLabel(field: Field, value: string, t: FormWords): string {
  if (field.widget === 'yesno' && value === '1') return t('yes')
  if (field.widget === 'yesno' && value === '0') return t('no')
  return field.choices.find((choice) => choice.value === value)?.label ?? value
}

/** A value as a person reads it, without its unit; empty text when there is none. */
export function displayText({ field, value, text }: Cell, t: FormWords): string {
  if (value === null) return ''
  if (field.choices.length > 0) {
    const values = isList(value) ? value : [value]
    return values.map((item) => choiceLabel(field, valueText(item), t)).join(t('listSeparator'))
  }
  // A date reads best in its canonical form; a number stays as it was typed (1.10).
  return field.type === 'number' && text !== null ? text : valueText(value)
}

/** The quiet hint of the range that values are expected in; null without one. */
export function rangeHint(field: Field, t: FormWords): string | null {
  if (field.type === 'slider') return null
  const { min, max } = field
  if (min !== null && max !== null) return t('range.both', { min, max })
  if (min !== null) return t('range.min', { min })
  return max === null ? null : t('range.max', { max })
}
