import type { Report } from '#core/exchange/definition.ts'
import type { Column, FieldExtension } from '#core/form/definition/column.ts'
import { numberFromText } from '#core/values/numberText.ts'

import type { ChoiceList } from './choices.ts'
import { rememberLabels, uniqueChoices } from './choices.ts'
import type { Languages } from './languages.ts'
import { bilingual, spokenIn } from './languages.ts'
import type { RowType } from './questionTypes.ts'
import { flagOf } from './rules.ts'
import type { FormRow } from './table.ts'
import { cellText } from './table.ts'

/**
 * One row of a survey as a column, without its rules. What has no place is reported, and its text kept with the column.
 */

export interface QuestionSource {
  readonly row: FormRow
  readonly type: RowType
  readonly name: string
  /** The name, where the column has another code. */
  readonly oid: string | null
  readonly prop: string
  readonly languages: Languages
  readonly lists: ReadonlyMap<string, ChoiceList>
  readonly report: Report
}

type Shape = Pick<Column, 'type'> & Partial<Omit<Column, 'prop' | 'label'>>

/** What a question has that is not carried over: reported, and kept by the name of its column. */
type Lose = (...args: Parameters<Report>) => void

export function questionColumn(source: QuestionSource): Column {
  const { row, name, oid, prop, languages, report } = source
  const kept: Record<string, string> = {}
  const shape = shapeOf(source, kept)
  const label = spokenIn(row, 'label', languages, report)
  const hint = spokenIn(row, 'hint', languages, report)
  const said = bilingual(label)
  const note = bilingual(hint)
  for (const other of [...label.others, ...hint.others]) {
    report('label', 'language-not-kept', `${other.title}: ${other.text}`)
    kept[other.title] = other.text
  }
  for (const name of ['constraint_message', 'required_message']) {
    for (const other of spokenIn(row, name, languages, NOBODY).others) {
      report('label', 'language-not-kept', `${other.title}: ${other.text}`)
      kept[other.title] = other.text
    }
  }
  keepRest(row, kept, report)
  const value = valueOf(source, shape, kept)
  const [unit, unitEn, partial] = [cellText(row, 'zl_unit'), cellText(row, 'zl_unit_en'), cellText(row, 'zl_partial')]
  const zl: FieldExtension = {
    ...shape.zl,
    ...(said?.en === undefined ? {} : { labels: said }),
    ...(note === null ? {} : { note: note.zh, ...(note.en === undefined ? {} : { noteEn: note.en }) }),
    ...(unit === '' ? {} : { unit, ...(unitEn === '' ? {} : { unitEn }) }),
    ...(shape.type === 'date' && (partial === 'year' || partial === 'month') ? { partial } : {}),
    ...(flagOf(cellText(row, 'zl_identifier')) === true ? { identifier: true } : {}),
    ...(oid === null ? {} : { sourceOid: oid }),
    ...(Object.keys(kept).length === 0 ? {} : { kept }),
  }
  const { zl: _own, ...rest } = shape
  return {
    ...rest,
    prop,
    label: said?.zh ?? name,
    span: 24,
    ...(cellText(row, 'zl_display') === 'no' ? { display: false } : {}),
    ...value,
    ...(Object.keys(zl).length === 0 ? {} : { zl }),
  }
}

/** What is said of these texts is said where they are read. */
const NOBODY: Report = () => undefined

function shapeOf(source: QuestionSource, kept: Record<string, string>): Shape {
  const { row, type, report } = source
  const words = cellText(row, 'appearance')
    .split(/\s+/)
    .filter((word) => word !== '')
  const used = new Set<string>()
  const has = (word: string) => {
    if (!words.includes(word)) return false
    used.add(word)
    return true
  }
  const lose: Lose = (what, why, text) => {
    report(what, why, text)
    kept['type'] = type.name === 'rank' ? type.name : cellText(row, 'type')
  }
  const shape = typedShape(source, has, lose, kept)
  const rest = words.filter((word) => !used.has(word)).join(' ')
  if (rest !== '') {
    report('layout', 'layout-only', rest)
    kept['appearance'] = rest
  }
  const parameters = cellText(row, 'parameters')
  if (parameters !== '' && type.name !== 'range') {
    report('layout', 'layout-only', parameters)
    kept['parameters'] = parameters
  }
  return shape
}

