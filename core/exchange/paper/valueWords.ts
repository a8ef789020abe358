import { choiceAlong, choiceBelow } from '#core/form/definition/choices.ts'
import type { Choice } from '#core/form/definition/choiceLists.ts'
import { inLanguage } from '#core/form/definition/inLanguage.ts'
import type { Field } from '#core/form/definition/page.ts'
import { isRange } from '#core/form/definition/page.ts'
import { blankText } from '#core/form/definition/piping.ts'
import { isList, valueText } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'
import type { Language } from '#core/language.ts'
import { isEmptyValue } from '#core/sync/emptyValue.ts'
import type { MissingReason } from '#core/sync/entryChange.ts'
import { unknownPart, weekOf } from '#core/values/calendarParts.ts'

import type { PaperCell, PaperLine } from './document.ts'
import { lineOf } from './document.ts'
import type { PaperWords } from './words.ts'

/** What was entered, in the words of its field: labels of choices with codes, units, reasons why it is missing. */

export interface Speech {
  readonly words: PaperWords
  readonly language: Language
}

export function labelOf(field: Field, language: Language): string {
  return blankText(inLanguage(language, field.label, field.labelEn), field.pipes)
}

export function unitOf(field: Field, language: Language): string {
  return field.unit === null ? '' : inLanguage(language, field.unit, field.unitEn)
}

/** The lines of an answer: one for each of several choices, paths and files. */
export function contentCell(
  field: Field | null,
  value: JsonValue | undefined,
  missing: MissingReason | undefined,
  { words, language }: Speech,
): PaperCell {
  const lines = valueLines(field, value ?? null, { words, language })
  const why = missing === undefined ? [] : [lineOf(missingText(missing, words))]
  return lines.length + why.length === 0 ? [lineOf(words.empty, 'muted')] : [...lines, ...why]
}

export function missingText({ m, reason }: MissingReason, words: PaperWords): string {
  return [`${words.missing[m]} (${m})`, reason].filter((part) => part !== '').join(' — ')
}

/** The same in one line; empty without an answer. */
export function contentText(
  field: Field | null,
  value: JsonValue | undefined,
  missing: MissingReason | null | undefined,
  speech: Speech,
): string {
  const lines = valueLines(field, value ?? null, speech).map(({ t }) => t)
  return [...lines, ...(missing === undefined || missing === null ? [] : [missingText(missing, speech.words)])].join(
    speech.words.comma,
  )
}

function valueLines(field: Field | null, value: JsonValue, speech: Speech): readonly PaperLine[] {
  if (isEmptyValue(value)) return []
  if (field === null) return [lineOf(plainText(value))]
  const unit = unitOf(field, speech.language)
  const text = calendarText(field, value, speech.words)
  if (text !== null) return [lineOf(withUnit(text, unit))]
  if (field.choices.length > 0) return choiceLines(field, value, speech)
  if (field.children.length > 0) return rowLines(field, value, speech)
  const parts = isList(value) ? value : [value]
  return parts.map((part) => lineOf(withUnit(plainText(part), unit)))
}

function withUnit(text: string, unit: string): string {
  return unit === '' ? text : `${text} ${unit}`
}

/** A file is known by its name; what has no words is shown as it is stored. */
function plainText(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return valueText(value)
  if (isList(value)) return value.map(plainText).join(', ')
  const name = 'name' in value ? value.name : value['label']
  return typeof name === 'string' ? name : valueText(value)
}

function calendarText(field: Field, value: JsonValue, words: PaperWords): string | null {
  if (isRange(field) && isList(value) && value.length === 2) {
    const [from = '…', to = '…'] = value.map((end) => (isEmptyValue(end) ? '…' : valueText(end)))
    return words.between(from, to)
  }
  if (typeof value !== 'string') return null
  const week = field.type === 'week' ? weekOf(value) : null
  if (week !== null) return words.week(week.year, week.number, week.from, week.to)
  const unknown = field.partial === null ? null : unknownPart(value)
  return unknown === null ? null : words.unknown[unknown](value)
}

function choiceLines(field: Field, value: JsonValue, speech: Speech): readonly PaperLine[] {
  // The items of one path are no answers by themselves.
  const isOnePath = field.type === 'cascader' && !field.multiple && !field.lastStep
  const answers = isList(value) && !isOnePath ? value : [value]
  return answers.map((answer) =>
    lineOf(isList(answer) ? pathText(field, answer, speech) : choiceText(field, answer, speech)),
  )
}

function choiceText(field: Field, answer: JsonValue, { words, language }: Speech): string {
  const code = valueText(answer)
  if (field.widget === 'yesno' && (code === '1' || code === '0'))
    return `${code === '1' ? words.yes : words.no} [${code}]`
  const choice = choiceBelow(field.choices, answer)
  if (choice !== null)
    return field.type === 'autocomplete' ? choice.label : `${choiceLabel(choice, language)} [${code}]`
  return field.type === 'autocomplete' ? code : `${code} (${words.unlisted})`
}

function pathText(field: Field, steps: readonly JsonValue[], { words, language }: Speech): string {
  const labels = steps.map((step, at) => {
    const choice = choiceAlong(field.choices, steps.slice(0, at + 1))
    return choice === null ? `${valueText(step)} (${words.unlisted})` : choiceLabel(choice, language)
  })
  return `${labels.join(' / ')} [${steps.map(valueText).join('/')}]`
}

export function choiceLabel({ label, labelEn }: Choice, language: Language): string {
  return inLanguage(language, label, labelEn)
}

/** Rows of a table within a row, a line each. */
function rowLines(field: Field, value: JsonValue, speech: Speech): readonly PaperLine[] {
  const rows = isList(value) ? value : [value]
  return rows.flatMap((row) => {
    if (typeof row !== 'object' || row === null || isList(row)) return [lineOf(valueText(row))]
    if (row['_deleted'] === true) return []
    const parts = field.children.flatMap((child) => {
      const text = contentText(child, row[child.code], null, speech)
      return text === '' ? [] : [`${labelOf(child, speech.language)}${speech.words.colon}${text}`]
    })
    return [lineOf(parts.join('  '))]
  })
}
