import * as z from 'zod/mini'
import { isRange } from '#core/form/definition/page.ts'
import type { Field } from '#core/form/definition/page.ts'
import { MISSING_CODES, valueKind } from '#core/form/definition/value.ts'
import { day, id, prop, text } from '#core/wire/shapes.ts'

/**
 * What is asked of subjects: conditions on fields at visits and on facts of the subject, joined by and, or, not. Words
 * for them are in `conditionWords.ts`; the server judges them in SQL (server/areas/search).
 */

/** What kinds of answers can be compared. */
export type AnswerKind = 'number' | 'date' | 'time' | 'datetime' | 'text' | 'choice' | 'file'

/** How an answer is stored: one value, a list of values, a path of choices, several paths. */
export type AnswerStored = 'one' | 'list' | 'path' | 'paths'

export interface AnswerShape {
  readonly kind: AnswerKind
  readonly stored: AnswerStored
}

/** A field that is asked about. `part` names an end of a range, and is null for every other field. */
export const answerField = z.object({
  pageId: id,
  table: z.nullable(prop),
  code: prop,
  part: z.nullable(z.enum(['start', 'end'])),
})
export type AnswerField = z.infer<typeof answerField>

const VALUE = 200
const one = z.union([z.number(), text(VALUE)])
const comparison = <const Op extends string>(op: Op) => z.object({ op: z.literal(op), value: one })

export const orderOps = ['lt', 'le', 'gt', 'ge'] as const

/** What is asked of one answer. `empty`: nothing was entered, and nobody said why; `missing`: somebody said why. */
export const answerTest = z.discriminatedUnion('op', [
  comparison('eq'),
  comparison('ne'),
  comparison('lt'),
  comparison('le'),
  comparison('gt'),
  comparison('ge'),
  z.object({ op: z.literal('between'), from: one, to: one }),
  z.object({ op: z.literal('contains'), value: text(VALUE).check(z.minLength(1)) }),
  z.object({ op: z.literal('oneOf'), values: z.array(one).check(z.minLength(1), z.maxLength(100)) }),
  z.object({ op: z.literal('empty') }),
  z.object({ op: z.literal('filled') }),
  z.object({ op: z.literal('missing'), reason: z.nullable(z.enum(MISSING_CODES)) }),
])
export type AnswerTest = z.infer<typeof answerTest>
export type AnswerOp = AnswerTest['op']

/**
 * Which of a subject's answers are asked: at any visit, at every visit where the page was begun, at one visit, the
 * first or the last that says anything in the order of the casebook, or the change from a baseline visit (in numbers,
 * or in days) at one visit or, with null, at any other.
 */
export const answerAt = z.discriminatedUnion('which', [
  z.object({ which: z.literal('any') }),
  z.object({ which: z.literal('every') }),
  z.object({ which: z.literal('visit'), folderId: id }),
  z.object({ which: z.literal('first') }),
  z.object({ which: z.literal('last') }),
  z.object({ which: z.literal('change'), folderId: z.nullable(id), baseline: id }),
])
export type AnswerAt = z.infer<typeof answerAt>

const leaves = [
  z.object({ kind: z.literal('field'), field: answerField, at: answerAt, test: answerTest }),
  z.object({ kind: z.literal('center'), centers: z.array(id).check(z.minLength(1), z.maxLength(500)) }),
  z.object({ kind: z.literal('sex'), sex: z.enum(['F', 'M']) }),
  z.object({ kind: z.literal('enrolled'), from: z.nullable(day), to: z.nullable(day) }),
] as const
const leaf = z.discriminatedUnion('kind', leaves)
export type LeafCondition = z.infer<typeof leaf>

export type Condition =
  | LeafCondition
  | { readonly kind: 'all' | 'any'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }

/** How deep groups may stand in one another, and how many conditions there may be in all. */
export const DEEPEST = 5
export const MOST_CONDITIONS = 50

function levelAbove(inner: z.ZodMiniType<Condition>): z.ZodMiniType<Condition> {
  const several = z.array(inner).check(z.maxLength(MOST_CONDITIONS))
  return z.union([
    leaf,
    z.object({ kind: z.enum(['all', 'any']), of: several }),
    z.object({ kind: z.literal('not'), of: inner }),
  ])
}

/** Built level by level: whatever is sent, no deeper nesting is ever walked through. */
function levels(count: number): z.ZodMiniType<Condition> {
  return count === 0 ? leaf : levelAbove(levels(count - 1))
}

