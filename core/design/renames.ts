import { partOf } from '#core/form/definition/lists.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import { holdsData, isTable } from '#core/form/definition/page.ts'
import { choiceFates, holdsWays, isAnsweredByChoice } from '#core/study/migration/choiceFate.ts'
import type { ChoiceMapping, FieldMapping, MigrationMappings } from '#core/study/migration/migrationMappings.ts'

import type { DesignColumn } from './design.ts'
import { childrenOf, columnsOf, readForm } from './design.ts'
import { formerCodesOf, formerValuesOf } from './formerCodes.ts'

/** A page before and after, with its present option. */
export interface RenamedPage {
  readonly before: PageModel
  readonly after: PageModel
  readonly option: string
}

/**
 * The mappings that the former codes propose for a release: for each renamed field and choice, where its values come
 * from. A person reviews the mappings and may change them.
 */
export function proposedMappings(pages: ReadonlyMap<string, RenamedPage>): MigrationMappings {
  const fields: FieldMapping[] = []
  const choices: ChoiceMapping[] = []
  for (const [pageId, { before, after, option }] of pages) {
    const form = readForm(option)
    if (form === null) continue
    const top = renamedFields(
      before.fields,
      after.fields,
      form.sections.flatMap(({ columns }) => columns),
    )
    fields.push(...Array.from(top, ([to, from]) => ({ pageId, table: null, from, to })))
    for (const { table, column } of columnsOf(form)) {
      const home =
        table === null ? { before: before.fields, after: after.fields, code: null } : homeOf(before, after, top, table)
      if (home === null) continue
      const within = table === null ? top : renamedFields(home.before, home.after, childrenOf(table))
      const from = within.get(column.prop) ?? column.prop
      if (table !== null && home.code !== null && within.has(column.prop))
        fields.push({ pageId, table: home.code, from, to: column.prop })
      const [was, is] = [
        home.before.find((field) => field.code === from),
        home.after.find((field) => field.code === column.prop),
      ]
      if (was === undefined || is === undefined) continue
      // What still has the same name needs no decision.
      const lost = choiceFates(was, is, new Map()).flatMap(({ value, by }) => (by === 'none' ? [value] : []))
      choices.push(
        ...renamedChoices(was, is, column, lost).map((choice) => ({ pageId, table: home.code, code: from, ...choice })),
      )
    }
  }
  return { fields, choices }
}

/** Renamed fields, from their present code to the former one, as long as nothing else has either code. */
export function renamedFields(
  before: readonly Field[],
  after: readonly Field[],
  columns: readonly DesignColumn[],
): ReadonlyMap<string, string> {
  const [was, is] = [byCode(before), byCode(after)]
  const found = new Map<string, string>()
  const claimed = new Set<string>()
  for (const column of columns) {
    const now = is.get(column.prop)
    if (now === undefined || was.has(column.prop)) continue
    const former = formerCodesOf(column).findLast((code) => {
      const one = was.get(code)
      return one !== undefined && !is.has(code) && !claimed.has(code) && isTable(one) === isTable(now)
    })
    if (former === undefined) continue
    claimed.add(former)
    found.set(column.prop, former)
  }
  return found
}

/** The columns of a table before and after, where the table existed before. */
function homeOf(
  before: PageModel,
  after: PageModel,
  top: ReadonlyMap<string, string>,
  table: DesignColumn,
): { readonly before: readonly Field[]; readonly after: readonly Field[]; readonly code: string } | null {
  const code = top.get(table.prop) ?? table.prop
  const [was, is] = [before.byCode.get(code), after.byCode.get(table.prop)]
  return was === undefined || is === undefined || !isTable(was) || !isTable(is)
    ? null
    : { before: was.children, after: is.children, code }
}

/**
 * Choices with a new value.
 *
 * @param lost the values that are looked for
 */
export function renamedChoices(
  was: Field,
  is: Field,
  column: DesignColumn,
  lost: readonly string[],
): readonly { readonly from: string; readonly to: string }[] {
  if (lost.length === 0 || !isAnsweredByChoice(was) || !isAnsweredByChoice(is) || holdsWays(is)) return []
  const claimed = new Set<string>()
  return choicesIn(column.dicData).flatMap((item) => {
    const from = formerValuesOf(item).findLast((value) => lost.includes(value) && !claimed.has(value))
    if (from === undefined || (typeof item.value !== 'string' && typeof item.value !== 'number')) return []
    claimed.add(from)
    return [{ from, to: String(item.value) }]
  })
}

function choicesIn(items: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(items) ? items.map(partOf).flatMap((item) => [item, ...choicesIn(item.children)]) : []
}

function byCode(fields: readonly Field[]): ReadonlyMap<string, Field> {
  return new Map(fields.filter(holdsData).map((field) => [field.code, field]))
}
