import type { XPathScope } from '#core/exchange/xpath/translate.ts'
import type { CelType } from '#core/rules/problem.ts'
import { ruleCompiler } from '#core/rules/rule.ts'
import type { CelValue } from '#core/rules/values.ts'
import { PageValues, RedcapValues } from '#core/rules/values.ts'

import { MOMENT } from '../../form/filling.ts'
import { evaluateXPath, text, truth } from './oracle.ts'

/**
 * Records of a form drawn by chance, blanks included, on which a translated expression and an independent reading of
 * XPath are compared.
 */

export interface Fields {
  readonly types: ReadonlyMap<string, CelType>
  /** Values that a field may have; a fourth of the times it has none. */
  readonly candidates: Readonly<Record<string, readonly CelValue[]>>
}

interface Drawn {
  readonly page: PageValues
  readonly record: ReadonlyMap<string, string | number>
  /** What the rows of the table have in their only column. */
  readonly column: readonly (string | number)[]
}

/** The table of every form, and its only column. */
const TABLE = 'rows'
const COLUMN = 'x'

/** How expressions name fields, in both ways of writing. @param self the field that the expression is of */
export function scopeOf({ types }: Fields, self: string): XPathScope {
  const target = (name: string): ReturnType<XPathScope['named']> => {
    if (name === TABLE) return { kind: 'table', cel: `rc.${TABLE}` }
    if (name === COLUMN) return { kind: 'column', cel: `rc.${TABLE}`, prop: COLUMN }
    return types.has(name) ? { kind: 'field', cel: `rc.${name}` } : null
  }
  return { named: target, at: (steps) => target(steps.at(-1) ?? self) }
}

/** What both say of some records, in turn: equal where they agree. The same source always meets the same records. */
export function* verdicts(
  fields: Fields,
  self: string,
  source: string,
  cel: string,
  as: 'bool' | 'value',
  records: number,
): Iterable<{ readonly ours: unknown; readonly theirs: unknown }> {
  const next = random(source.length)
  for (let at = 0; at < records; at += 1) {
    const drawn = draw(fields, next)
    const told = { record: Object.fromEntries(drawn.record), column: drawn.column }
    const expected = evaluateXPath(source, {
      record: drawn.record,
      self,
      columns: new Map([[COLUMN, drawn.column]]),
      rows: new Map([[TABLE, drawn.column.length]]),
      ...MOMENT,
    })
    const found = given(fields, cel, as, drawn.page)
    if (as === 'bool') yield { ours: { ...told, value: found }, theirs: { ...told, value: truth(expected) } }
    else
      yield {
        ours: { ...told, value: String(found) },
        theirs: { ...told, value: typeof expected === 'number' && !Number.isFinite(expected) ? '' : text(expected) },
      }
  }
}

/** What a translated expression gives; '' for no answer. */
export function given(
  { types }: Pick<Fields, 'types'>,
  cel: string,
  expected: 'bool' | 'value',
  page: PageValues,
): unknown {
  const compiled = ruleCompiler(types).compile(cel, expected)
  if (!compiled.ok) throw new Error(`${cel}: ${JSON.stringify(compiled.problem)}`)
  const outcome = compiled.rule.evaluate({ page, rc: new RedcapValues(page), moment: MOMENT })
  if (outcome.kind === 'fault') throw new Error(`${cel}: ${outcome.code}`)
  return outcome.kind === 'value' ? outcome.value : ''
}

function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
}

function draw({ candidates }: Fields, next: (below: number) => number): Drawn {
  const page = new PageValues()
  const record = new Map<string, string | number>()
  for (const [name, values] of Object.entries(candidates)) {
    const value = next(4) === 0 ? undefined : values[next(values.length)]
    if (value === undefined) continue
    page.set(name, value)
    record.set(
      name,
      typeof value === 'number' || typeof value === 'string' ? value : Array.isArray(value) ? value.join(' ') : '',
    )
  }
  const column = Array.from({ length: next(4) }, () => (next(4) === 0 ? '' : next(4)))
  if (column.length > 0)
    page.set(
      TABLE,
      column.map((x) => (x === '' ? {} : { x })),
    )
  return { page, record, column }
}
