import { err, ok } from '../result.ts'
import type { Result } from '../result.ts'

/**
 * Subject numbers by template. A template is text with tokens: `{SiteCode}` (the center's code, as typed),
 * `{SiteNo:00}` (the center's number in the project, from 1), and one of `{Seq:000}` (counts within the center) and
 * `{StudySeq:0000}` (counts over the project). The zeros give the least number of digits.
 */

/** The form of numbers from before there were templates; still the default. */
export const DEFAULT_TEMPLATE = '{SiteCode}-{Seq:000}'

/** Longest template, and longest number: enrolments accept no longer one. */
export const LONGEST_TEMPLATE = 60
const LONGEST_NUMBER = 60
const LONGEST_CODE = 20

/** The largest count: it stays below the largest integer of PostgreSQL. */
export const LARGEST_COUNT = 1_000_000_000
const MOST_DIGITS = 10

/**
 * Why a text is no template. `character`: a character that is not allowed in a file name, or that a person cannot see.
 */
export const templateProblems = [
  'no_sequence',
  'two_sequences',
  'unknown_token',
  'padding',
  'character',
  'too_long',
] as const
export type TemplateProblem = (typeof templateProblems)[number]

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'siteCode' }
  | { readonly kind: 'siteNo'; readonly digits: number }
  | { readonly kind: 'sequence'; readonly of: 'center' | 'study'; readonly digits: number }

export interface NumberTemplate {
  readonly text: string
  readonly parts: readonly Part[]
  /** Where the count runs. */
  readonly counts: 'center' | 'study'
}

/** The facts of a center that appear in numbers. */
export interface SiteFacts {
  readonly id: string
  readonly code: string
  /** The center's number in the project, from 1. */
  readonly no: number
}

