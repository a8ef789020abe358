import { isList, valueKind, valueText } from '#core/form/definition/value.ts'
import { allPaths, answerOf } from '#core/form/definition/choices.ts'
import type { Choice } from '#core/form/definition/choiceLists.ts'
import { inLanguage } from '#core/form/definition/inLanguage.ts'
import { isRange } from '#core/form/definition/page.ts'
import type { Field } from '#core/form/definition/page.ts'
import { referencesWithin } from '#core/files/reference.ts'
import type { JsonValue } from '#core/json.ts'
import type { Language } from '#core/language.ts'
import { isEmptyValue } from '#core/sync/emptyValue.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'

import type { CellValue, CodeLabel, Variable, VariableField, VariableType } from './table.ts'

/**
 * The variables of a field, and what stands in each of them. A range has two, an answer of several choices one for each
 * choice, as statistics need them; all others have one.
 */

export interface ColumnOptions {
  readonly language: Language
  /** Chosen answers as their codes, as their labels, or as codes with a variable of labels beside them. */
  readonly values: 'codes' | 'labels' | 'both'
  /** Whether the words of a missing reason get a variable of their own. */
  readonly reasons: boolean
}

/** A variable and how it is read from an answer. */
export interface ItemColumn {
  readonly variable: Variable
  read(content: ItemContent): CellValue
}

/** Between several answers in one text, and between the steps of a path. */
const BETWEEN = '; '
const STEP = '/'
/** Most choices of which each gets a variable of its own. */
const MOST_INDICATORS = 200
const INTEGER = /^(0|-?[1-9]\d{0,8})$/

/** The columns of a field that holds data and is no table. */
export function columnsOfField(field: Field, place: VariableField, options: ColumnOptions): readonly ItemColumn[] {
  const columns = answerColumns(new FieldWords(field, options.language), place, options)
  if (!options.reasons) return columns
  const reason = variableOf(field, place, options.language, { name: `${field.code}_reason`, role: 'reason' })
  return [...columns, { variable: reason, read: ({ missing }) => missing?.reason ?? null }]
}

function answerColumns(words: FieldWords, place: VariableField, options: ColumnOptions): readonly ItemColumn[] {
  const { field } = words
  if (isRange(field)) return rangeColumns(field, place, options)
  if (words.codes.length === 0) return [plainColumn(field, place, options)]
  const isSeveral = valueKind(field) === 'texts' && field.multiple
  const several = isSeveral || field.type === 'checkbox' || valueKind(field) === 'paths'
  return several ? severalColumns(words, place, options) : oneOfColumns(words, place, options)
}

/** An answer that is written down, as it is. */
function plainColumn(field: Field, place: VariableField, { language }: ColumnOptions): ItemColumn {
  const variable = variableOf(field, place, language, { type: typeOf(field) })
  return { variable, read: (content) => readOr(content, (value) => plainValue(variable.type, value)) }
}

/** The two ends of a range. */
function rangeColumns(field: Field, place: VariableField, { language }: ColumnOptions): readonly ItemColumn[] {
  return (['start', 'end'] as const).map((end, at) => {
    const variable = variableOf(field, place, language, { name: `${field.code}_${end}`, type: typeOf(field) })
    const read = (value: JsonValue): CellValue => {
      // A range that is no list is told once, at its beginning.
      const part = isList(value) ? (value[at] ?? null) : at === 0 ? value : null
      return isEmptyValue(part) ? null : plainValue(variable.type, part)
    }
    return { variable, read: (content) => readOr(content, read) }
  })
}

/** One choice of a list: its code, its label, or both. */
function oneOfColumns(words: FieldWords, place: VariableField, options: ColumnOptions): readonly ItemColumn[] {
  const { field, codes } = words
  const isNumeric = codes.every(({ code }) => INTEGER.test(code))
  const coded = variableOf(field, place, options.language, {
    type: isNumeric ? 'number' : 'text',
    decimals: isNumeric ? 0 : null,
    codes,
  })
  const code: ItemColumn = {
    variable: coded,
    read: (content) =>
      readOr(content, (value) => {
        const text = words.codeOf(value)
        return isNumeric && INTEGER.test(text) ? Number(text) : text
      }),
  }
  const label = (name: string, role: 'item' | 'label'): ItemColumn => ({
    variable: variableOf(field, place, options.language, { name, role }),
    read: (content) => readOr(content, (value) => words.labelOf(words.codeOf(value))),
  })
  switch (options.values) {
    case 'codes':
      return [code]
    case 'labels':
      return [label(field.code, 'item')]
    case 'both':
      return [code, label(`${field.code}_label`, 'label')]
  }
}

