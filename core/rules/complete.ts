import { numberLiteral, textLiteral } from './conditions.ts'
import type { CelType } from './problem.ts'
import { PICKS } from './reads.ts'
import type { RuleFunctionName } from './signatures.ts'
import { RULE_FUNCTIONS } from './signatures.ts'

/** Suggestions for how a rule could go on at the cursor. */

/** A field with the names by which a person knows it. */
export interface NamedField {
  readonly code: string
  readonly label: string
  readonly type: CelType
  readonly choices: readonly { readonly value: string; readonly label: string }[]
}

export interface NamedPage {
  readonly code: string
  readonly label: string
  /** Codes of the visits in which the field's page stands. */
  readonly folders: readonly string[]
  readonly fields: readonly NamedField[]
}

/** All names that the rules of a field may use. */
export interface RuleNames {
  readonly page: readonly NamedField[]
  /** The fields of the row, for a rule of a table's field. */
  readonly row: readonly NamedField[] | null
  readonly pages: readonly NamedPage[]
  readonly folders: readonly { readonly code: string; readonly label: string }[]
}

export interface Suggestion {
  readonly kind: 'variable' | 'field' | 'page' | 'folder' | 'pick' | 'function' | 'choice'
  /** The text that replaces what was typed. */
  readonly text: string
  /** What a person reads; for a function, the name under which its explanation is found. */
  readonly label: string
  readonly signature?: string
}

/** Suggestions for the part of the text from `from` to `to`. */
export interface Completion {
  readonly from: number
  readonly to: number
  readonly suggestions: readonly Suggestion[]
}

/** How many characters back the search for the current word goes, and how many suggestions are made. */
const LOOK_BACK = 300
const MAX_SUGGESTIONS = 60

/** A name that is being written, in any script: a field is also found by its label. */
const NAME = /[\p{L}_][\p{L}\p{N}_.]*$/u
/** A field, its comparison operator, and the beginning of a value, in quotes or not. */
const COMPARED = /([A-Za-z_][\w.]*)\s*(?:==|!=)\s*("[^"]*|'[^']*|[\w.]*)$/
const AMONG = /([A-Za-z_][\w.]*)\s+in\s+\[(?:[^[\]]*,)?\s*("[^"]*|'[^']*|[\w.]*)$/

/** @param cursor offset into the text */
export function complete(text: string, cursor: number, names: RuleNames): Completion | null {
  const before = text.slice(Math.max(0, cursor - LOOK_BACK), cursor)
  const compared = COMPARED.exec(before) ?? AMONG.exec(before)
  if (compared !== null) {
    const [, name = '', typed = ''] = compared
    const field = fieldNamed(name, names)
    const isName = /^(?:page|row|form|visits?)\./.test(typed)
    if (field !== null && field.choices.length > 0 && !isName) return choicesOf(field, typed, cursor)
  }
  // Nothing is suggested within a text in quotes.
  if (isInText(text.slice(0, cursor))) return null
  const typed = NAME.exec(before)?.[0] ?? ''
  if (typed === '' && /[\w)\]"']\s*$/.test(before)) return null
  const parts = typed.split('.')
  const last = parts.pop() ?? ''
  const suggestions = (parts.length === 0 ? beginnings(names) : following(parts, names))
    .filter((one) => says(one, last))
    .slice(0, MAX_SUGGESTIONS)
  return suggestions.length === 0 ? null : { from: cursor - last.length, to: cursor, suggestions }
}

