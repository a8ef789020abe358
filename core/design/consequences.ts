import type { Language } from '#core/language.ts'
import { versionDifference } from './difference/versionDifference.ts'

import type { Design, DesignPage } from './design.ts'
import { columnAt, foldersOf } from './design.ts'
import type { DesignFieldKey } from './designEdit.ts'
import { ruleGraph } from './rules/ruleGraph.ts'
import { ruleKey, rulesOf } from './rules/ruleList.ts'

/** What an action would do to a design, shown before it is done: what goes, what changes, what comes. */

export interface NamedPlace {
  readonly page: string
  readonly name: string
}

/** The names of things with the same fate. */
export interface Fates {
  readonly visits: readonly string[]
  readonly pages: readonly string[]
  /** Fields; a field in a table has the table's code and a dot before its own code. */
  readonly fields: readonly NamedPlace[]
  readonly rules: readonly NamedPlace[]
}

export interface Consequences {
  readonly gone: Fates
  readonly changed: Fates
  readonly come: Fates
  /** Rules that stay and read a field that goes. */
  readonly broken: readonly NamedPlace[]
}

export function consequencesOf(before: Design, after: Design, language: Language): Consequences {
  const difference = versionDifference(
    { folders: [...foldersOf(before)] },
    { folders: [...foldersOf(after)] },
    language,
  )
  const [was, is] = [ruleTexts(before), ruleTexts(after)]
  const fatesOf = (fate: 'added' | 'removed' | 'changed', rules: readonly NamedPlace[]): Fates => ({
    visits: difference.folders.flatMap((folder) => (folder.fate === fate ? [folder.name] : [])),
    pages: difference.pages.flatMap((page) => (page.fate === fate ? [page.name] : [])),
    fields: difference.pages.flatMap((page) =>
      page.fields.flatMap((field) =>
        field.fate === fate ? [{ page: page.name, name: writeName(field.label, field.code) }] : [],
      ),
    ),
    rules,
  })
  const findPlace = (rule: { readonly place: NamedPlace }) => rule.place
  return {
    gone: fatesOf(
      'removed',
      [...was].flatMap(([key, rule]) => (is.has(key) ? [] : [findPlace(rule)])),
    ),
    changed: fatesOf(
      'changed',
      [...is].flatMap(([key, rule]) => (was.has(key) && was.get(key)?.source !== rule.source ? [findPlace(rule)] : [])),
    ),
    come: fatesOf(
      'added',
      [...is].flatMap(([key, rule]) => (was.has(key) ? [] : [findPlace(rule)])),
    ),
    broken: brokenRules(before, after),
  }
}

/** Whether nothing has this fate. */
export function isNone({ visits, pages, fields, rules }: Fates): boolean {
  return visits.length + pages.length + fields.length + rules.length === 0
}

function ruleTexts(design: Design): ReadonlyMap<string, { readonly source: string; readonly place: NamedPlace }> {
  return new Map(
    rulesOf(design).map(({ address, source, check }) => [
      ruleKey(address),
      { source: `${check?.severity ?? ''} ${source}`, place: namePlace(design, address) },
    ]),
  )
}

/** Rules of `after` that read fields which only `before` has. */
function brokenRules(before: Design, after: Design): readonly NamedPlace[] {
  const { fields, readBy } = ruleGraph(before)
  const broken = [...fields].flatMap(([key, field]) => {
    if (!has(before, field) || has(after, field)) return []
    return (readBy.get(key) ?? []).flatMap((reader) => fields.get(reader) ?? []).filter((reader) => has(after, reader))
  })
  return [
    ...new Map(
      broken.map((field) => [`${field.pageId} ${field.table ?? ''} ${field.prop}`, namePlace(after, field)]),
    ).values(),
  ]
}

function has({ pages }: Design, { pageId, table, prop }: DesignFieldKey): boolean {
  return labelIn(pages.get(pageId), table, prop) !== null
}

function namePlace({ pages }: Design, { pageId, table, prop }: DesignFieldKey): NamedPlace {
  const page = pages.get(pageId)
  return { page: page?.pageName ?? '', name: writeName(labelIn(page, table, prop) ?? '', prop) }
}

function labelIn(page: DesignPage | undefined, table: string | null, prop: string): string | null {
  const column = page === undefined || page.form === null ? null : columnAt(page.form, table, prop)
  return column === null ? null : typeof column.label === 'string' ? column.label : ''
}

function writeName(label: string, code: string): string {
  return label === '' || label === code ? code : `${label}（${code}）`
}
