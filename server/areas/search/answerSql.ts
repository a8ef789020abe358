import type { AnswerField, AnswerShape, AnswerTest } from '#core/dataset/conditions.ts'

/**
 * Answers of entries in SQL. Codes and values are parameters, never text of a statement. Every condition is true or
 * false, never null, and none fails on a value that is not what its field holds.
 */

/** Collects the parameters of a statement that is written for one question. */
export class Binder {
  readonly values: unknown[]

  /** @param leading the first parameters, which a shared piece of SQL numbers itself */
  constructor(leading: readonly unknown[]) {
    this.values = [...leading]
  }

  /** A parameter, as `$n` with its type. */
  bind(value: unknown, type: string): string {
    this.values.push(value)
    return `$${this.values.length}::${type}`
  }

  /**
   * A statement with the parameters that its text has. One that was bound and stands nowhere is left out: the database
   * cannot tell its type, and refuses the whole.
   */
  statement(text: string): { readonly text: string; readonly values: unknown[] } {
    const used = [...new Set([...text.matchAll(PARAMETER)].map(([, at]) => Number(at)))]
    const places = new Map(used.map((at, index) => [at, index + 1]))
    return {
      text: text.replaceAll(PARAMETER, (_, at: string) => `$${places.get(Number(at)) ?? at}`),
      values: used.map((at) => this.values[at - 1]),
    }
  }
}

const PARAMETER = /\$(\d+)/g

/** A field that was found in a version of the project, as its answers are compared. */
export interface KnownField extends AnswerField {
  readonly shape: AnswerShape
}

/** Where an answer of an entry `e` stands, as expressions of SQL. */
export interface AnswerSql {
  /** The value, jsonb or null. */
  readonly value: string
  /** The same, or rows that a former version entered under the code: cheaper, and no comparison finds them. */
  readonly raw: string
  /** Why it is missing, jsonb or null. */
  readonly missing: string
  /** Whether rules hide it. */
  readonly hidden: string
}

/** SQL: the rows of a table of an entry `e`, as `r.item`. Deleted rows are none. */
export function rowsSql(table: string): string {
  return `CROSS JOIN LATERAL (
    SELECT one.item FROM jsonb_array_elements(CASE jsonb_typeof(e."values" -> ${table}) WHEN 'array' THEN e."values" -> ${table} ELSE '[]' END) AS one (item)
    WHERE one.item ? '_rid' AND one.item -> '_deleted' IS DISTINCT FROM 'true'::jsonb AND NOT ${table} = ANY (e.hidden)) r`
}

/** SQL: the order of the rows of a table, as screens show them. */
export const ROW_ORDER = [`coalesce(r.item ->> '_ord', '') COLLATE "C"`, `(r.item ->> '_rid') COLLATE "C"`]

/** The answer of a field in an entry `e`; of a field in a table, in its row `r.item`. */
export function answerSql(field: AnswerField, binder: Binder): AnswerSql {
  const code = binder.bind(field.code, 'text')
  if (field.table !== null) {
    const rid = `(r.item ->> '_rid')`
    const table = binder.bind(field.table, 'text')
    const value = partSql(`(r.item -> ${code})`, field.part)
    return {
      value,
      raw: value,
      missing: `(e.missing -> concat(${rid}, '.', ${code}))`,
      hidden: `(concat(${table}, '.', ${rid}, '.', ${code}) = ANY (e.hidden))`,
    }
  }
  // Rows that a former version entered under the code belong to its table.
  const own = `(e."values" -> ${code})`
  return {
    value: partSql(`(CASE WHEN ${own} -> 0 ? '_rid' THEN NULL ELSE ${own} END)`, field.part),
    raw: partSql(own, field.part),
    missing: `(e.missing -> ${code})`,
    hidden: `(${code} = ANY (e.hidden))`,
  }
}

/** A range that is no list is told at its beginning, as `core/dataset/itemColumns.ts` has it. */
function partSql(value: string, part: AnswerField['part']): string {
  if (part === null) return value
  const [at, other] = part === 'start' ? [0, value] : [1, 'NULL']
  return `(CASE jsonb_typeof(${value}) WHEN 'array' THEN ${value} -> ${at} ELSE ${other} END)`
}

function isEmptySql(value: string): string {
  return `coalesce(${value} IN ('null'::jsonb, '""'::jsonb, '[]'::jsonb), true)`
}

function isExplainedSql({ value, missing }: AnswerSql): string {
  return `(${isEmptySql(value)} AND coalesce(jsonb_typeof(${missing}) = 'object', false))`
}

/** SQL: whether an answer says anything: a value, or why there is none. */
export function isSaidSql(answer: AnswerSql): string {
  return `(NOT ${isEmptySql(answer.value)} OR ${isExplainedSql(answer)})`
}

/** SQL: whether an answer passes a test. What rules hide passes none; the caller leaves it out. */
export function testSql(answer: AnswerSql, shape: AnswerShape, test: AnswerTest, binder: Binder): string {
  switch (test.op) {
    case 'empty':
      return `NOT ${isSaidSql(answer)}`
    case 'filled':
      return `NOT ${isEmptySql(answer.value)}`
    case 'missing': {
      const reason = test.reason === null ? '' : ` AND ${answer.missing} ->> 'm' = ${binder.bind(test.reason, 'text')}`
      return `(${isExplainedSql(answer)}${reason})`
    }
    case 'ne':
      return `(NOT ${isEmptySql(answer.value)} AND NOT ${anyPart(answer.raw, shape, comparisonOf(shape, { ...test, op: 'eq' }, binder))})`
    case 'contains':
      return anyPart(answer.value, shape, comparisonOf(shape, test, binder))
    case 'eq':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
    case 'between':
    case 'oneOf':
      // Nothing that is empty passes one of these.
      return anyPart(answer.raw, shape, comparisonOf(shape, test, binder))
  }
}

