/**
 * The sum that a device works out instead of a person reading a picture: a number whose hash with the captcha's key
 * begins with so many zeros.
 */

/** On a tablet of the ward 10 to 30 seconds; to check it takes nothing. */
export const WORK_BITS = 18

/** What is hashed. */
export function workText(key: string, answer: string): string {
  return `captcha work|${key}|${answer}`
}

export function hasZeroBits(hash: Uint8Array, bits: number): boolean {
  const whole = Math.floor(bits / 8)
  if (hash.length * 8 < bits || hash.subarray(0, whole).some((byte) => byte !== 0)) return false
  const rest = bits % 8
  return rest === 0 || (hash[whole] ?? 255) >> (8 - rest) === 0
}
