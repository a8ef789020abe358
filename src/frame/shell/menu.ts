import type { FunctionCode } from '#core/access/functions.ts'
import { functionsFor, projectFunctions } from '#core/access/functions.ts'
import { hiddenMenus } from '#core/access/menus.ts'
import type { Language } from '#core/language.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'

import { adminAreas, mayEnterArea } from './adminAreas.ts'

/**
 * The menu of a project: its functions, as far as this app has screens for them and the user may enter them
 * (specification §2, §6).
 */

export type MenuItem =
  | { readonly kind: 'function'; readonly code: FunctionCode; readonly name: string }
  /** Leads out of the app, in a new tab. */
  | { readonly kind: 'link'; readonly code: string; readonly name: string; readonly href: string }

/** A function whose code begins like this leads to the address after the @. */
const LINK = /^href(?<name>[^@]*)@(?<address>.+)$/

/** The items in their order. */
export function menuOf(project: ProjectRow, language: Language): readonly MenuItem[] {
  return codesOf(project)
    .map((code) => functionItem(code, language) ?? linkItem(code))
    .filter((item) => item !== null)
    .filter(({ name }) => !hiddenMenus.has(name))
}

/** Items whose name begins with the search text. */
export function startingWith<Entry extends { readonly name: string }>(
  entries: readonly Entry[],
  search: string,
): readonly Entry[] {
  const wanted = search.trim().toLowerCase()
  return entries.filter(({ name }) => name.toLowerCase().startsWith(wanted))
}

/** Whether the user may enter any part of the project. */
export function hasMenu(project: ProjectRow): boolean {
  return codesOf(project).length > 0 || adminAreas(project).length > 0
}

/**
 * Whether the user may open an address inside the project: an area of the administration, or a function that the
 * project uses. For any other address its route decides.
 */
export function mayEnter(project: ProjectRow, pathname: string): boolean {
  const [area, second, third] = pathname.split('/').slice(3)
  if (area === 'admin') return second === undefined || mayEnterArea(project, second)
  const code = area === 'v' ? third : area
  return !projectFunctions.some((one) => one.code === code) || codesOf(project).some((one) => one === code)
}

/** A row from an older server does not list the functions: then all functions count that the permission codes open. */
function codesOf({ functions, permissions }: ProjectRow): readonly string[] {
  return functions ?? functionsFor(new Set(permissions), {})
}

function functionItem(code: string, language: Language): MenuItem | null {
  const known = projectFunctions.find((one) => one.code === code)
  return known === undefined ? null : { kind: 'function', code: known.code, name: known.name[language] }
}

function linkItem(code: string): MenuItem | null {
  const { name = '', address = '' } = LINK.exec(code)?.groups ?? {}
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null
  return { kind: 'link', code, name: name.trim() === '' ? url.host : name.trim(), href: url.href }
}
