/**
 * JSON within bounds: no depth beyond any definition, no text that cannot be stored, no key that reaches into an
 * object's own machinery.
 */

export type BoundedJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly path: string }

const MAX_DEPTH = 60

/** `path` is where the text is no such JSON; '' for the whole. */
export function readBoundedJson(text: string): BoundedJson {
  if (depthOf(text) > MAX_DEPTH) return { ok: false, path: '' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false, path: '' }
    throw error
  }
  const bad = badPlace(value, '')
  return bad === null ? { ok: true, value } : { ok: false, path: bad }
}

/** Brackets within brackets, those in texts left out. */
function depthOf(text: string): number {
  let [depth, deepest, inText] = [0, 0, false]
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (inText) {
      if (sign === '\\') at += 1
      else if (sign === '"') inText = false
    } else if (sign === '"') inText = true
    else if (sign === '[' || sign === '{') deepest = Math.max(deepest, (depth += 1))
    else if (sign === ']' || sign === '}') depth -= 1
  }
  return deepest
}

function badPlace(value: unknown, path: string): string | null {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : null
  if (typeof value !== 'object' || value === null) return null
  for (const [key, item] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`
    if (key === '__proto__' || key.includes('\0') || !key.isWellFormed()) return at
    const bad = badPlace(item, at)
    if (bad !== null) return bad
  }
  return null
}
