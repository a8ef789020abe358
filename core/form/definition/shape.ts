import type { EntryData } from '#core/sync/entryData.ts'
import type { JsonValue } from '#core/json.ts'

import type { Field, PageModel } from './page.ts'
import { holdsData } from './page.ts'
import { MISSING_CODES, isList, valueKind } from './value.ts'

/**
 * The structure of an incoming value: the only ground on which a save is refused. Whether a value makes sense (a real
 * date, in range, one of the choices) is for rules to judge: the value is kept and reported, and at most stops a
 * submit.
 */

/** Longest text of a one-line field and of a long one, in UTF-16 units. */
const MAX_TEXT = 4_000
const MAX_LONG_TEXT = 100_000
const MAX_LIST = 1_000
export const MAX_REASON = 500

export type ShapeProblem =
  | { readonly kind: 'unknown-field'; readonly code: string }
  | { readonly kind: 'wrong-type'; readonly code: string }
  | { readonly kind: 'too-long'; readonly code: string; readonly max: number }
  | { readonly kind: 'bad-text'; readonly code: string }

/** Checks one canonical value. Null (empty) always fits. Gives the first problem, or null. */
export function checkValueShape(field: Field, value: JsonValue | null): ShapeProblem | null {
  if (value === null) return null
  if (!holdsData(field)) return { kind: 'unknown-field', code: field.code }
  switch (valueKind(field)) {
    case 'text':
      return checkText(field, value)
    // A number field may hold text that is no number yet: it is kept, and the engine reports it.
    case 'number':
      return typeof value === 'number' ? null : checkText(field, value)
    case 'numbers':
      return checkList(field, value, (item) => (typeof item === 'number' ? null : checkText(field, item)))
    case 'texts':
      return checkList(field, value, (item) => checkText(field, item))
    case 'paths':
      return checkList(field, value, (path) => checkList(field, path, (item) => checkText(field, item)))
    case 'files':
      return checkList(field, value, (file) => checkFile(field, file))
    case 'rows':
      return checkList(field, value, (row) => checkRow(field, row))
  }
}

/**
 * Checks the whole data of an entry: every code must belong to the page, and every value and reason must have the right
 * structure.
 */
export function checkEntryShape(page: PageModel, data: EntryData): readonly ShapeProblem[] {
  const problems: ShapeProblem[] = []
  for (const [code, value] of Object.entries(data.values)) {
    const field = page.byCode.get(code)
    const problem = field === undefined ? { kind: 'unknown-field' as const, code } : checkValueShape(field, value)
    if (problem !== null) problems.push(problem)
  }
  for (const [code, missing] of Object.entries(data.missing)) {
    const field = page.byCode.get(code)
    if (field === undefined || !holdsData(field)) problems.push({ kind: 'unknown-field', code })
    else if (!MISSING_CODES.includes(missing.m) || typeof missing.reason !== 'string')
      problems.push({ kind: 'wrong-type', code })
    else if (missing.reason.length > MAX_REASON) problems.push({ kind: 'too-long', code, max: MAX_REASON })
    else if (!isCleanText(missing.reason)) problems.push({ kind: 'bad-text', code })
  }
  return problems
}

/** Whether a text can be stored and hashed everywhere: no U+0000, no half of a surrogate pair. */
export function isCleanText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

function checkText(field: Field, value: JsonValue): ShapeProblem | null {
  if (typeof value !== 'string') return { kind: 'wrong-type', code: field.code }
  const max = field.type === 'textarea' ? MAX_LONG_TEXT : MAX_TEXT
  if (value.length > max) return { kind: 'too-long', code: field.code, max }
  return isCleanText(value) ? null : { kind: 'bad-text', code: field.code }
}

function checkList(
  field: Field,
  value: JsonValue,
  check: (item: JsonValue) => ShapeProblem | null,
): ShapeProblem | null {
  if (!isList(value)) return { kind: 'wrong-type', code: field.code }
  if (value.length > MAX_LIST) return { kind: 'too-long', code: field.code, max: MAX_LIST }
  for (const item of value) {
    const problem = check(item)
    if (problem !== null) return problem
  }
  return null
}

function checkFile(field: Field, value: JsonValue): ShapeProblem | null {
  if (typeof value === 'string') return checkText(field, value)
  if (value === null || typeof value !== 'object' || isList(value)) return { kind: 'wrong-type', code: field.code }
  for (const item of Object.values(value)) {
    if (item !== null && typeof item === 'object') return { kind: 'wrong-type', code: field.code }
    if (typeof item === 'string') {
      const problem = checkText(field, item)
      if (problem !== null) return problem
    }
  }
  return null
}

function checkRow(field: Field, value: JsonValue): ShapeProblem | null {
  if (value === null || typeof value !== 'object' || isList(value)) return { kind: 'wrong-type', code: field.code }
  const { _rid: rid, _ord: ord, _deleted: deleted, ...items } = value
  if (
    (deleted !== undefined && deleted !== true) ||
    typeof rid !== 'string' ||
    rid === '' ||
    rid.length > 100 ||
    typeof ord !== 'string' ||
    ord.length > 200
  ) {
    return { kind: 'wrong-type', code: field.code }
  }
  if (!isCleanText(rid) || !isCleanText(ord)) return { kind: 'bad-text', code: field.code }
  for (const [code, item] of Object.entries(items)) {
    const child = field.children.find((candidate) => candidate.code === code)
    if (child === undefined) return { kind: 'unknown-field', code: `${field.code}.${code}` }
    const problem = checkValueShape(child, item)
    if (problem !== null) return { ...problem, code: `${field.code}.${code}` }
  }
  return null
}
