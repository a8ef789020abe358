import type { Report } from '#core/exchange/definition.ts'
import type { CheckRule, Column } from '#core/form/definition/column.ts'

import type { ActionTag } from './actionTags.ts'
import { readAnnotation } from './actionTags.ts'
import type { DictionaryRow } from './table.ts'

/** Action tags as what means the same here. All others are reported, each by itself. */

/** Tags that make their field a calculated one. */
const CALCULATING_TAGS: ReadonlySet<string> = new Set(['@CALCTEXT', '@CALCDATE'])

/** The tag that a row's field is calculated by: the first, unless the field has a calculation of its own. */
export function calculatingTag({ cells }: DictionaryRow): (ActionTag & { readonly argument: string }) | null {
  if (cells.field_type === 'calc') return null
  for (const { argument, ...tag } of readAnnotation(cells.field_annotation).tags) {
    if (CALCULATING_TAGS.has(tag.name) && argument !== null) return { ...tag, argument }
  }
  return null
}

/** Tags of ways to fill a form that there are not here. */
const ELSEWHERE = /^@[A-Z-]+-(SURVEY|APP|PDF)$/

type Tagged = Partial<Pick<Column, 'display' | 'readonly' | 'maxlength' | 'placeholder' | 'value'>>

export interface TagMeaning {
  readonly column: Tagged
  readonly checks: readonly CheckRule[]
  /** Codes of choices that cannot be chosen any more; a value that was stored with one keeps its label. */
  readonly retired: ReadonlySet<string>
}

/** What the tags of a row mean for its field. `codes` are the codes of its choices. */
export function tagsOf(
  row: DictionaryRow,
  type: Column['type'],
  prop: string,
  codes: readonly string[],
  report: Report,
): TagMeaning {
  const { tags, rest } = readAnnotation(row.cells.field_annotation)
  let column: Tagged = {}
  const checks: CheckRule[] = []
  const retired = new Set<string>()
  let calculating = calculatingTag(row)
  for (const tag of tags) {
    const simple = simpleMeaning(tag) ?? beginning(tag, row, codes)
    const check = type === 'checkbox' ? checkOf(tag, prop) : null
    const hidden = codes.length > 0 ? hiddenChoices(tag, codes) : null
    if (simple !== null) column = { ...column, ...simple }
    else if (check !== null) checks.push(check)
    else if (hidden !== null) for (const code of hidden) retired.add(code)
    else if (tag.text === calculating?.text) calculating = null
    else {
      report('annotation', ELSEWHERE.test(tag.name) ? 'survey-only' : 'unknown-action-tag', tag.text)
    }
  }
  // Free text beside the tags is a note of the designer's.
  if (rest !== '') report('annotation', 'text-only', rest)
  return { column, checks, retired }
}

function simpleMeaning({ name, argument }: ActionTag): Tagged | null {
  switch (name) {
    case '@HIDDEN':
    case '@HIDDEN-FORM':
      return { display: false }
    case '@READONLY':
    case '@READONLY-FORM':
      return { readonly: true }
    case '@PLACEHOLDER':
      return argument === null ? null : { placeholder: argument }
    case '@CHARLIMIT':
      return argument !== null && /^\s*\d{1,6}\s*$/.test(argument) ? { maxlength: Number(argument) } : null
    default:
      return null
  }
}

/**
 * What a new entry begins with: a constant, and of a choice one of its codes. Text that REDCap would fill in from
 * fields is none.
 */
function beginning({ name, argument }: ActionTag, { cells }: DictionaryRow, codes: readonly string[]): Tagged | null {
  if (
    name !== '@DEFAULT' ||
    argument === null ||
    argument === '' ||
    /[[\]]/.test(argument) ||
    NOT_BEGUN.has(cells.field_type)
  )
    return null
  const value = cells.field_type === 'checkbox' ? listOf(argument) : [argument]
  if (codes.length > 0 && !value.every((code) => codes.includes(code))) return null
  return { value: cells.field_type === 'checkbox' ? value : argument }
}

/** Types of fields that nobody fills in as text or choice. */
const NOT_BEGUN: ReadonlySet<string> = new Set(['calc', 'file', 'descriptive', 'sql'])

/** Rules of how many and which boxes may be ticked together. REDCap lets nobody tick otherwise, so these are errors. */
function checkOf({ name, argument }: ActionTag, prop: string): CheckRule | null {
  if (argument === null) return null
  if (name === '@MAXCHECKED') {
    const most = /^\s*(\d{1,4})\s*$/.exec(argument)?.[1]
    if (most === undefined) return null
    const message = { zh: `最多选择 ${most} 项`, en: `Choose at most ${most}` }
    return { id: 'maxChecked', when: `size(page.${prop}) > ${most}`, severity: 'error', message }
  }
  if (name !== '@NONEOFTHEABOVE') return null
  const codes = listOf(argument).map((code) => JSON.stringify(code))
  if (codes.length === 0) return null
  const message = { zh: '“以上都不是”不能与其他选项同选', en: '“None of the above” cannot be chosen with others' }
  const chosen = codes.map((code) => `${code} in page.${prop}`).join(' || ')
  return { id: 'noneOfTheAbove', when: `size(page.${prop}) > 1 && (${chosen})`, severity: 'error', message }
}

/** The tag that a check came from, or null for one that came from none. The other way of `checkOf`. */
export function tagOfCheck(check: CheckRule, prop: string): string | null {
  const most = /^size\(.*\) > (\d{1,4})$/.exec(check.when)?.[1]
  const codes = Array.from(check.when.matchAll(/"((?:[^"\\]|\\.)*)" in page\./g), (match) => match[1] ?? '')
  const candidates = [`@MAXCHECKED=${most ?? ''}`, `@NONEOFTHEABOVE='${codes.join(',')}'`]
  return (
    candidates.find((text) => readAnnotation(text).tags.some((tag) => checkOf(tag, prop)?.when === check.when)) ?? null
  )
}

function hiddenChoices({ name, argument }: ActionTag, codes: readonly string[]): readonly string[] | null {
  if (argument === null || (name !== '@HIDECHOICE' && name !== '@SHOWCHOICE')) return null
  const named = new Set(listOf(argument))
  return codes.filter((code) => named.has(code) === (name === '@HIDECHOICE'))
}

function listOf(argument: string): readonly string[] {
  return argument
    .split(',')
    .map((code) => code.trim())
    .filter((code) => code !== '')
}
