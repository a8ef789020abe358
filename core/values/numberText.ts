import { halfWidth } from './dates.ts'

/**
 * A decimal number as people write it, full-width digits included; null when the text is not exactly one finite number.
 */
export function numberFromText(text: string): number | null {
  const plain = halfWidth(text).trim()
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(plain)) return null
  const value = Number(plain)
  return Number.isFinite(value) ? value : null
}
