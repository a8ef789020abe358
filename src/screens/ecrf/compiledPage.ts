import type { CompiledPage } from '#core/form/compile.ts'
import { compilePage } from '#core/form/compile.ts'
import { parsePage } from '#core/form/page.ts'

/** Pages compiled in this tab, by their definition: the same page of another patient opens without compiling again. */
const compiled = new Map<string, CompiledPage | null>()
/** Definitions are large; an afternoon's work touches a few dozen. */
const MOST = 60

/** The engine of a page's definition; null when it cannot be read: then the page is shown as such, and saving is refused. */
export function compiledPage(option: string): CompiledPage | null {
  const known = compiled.get(option)
  if (known !== undefined) return known
  const page = parsePage(option)
  const result = page.ok ? compilePage(page.page) : null
  const engine = result?.ok === true ? result.compiled : null
  const oldest = compiled.keys().next()
  if (compiled.size >= MOST && oldest.done !== true) compiled.delete(oldest.value)
  compiled.set(option, engine)
  return engine
}
