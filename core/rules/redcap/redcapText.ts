import type { Environment } from '@marcbachmann/cel-js'
import { lengthJoined } from '#core/rules/budget.ts'
import { SECONDS_OF_UNIT } from '#core/rules/functions.ts'
import { dayNumber, parseDate, parseInstant, parseTime } from '#core/values/dates.ts'

import { numberOf, textOf } from './redcapValues.ts'

/**
 * REDCap's functions for texts and for parts of dates, as CEL functions named `rc…`. Searching ignores case, replacing
 * does not. Places count from 1, and 0 means "not found". Joining with a separator leaves blanks out.
 */

const MS_PER_SECOND = 1_000

/** Longest text that a function may build. */
const MAX_TEXT = 20_000

/** Adds the text functions to a CEL environment. */
export function registerRedcapTextFunctions(env: Environment): void {
  const lower = (value: unknown) => textOf(value).toLowerCase()
  env.registerFunction('rcContains(dyn, dyn): bool', (text: unknown, part: unknown) =>
    lower(text).includes(lower(part)),
  )
  env.registerFunction('rcStartsWith(dyn, dyn): bool', (text: unknown, part: unknown) =>
    lower(text).startsWith(lower(part)),
  )
  env.registerFunction('rcEndsWith(dyn, dyn): bool', (text: unknown, part: unknown) =>
    lower(text).endsWith(lower(part)),
  )
  env.registerFunction(
    'rcFind(dyn, dyn): double',
    (part: unknown, text: unknown) => lower(text).indexOf(lower(part)) + 1,
  )
  env.registerFunction('rcLength(dyn): double', (text: unknown) => characters(text).length)
  env.registerFunction('rcLeft(dyn, dyn): string', (text: unknown, count: unknown) => slice(text, 0, whole(count)))
  env.registerFunction('rcRight(dyn, dyn): string', (text: unknown, count: unknown) => {
    const all = characters(text)
    return all.slice(Math.max(0, all.length - whole(count))).join('')
  })
  env.registerFunction('rcMid(dyn, dyn, dyn): string', (text: unknown, start: unknown, count: unknown) => {
    const from = Math.max(0, whole(start) - 1)
    return slice(text, from, from + whole(count))
  })
  env.registerFunction('rcReplace(dyn, dyn, dyn): string', (text: unknown, part: unknown, by: unknown) =>
    textOf(part) === '' ? textOf(text) : joinParts(textOf(text).split(textOf(part)), textOf(by)),
  )
  env.registerFunction('rcConcat(list): string', (parts: readonly unknown[]) => joinParts(parts.map(textOf), ''))
  env.registerFunction('rcConcatWs(dyn, list): string', (separator: unknown, parts: readonly unknown[]) =>
    joinParts(
      parts.map(textOf).filter((part) => part !== ''),
      textOf(separator),
    ),
  )
  env.registerFunction('rcUpper(dyn): string', (text: unknown) => textOf(text).toUpperCase())
  env.registerFunction('rcLower(dyn): string', lower)
  env.registerFunction('rcTrim(dyn): string', (text: unknown) => textOf(text).trim())
  env.registerFunction('rcPart(dyn, string): double', (moment: unknown, part: string) => partOf(textOf(moment), part))
  env.registerFunction(
    'rcCalcDate(dyn, dyn, string, string): string',
    (from: unknown, count: unknown, unit: string, kind: string) =>
      shiftMoment(textOf(from), numberOf(count), unit, kind),
  )
}

/**
 * Year, month, day, day of the week, hour, minute or second of a date, a time or both; NaN where the value has no such
 * part.
 */
function partOf(moment: string, part: string): number {
  const [first = '', second] = moment.trim().split(/[ T]/)
  const date = parseDate(first)
  const seconds = parseTime(date === null ? first : (second ?? ''))
  switch (part) {
    case 'year':
      return date?.year ?? Number.NaN
    case 'month':
      return date?.month ?? Number.NaN
    case 'day':
      return date?.day ?? Number.NaN
    case 'weekday':
      // Monday is 1. 1970-01-01, day 0, was a Thursday.
      return date === null ? Number.NaN : ((((dayNumber(date) + 3) % 7) + 7) % 7) + 1
    case 'hour':
      return seconds === null ? Number.NaN : Math.floor(seconds / 3_600)
    case 'minute':
      return seconds === null ? Number.NaN : Math.floor((seconds % 3_600) / 60)
    case 'second':
      return seconds === null ? Number.NaN : seconds % 60
    default:
      return Number.NaN
  }
}

/** A date or moment moved by a number of units, written as its field writes it; '' when there is none. */
function shiftMoment(from: string, count: number, unit: string, kind: string): string {
  const start = parseInstant(from)
  const seconds = SECONDS_OF_UNIT[unit]
  if (start === null || seconds === undefined || Number.isNaN(count)) return ''
  const moment = new Date(Math.round(start + count * seconds) * MS_PER_SECOND)
  if (Number.isNaN(moment.getTime()) || moment.getUTCFullYear() < 0 || moment.getUTCFullYear() > 9_999) return ''
  const text = moment.toISOString()
  return kind === 'datetime' ? `${text.slice(0, 10)} ${text.slice(11, 19)}` : text.slice(0, 10)
}

/** Characters as people count them: a character outside the basic plane counts as one. */
function characters(value: unknown): readonly string[] {
  return Array.from(textOf(value))
}

function slice(text: unknown, from: number, to: number): string {
  return characters(text).slice(from, Math.max(from, to)).join('')
}

/** A count that a rule gives, made whole and not negative; 0 for a blank. */
function whole(value: unknown): number {
  const count = numberOf(value)
  return Number.isFinite(count) ? Math.max(0, Math.trunc(count)) : 0
}

function joinParts(parts: readonly string[], separator: string): string {
  if (lengthJoined(parts, separator.length) > MAX_TEXT) throw new RangeError('the text that a rule builds is too long')
  return parts.join(separator)
}
