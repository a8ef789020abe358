import type { Report } from '#core/exchange/definition.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf, childOf, childrenOf } from '#core/exchange/xml/element.ts'
import type { Column, DictionaryItem, FieldExtension } from '#core/form/definition/column.ts'
import { requiredColumn } from '#core/form/definition/requiredColumn.ts'

import type { CodeLists } from './codeLists.ts'
import { OWN_CONTEXT } from './namespaces.ts'
import type { CheckedField, Ranges } from './ranges.ts'
import { readRanges } from './ranges.ts'
import { MULTI_REF } from './source.ts'
import type { ReadTexts } from './texts.ts'
import { bilingualOf, readBothTexts, readTexts } from './texts.ts'

/**
 * One item as a column, without its rules. What has no place is reported; what other systems need of it is kept with
 * the column.
 */

/** What an item is read among. */
export interface ItemSurroundings {
  readonly codeLists: CodeLists
  readonly units: ReadonlyMap<string, XmlElement>
}

/** Where an item stands, and under which name. */
export interface OdmItemPlace {
  readonly prop: string
  readonly inRow: boolean
  readonly report: Report
}

export interface ReadItem {
  readonly column: Column
  /** Its checks, those with expressions still to be translated among them. */
  readonly checks: Ranges['checks']
}

type Shape = Pick<Column, 'type'> & Partial<Omit<Column, 'prop' | 'label' | 'zl'>> & { readonly zl?: FieldExtension }

/** Choices that ODM leaves unwritten. */
export const TRUE_FALSE: readonly DictionaryItem[] = [
  { value: '1', label: '是', labelEn: 'Yes' },
  { value: '0', label: '否', labelEn: 'No' },
]

/** Up to this many choices are shown as buttons. */
const FEW = 10
/** A text that may be longer than this is given room for lines. */
const ONE_LINE = 200

/** A column for the item; `reference` says whether it must be answered. */
export function readItem(
  item: XmlElement,
  reference: XmlElement | null,
  place: OdmItemPlace,
  { codeLists, units }: ItemSurroundings,
): ReadItem {
  const { prop, inRow, report } = place
  const question = readTexts(childOf(item, 'Question') ?? childOf(item, 'Prompt'), report)
  const description = question === null ? readTexts(childOf(item, 'Description'), report) : null
  const noteSource =
    childOf(item, 'CRFCompletionInstructions') ?? (question === null ? null : childOf(item, 'Description'))
  const note = readBothTexts(noteSource, report)
  const texts = question ?? description
  const oid = attributeOf(item, 'OID')
  const label = texts?.main ?? (attributeOf(item, 'Name') || oid)
  for (const [, text] of texts?.others ?? []) report('label', 'other-language', text)

  const shape = shapeOf(item, codeLists, report)
  const field: CheckedField = { prop, inRow, type: shape.type }
  const { checks, ...bounds } = readRanges(item, field, report)
  const unit = unitOf(item, units, report)
  const kept = rememberSource(item, texts)
  const zl: FieldExtension = {
    ...shape.zl,
    ...bounds,
    ...unit,
    ...(note === null ? {} : { note: note.main, ...(note.en === null ? {} : { noteEn: note.en }) }),
    ...(texts === null || texts.en === null ? {} : { labels: bilingualOf(texts) }),
    ...(prop === oid ? {} : { sourceOid: oid }),
    ...(Object.keys(kept).length === 0 ? {} : { kept }),
  }
  const required = reference !== null && attributeOf(reference, 'Mandatory') === 'Yes'
  return {
    column: {
      ...shape,
      prop,
      label,
      span: 24,
      ...(required ? requiredColumn(label) : {}),
      ...(Object.keys(zl).length === 0 ? {} : { zl }),
    },
    checks,
  }
}

function shapeOf(item: XmlElement, codeLists: CodeLists, report: Report): Shape {
  const listOid = attributeOf(childOf(item, 'CodeListRef') ?? item, 'CodeListOID')
  const list = listOid === '' ? null : codeLists.of(listOid)
  if (listOid !== '' && list === null) report('choices', 'not-defined', listOid)
  const multi = item.children.find(({ name }) => name === MULTI_REF)
  if (multi !== undefined) {
    const id = attributeOf(multi, 'MultiSelectListID')
    const several = codeLists.multi(id)
    if (several !== null && several.items.length > 0) return { type: 'checkbox', dicData: several.items }
    report('choices', 'not-defined', id)
  }
  if (list !== null && list.external !== null)
    return { type: 'input', ...(/meddra|who|atc|icd/i.test(list.external) ? { encode: true } : {}) }
  if (list !== null && list.items.length > 0)
    return { type: list.items.length > FEW ? 'select' : 'radio', dicData: list.items }
  return plainShape(item, report)
}

