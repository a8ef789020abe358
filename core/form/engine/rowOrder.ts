/**
 * Order keys of rows (`_ord`): texts that are compared character by character. There is room for a new key between any
 * two, so that moving or inserting a row changes only that row. Two tablets may make the same key: their rows then
 * stand in the order in which they were made.
 */

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = DIGITS.length
/** Rows that are added at an end count up or down in this many digits, so that keys do not grow with the table. */
const WIDTH = 6
const MIDDLE = Math.floor(BASE ** WIDTH / 2)

/**
 * A key between two others; null stands for an end of the table. Where the two keys are the same, or leave no room
 * because another system made them, the new key comes after the first.
 */
export function orderBetween(before: string | null, after: string | null): string {
  const key =
    after === null
      ? before === null
        ? writeCount(MIDDLE)
        : next(before)
      : before === null
        ? previous(after)
        : between(before, after)
  const fits = (before === null || before < key) && (after === null || key < after)
  return fits ? key : `${before ?? ''}${DIGITS[BASE / 2] ?? ''}`
}

function next(before: string): string {
  return writeCount(Math.min(count(before) + 1, BASE ** WIDTH - 1))
}

function previous(after: string): string {
  const at = count(after) - 1
  return at > 0 ? writeCount(at) : between('', after)
}

/** The digits half-way between two keys, which are read as fractions. */
function between(before: string, after: string): string {
  let key = ''
  for (let at = 0; at <= Math.max(before.length, after.length); at++) {
    const low = digit(before, at, 0)
    const high = after.startsWith(key) ? digit(after, at, BASE) : BASE
    if (high - low > 1) return key + (DIGITS[Math.floor((low + high) / 2)] ?? '')
    key += DIGITS[low] ?? ''
  }
  return key + (DIGITS[BASE / 2] ?? '')
}

function digit(key: string, at: number, end: number): number {
  const character = key[at]
  return character === undefined ? end : Math.max(0, DIGITS.indexOf(character))
}

function count(key: string): number {
  let value = 0
  for (let at = 0; at < WIDTH; at++) value = value * BASE + digit(key, at, 0)
  return value
}

function writeCount(value: number): string {
  let [rest, key] = [value, '']
  for (let at = 0; at < WIDTH; at++) {
    key = (DIGITS[rest % BASE] ?? '') + key
    rest = Math.floor(rest / BASE)
  }
  return key
}
