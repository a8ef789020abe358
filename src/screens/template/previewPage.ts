import type { CompiledPage } from '#core/form/compiled/compile.ts'
import { CompiledVersion } from '#core/form/compiled/compiledVersion.ts'

/** A page of a template to try out, with those of its rules that do not need the study that it comes from. */

export interface PreviewPage {
  readonly compiled: CompiledPage
  /** Codes of the fields whose rules are left out, because they read pages outside of the template. */
  readonly withoutRules: readonly string[]
}

interface Folder {
  readonly folderCode: string
  readonly pages: readonly { readonly pageCode: string; readonly option: string }[]
}

/** Compiles a page of a template; null for one that cannot be read. */
export function previewPage({ folderCode, pages }: Folder, pageCode: string): PreviewPage | null {
  const compile = (options: Folder['pages']) =>
    new CompiledVersion([{ folderCode, pages: options }]).page({ folder: folderCode, page: pageCode })
  const whole = compile(pages)
  if (whole.ok) return { compiled: whole.compiled, withoutRules: [] }
  if ('unreadable' in whole) return null
  const wrong = new Set(whole.errors.flatMap((error) => (error.kind === 'rule' ? [error.code] : [])))
  for (const isMeant of [(code: string) => wrong.has(code), () => true]) {
    const left: string[] = []
    const result = compile(
      pages.map((page) =>
        page.pageCode === pageCode ? { ...page, option: stripRules(page.option, isMeant, left) } : page,
      ),
    )
    if (result.ok) return { compiled: result.compiled, withoutRules: left }
  }
  return null
}

const RULES = ['show', 'require', 'readOnlyWhen', 'calculate', 'checks']

/**
 * An option without the rules of some fields. The codes of these fields are added to `left`; for a field in a row as
 * `table.code`.
 */
function stripRules(option: string, isMeant: (code: string) => boolean, left: string[]): string {
  const strip = (value: unknown, table: string | null): unknown => {
    if (Array.isArray(value)) return value.map((item) => strip(item, table))
    if (typeof value !== 'object' || value === null) return value
    const part = value as Readonly<Record<string, unknown>>
    const own = typeof part.prop === 'string' ? part.prop : null
    const code = own === null || table === null ? own : `${table}.${own}`
    const below = part.type === 'dynamic' ? own : table
    return Object.fromEntries(
      Object.entries(part).map(([key, inner]) => {
        if (key !== 'zl' || code === null || !isMeant(code)) return [key, key === 'zl' ? inner : strip(inner, below)]
        const rules = Object.keys(inner ?? {}).filter((name) => RULES.includes(name))
        if (rules.length > 0) left.push(code)
        return [key, Object.fromEntries(Object.entries(inner ?? {}).filter(([name]) => !RULES.includes(name)))]
      }),
    )
  }
  return JSON.stringify(strip(JSON.parse(option), null))
}
