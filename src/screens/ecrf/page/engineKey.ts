import type { CompiledPage } from '#core/form/compiled/compile.ts'

const keys = new WeakMap<CompiledPage, number>()
let last = 0

/**
 * A number for an engine: an open form lives as long as the engine that it was opened on, and a page defined anew is
 * opened anew.
 */
export function engineKey(engine: CompiledPage): number {
  const known = keys.get(engine)
  if (known !== undefined) return known
  last += 1
  keys.set(engine, last)
  return last
}