function plainShape(item: XmlElement, report: Report): Shape {
  const dataType = attributeOf(item, 'DataType')
  switch (dataType) {
    case 'integer':
      return { type: 'number', zl: { precision: 0 } }
    case 'float':
    case 'double':
    case 'decimal': {
      const digits = digitsOf(item)
      return digits === null ? { type: 'number' } : { type: 'number', zl: { precision: digits } }
    }
    case 'date':
      return { type: 'date', format: 'yyyy-MM-dd', valueFormat: 'yyyy-MM-dd' }
    case 'partialDate':
    case 'incompleteDate':
      return { type: 'date', format: 'yyyy-MM-dd', valueFormat: 'yyyy-MM-dd', zl: { partial: 'year' } }
    case 'datetime':
      return { type: 'datetime', format: 'yyyy-MM-dd HH:mm:ss', valueFormat: 'yyyy-MM-dd HH:mm:ss' }
    case 'time':
      return { type: 'time', format: 'HH:mm:ss', valueFormat: 'HH:mm:ss' }
    case 'boolean':
      return { type: 'radio', dicData: TRUE_FALSE, zl: { widget: 'yesno' } }
    case 'text':
    case 'string':
      return textShape(item)
    case 'URI':
      return { type: 'input' }
    default:
      report('field', 'unknown-type', dataType)
      return { type: 'input' }
  }
}

function textShape(item: XmlElement): Shape {
  const length = Number(attributeOf(item, 'Length'))
  if (!Number.isInteger(length) || length <= 0) return { type: 'input' }
  return { type: length > ONE_LINE ? 'textarea' : 'input', maxlength: length }
}

/** Digits after the point: ODM 1 counts them, ODM 2.0 has them in the format, as in `5.2`. */
function digitsOf(item: XmlElement): number | null {
  const digits =
    attributeOf(item, 'SignificantDigits') || (/^\d*\.(\d{1,2})$/.exec(attributeOf(item, 'DisplayFormat'))?.[1] ?? '')
  return /^\d{1,2}$/.test(digits) && Number(digits) <= 10 ? Number(digits) : null
}

function unitOf(
  item: XmlElement,
  units: ReadonlyMap<string, XmlElement>,
  report: Report,
): Pick<FieldExtension, 'unit' | 'unitEn'> {
  const [first, ...others] = childrenOf(item, 'MeasurementUnitRef').map((one) => attributeOf(one, 'MeasurementUnitOID'))
  if (first === undefined) return {}
  const symbolOf = (oid: string) => {
    const unit = units.get(oid)
    const symbol = unit === undefined ? null : readTexts(childOf(unit, 'Symbol'), () => undefined)
    return symbol?.main ?? (unit === undefined ? oid : attributeOf(unit, 'Name') || oid)
  }
  // A field has one unit here: the first is taken, and whoever may enter in another has to know.
  if (others.length > 0)
    report('field', 'no-place', `MeasurementUnit ${symbolOf(first)}; ${others.map(symbolOf).join('; ')}`)
  const unit = units.get(first)
  if (unit === undefined) {
    report('field', 'not-defined', first)
    return {}
  }
  // A symbol is the same in most languages, so only one that differs is kept or told of.
  const texts = readTexts(childOf(unit, 'Symbol'), report)
  const main = texts?.main ?? attributeOf(unit, 'Name')
  for (const [, text] of texts?.others ?? []) if (text !== main) report('label', 'other-language', text)
  const en = texts?.en ?? main
  return main === '' ? {} : { unit: main, ...(en === main ? {} : { unitEn: en }) }
}

/** Attributes of an item that mean nothing here and something to other systems. */
export const KEPT_ATTRIBUTES = [
  'SASFieldName',
  'SDSVarName',
  'Origin',
  'Comment',
  'DisplayFormat',
  'VariableSet',
] as const

/** Types of data that are text here. Other systems need to know them. */
export const KEPT_TYPES: ReadonlySet<string> = new Set([
  'string',
  'URI',
  'partialTime',
  'partialDatetime',
  'durationDatetime',
  'intervalDatetime',
  'incompleteDatetime',
  'incompleteTime',
  'hexBinary',
  'base64Binary',
  'hexFloat',
  'base64Float',
])

/** What is kept with the column, under ODM's own names: `odm.Name`, `odm.Alias.CDASH`. */
function rememberSource(item: XmlElement, texts: ReadTexts | null): Readonly<Record<string, string>> {
  const name = attributeOf(item, 'Name')
  const length = attributeOf(item, 'Length')
  // Digits after the point are what the format was read for.
  const isFormat = (key: string) => key === 'DisplayFormat' && digitsOf(item) !== null
  const isText = ['text', 'string'].includes(attributeOf(item, 'DataType')) && childOf(item, 'CodeListRef') === null
  const dataType = attributeOf(item, 'DataType')
  const kept: readonly (readonly [key: string, text: string])[] = [
    ...(KEPT_TYPES.has(dataType) && childOf(item, 'CodeListRef') === null ? [['odm.DataType', dataType] as const] : []),
    ...(name === '' || name === attributeOf(item, 'OID') ? [] : [['odm.Name', name] as const]),
    ...(length === '' || isText ? [] : [['odm.Length', length] as const]),
    ...KEPT_ATTRIBUTES.flatMap((key) =>
      attributeOf(item, key) === '' || isFormat(key) ? [] : [[`odm.${key}`, attributeOf(item, key)] as const],
    ),
    ...childrenOf(item, 'Alias').flatMap((alias) => {
      const context = attributeOf(alias, 'Context')
      return context === OWN_CONTEXT || context === ''
        ? []
        : [[`odm.Alias.${context}`, attributeOf(alias, 'Name')] as const]
    }),
    ...(texts?.others ?? []).map(([language, text]) => [`odm.Question.${language}`, text] as const),
  ]
  return Object.fromEntries(kept)
}
