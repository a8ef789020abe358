import type { CodeLabel } from '#core/dataset/table.ts'

import type { ValueReader } from './cellValues.ts'
import type { TestReader } from './domainRows.ts'
import type { DomainTable } from './domainTable.ts'

/** The closed lists of values that variables of SDTM have, of the fields that leave. */

export interface SdtmCodeList {
  readonly oid: string
  readonly name: string
  readonly items: readonly CodeLabel[]
}

const YES_NO: readonly CodeLabel[] = [
  { code: 'Y', label: 'Yes' },
  { code: 'N', label: 'No' },
]

/** The list of a variable in a table; null where its values are of no list. */
export function listOfVariable(table: DomainTable, variable: string): SdtmCodeList | null {
  const items = itemsOf(table, variable)
  if (items === null || items.length === 0) return null
  return { oid: `CL.${table.name}.${variable}`, name: `${table.name}.${variable}`, items: unique(items) }
}

/** The list of a test's results in their standard form; null where they are of no list. */
export function listOfTest(table: DomainTable, test: string): SdtmCodeList | null {
  const readers = table.sources.flatMap(({ tests }) => tests.filter((one) => one.test.code === test))
  const lists = readers.map(itemsOfResult)
  if (lists.some((items) => items.length === 0)) return null
  const name = `${table.name}.${table.name}STRESC.${test}`
  return { oid: `CL.${name}`, name, items: unique(lists.flat()) }
}

function itemsOfResult({ place: { variable }, test: { result } }: TestReader): readonly CodeLabel[] {
  if (result.choice !== undefined) return YES_NO
  if (result.terms === undefined) return variable.codes.map(({ label }) => ({ code: label, label }))
  return termsOf(variable.codes, result)
}

function itemsOf(table: DomainTable, variable: string): readonly CodeLabel[] | null {
  const { name } = table
  const tests = table.sources.flatMap((source) => source.tests)
  switch (variable) {
    case 'DOMAIN':
      return [{ code: name, label: table.label }]
    case `${name}TESTCD`:
      return [...tests.map(({ test }) => ({ code: test.code, label: test.name })), ...allTests(table, `${name}ALL`)]
    case `${name}TEST`:
      return [...tests.map(({ test }) => ({ code: test.name, label: test.name })), ...allTests(table, table.label)]
    case `${name}STAT`:
      return [{ code: 'NOT DONE', label: 'Not done' }]
  }
  const readers = table.sources.flatMap(({ values, tests: own }) => [...values, ...own.flatMap((test) => test.values)])
  const lists = readers.filter((reader) => reader.variable.name === variable).map(itemsOfReader)
  return lists.length === 0 || lists.some((items) => items === null) ? null : lists.flatMap((items) => items ?? [])
}

/** That nothing was examined is a test of its own. */
function allTests(table: DomainTable, code: string): readonly CodeLabel[] {
  return table.sources.some(({ source }) => source.performed !== undefined) ? [{ code, label: table.label }] : []
}

function itemsOfReader({ value, place }: ValueReader): readonly CodeLabel[] | null {
  if (value.constant !== undefined) return [{ code: value.constant, label: value.constant }]
  if (value.fact === 'sex')
    return [
      { code: 'F', label: 'Female' },
      { code: 'M', label: 'Male' },
    ]
  if (place === null) return null
  if (value.choice !== undefined) return YES_NO
  return place.variable.codes.length === 0 ? null : termsOf(place.variable.codes, value)
}

function termsOf(codes: readonly CodeLabel[], value: Pick<ValueReader['value'], 'terms'>): readonly CodeLabel[] {
  const { terms } = value
  return codes.flatMap(({ code, label }) => {
    const term = terms !== undefined && Object.hasOwn(terms, code) ? terms[code] : code
    return term === undefined || term === '' ? [] : [{ code: term, label }]
  })
}

function unique(items: readonly CodeLabel[]): readonly CodeLabel[] {
  return [...new Map(items.toReversed().map((item) => [item.code, item])).values()].toReversed()
}
