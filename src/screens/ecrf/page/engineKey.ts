import type { CompiledPage } from '#core/form/compiled/compile.ts'

const keys = new WeakMap<CompiledPage, number>()
let last = 0

/**
 * A number for an engine. A form lives as long as the engine on which it was opened; a page with a new definition is
 * opened again.
 */
export function engineKey(engine: CompiledPage): number {
  const known = keys.get(engine)
  if (known !== undefined) return known
  last += 1
  keys.set(engine, last)
  return last
}
