import type { TFunction } from 'i18next'
import { addressKey, addressOf } from '#core/form/definition/address.ts'
import type { Choice } from '#core/form/definition/choiceLists.ts'
import { choiceBelow } from '#core/form/definition/choices.ts'
import type { BilingualText } from '#core/form/definition/column.ts'
import { inLanguage } from '#core/form/definition/inLanguage.ts'
import type { Field } from '#core/form/definition/page.ts'
import { isRange } from '#core/form/definition/page.ts'
import { blankText } from '#core/form/definition/piping.ts'
import { canonicalValue, isList, typingText, valueText } from '#core/form/definition/value.ts'
import type { Cell } from '#core/form/engine/cell.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { Issue } from '#core/form/engine/issue.ts'
import type { JsonValue } from '#core/json.ts'
import type { Language } from '#core/language.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { unknownPart, weekOf } from '#core/values/calendarParts.ts'

/** Texts around a field, in the reader's language. */

export type { Language }
export type FormWords = TFunction<'form'>

/** The label of a field in a language; the definition's own where it has only one. */
export function labelOf(field: Field, language: Language): string {
  return blankText(rawLabelOf(field, language), field.pipes)
}

/** The label with its placeholders for values left as they are written. */
export function rawLabelOf(field: Field, language: Language): string {
  return inLanguage(language, field.label, field.labelEn)
}

/** The designer's words below the label; null where there are none. */
export function noteOf({ note, noteEn }: Pick<Field, 'note' | 'noteEn'>, language: Language): string | null {
  return inLanguage(language, note, noteEn)
}

export function unitOf({ unit, unitEn }: Pick<Field, 'unit' | 'unitEn'>, language: Language): string | null {
  return unit === null ? null : inLanguage(language, unit, unitEn)
}

/** The text in an empty box; undefined where the designer gave none. */
export function placeholderOf({ placeholder, placeholderEn }: Field, language: Language): string | undefined {
  return inLanguage(language, placeholder, placeholderEn) ?? undefined
}

/** Words along a scale. */
export function marksOf({ marks, marksEn }: Field, language: Language): readonly string[] {
  return language === 'en' && marksEn.length > 0 ? marksEn : marks
}

/** The name of a field on its page: in a row with the names of its table and the number of the row. */
export function placeName(state: FormState, { key, field }: Cell, language: Language, t: FormWords): string {
  const { table, rid } = addressOf(key)
  const of = table === null ? undefined : state.getCell(table)
  if (of === undefined || rid === null) return labelOf(field, language)
  return t('table.place', {
    table: labelOf(of.field, language),
    no: (of.rows?.indexOf(rid) ?? -1) + 1,
    label: labelOf(field, language),
  })
}

/** An issue as a sentence. The words of a check are the designer's. */
export function issueText(issue: Issue, label: string, language: Language, t: FormWords): string {
  if (issue.code === 'check') return bilingual(issue.message, language)
  const { code, ...details } =
    issue.code === 'implausible-low' || issue.code === 'implausible-high' ? { ...issue, answer: undefined } : issue
  return t(`issue.${code}`, { ...details, label })
}

export function bilingual(text: BilingualText, language: Language): string {
  return inLanguage(language, text.zh, text.en)
}

/** The label of a stored choice; the stored code where the definition has none. */
export function choiceLabel(field: Field, value: string, t: FormWords): string {
  if (field.widget === 'yesno' && value === '1') return t('yes')
  if (field.widget === 'yesno' && value === '0') return t('no')
  const choice = choiceBelow(field.choices, value)
  // A value that was typed with the help of suggestions is stored as text, in the language in which it was typed.
  if (choice === null) return value
  // The language is a look-up too, which only choices in both languages need.
  const isAsStored = field.type === 'autocomplete' || choice.labelEn === undefined
  return isAsStored ? choice.label : choiceText(choice, languageOf(t))
}

/** The label of a choice in a language; the definition's own where it has only one. */
export function choiceText({ label, labelEn }: Pick<Choice, 'label' | 'labelEn'>, language: Language): string {
  return inLanguage(language, label, labelEn)
}

/** The language of a set of words. */
export function languageOf(t: FormWords): Language {
  return t('language') === 'en' ? 'en' : 'zh'
}