const TOKEN = /\{([^{}]*)\}|([^{}]+)|[{}]/gu
/** Characters that some system does not allow in a file name, that cannot be seen, or that look like others. */
const FORBIDDEN = /[\s\\/:*?"<>|\p{C}]/u

/** Reads a template. */
export function readTemplate(text: string): Result<NumberTemplate, TemplateProblem> {
  if (text.length > LONGEST_TEMPLATE) return err('too_long')
  const parts: Part[] = []
  for (const [whole, token, literal] of text.matchAll(TOKEN)) {
    if (literal === undefined && token === undefined) return err('unknown_token')
    const part =
      literal === undefined
        ? partOf(token ?? whole)
        : FORBIDDEN.test(literal)
          ? err('character' as const)
          : ok<Part>({ kind: 'text', text: literal })
    if (!part.ok) return part
    parts.push(part.value)
  }
  // A file whose name begins with a dot is hidden; a dot at the end of a name is lost.
  const [first, last] = [parts.at(0), parts.at(-1)]
  if ((first?.kind === 'text' && first.text.startsWith('.')) || (last?.kind === 'text' && last.text.endsWith('.')))
    return err('character')
  const sequences = parts.flatMap((part) => (part.kind === 'sequence' ? [part] : []))
  const [sequence] = sequences
  if (sequence === undefined) return err('no_sequence')
  if (sequences.length > 1) return err('two_sequences')
  return longest(parts) > LONGEST_NUMBER ? err('too_long') : ok({ text, parts, counts: sequence.of })
}

function partOf(token: string): Result<Part, TemplateProblem> {
  const [name, padding, more] = token.split(':')
  if (padding !== undefined && (more !== undefined || !/^0{1,9}$/.test(padding))) return err('padding')
  const digits = padding?.length ?? 1
  switch (name ?? '') {
    case 'SiteCode':
      // A code is no number: zeros before it would make it another code.
      return padding === undefined ? ok({ kind: 'siteCode' }) : err('padding')
    case 'SiteNo':
      return ok({ kind: 'siteNo', digits })
    case 'Seq':
      return ok({ kind: 'sequence', of: 'center', digits })
    case 'StudySeq':
      return ok({ kind: 'sequence', of: 'study', digits })
    default:
      return err('unknown_token')
  }
}

function longest(parts: readonly Part[]): number {
  return parts.reduce(
    (sum, part) =>
      sum +
      (part.kind === 'text'
        ? part.text.length
        : part.kind === 'siteCode'
          ? LONGEST_CODE
          : part.kind === 'siteNo'
            ? Math.max(part.digits, 4)
            : MOST_DIGITS),
    0,
  )
}

/** A template for one center: the text before and after the count. */
export interface NumberFormat {
  readonly siteId: string
  readonly counts: 'center' | 'study'
  readonly before: string
  readonly after: string
  readonly digits: number
}

export function formatFor({ parts, counts }: NumberTemplate, site: SiteFacts): NumberFormat {
  const at = parts.findIndex(({ kind }) => kind === 'sequence')
  const sequence = parts[at]
  const words = (some: readonly Part[]) => some.map((part) => wordOf(part, site)).join('')
  return {
    siteId: site.id,
    counts,
    before: words(parts.slice(0, at)),
    after: words(parts.slice(at + 1)),
    digits: sequence?.kind === 'sequence' ? sequence.digits : 1,
  }
}

function wordOf(part: Part, site: SiteFacts): string {
  if (part.kind === 'text') return part.text
  return part.kind === 'siteCode' ? site.code : part.kind === 'siteNo' ? padNumber(site.no, part.digits) : ''
}

/** The subject number of a count. @param count from 1 */
export function numberOf({ before, after, digits }: NumberFormat, count: number): string {
  return `${before}${padNumber(count, digits)}${after}`
}

/** The count in a subject number; null for text that is no number of this format. */
export function countIn(format: NumberFormat, no: string): number | null {
  const { before, after } = format
  if (no.length <= before.length + after.length) return null
  const figures = no.slice(before.length, no.length - after.length)
  const count = /^\d{1,10}$/.test(figures) ? Number(figures) : 0
  if (count < 1 || count > LARGEST_COUNT) return null
  return numberOf(format, count) === no ? count : null
}

/**
 * Whether two formats can ever make the same number. Counts of one center never repeat, nor do counts over the project;
 * all other counts may be equal.
 */
export function mayCollide(a: NumberFormat, b: NumberFormat): boolean {
  const neverEqual = a.siteId === b.siteId || (a.counts === 'study' && b.counts === 'study')
  for (let inA = a.digits; inA <= MOST_DIGITS; inA += 1) {
    const inB = a.before.length + inA + a.after.length - b.before.length - b.after.length
    if (inB < b.digits || inB > MOST_DIGITS) continue
    // The same digits in the same places would be the same count.
    if (neverEqual && inA === inB && a.before.length === b.before.length) continue
    if (fits(shapeOf(a, inA), shapeOf(b, inB))) return true
  }
  return false
}

/**
 * What can stand at each place: a character, any digit (`d`), or any digit but zero (`D`), with which a longer count
 * begins.
 */
type Shape = readonly { readonly is: string }[]

const ANY_FIGURE = { is: 'any' }
const NO_ZERO = { is: 'not zero' }

function shapeOf({ before, after, digits }: NumberFormat, length: number): Shape {
  const figures = Array.from({ length }, (_, at) => (at === 0 && length > digits ? NO_ZERO : ANY_FIGURE))
  return [...before.split('').map((is) => ({ is })), ...figures, ...after.split('').map((is) => ({ is }))]
}

function fits(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((one, at) => meets(one, b[at] ?? one))
}

function meets(a: Shape[number], b: Shape[number]): boolean {
  const figureA = a === ANY_FIGURE || a === NO_ZERO
  const figureB = b === ANY_FIGURE || b === NO_ZERO
  if (figureA && figureB) return true
  if (!figureA && !figureB) return a.is === b.is
  const [figure, literal] = figureA ? [a, b] : [b, a]
  return figure === NO_ZERO ? /^[1-9]$/.test(literal.is) : /^\d$/.test(literal.is)
}

function padNumber(value: number, digits: number): string {
  return String(value).padStart(digits, '0')
}
