import { DICTIONARY_COLUMNS } from '#core/exchange/redcap/table.ts'
import { escapedText } from '#core/exchange/redcap/text.ts'
import { DEFAULT_MESSAGE, STOP } from '#core/exchange/xpath/formRules.ts'
import { writeConstraint, writeXPath, writeXPathTest } from '#core/exchange/xpath/write.ts'
import { writeRedcapTest, writeRedcapValue } from '#core/exchange/xpath/writeRedcap.ts'
import type { BilingualText, CheckRule, Column } from '#core/form/definition/column.ts'
import { pipedText, readPipes } from '#core/form/definition/piping.ts'
import { requiredMessage } from '#core/form/definition/requiredColumn.ts'

import { DEFAULT_STOP } from './rules.ts'
import { choiceCells, typeCells } from './writeTypes.ts'
import type { Lose, WritingPlace } from './writingPlace.ts'

/** One column as a row of a survey, by the titles of the sheet's columns. */

type Cells = Readonly<Record<string, string>>

export function questionCells(column: Column, place: WritingPlace, lose: Lose): Cells {
  const { zl = {} } = column
  const {
    choices: labels,
    type: keptType,
    appearance,
    ...kept
  } = Object.fromEntries(Object.entries(zl.kept ?? {}).filter(([title]) => !isForeign(title)))
  reportRest(column, lose)
  // English words alone have nothing to stand beside.
  if (zl.noteEn !== undefined && zl.note === undefined) lose('noteEn', zl.noteEn)
  if (zl.unitEn !== undefined && zl.unit === undefined) lose('unitEn', zl.unitEn)
  const type = typeCells(column, lose)
  const listed = choiceCells(column, place, labels, lose)
  const rules = ruleCells(column, place, lose)
  const own =
    keptType === 'rank' && column.type === 'checkbox' ? keptType : column.type === 'input' ? keptType : undefined
  const isBare = listed === null && type.type.startsWith('select_')
  const typed = {
    type: listed === null ? (own ?? (isBare ? 'text' : type.type)) : `${own ?? type.type} ${listed.list}`,
  }
  const words = [isBare ? '' : type.appearance, appearance ?? ''].filter((word) => word !== '').join(' ')
  const pipes = readPipes(zl.pipes)
  // Values within a text have the words of this format, whatever they came in.
  const pipeFields = (text: string) =>
    escapedText(
      pipedText(text, pipes, (prop) => {
        const name = place.names.row(prop) ?? place.names.field(null, prop)
        return name === null ? '' : `\${${name}}`
      }),
    )
  const generated: Cells = {
    ...typed,
    name: place.name,
    [place.titles.label]: pipeFields(column.label),
    ...(zl.labels?.en === undefined ? {} : { [`label${place.titles.english}`]: pipeFields(zl.labels.en) }),
    ...(zl.note === undefined ? {} : { [`hint${place.titles.chinese}`]: pipeFields(zl.note) }),
    ...(zl.note === undefined || zl.noteEn === undefined
      ? {}
      : { [`hint${place.titles.english}`]: pipeFields(zl.noteEn) }),
    ...(words === '' ? {} : { appearance: words }),
    ...(type.parameters === '' ? {} : { parameters: type.parameters }),
    ...(listed?.filter === undefined ? {} : { choice_filter: listed.filter }),
    ...(zl.unit === undefined
      ? {}
      : { zl_unit: zl.unit, ...(zl.unitEn === undefined ? {} : { zl_unit_en: zl.unitEn }) }),
    ...(zl.identifier === true ? { zl_identifier: 'yes' } : {}),
    ...(zl.partial === undefined ? {} : { zl_partial: zl.partial }),
    ...(column.display === false && type.type !== 'calculate' && type.type !== 'hidden' ? { zl_display: 'no' } : {}),
    ...(column.readonly === true ? { readonly: 'yes' } : {}),
    ...requiredCells(column),
    ...defaultCells(column, lose),
    ...(column.type === 'dynamic' && column.children?.limit !== undefined
      ? { zl_limit: String(column.children.limit) }
      : {}),
    ...rules,
  }
  // What somebody wrote here since goes before what was kept.
  return { ...kept, ...generated }
}

/** Whether a text was kept under a name of another format: REDCap's columns, ODM's attributes. */
function isForeign(title: string): boolean {
  return title.startsWith('odm.') || DICTIONARY_COLUMNS.some((column) => column === title)
}

function requiredCells({ required, rules, label }: Column): Cells {
  if (required !== true) return {}
  const message = rules?.find((rule) => rule.required === true)?.message
  return {
    required: 'yes',
    ...(message === undefined || message === requiredMessage(label) ? {} : { required_message: escapedText(message) }),
  }
}

function defaultCells({ type, value }: Column, lose: Lose): Cells {
  if (value === undefined || value === null || value === '' || type === 'title') return {}
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value]
  const text = parts.map(String).join(' ')
  const isPlain =
    parts.every((part) => typeof part === 'string' || typeof part === 'number') &&
    !/\$\{|\w\s*\(.*\)/.test(text) &&
    (!Array.isArray(value) || parts.every((part) => !/\s/.test(String(part))))
  if (isPlain) return text === '' ? {} : { default: text }
  lose('value', JSON.stringify(value))
  return {}
}

