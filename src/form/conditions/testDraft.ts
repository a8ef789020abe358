import { changeOps, isFitting, isFittingChange, opsOf } from '#core/dataset/conditions.ts'
import type { AnswerKind, AnswerOp, AnswerTest } from '#core/dataset/conditions.ts'
import { MISSING_CODES } from '#core/form/definition/value.ts'
import type { MissingCode } from '#core/form/definition/value.ts'
import { numberFromText } from '#core/values/numberText.ts'
import { dateFromTyping, datetimeFromTyping, timeFromTyping } from '#core/values/dates.ts'

/** A test while somebody writes it: texts as typed, which may not be a value yet. */
export interface TestDraft {
  readonly op: AnswerOp
  readonly first: string
  readonly second: string
  readonly list: readonly string[]
  readonly reason: MissingCode | null
}

/** What is tested: answers of a kind, or the change of such answers. */
export interface Tested {
  readonly kind: AnswerKind
  readonly isChange: boolean
}

export function opsFor({ kind, isChange }: Tested): readonly AnswerOp[] {
  return isChange ? changeOps : opsOf(kind)
}

export function newTest(of: Tested): TestDraft {
  return { op: opsFor(of)[0] ?? 'filled', first: '', second: '', list: [], reason: null }
}

/** The same draft for other answers: the operator stays where it can be asked. */
export function testFor(draft: TestDraft, of: Tested): TestDraft {
  return opsFor(of).includes(draft.op) ? draft : { ...draft, op: newTest(of).op }
}

/** The draft of a test that is in force. */
export function draftOf(test: AnswerTest): TestDraft {
  const none = { op: test.op, first: '', second: '', list: [], reason: null }
  switch (test.op) {
    case 'between':
      return { ...none, first: String(test.from), second: String(test.to) }
    case 'oneOf':
      return { ...none, first: test.values.join(', '), list: test.values.map(String) }
    case 'missing':
      return { ...none, reason: test.reason }
    case 'empty':
    case 'filled':
      return none
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
    case 'contains':
      return { ...none, first: String(test.value) }
  }
}

/** The test that a draft stands for; null while it is not complete. */
export function testOf(draft: TestDraft, of: Tested): AnswerTest | null {
  const test = readTest(draft, of)
  if (test === null) return null
  return (of.isChange ? isFittingChange(test) : isFitting(test, of.kind)) ? test : null
}

function readTest({ op, first, second, list, reason }: TestDraft, of: Tested): AnswerTest | null {
  switch (op) {
    case 'empty':
    case 'filled':
      return { op }
    case 'missing':
      return { op, reason }
    case 'between': {
      const [from, to] = [readValue(first, of), readValue(second, of)]
      return from === null || to === null ? null : { op, from, to }
    }
    case 'oneOf': {
      const texts = of.kind === 'choice' ? list : first.split(/[,，]/).filter((text) => text.trim() !== '')
      const values = texts.map((text) => readValue(text, of))
      return values.length === 0 || values.includes(null) ? null : { op, values: values.filter((one) => one !== null) }
    }
    case 'contains':
      return first.trim() === '' ? null : { op, value: first.trim() }
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge': {
      const value = readValue(first, of)
      return value === null ? null : { op, value }
    }
  }
}

function readValue(typed: string, { kind, isChange }: Tested): string | number | null {
  const text = typed.trim()
  if (text === '') return null
  if (isChange || kind === 'number') return numberFromText(text)
  switch (kind) {
    case 'date':
      return dateFromTyping(text)
    case 'time':
      return timeFromTyping(text, false)
    case 'datetime':
      return datetimeFromTyping(text, false)
    case 'text':
    case 'choice':
    case 'file':
      return text
  }
}

export const reasons = MISSING_CODES
