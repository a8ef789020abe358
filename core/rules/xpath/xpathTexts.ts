import { lengthJoined } from '#core/rules/budget.ts'
import { answersOf, asNumber, asText, asTruth, daysOf } from './xpathValues.ts'

/** Functions of XForms that give a text, a truth value or their own argument, under their own names. */

/** Longest text that a function may build. */
const MAX_TEXT = 20_000

/** @throws RangeError for an unknown function, which the translation never writes */
export function xpathTest(name: string, args: readonly unknown[]): boolean {
  const [first, second] = args
  const [text, part] = [asText(first), asText(second)]
  switch (name) {
    case 'selected':
      return isSelected(first, part.trim())
    case 'contains':
      return text.includes(part)
    case 'starts-with':
      return text.startsWith(part)
    case 'ends-with':
      return text.endsWith(part)
    case 'boolean-from-string':
      return text === 'true' || text === '1'
    case 'checklist':
      return isBetween(args.slice(2).filter(asTruth).length, asNumber(first), asNumber(second))
    case 'weighted-checklist': {
      const weights = args
        .slice(2)
        .flatMap((value, at) => (at % 2 === 0 && asTruth(value) ? [asNumber(args[at + 3])] : []))
      return isBetween(
        weights.reduce((sum, weight) => sum + weight, 0),
        asNumber(first),
        asNumber(second),
      )
    }
    default:
      throw new RangeError(`xpTest: ${name}`)
  }
}

/**
 * ODK searches for the words in the text of all answers. So several words in a row are found, and no words are found
 * where there is no answer.
 */
function isSelected(value: unknown, wanted: string): boolean {
  if (wanted === '') return asText(value).trim() === ''
  return answersOf(value).includes(wanted) || (/\s/.test(wanted) && ` ${asText(value)} `.includes(` ${wanted} `))
}

/** Whether a count is between two bounds; −1 means no bound. */
function isBetween(count: number, least: number, most: number): boolean {
  return (least < 0 || count >= least) && (most < 0 || count <= most)
}

/** @throws RangeError for an unknown function, which the translation never writes */
export function xpathString(name: string, args: readonly unknown[]): string {
  const [first, second, third] = args
  const text = asText(first)
  switch (name) {
    case 'concat':
      return joinParts(
        args.map((arg) => (Array.isArray(arg) ? joinParts(arg.map(asText), '') : asText(arg))),
        '',
      )
    case 'join':
      return joinParts(
        args
          .slice(1)
          .flatMap((arg): readonly unknown[] => (Array.isArray(arg) ? arg : [arg]))
          .map(asText),
        text,
      )
    case 'normalize-space':
      return text.trim().replaceAll(/\s+/g, ' ')
    case 'selected-at':
      return answersOf(first)[Math.trunc(asNumber(second))] ?? ''
    case 'substring-before':
      return text.includes(asText(second)) ? text.slice(0, text.indexOf(asText(second))) : ''
    case 'substring-after':
      return text.includes(asText(second)) ? text.slice(text.indexOf(asText(second)) + asText(second).length) : ''
    case 'substr':
      return sliceText(text, asNumber(second), third === undefined ? undefined : asNumber(third))
    case 'substring': {
      // Places count from 1 here, and the third argument is a count.
      const from = Math.round(asNumber(second)) - 1
      return sliceText(text, Math.max(0, from), third === undefined ? undefined : from + Math.round(asNumber(third)))
    }
    case 'translate': {
      const to = Array.from(asText(third))
      const by = new Map(Array.from(asText(second), (sign, at): [string, string] => [sign, to[at] ?? '']).toReversed())
      return Array.from(text, (sign) => by.get(sign) ?? sign).join('')
    }
    case 'date':
      return momentText(first).slice(0, 10)
    case 'date-time':
      return momentText(first)
    case 'format-date':
    case 'format-date-time':
      return formatMoment(first, asText(second))
    default:
      throw new RangeError(`xpString: ${name}`)
  }
}

/** @throws RangeError for an unknown function, which the translation never writes */
export function xpathValue(name: string, args: readonly unknown[]): unknown {
  if (name !== 'coalesce') throw new RangeError(`xpValue: ${name}`)
  const [first, second] = args
  return asText(first) === '' ? (second ?? '') : first
}

/** The text from one place to another, counted from 0; negative places count from the end. */
function sliceText(text: string, from: number, to: number | undefined): string {
  if (Number.isNaN(from) || (to !== undefined && Number.isNaN(to))) return ''
  return Array.from(text)
    .slice(Math.trunc(from), to === undefined ? undefined : Math.trunc(to))
    .join('')
}

/** A date, with its time where it has one; a number means days since 1970; '' for other values. */
function momentText(value: unknown): string {
  const text = asText(value).trim()
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return Number.isNaN(daysOf(text)) ? '' : text
  const days = asNumber(value)
  if (!Number.isFinite(days) || Math.abs(days) > 4_000_000) return ''
  const moment = new Date(Math.round(days * 86_400) * 1_000)
  if (moment.getUTCFullYear() < 0 || moment.getUTCFullYear() > 9_999) return ''
  const iso = moment.toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

function formatMoment(value: unknown, format: string): string {
  const text = momentText(value)
  if (text === '') return ''
  const [year = '', month = '', day = ''] = text.slice(0, 10).split('-')
  const [hour = '00', minute = '00', second = '00'] = text.slice(11).split(':')
  const parts: Readonly<Record<string, string>> = {
    Y: year,
    y: year.slice(2),
    m: month,
    n: String(Number(month)),
    b: MONTHS[Number(month) - 1] ?? '',
    d: day,
    e: String(Number(day)),
    H: hour === '' ? '00' : hour,
    h: String(Number(hour)),
    M: minute,
    S: second,
    3: '000',
    a: DAYS[new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDay()] ?? '',
    '%': '%',
  }
  return checkLength(format.replaceAll(/%(.)/g, (whole, sign: string) => parts[sign] ?? whole))
}

function joinParts(parts: readonly string[], separator: string): string {
  if (lengthJoined(parts, separator.length) > MAX_TEXT) throw new RangeError('the text that a rule builds is too long')
  return parts.join(separator)
}

function checkLength(text: string): string {
  if (text.length > MAX_TEXT) throw new RangeError('the text that a rule builds is too long')
  return text
}
