import { inspectFile } from '#core/files/inspect.ts'

/** Longest side of a small picture, in pixels. */
const MAX_SIDE = 640

/**
 * A small picture that a device sends along; null where the bytes are no such picture. The upload goes on without it.
 */
export function readThumb(base64: string): Buffer | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null
  const bytes = Buffer.from(base64, 'base64')
  const inspected = inspectFile('thumb.jpg', bytes)
  if (!inspected.ok || inspected.size === null) return null
  return Math.max(inspected.size.width, inspected.size.height) <= MAX_SIDE ? bytes : null
}
