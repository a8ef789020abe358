/** Times and sizes as people read them. */

/** An instant as hh:mm of today, or with its date when it was another day, in the tablet's own zone. */
export function clockTime(instant: string, now: Date = new Date()): string {
  const at = new Date(instant)
  const time = `${two(at.getHours())}:${two(at.getMinutes())}`
  return sameDay(at, now) ? time : `${dayOf(at)} ${time}`
}

/** An instant as yyyy-MM-dd HH:mm:ss in the tablet's own zone. */
export function fullTime(instant: string): string {
  const at = new Date(instant)
  return `${dayOf(at)} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

/** How long ago an instant is, in the unit that fits: "3 小时前". */
export function timeAgo(instant: string, language: string, now: Date = new Date()): string {
  const seconds = (Date.parse(instant) - now.getTime()) / 1000
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const [unit, length] = UNITS.find(([, from]) => Math.abs(seconds) >= from) ?? ['minute', 60]
  return words.format(Math.round(seconds / length), unit)
}

/** Units of time, largest first, in seconds. */
const UNITS: readonly (readonly [unit: 'day' | 'hour' | 'minute', seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** The day of an instant as yyyy-MM-dd in the tablet's own zone. */
export function dayOf(at: Date): string {
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** A number with separated thousands, and at most this many decimals. */
export function figure(amount: number, decimals: number): string {
  return amount.toLocaleString('en-US', { maximumFractionDigits: decimals })
}

/** A size in the unit that fits: 1.2 MB. */
export function byteSize(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  let unit = 0
  let amount = bytes
  while (amount >= 1024 && unit < units.length - 1) {
    amount /= 1024
    unit += 1
  }
  return `${unit === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${units[unit]}`
}

function sameDay(a: Date, b: Date): boolean {
  return dayOf(a) === dayOf(b)
}

function two(figure: number): string {
  return String(figure).padStart(2, '0')
}
