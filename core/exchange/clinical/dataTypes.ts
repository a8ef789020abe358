import type { OdmVersion } from '#core/exchange/odm/namespaces.ts'
import { isMonth, isYear } from '#core/values/calendarParts.ts'
import { parseDate } from '#core/values/dates.ts'

/**
 * Which texts the data types of ODM take, as the schemas of CDISC define them (`ODM1-3-2-foundation.xsd`,
 * `ODM-types.xsd`). The attribute and the element that hold values are plain text to those schemas, so only whoever
 * reads the type would notice.
 */

const ZONE = '(Z|[+-]\\d{2}:\\d{2})?'
const TIME = `([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d+)?`
const HOUR = `([01]\\d|2[0-3])(:[0-5]\\d)?`
const MONTH = '(0[1-9]|1[0-2])'
const DAY = '(0[1-9]|[12]\\d|3[01])'
const PARTIAL = `\\d{4}(-${MONTH}(-${DAY}(T([01]\\d|2[0-3])(:[0-5]\\d(:[0-5]\\d(\\.\\d+)?)?)?${ZONE})?)?)?`
const DURATION = '[+-]?P(?=.)(\\d+Y)?(\\d+M)?(\\d+D)?(T(?=.)(\\d+H)?(\\d+M)?(\\d+(\\.\\d+)?S)?)?|[+-]?P\\d+W'
const OMITTED_DATE = `(\\d{4}|-)-(${MONTH}|-)-(${DAY}|-)`
const OMITTED_TIME = `([01]\\d|2[0-3]|-):([0-5]\\d|-):([0-5]\\d(\\.\\d+)?|-)(Z|-|[+-]\\d{2}:\\d{2})?`

const whole = (...patterns: readonly string[]): RegExp => new RegExp(`^(?:${patterns.join('|')})$`)

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)$/
const FLOAT = /^([+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|-?INF|NaN)$/

const PATTERNS: ReadonlyMap<string, RegExp> = new Map([
  ['integer', /^[+-]?\d+$/],
  ['decimal', DECIMAL],
  ['boolean', /^(true|false|1|0)$/],
  ['time', whole(`${TIME}${ZONE}`)],
  ['partialTime', whole(`${TIME}${ZONE}`, `${HOUR}${ZONE}`)],
  ['partialDatetime', whole(PARTIAL)],
  ['durationDatetime', whole(DURATION)],
  ['intervalDatetime', whole(`(${PARTIAL})/(${PARTIAL})`, `(${PARTIAL})/(${DURATION})`, `(${DURATION})/(${PARTIAL})`)],
  ['incompleteDatetime', whole(PARTIAL, `${OMITTED_DATE}T${OMITTED_TIME}`)],
  ['incompleteDate', whole(`\\d{4}(-${MONTH}(-${DAY})?)?`, OMITTED_DATE)],
  ['incompleteTime', whole(`${TIME}${ZONE}`, `${HOUR}${ZONE}`, OMITTED_TIME)],
  ['hexBinary', /^([0-9a-fA-F]{2})*$/],
  ['hexFloat', /^([0-9a-fA-F]{2}){0,16}$/],
  ['base64Binary', /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/],
  ['base64Float', /^([A-Za-z0-9+/]{4}){0,2}([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})?$/],
])

/** Whether a text is a value of the data type. A type that is not known takes every text. */
export function fitsDataType(text: string, dataType: string, version: OdmVersion): boolean {
  switch (dataType) {
    case 'float':
      // ODM 1.3 has decimal numbers under that name.
      return (version === '2.0' ? FLOAT : DECIMAL).test(text)
    case 'double':
      return version === '2.0' ? FLOAT.test(text) : /^([+-]?\d+(\.\d+)?([DdEe][+-]\d+)?|-?INF|NaN)$/.test(text)
    case 'date':
      return isDay(text)
    case 'datetime': {
      const [day = '', time = ''] = text.split('T')
      return isDay(day) && (PATTERNS.get('time')?.test(time) ?? false)
    }
    case 'partialDate':
      return isDay(text) || ((isMonth(text) || isYear(text)) && !text.startsWith('0000'))
    default:
      return PATTERNS.get(dataType)?.test(text) ?? true
  }
}

/** XML Schema has no year 0. */
function isDay(text: string): boolean {
  return parseDate(text) !== null && !text.startsWith('0000')
}

/** Whether XML has a character for all that stands in a text. */
export function isXmlText(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- these are the characters that XML has not
  return text.isWellFormed() && !/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/.test(text)
}