function typedShape(
  { row, type, lists, report }: QuestionSource,
  has: (word: string) => boolean,
  lose: Lose,
  kept: Record<string, string>,
): Shape {
  switch (type.name) {
    case 'text':
      return { type: has('multiline') ? 'textarea' : 'input' }
    case 'integer':
      return { type: 'number', zl: { precision: 0 } }
    case 'decimal':
      return { type: 'number' }
    case 'range':
      return rangeShape(cellText(row, 'parameters'))
    case 'date':
      if (has('year')) return { type: 'year', format: 'yyyy', valueFormat: 'yyyy' }
      if (has('month-year')) return { type: 'month', format: 'yyyy-MM', valueFormat: 'yyyy-MM' }
      return { type: 'date', format: 'yyyy-MM-dd', valueFormat: 'yyyy-MM-dd' }
    case 'time':
      return { type: 'time', format: 'HH:mm', valueFormat: 'HH:mm:ss' }
    case 'dateTime':
      return { type: 'datetime', format: 'yyyy-MM-dd HH:mm', valueFormat: 'yyyy-MM-dd HH:mm:ss' }
    case 'select_one':
    case 'select_multiple':
    case 'rank':
      // A list that is parted by a filter may have one code in several parts.
      return choiceShape(type, lists, has, lose, cellText(row, 'choice_filter') === '' ? report : NOBODY, kept)
    case 'select_one_from_file':
    case 'select_multiple_from_file':
    case 'select_one_external':
      lose('choices', 'list-elsewhere', type.list)
      return { type: 'input' }
    case 'acknowledge':
      return { type: 'checkbox', dicData: ACKNOWLEDGED }
    case 'image':
      return { type: 'upload', accept: 'image/*', limit: 1 }
    case 'audio':
      return { type: 'upload', accept: 'audio/*', limit: 1 }
    case 'video':
      return { type: 'upload', accept: 'video/*', limit: 1 }
    case 'file':
      return { type: 'upload', limit: 1 }
    case 'note':
      return { type: 'title' }
    case 'calculate':
    case 'hidden':
      return { type: 'input', display: false }
    case 'barcode':
    case 'geopoint':
    case 'geotrace':
    case 'geoshape':
      lose('field', 'nearest-type', type.name)
      return { type: 'input' }
    default:
      lose('field', 'unknown-type', cellText(row, 'type'))
      return { type: 'input' }
  }
}

/** The one choice of a question that asks for no more than a tick. */
const ACKNOWLEDGED = [{ value: 'OK', label: 'OK' }]

function rangeShape(parameters: string): Shape {
  const named = new Map(
    [...parameters.matchAll(/(\w+)\s*=\s*(-?[\d.]+)/g)].map(([, name = '', value = '']) => [name, Number(value)]),
  )
  return { type: 'slider', min: named.get('start') ?? 1, max: named.get('end') ?? 10, step: named.get('step') ?? 1 }
}

function choiceShape(
  { name, list: listName, orOther }: RowType,
  lists: ReadonlyMap<string, ChoiceList>,
  has: (word: string) => boolean,
  lose: Lose,
  report: Report,
  kept: Record<string, string>,
): Shape {
  const list = lists.get(listName)
  if (name === 'rank') lose('field', 'nearest-type', name)
  if (list === undefined) {
    lose('choices', 'list-elsewhere', listName)
    return { type: 'input' }
  }
  const choices = uniqueChoices(list, report)
  const labels = rememberLabels(choices)
  if (labels !== null) kept['choices'] = labels
  const dicData = choices.map(({ item }) => item)
  const offered = orOther && !dicData.some(({ value }) => value === 'other') ? [...dicData, OTHER] : dicData
  if (name !== 'select_one') return { type: 'checkbox', dicData: offered }
  if (has('autocomplete')) return { type: 'select', filterable: true, dicData: offered }
  return { type: has('minimal') ? 'select' : 'radio', dicData: offered }
}

const OTHER = { value: 'other', label: '其他' }

/** Texts that are kept and not understood, by the names of their columns. */
const UNUSED: Readonly<Record<string, Parameters<Report>[0]>> = {
  image: 'media',
  audio: 'media',
  video: 'media',
  'big-image': 'media',
  autoplay: 'media',
  guidance_hint: 'label',
}
/** Columns that are read elsewhere. */
const READ: ReadonlySet<string> = new Set([
  'type',
  'name',
  'label',
  'hint',
  'appearance',
  'parameters',
  'default',
  'required',
  'required_message',
  'readonly',
  'relevant',
  'constraint',
  'constraint_message',
  'calculation',
  'choice_filter',
  'repeat_count',
  'disabled',
  'zl_page',
  'zl_unit',
  'zl_unit_en',
  'zl_code',
  'zl_identifier',
  'zl_display',
  'zl_partial',
])

function keepRest(row: FormRow, kept: Record<string, string>, report: Report): void {
  for (const { header, text } of row.cells) {
    if (READ.has(header.name)) continue
    const part = UNUSED[header.name]
    if (part === 'media') report('media', 'media-file', text)
    else if (part === 'label') report('label', 'text-only', text)
    else report('column', 'unknown-column', `${header.title}: ${text}`)
    kept[header.title] = text
  }
}

/** What a new entry begins with: a constant of the field's own kind. */
function valueOf(
  { row, report }: QuestionSource,
  { type, dicData }: Shape,
  kept: Record<string, string>,
): Pick<Column, 'value'> {
  const text = cellText(row, 'default')
  if (text === '') return {}
  const lose = (why: 'not-a-constant' | 'media-file') => {
    report('default', why, text)
    kept['default'] = text
    return {}
  }
  if (type === 'upload') return lose('media-file')
  if (type === 'title' || type === 'dynamic' || /\$\{|\w\s*\(.*\)/.test(text)) return lose('not-a-constant')
  if (type === 'number' || type === 'slider') {
    const value = numberFromText(text)
    return value === null ? lose('not-a-constant') : { value }
  }
  const values = type === 'checkbox' ? text.split(/\s+/) : [text]
  const codes = dicData?.map(({ value }) => String(value))
  if (codes !== undefined && !values.every((value) => codes.includes(value))) return lose('not-a-constant')
  return { value: type === 'checkbox' ? values : text }
}
