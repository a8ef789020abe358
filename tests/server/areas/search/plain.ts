import type { AnswerShape, AnswerTest, Condition, LeafCondition } from '#core/dataset/conditions.ts'
import type { JsonValue } from '#core/json.ts'
import { isEmptyValue } from '#core/sync/emptyValue.ts'

/** What a condition means, written down plainly: the SQL of the server must say the same. */

export interface PlainAnswer {
  readonly folderId: string
  readonly value: JsonValue
  readonly missing: { readonly m: string; readonly reason: string } | null
}

export interface PlainSubject {
  readonly centerId: string
  readonly sex: 'F' | 'M' | null
  readonly enrolledOn: string | null
  /** The answers of a field, in the order of the casebook, without hidden ones and deleted rows. */
  readonly answers: (field: Extract<LeafCondition, { kind: 'field' }>['field']) => readonly PlainAnswer[]
}

export function meets(of: Condition, subject: PlainSubject, shapeOf: (code: string) => AnswerShape): boolean {
  switch (of.kind) {
    case 'all':
      return of.of.every((one) => meets(one, subject, shapeOf))
    case 'any':
      return of.of.length === 0 || of.of.some((one) => meets(one, subject, shapeOf))
    case 'not':
      return !meets(of.of, subject, shapeOf)
    case 'center':
      return of.centers.includes(subject.centerId)
    case 'sex':
      return subject.sex === of.sex
    case 'enrolled': {
      const on = subject.enrolledOn
      return on !== null && (of.from === null || on >= of.from) && (of.to === null || on <= of.to)
    }
    case 'field':
      return meetsField(of, subject, shapeOf(of.field.code))
  }
}

function meetsField(
  { field, at, test }: Extract<LeafCondition, { kind: 'field' }>,
  subject: PlainSubject,
  shape: AnswerShape,
): boolean {
  const answers = subject.answers(field)
  const passes = (answer: PlainAnswer) => passesTest(answer, shape, test)
  const said = answers.filter(({ value, missing }) => !isEmptyValue(value) || missing !== null)
  switch (at.which) {
    case 'any':
      return answers.some(passes)
    case 'every':
      return answers.length > 0 && answers.every(passes)
    case 'visit':
      return answers.some((answer) => answer.folderId === at.folderId && passes(answer))
    case 'first':
      return said.slice(0, 1).some(passes)
    case 'last':
      return said.slice(-1).some(passes)
    case 'change':
      return answers.some(
        (after) =>
          (at.folderId === null ? after.folderId !== at.baseline : after.folderId === at.folderId) &&
          answers.some(
            (before) => before.folderId === at.baseline && passesChange(before.value, after.value, shape, test),
          ),
      )
  }
}

function passesChange(before: JsonValue, after: JsonValue, { kind }: AnswerShape, test: AnswerTest): boolean {
  const of = (value: JsonValue): number | null =>
    kind === 'number'
      ? typeof value === 'number'
        ? value
        : null
      : typeof value === 'string' && /^\d{4}-\d{2}-\d{2}( |$)/.test(value)
        ? Date.UTC(Number(value.slice(0, 4)), Number(value.slice(5, 7)) - 1, Number(value.slice(8, 10))) / 86_400_000
        : null
  const [from, to] = [of(before), of(after)]
  return from !== null && to !== null && compares(to - from, test)
}

function passesTest({ value, missing }: PlainAnswer, { kind, stored }: AnswerShape, test: AnswerTest): boolean {
  const isEmpty = isEmptyValue(value)
  if (test.op === 'empty') return isEmpty && missing === null
  if (test.op === 'filled') return !isEmpty
  if (test.op === 'missing') return isEmpty && missing !== null && (test.reason === null || missing.m === test.reason)
  if (isEmpty) return false
  const path = (of: JsonValue) => (Array.isArray(of) ? of.join('/') : textOf(of))
  const list: readonly JsonValue[] = Array.isArray(value) ? (value as readonly JsonValue[]) : [value]
  const parts =
    stored === 'one' ? [value] : stored === 'path' ? [path(value)] : stored === 'paths' ? list.map(path) : list
  const passes = (of: AnswerTest) =>
    parts.some((part) => {
      if (kind === 'number') return typeof part === 'number' && compares(part, of)
      return isInForm(kind, textOf(part), of) && compares(textOf(part), of)
    })
  return test.op === 'ne' ? !passes({ ...test, op: 'eq' }) : passes(test)
}

function isInForm(kind: AnswerShape['kind'], text: string, { op }: AnswerTest): boolean {
  if (op === 'contains') return true
  if (kind === 'date') return /^\d{4}-\d{2}-\d{2}$/.test(text)
  return kind !== 'time' || /^\d{2}:\d{2}(:\d{2})?$/.test(text)
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function compares(of: string | number, test: AnswerTest): boolean {
  switch (test.op) {
    case 'eq':
      return of === test.value
    case 'ne':
      return of !== test.value
    case 'lt':
      return of < test.value
    case 'le':
      return of <= test.value
    case 'gt':
      return of > test.value
    case 'ge':
      return of >= test.value
    case 'between':
      return of >= test.from && of <= test.to
    case 'oneOf':
      return test.values.includes(of)
    case 'contains':
      return String(of).toLowerCase().includes(test.value.toLowerCase())
    case 'empty':
    case 'filled':
    case 'missing':
      return false
  }
}
