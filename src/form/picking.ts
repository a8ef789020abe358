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
 * Records that a field is filled from: those of a list that lies with the page, or what is saved on another page of the
 * patient.
 */

export interface PickRecord {
  readonly key: string
  /** By which the field knows it. */
  readonly value: string
  /** What the field holds once it is picked. */
  readonly taken: JsonValue
  readonly label: string
  /** The rest of what it says, in one line. */
  readonly details: string
  /** What a search looks through. */
  readonly words: string
  /** Of a record of another page, what it holds by field code. */
  readonly values: Readonly<Record<string, JsonValue>>
}

/** Most of a record's other fields that are shown beside it. */
const MOST_DETAILS = 4

type Words = Pick<FormEnvironment, 't' | 'language' | 'lookUps'>

/** What may be picked for a field now. */
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
  // Of two records that say the same, nothing would tell which of them was meant.
  return [...new Map(records.toReversed().map((record) => [record.value, record])).values()].toReversed()
}

/** A value of another field as this one would hold it: as it is between fields of one kind, else in words. */
function takenValue(field: Field, source: Field, value: JsonValue | null, t: FormEnvironment['t']): JsonValue | null {
  if (value === null) return null
  const isSame = field.type === source.type && field.multiple === source.multiple && !isPick(field)
  if (isSame || typeof value === 'number') return value
  const words = valueWords(source, value, t)
  return words === '' ? null : words
}

/**
 * What the fields of the same group take from a record that is picked in their head. What a person entered in one of
 * them stays: it takes a value where it is empty, or holds what the record picked before gave it.
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

/** The records that a field names and that are not there any more; none as long as nothing is known of them. */
export function missingRecords(cell: Cell, environment: Words): readonly string[] {
  const { field, value } = cell
  if (!isPick(field) || field.lookUp === null || value === null || environment.lookUps === null) return []
  const known = new Set(recordsOf(cell, environment).map((record) => record.value))
  return (isList(value) ? value : [value]).map(valueText).filter((one) => !known.has(one))
}