/** The label of the field whose answer decides which choices this field offers. */
export function followedLabel(state: FormState, { key, field }: Cell, language: Language): string {
  if (field.chain === null) return ''
  const followed = state.getCell(addressKey({ ...addressOf(key), code: field.chain.parent }))
  return followed === undefined ? field.chain.parent : labelOf(followed.field, language)
}

/** A cell's value as a person reads it, without its unit; empty text when there is none. */
export function displayText({ field, value, text }: Cell, t: FormWords): string {
  // A date is easiest to read in its canonical form; a number stays as it was typed (1.10).
  return field.type === 'number' && value !== null && text !== null ? text : valueWords(field, value, t)
}

/**
 * The text in the box of a cell while nobody types in it: as `displayText`, but stored codes and wrong entries stay as
 * they are.
 */
export function boxText({ field, value, text }: Cell): string {
  return field.type === 'number' && text !== null ? text : typingText(field, value)
}

/** A stored value as a person reads it, without its unit; empty text when there is none. */
export function valueWords(field: Field | null, value: JsonValue | null, t: FormWords): string {
  if (value === null) return ''
  const calendar = field === null ? null : calendarWords(field, value, t)
  if (calendar !== null) return calendar
  const items = (isList(value) ? value : [value]).filter((item) => !isDeletedRow(item))
  const [only] = items
  // Most values are one item, and need no look-up of what stands between items.
  if (only !== undefined && items.length === 1) return itemWords(field, only, t)
  // The items of a single-choice cascade are the steps of one path.
  const separator = field?.type === 'cascader' && !field.multiple && !field.lastStep ? ' / ' : t('listSeparator')
  return items.map((item) => itemWords(field, item, t)).join(separator)
}

/** The content of an item in words: its value with the unit, or the missing reason. */
export function contentWords(field: Field | null, { value, missing }: ItemContent, t: FormWords): string {
  if (missing !== null) return `${t(`missing.${missing.m}`)} — ${missing.reason}`
  const words = valueWords(field, value, t)
  if (words === '') return t('empty')
  return [words, field === null ? null : unitOf(field, languageOf(t))].filter((part) => part !== null).join(' ')
}

function itemWords(field: Field | null, item: JsonValue, t: FormWords): string {
  if (field !== null && field.choices.length > 0) {
    return isList(item)
      ? item.map((step) => choiceLabel(field, valueText(step), t)).join(' / ')
      : choiceLabel(field, valueText(item), t)
  }
  if (typeof item !== 'object' || item === null || isList(item)) return valueText(item)
  if (field?.type === 'dynamic') return rowText(field, item, t)
  // A file is shown by its name.
  const name = 'name' in item ? item.name : item['label']
  return typeof name === 'string' ? name : valueText(item)
}

/** Whether a row is deleted: it is still stored, but is not shown. */
function isDeletedRow(item: JsonValue): boolean {
  return typeof item === 'object' && item !== null && '_deleted' in item && item._deleted === true
}

/** A row of a table in one line: the labels of its fields, and their values. */
function rowText(field: Field, row: Readonly<Record<string, JsonValue>>, t: FormWords): string {
  return field.children
    .flatMap((child) => {
      const words = valueWords(child, canonicalValue(child, row[child.code]), t)
      return words === '' ? [] : [`${rawLabelOf(child, languageOf(t))}${t('colon')}${words}`]
    })
    .join('  ')
}

/** The text in the box of one end of a range while nobody types in it. */
export function endText(value: JsonValue | null, end: 0 | 1): string {
  return isList(value) ? valueText(value[end] ?? null) : end === 0 ? valueText(value) : ''
}

/** Ranges, weeks and partial dates in words; null for values that are easy to read as they are stored. */
function calendarWords(field: Field, value: JsonValue, t: FormWords): string | null {
  if (isRange(field) && isList(value))
    return t('between', { from: endText(value, 0) || '…', to: endText(value, 1) || '…' })
  if (typeof value !== 'string') return null
  const week = field.type === 'week' ? weekOf(value) : null
  if (week !== null) return t('week', { ...week })
  const unknown = field.partial === null ? null : unknownPart(value)
  return unknown === null ? null : t(`unknown.${unknown}`, { date: value })
}