function choicesOf(field: NamedField, typed: string, cursor: number): Completion | null {
  const wanted = typed.replace(/^["']/, '').toLowerCase()
  const suggestions = field.choices
    .map(({ value, label }): Suggestion => ({ kind: 'choice', text: literalOf(value, field.type), label }))
    .filter(({ text, label }) => text.toLowerCase().includes(wanted) || label.toLowerCase().includes(wanted))
    .slice(0, MAX_SUGGESTIONS)
  return suggestions.length === 0 ? null : { from: cursor - typed.length, to: cursor, suggestions }
}

function literalOf(value: string, type: CelType): string {
  const isNumber =
    (type === 'double' || type === 'list<double>') && value.trim() !== '' && Number.isFinite(Number(value))
  return isNumber ? numberLiteral(Number(value)) : textLiteral(value)
}

/** Whether a quoted text is still open at the end. */
function isInText(before: string): boolean {
  let quote = ''
  for (let at = 0; at < before.length; at += 1) {
    const sign = before[at] ?? ''
    if (quote !== '' && sign === '\\') at += 1
    else if (quote === '' && (sign === '"' || sign === "'")) quote = sign
    else if (sign === quote) quote = ''
  }
  return quote !== ''
}

function beginnings(names: RuleNames): readonly Suggestion[] {
  const variables = [
    'page.',
    ...(names.row === null ? [] : ['row.']),
    ...(names.pages.length > 1 ? ['visit.', 'form.', 'visits.'] : []),
    'today',
    'now',
  ]
  return [
    ...variables.map((text): Suggestion => ({ kind: 'variable', text, label: text.replace('.', '') })),
    // A person who types a field's name or code finds the field without knowing where it is.
    ...(names.row ?? []).map(({ code, label }): Suggestion => ({ kind: 'field', text: `row.${code}`, label })),
    ...names.page.map(({ code, label }): Suggestion => ({ kind: 'field', text: `page.${code}`, label })),
    ...RULE_FUNCTIONS.map(({ name, signature }): Suggestion & { readonly label: RuleFunctionName } => ({
      kind: 'function',
      text: `${name}(`,
      label: name,
      signature,
    })),
  ]
}

function following([variable = '', ...path]: readonly string[], names: RuleNames): readonly Suggestion[] {
  if (variable === 'page' && path.length === 0) return fields(names.page)
  if (variable === 'row' && path.length === 0) return fields(names.row ?? [])
  if (variable === 'form' && path.length === 0)
    return names.folders.map(({ code, label }) => ({ kind: 'folder', text: `${code}.`, label }))
  const [folder, ...inFolder] = variable === 'form' ? path : [null, ...path]
  if (variable !== 'form' && variable !== 'visit' && variable !== 'visits') return []
  const [page, pick, ...more] = inFolder
  const among = folder === null ? names.pages : names.pages.filter(({ folders }) => folders.includes(folder ?? ''))
  if (page === undefined) return among.map(({ code, label }) => ({ kind: 'page', text: `${code}.`, label }))
  const found = among.find(({ code }) => code === page)
  if (found === undefined || more.length > 0) return []
  if (pick !== undefined) return PICKS.some((one) => one === pick) ? fields(found.fields) : []
  const picks = PICKS.map((one): Suggestion => ({ kind: 'pick', text: `${one}.`, label: one }))
  return variable === 'visits' ? picks : [...fields(found.fields), ...picks]
}

function fields(among: readonly NamedField[]): readonly Suggestion[] {
  return among.map(({ code, label }) => ({ kind: 'field', text: code, label }))
}

function says({ text, label }: Suggestion, typed: string): boolean {
  const wanted = typed.toLowerCase()
  return (
    text.toLowerCase().startsWith(wanted) ||
    (wanted !== '' && (label.toLowerCase().includes(wanted) || text.toLowerCase().includes(`.${wanted}`)))
  )
}

/** The field that a name in a rule means; null where there is no such field. */
export function fieldNamed(name: string, names: RuleNames): NamedField | null {
  const [variable, ...path] = name.split('.')
  const code = path.at(-1)
  const among =
    variable === 'page'
      ? names.page
      : variable === 'row'
        ? (names.row ?? [])
        : (names.pages.find((page) => page.code === path[variable === 'form' ? 1 : 0])?.fields ?? [])
  return among.find((field) => field.code === code) ?? null
}
