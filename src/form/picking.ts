import { addressKey, addressOf } from '#core/form/definition/address.ts'
import type { Cell } from '#core/form/engine/cell.ts'
import { lookUpKey, takenField } from '#core/form/definition/lookUps.ts'
import type { LookUp } from '#core/form/definition/lookUp.ts'
import type { LookUpTable } from '#core/form/definition/lookUps.ts'
import type { Field } from '#core/form/definition/page.ts'
import { isPick } from '#core/form/definition/page.ts'
import { canonicalValue, isList, valueText } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'

import type { FormEnvironment } from './formContext.ts'
import { labelOf, valueWords } from './words.ts'

/**
 * Records that fill a field: those of a list that is part of the page, or what is saved on another page of the patient.
 */

export interface PickRecord {
  readonly key: string
  /** The value by which the field refers to the record. */
  readonly value: string
  /** The value that the field gets when the record is picked. */
  readonly taken: JsonValue
  readonly label: string
  /** The other values of the record, in one line. */
  readonly details: string
  /** The text that a search looks through. */
  readonly words: string
  /** For a record of another page: its values by field code. */
  readonly values: Readonly<Record<string, JsonValue>>
}

/** How many other fields of a record are shown beside it. */
const MOST_DETAILS = 4

type Words = Pick<FormEnvironment, 't' | 'language' | 'lookUps'>

/** The records that a field offers now. */
export function recordsOf(
  { field, choices }: Pick<Cell, 'field' | 'choices'>,
  environment: Words,
): readonly PickRecord[] {
  if (field.lookUp !== null) return recordsOfOtherPage(field, field.lookUp, environment)
  return choices.map(({ value, label, cells }) => {
    const details = field.pickColumns.flatMap(({ code, label: name }) => {
      const text = cells?.[code] ?? ''
      return text === '' || text === label ? [] : [`${name} ${text}`]
    })
    return {
      key: value,
      value,
      taken: value,
      label,
      details: details.join('  '),
      words: [value, label, ...Object.values(cells ?? {})].join(' '),
      values: {},
    }
  })
}

function recordsOfOtherPage(field: Field, lookUp: LookUp, { t, language, lookUps }: Words): readonly PickRecord[] {
  const table = lookUps?.get(lookUpKey(lookUp))
  const source = table === undefined ? null : takenField(lookUp, table)
  if (table === undefined || source === null) return []
  const records = table.records.flatMap(({ key, values }): PickRecord[] => {
    const taken = takenValue(field, source, canonicalValue(source, values[source.code]), t)
    if (taken === null) return []
    const label = valueWords(source, canonicalValue(source, values[source.code]), t)
    const details = table.fields.flatMap((one) => {
      const text = one === source ? '' : valueWords(one, canonicalValue(one, values[one.code]), t)
      return text === '' ? [] : [`${labelOf(one, language)} ${text}`]
    })
    return [
      {
        key,
        value: valueText(taken),
        taken,
        label,
        details: details.slice(0, MOST_DETAILS).join('  '),
        words: [label, ...details].join(' '),
        values,
      },
    ]
  })
  // Of two records with the same value only one is offered, because the value could not say which was meant.
  return [...new Map(records.toReversed().map((record) => [record.value, record])).values()].toReversed()
}

/** The value of another field as this field stores it: unchanged between fields of one type, otherwise in words. */
function takenValue(field: Field, source: Field, value: JsonValue | null, t: FormEnvironment['t']): JsonValue | null {
  if (value === null) return null
  const isSame = field.type === source.type && field.multiple === source.multiple && !isPick(field)
  if (isSame || typeof value === 'number') return value
  const words = valueWords(source, value, t)
  return words === '' ? null : words
}

/**
 * The values that the other fields of a group take from the record picked in its head field. A field takes a value
 * where it is empty, or still holds the value of the record picked before. A value that a person has entered stays.
 */
export function takenByGroup(
  head: Cell,
  record: PickRecord,
  { state, ...words }: Words & Pick<FormEnvironment, 'state'>,
): readonly { readonly code: string; readonly to: JsonValue }[] {
  const { lookUp } = head.field
  const table = lookUp === null ? undefined : words.lookUps?.get(lookUpKey(lookUp))
  if (lookUp === null || table === undefined) return []
  const place = addressOf(head.key)
  const beside =
    place.table === null ? state.compiled.page.fields : (state.compiled.page.byCode.get(place.table)?.children ?? [])
  const before = recordsOf(head, words).find(({ value }) => value === valueText(head.value))
  return beside.flatMap((field) => {
    if (field.lookUp?.head !== head.field.code || lookUpKey(field.lookUp) !== lookUpKey(lookUp)) return []
    const cell = state.getCell(addressKey({ ...place, code: field.code }))
    const to = valueIn(field, record, table, words)
    const old = before === undefined ? null : valueIn(field, before, table, words)
    const isOwn =
      cell !== undefined && (cell.missing !== null || (cell.value !== null && valueText(cell.value) !== valueText(old)))
    return cell === undefined || isOwn || to === null ? [] : [{ code: field.code, to }]
  })
}

function valueIn(field: Field, { values }: PickRecord, table: LookUpTable, { t }: Words): JsonValue | null {
  const source = field.lookUp === null ? null : takenField(field.lookUp, table)
  return source === null
    ? null
    : canonicalValue(field, takenValue(field, source, canonicalValue(source, values[source.code]), t))
}

/** The records that a field refers to and that no longer exist; empty while the records are not known. */
export function missingRecords(cell: Cell, environment: Words): readonly string[] {
  const { field, value } = cell
  if (!isPick(field) || field.lookUp === null || value === null || environment.lookUps === null) return []
  const known = new Set(recordsOf(cell, environment).map((record) => record.value))
  return (isList(value) ? value : [value]).map(valueText).filter((one) => !known.has(one))
}
