import type { FieldType } from '#core/form/definition/column.ts'

import type { JsonPath } from './jsonLines.ts'
import type { SdtmDomain, SdtmMapping, SdtmSource, SdtmValue } from './mapping.ts'
import { classOf, topicOf, variablesOf } from './variables.ts'
import type { SdtmVariable } from './variables.ts'

/** What is wrong in a mapping that has the right shape: by the rules of SDTM, and by the pages of the study. */

/**
 * `own-variable`: one that is written by itself. `one-source`: a value comes from a field, or is the same everywhere,
 * or is known of the subject, and from nothing else. `without-field`: what says more about a field, and there is none.
 */
export const mappingFaults = [
  'repeated-domain',
  'wrong-class',
  'unknown-variable',
  'own-variable',
  'one-source',
  'without-field',
  'time-not-here',
  'no-topic',
  'no-tests',
  'tests-not-here',
  'test-named-twice',
  'repeated-visit',
  'no-page',
  'no-table',
  'no-field',
  'no-range',
] as const

export interface MappingFault {
  readonly kind: (typeof mappingFaults)[number]
  readonly path: JsonPath
}

/** By the rules of SDTM alone. */
export function checkMapping(mapping: SdtmMapping): readonly MappingFault[] {
  const found: MappingFault[] = []
  const visits = new Set<string>()
  for (const [at, { visit }] of mapping.visits.entries()) {
    if (visits.has(visit)) found.push({ kind: 'repeated-visit', path: ['visits', at, 'visit'] })
    visits.add(visit)
  }
  const names = new Set<string>()
  for (const [at, domain] of mapping.domains.entries()) {
    const path = ['domains', at]
    if (names.has(domain.domain)) found.push({ kind: 'repeated-domain', path: [...path, 'domain'] })
    names.add(domain.domain)
    found.push(...checkDomain(domain, path))
  }
  return found
}

function* checkDomain(domain: SdtmDomain, path: JsonPath): Generator<MappingFault> {
  const settled = classOf(domain.domain)
  // The only table of one row for each subject is DM.
  const isWrong = settled === null ? domain.class === 'special-purpose' : settled !== domain.class
  if (isWrong) {
    yield { kind: 'wrong-class', path: [...path, 'class'] }
    return
  }
  const known = new Map(variablesOf(domain.domain, domain.class).map((one) => [one.name, one]))
  const tests = new Map<string, string>()
  for (const [at, source] of domain.sources.entries()) {
    const here = [...path, 'sources', at]
    yield* checkValues(source.values, known, [...here, 'values'])
    yield* checkTests(domain, source, { path: here, known, tests })
    const topic = topicOf(domain.domain, domain.class)
    if (topic !== null && source.values?.[topic] === undefined) yield { kind: 'no-topic', path: here }
  }
}

function* checkTests(
  domain: SdtmDomain,
  source: SdtmSource,
  of: {
    readonly path: JsonPath
    readonly known: ReadonlyMap<string, SdtmVariable>
    readonly tests: Map<string, string>
  },
): Generator<MappingFault> {
  const { path, known, tests } = of
  const { tests: own = [], performed } = source
  if (domain.class !== 'findings') {
    if (source.tests !== undefined) yield { kind: 'tests-not-here', path: [...path, 'tests'] }
    if (performed !== undefined) yield { kind: 'tests-not-here', path: [...path, 'performed'] }
    return
  }
  if (own.length === 0) yield { kind: 'no-tests', path }
  for (const [at, test] of own.entries()) {
    const here = [...path, 'tests', at]
    const name = tests.get(test.code)
    // A test has one name, wherever it is made.
    if (name !== undefined && name !== test.name) yield { kind: 'test-named-twice', path: [...here, 'name'] }
    tests.set(test.code, test.name)
    yield* checkValues(test.values, known, [...here, 'values'])
  }
}

function* checkValues(
  values: Readonly<Record<string, SdtmValue>> | undefined,
  known: ReadonlyMap<string, SdtmVariable>,
  path: JsonPath,
): Generator<MappingFault> {
  for (const [name, value] of Object.entries(values ?? {})) {
    const here = [...path, name]
    const variable = known.get(name)
    if (variable === undefined) yield { kind: 'unknown-variable', path: here }
    else if (variable.isOwn) yield { kind: 'own-variable', path: here }
    const { field, constant, fact, part, choice, terms, time } = value
    const given = [field, constant, fact].filter((one) => one !== undefined)
    if (given.length !== 1) yield { kind: 'one-source', path: here }
    const more = [part, choice, terms, time].some((one) => one !== undefined)
    if (field === undefined && more) yield { kind: 'without-field', path: here }
    if (time !== undefined && variable !== undefined && variable.type !== 'date')
      yield { kind: 'time-not-here', path: [...here, 'time'] }
  }
}

/** A page as a mapping may name its fields. */
export interface MappablePage {
  readonly code: string
  readonly fields: readonly {
    readonly table: string | null
    readonly code: string
    readonly type: FieldType
  }[]
}

const RANGES: ReadonlySet<FieldType> = new Set(['daterange', 'datetimerange', 'timerange'])

/** By the pages of the study. */
export function checkAgainstPages(mapping: SdtmMapping, pages: readonly MappablePage[]): readonly MappingFault[] {
  const byCode = Map.groupBy(pages, ({ code }) => code)
  return mapping.domains.flatMap((domain, domainAt) =>
    domain.sources.flatMap((source, at) => {
      const path = ['domains', domainAt, 'sources', at]
      const fields = byCode.get(source.page)?.flatMap((page) => page.fields)
      if (fields === undefined) return [{ kind: 'no-page', path: [...path, 'page'] } as const]
      if (source.table !== undefined && !fields.some(({ table }) => table === source.table))
        return [{ kind: 'no-table', path: [...path, 'table'] } as const]
      return [...checkFields(source, fields, path)]
    }),
  )
}

function* checkFields(source: SdtmSource, fields: MappablePage['fields'], path: JsonPath): Generator<MappingFault> {
  const byCode = Map.groupBy(
    fields.filter(({ table }) => table === null || table === source.table),
    ({ code }) => code,
  )
  for (const [at, name, part] of namedFields(source)) {
    const named = byCode.get(name)
    if (named === undefined) yield { kind: 'no-field', path: [...path, ...at] }
    else if (part !== undefined && !named.some(({ type }) => RANGES.has(type) || type === 'slider'))
      yield { kind: 'no-range', path: [...path, ...at] }
  }
}

/** The fields that a source names, with where it does. */
export function* namedFields(source: SdtmSource): Generator<readonly [JsonPath, string, SdtmValue['part']]> {
  yield* namedInValues(source.values, ['values'])
  for (const [at, { result, values }] of (source.tests ?? []).entries()) {
    yield [['tests', at, 'result', 'field'], result.field, result.part]
    yield* namedInValues(values, ['tests', at, 'values'])
  }
  if (source.performed === undefined) return
  yield [['performed', 'field'], source.performed.field, undefined]
  if (source.performed.reason !== undefined) yield [['performed', 'reason'], source.performed.reason, undefined]
}

function* namedInValues(
  values: SdtmSource['values'],
  path: JsonPath,
): Generator<readonly [JsonPath, string, SdtmValue['part']]> {
  for (const [name, { field, part, time }] of Object.entries(values ?? {})) {
    if (field !== undefined) yield [[...path, name, 'field'], field, part]
    if (time !== undefined) yield [[...path, name, 'time'], time, undefined]
  }
}
