/** Parts of a stored page option. They are read with care, because strangers may have written the option. */

/** Why an option is not a page. `path` is the place of the error: `column[3].prop`. */
export type PageError =
  | { readonly kind: 'not-json' }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'wrong-shape'; readonly path: string }
  | { readonly kind: 'bad-prop'; readonly path: string; readonly code: string }
  | { readonly kind: 'duplicate-prop'; readonly path: string; readonly code: string }

export type Raw = Readonly<Record<string, unknown>>

/** An option that is not a page: thrown while a part of it is read, and caught where the whole page is read. */
export class PageFailure extends Error {
  readonly reason: PageError
  constructor(reason: PageError) {
    super(reason.kind)
    this.reason = reason
  }
}

export function isRecord(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function record(value: unknown, path: string): Raw {
  if (isRecord(value)) return value
  throw new PageFailure({ kind: 'wrong-shape', path })
}

export function list(value: unknown, path: string): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  throw new PageFailure({ kind: 'wrong-shape', path })
}

export function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

export function scalarText(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

export function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export function readBound(value: unknown): number | string | null {
  return finite(value) ?? text(value)
}