type Comparison = Exclude<AnswerTest, { readonly op: 'empty' | 'filled' | 'missing' | 'ne' }>
/** Writes whether one part of an answer passes. @param json the part, jsonb @param words the same as text */
type OfPart = (json: string, words: string) => string

/** SQL: whether some part of an answer passes: the answer itself, or one of a list. */
function anyPart(value: string, { stored }: AnswerShape, passes: OfPart): string {
  const listOf = (of: string) => `CASE jsonb_typeof(${of}) WHEN 'array' THEN ${of} ELSE jsonb_build_array(${of}) END`
  const path = (of: string) => `array_to_string(ARRAY (SELECT jsonb_array_elements_text(${listOf(of)})), '/')`
  switch (stored) {
    case 'one':
      return `coalesce(${passes(value, `(${value} #>> '{}')`)}, false)`
    case 'list':
      return `EXISTS (SELECT FROM jsonb_array_elements(${listOf(value)}) AS part (item) WHERE ${passes('part.item', `(part.item #>> '{}')`)})`
    case 'path':
      return `coalesce(${passes(value, path(value))}, false)`
    case 'paths':
      return `EXISTS (SELECT FROM jsonb_array_elements(${listOf(value)}) AS part (item) WHERE ${passes('part.item', path('part.item'))})`
  }
}

const SIGNS = { eq: '=', lt: '<', le: '<=', gt: '>', ge: '>=' } as const

function comparisonOf({ kind }: AnswerShape, test: Comparison, binder: Binder): OfPart {
  if (kind === 'number') {
    const holds = compare(test, 'numeric', binder)
    // A text in the place of a number is no number: the order in which AND is evaluated is not given.
    return (json) => `(CASE WHEN jsonb_typeof(${json}) = 'number' THEN ${holds(`(${json})::numeric`)} ELSE false END)`
  }
  if (test.op === 'contains') {
    const words = binder.bind(test.value, 'text')
    return (_, text) => `(strpos(lower(${text}), lower(${words})) > 0)`
  }
  const holds = compare(test, 'text', binder)
  const form = FORMS[kind]
  if (form === null) return (_, text) => holds(`${text} COLLATE "C"`)
  return (_, text) => `(${text} ~ '${form}' AND ${holds(`${text} COLLATE "C"`)})`
}

/** What can be put in order as text. Constants, so that they may stand in a statement. */
const FORMS = {
  number: null,
  date: String.raw`^\d{4}-\d{2}-\d{2}$`,
  time: String.raw`^\d{2}:\d{2}(:\d{2})?$`,
  datetime: String.raw`^\d{4}-\d{2}-\d{2} \d{2}:\d{2}(:\d{2})?$`,
  text: null,
  choice: null,
  file: null,
} as const

function compare(test: Comparison, type: 'numeric' | 'text', binder: Binder): (of: string) => string {
  switch (test.op) {
    case 'between': {
      const [from, to] = [binder.bind(test.from, type), binder.bind(test.to, type)]
      return (of) => `(${of} >= ${from} AND ${of} <= ${to})`
    }
    case 'oneOf': {
      const values = binder.bind(test.values, `${type}[]`)
      return (of) => `(${of} = ANY (${values}))`
    }
    case 'eq':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge': {
      const value = binder.bind(test.value, type)
      return (of) => `(${of} ${SIGNS[test.op]} ${value})`
    }
    case 'contains':
      return () => 'false'
  }
}

/** SQL: whether the change from one answer to another passes; false where there is no such change. */
export function changeSql(
  from: AnswerSql,
  to: AnswerSql,
  { kind }: AnswerShape,
  test: AnswerTest,
  binder: Binder,
): string {
  const isComparison = test.op === 'eq' || test.op === 'lt' || test.op === 'le' || test.op === 'gt' || test.op === 'ge'
  const [known, change] =
    kind === 'number'
      ? [
          [from, to].map(({ raw }) => `jsonb_typeof(${raw}) = 'number'`),
          `((${to.raw})::numeric - (${from.raw})::numeric)`,
        ]
      : [
          [from, to].map(({ raw }) => `(${raw} #>> '{}') ~ '${DAY}'`),
          `(${daySql(to.raw)} - ${daySql(from.raw)})::numeric`,
        ]
  const when = (holds: string) => `(CASE WHEN ${known.join(' AND ')} THEN ${holds} ELSE false END)`
  if (test.op === 'ne') return when(`${change} <> ${binder.bind(test.value, 'numeric')}`)
  return isComparison || test.op === 'between' ? when(compare(test, 'numeric', binder)(change)) : 'false'
}

/** A day, alone or at the beginning of a time. Days that a month does not have run on into the next. */
const DAY = String.raw`^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])( |$)`

/** The day in a text that has the form of one: a cast would fail on 30 February. */
function daySql(value: string): string {
  const text = `(${value} #>> '{}')`
  return `(make_date(substr(${text}, 1, 4)::integer, substr(${text}, 6, 2)::integer, 1) + substr(${text}, 9, 2)::integer - 1)`
}