function ruleCells(column: Column, place: WritingPlace, lose: Lose): Cells {
  const { zl = {} } = column
  const { names } = place
  const cells: Record<string, string> = {}
  const put = (title: string, what: string, cel: string | undefined, write: (cel: string) => string | null) => {
    if (cel === undefined) return
    const text = namesSpaced(cel, place.spaced) ? null : write(cel)
    if (text === null) lose(what, cel)
    else cells[title] = text
  }
  const putMessage = (title: string, message: BilingualText, usual: BilingualText) => {
    if (JSON.stringify(message) === JSON.stringify(usual)) return
    cells[`${title}${place.titles.chinese}`] = escapedText(message.zh)
    if (message.en !== undefined) cells[`${title}${place.titles.english}`] = escapedText(message.en)
  }
  put('relevant', 'show', zl.show, (cel) => writeXPathTest(cel, names) ?? writeRedcapTest(cel, names))
  put('required', 'require', zl.require, (cel) => writeXPathTest(cel, names))
  put('readonly', 'readOnlyWhen', zl.readOnlyWhen, (cel) => writeXPathTest(cel, names))
  put('calculation', 'calculate', zl.calculate, (cel) => writeXPath(cel, names) ?? writeRedcapValue(cel, names))
  const stop =
    column.type === 'title' ? zl.checks?.find(({ id, severity }) => id === STOP && severity === 'error') : undefined
  if (stop !== undefined)
    put('required', 'check', stop.when, (cel) => (cel === 'true' ? 'yes' : writeXPathTest(cel, names)))
  if (cells['required'] !== undefined && stop !== undefined) putMessage('required_message', stop.message, DEFAULT_STOP)
  const constraints = (zl.checks ?? []).flatMap((check) => {
    if (check === stop) return []
    const text = namesSpaced(check.when, place.spaced) ? null : constraintOf(check, place)
    if (text === null) lose('check', JSON.stringify(check))
    return text === null ? [] : [{ check, text }]
  })
  const bounds = boundsOf(column)
  const all = [...bounds, ...constraints.map(({ text }) => text)]
  if (all.length > 0)
    cells['constraint'] = all.length === 1 ? (all[0] ?? '') : all.map((text) => `(${text})`).join(' and ')
  const [first, ...others] = constraints
  for (const { check } of others) lose('check', JSON.stringify(check.message))
  if (first !== undefined) putMessage('constraint_message', first.check.message, DEFAULT_MESSAGE)
  return cells
}

function namesSpaced(cel: string, spaced: ReadonlySet<string>): boolean {
  return [...spaced].some((code) => cel.includes(JSON.stringify(code)))
}

/** A check as what must hold; null where XPath cannot say it, or where it is no error. */
function constraintOf({ when, severity }: CheckRule, { own, names }: WritingPlace): string | null {
  if (severity !== 'error') return null
  const constraint = writeConstraint(when, own, names)
  if (constraint !== null) return constraint
  const test = writeXPathTest(when, names)
  return test === null ? null : `not(${test})`
}

function boundsOf({ type, zl = {} }: Column): readonly string[] {
  const writeBound = (bound: number | string) =>
    typeof bound === 'number' ? String(bound) : type === 'date' || type === 'datetime' ? `date('${bound}')` : null
  const bounds = [
    [zl.min, '>='],
    [zl.max, '<='],
  ] as const
  return bounds.flatMap(([bound, sign]) => {
    const text = bound === undefined ? null : writeBound(bound)
    return text === null ? [] : [`. ${sign} ${text}`]
  })
}

/** Keys that are written, or that say how a field is shown here and nothing else. */
const WRITTEN: ReadonlySet<string> = new Set([
  'prop',
  'label',
  'type',
  'span',
  'required',
  'rules',
  'readonly',
  'value',
  'dicData',
  'dicUrl',
  'filterable',
  'format',
  'valueFormat',
  'min',
  'max',
  'step',
  'accept',
  'limit',
  'children',
  'zl',
  'display',
  'multiple',
  'precision',
  'props',
])
const WRITTEN_EXTENSION: ReadonlySet<string> = new Set([
  'show',
  'require',
  'readOnlyWhen',
  'calculate',
  'checks',
  'unit',
  'unitEn',
  'min',
  'max',
  'precision',
  'sourceOid',
  'labels',
  'note',
  'noteEn',
  'pipes',
  'kept',
  'identifier',
  'partial',
])

function reportRest(column: Column, lose: Lose): void {
  for (const [key, value] of Object.entries(column))
    if (!WRITTEN.has(key) && value !== undefined) lose(key, JSON.stringify(value))
  for (const [key, value] of Object.entries(column.zl ?? {}))
    if (!WRITTEN_EXTENSION.has(key) && value !== undefined) lose(key, JSON.stringify(value))
}