/** Several choices of a list: all of them in one text, and for each whether it was chosen. */
function severalColumns(words: FieldWords, place: VariableField, options: ColumnOptions): readonly ItemColumn[] {
  const { field, codes } = words
  const text = (name: string, role: 'item' | 'label', write: (code: string) => string): ItemColumn => ({
    variable: variableOf(field, place, options.language, { name, role }),
    read: (content) => readOr(content, (value) => words.codesOf(value).map(write).join(BETWEEN)),
  })
  const label = (code: string) => words.labelOf(code)
  const all = {
    codes: [text(field.code, 'item', (code) => code)],
    labels: [text(field.code, 'item', label)],
    both: [text(field.code, 'item', (code) => code), text(`${field.code}_label`, 'label', label)],
  }[options.values]
  if (codes.length > MOST_INDICATORS) return all
  const yesNo = options.language === 'zh' ? ['否', '是'] : ['No', 'Yes']
  const indicators = codes.map((choice): ItemColumn => {
    const variable = variableOf(field, place, options.language, {
      name: `${field.code}___${choice.code}`,
      type: 'number',
      decimals: 0,
      codes: yesNo.map((word, at) => ({ code: String(at), label: word })),
    })
    return {
      variable: { ...variable, label: `${variable.label}: ${choice.label}` },
      read: (content) => readOr(content, (value) => (words.codesOf(value).includes(choice.code) ? 1 : 0)),
    }
  })
  return [...all, ...indicators]
}

/** What is read from an answer; the missing reason, or null, where there is none. */
function readOr({ value, missing }: ItemContent, read: (value: JsonValue) => CellValue): CellValue {
  if (!isEmptyValue(value)) return read(value)
  return missing
}

function plainValue(type: VariableType, value: JsonValue): CellValue {
  if (type === 'number' && typeof value === 'number') return value
  const files = referencesWithin(value)
  if (files.length > 0) return files.map(({ name }) => name).join(BETWEEN)
  return isList(value) ? value.map(pathText).join(BETWEEN) : valueText(value)
}

function pathText(value: JsonValue): string {
  return isList(value) ? value.map(valueText).join(STEP) : valueText(value)
}

function typeOf(field: Field): VariableType {
  switch (field.type) {
    case 'number':
    case 'slider':
      return 'number'
    case 'date':
      return field.partial === null ? 'date' : 'text'
    case 'daterange':
      return 'date'
    case 'time':
    case 'timerange':
      return 'time'
    case 'datetime':
    case 'datetimerange':
      return 'datetime'
    case 'title':
    case 'input':
    case 'autocomplete':
    case 'textarea':
    case 'array':
    case 'url':
    case 'radio':
    case 'select':
    case 'checkbox':
    case 'tree':
    case 'cascader':
    case 'table':
    case 'upload':
    case 'dynamic':
    case 'year':
    case 'month':
    case 'week':
      return 'text'
  }
}

/** A variable of a field: a text with the field's name and label unless something else is said. */
function variableOf(
  field: Field,
  place: VariableField,
  language: Language,
  own: Partial<Pick<Variable, 'name' | 'type' | 'decimals' | 'codes' | 'role'>>,
): Variable {
  return {
    type: 'text',
    decimals: own.type === 'number' ? field.precision : null,
    unit: inLanguage(language, field.unit, field.unitEn),
    codes: [],
    role: 'item',
    label: inLanguage(language, field.label, field.labelEn),
    field: place,
    ...own,
    name: nameOf(own.name ?? field.code),
  }
}

/** A text in the form of a variable's name. */
export function nameOf(text: string): string {
  const plain = text.replaceAll(/[^A-Za-z0-9_]/g, '_')
  return /^[A-Za-z]/.test(plain) ? plain : `x${plain}`
}

/** The choices of a field as codes and labels. */
class FieldWords {
  readonly field: Field
  readonly codes: readonly CodeLabel[]
  readonly #labels: ReadonlyMap<string, string>

  constructor(field: Field, language: Language) {
    this.field = field
    this.codes = codesOf(field, language)
    this.#labels = new Map(this.codes.map(({ code, label }) => [code, label]))
  }

  /** The code of one chosen answer. */
  codeOf(value: JsonValue): string {
    return pathText(value)
  }

  /** The codes of all chosen answers. */
  codesOf(value: JsonValue): readonly string[] {
    return isList(value) ? value.map(pathText) : [valueText(value)]
  }

  /** A code that the list does not have is its own label. */
  labelOf(code: string): string {
    return this.#labels.get(code) ?? code
  }
}

function codesOf(field: Field, language: Language): readonly CodeLabel[] {
  const own = ({ label, labelEn }: Choice) => inLanguage(language, label, labelEn)
  const codes = [...allPaths(field.choices)].map((path): CodeLabel => {
    const last = path.at(-1)
    const isPath = field.type === 'cascader' && !field.lastStep
    const label = isPath ? path.map(own).join(STEP) : last === undefined ? '' : own(last)
    return { code: pathText(answerOf(field, path)), label }
  })
  return [...new Map(codes.map((code) => [code.code, code])).values()]
}