export const condition = levels(DEEPEST).check(
  z.refine((whole) => leavesOf(whole).length <= MOST_CONDITIONS, 'too_many'),
)

/** All conditions of a tree that are no groups, in their order. */
export function leavesOf(of: Condition): readonly LeafCondition[] {
  switch (of.kind) {
    case 'all':
    case 'any':
      return of.of.flatMap(leavesOf)
    case 'not':
      return leavesOf(of.of)
    case 'field':
    case 'center':
    case 'sex':
    case 'enrolled':
      return [of]
  }
}

/** The fields that a condition asks about, each as often as it stands there. */
export function fieldsOf(of: Condition): readonly AnswerField[] {
  return leavesOf(of).flatMap((one) => (one.kind === 'field' ? [one.field] : []))
}

/** How the answers of a field are compared; null for a field that holds no answers of its own. */
export function shapeOf(field: Field): AnswerShape | null {
  const kind = kindOf(field)
  if (kind === null) return null
  if (isRange(field)) return { kind, stored: 'one' }
  switch (valueKind(field)) {
    case 'text':
    case 'number':
      return { kind, stored: 'one' }
    case 'numbers':
    case 'files':
      return { kind, stored: 'list' }
    case 'paths':
      return { kind, stored: 'paths' }
    case 'texts':
      return { kind, stored: field.type === 'cascader' && !field.lastStep ? 'path' : 'list' }
    case 'rows':
      return null
  }
}

function kindOf({ type, partial }: Field): AnswerKind | null {
  switch (type) {
    case 'number':
    case 'slider':
      return 'number'
    case 'date':
      return partial === null ? 'date' : 'text'
    case 'daterange':
      return 'date'
    case 'time':
    case 'timerange':
      return 'time'
    case 'datetime':
    case 'datetimerange':
      return 'datetime'
    case 'radio':
    case 'checkbox':
    case 'select':
    case 'tree':
    case 'cascader':
    case 'table':
      return 'choice'
    case 'upload':
      return 'file'
    case 'input':
    case 'autocomplete':
    case 'textarea':
    case 'array':
    case 'url':
    case 'year':
    case 'month':
    case 'week':
      return 'text'
    case 'title':
    case 'dynamic':
      return null
  }
}

const COMMON = ['empty', 'filled', 'missing'] as const satisfies readonly AnswerOp[]
const ORDERED = ['eq', 'ne', ...orderOps, 'between'] as const satisfies readonly AnswerOp[]

/** What can be asked of answers of a kind, in the order in which it is offered. */
export function opsOf(kind: AnswerKind): readonly AnswerOp[] {
  switch (kind) {
    case 'number':
      return [...ORDERED, 'oneOf', ...COMMON]
    case 'date':
    case 'time':
    case 'datetime':
      return [...ORDERED, ...COMMON]
    case 'text':
      return ['contains', 'eq', 'ne', 'oneOf', ...COMMON]
    case 'choice':
      return ['eq', 'ne', 'oneOf', ...COMMON]
    case 'file':
      return COMMON
  }
}

/** What can be asked of a change: of a number how much, of a day how many days. */
export const changeOps = ORDERED

/** Whether the change of such answers can be told. */
export function hasChange({ kind, stored }: AnswerShape): boolean {
  return stored === 'one' && (kind === 'number' || kind === 'date' || kind === 'datetime')
}

/** The values that a test names. */
export function valuesOf(test: AnswerTest): readonly (string | number)[] {
  switch (test.op) {
    case 'between':
      return [test.from, test.to]
    case 'oneOf':
      return test.values
    case 'empty':
    case 'filled':
    case 'missing':
      return []
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
    case 'contains':
      return [test.value]
  }
}

const FORMS: Readonly<Record<'date' | 'time' | 'datetime', RegExp>> = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  time: /^\d{2}:\d{2}(:\d{2})?$/,
  datetime: /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}(:\d{2})?$/,
}

/** Whether a test can be asked of answers of a kind, with values that such answers can have. */
export function isFitting(test: AnswerTest, kind: AnswerKind): boolean {
  if (!opsOf(kind).includes(test.op)) return false
  return valuesOf(test).every((value) => {
    if (kind === 'number') return typeof value === 'number'
    if (typeof value !== 'string') return false
    return kind === 'date' || kind === 'time' || kind === 'datetime' ? FORMS[kind].test(value) : value !== ''
  })
}

/** Whether a test can be asked of a change. */
export function isFittingChange(test: AnswerTest): boolean {
  return changeOps.some((op) => op === test.op) && valuesOf(test).every((value) => typeof value === 'number')
}
