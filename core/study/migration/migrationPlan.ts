import type { Field, PageModel } from '#core/form/definition/page.ts'
import { holdsData, isTable } from '#core/form/definition/page.ts'

import type { ChoiceFate } from './choiceFate.ts'
import { choiceFates, isAnsweredByChoice } from './choiceFate.ts'
import { isSameWriting } from './convertValue.ts'
import type { ChoiceMapping, FieldMapping, MigrationMappings } from './migrationMappings.ts'

/**
 * What becomes of the values of a page when a new version is released: each old field has a place on the new page, or
 * is retired with its values. Codes decide, or a person's mappings.
 */

/**
 * A field that goes on: `mapped` where its values stay as they are, `converted` where they are written in another way.
 */
export interface ContinuedField {
  readonly kind: 'mapped' | 'converted'
  readonly from: Field
  readonly to: Field
  /** What becomes of its choices, where the field is answered from a list. */
  readonly choices: readonly ChoiceFate[]
  /** Of a table, what becomes of its columns. */
  readonly columns: readonly FieldPlan[]
}

/** `retired`: its values are kept beside the data. `new`: nobody has been asked for it yet. */
export type FieldPlan =
  | ContinuedField
  | { readonly kind: 'retired'; readonly from: Field }
  | { readonly kind: 'new'; readonly to: Field }

export interface PagePlan {
  /** Fields in the order of the new page, then the retired ones. */
  readonly fields: readonly FieldPlan[]
  /** The plans by the old code of the field. */
  readonly bySource: ReadonlyMap<string, FieldPlan>
}

/**
 * The plan of one page.
 *
 * @param mappings the mappings of this page; one that names something unknown has no effect (`mappingProblems` reports
 *   it)
 */
export function planPage(before: PageModel, after: PageModel, mappings: MigrationMappings): PagePlan {
  const fields = pairs(before.fields, after.fields, { fields: mappings.fields, choices: mappings.choices }, null)
  return {
    fields,
    bySource: new Map(fields.flatMap((plan) => (plan.kind === 'new' ? [] : [[plan.from.code, plan] as const]))),
  }
}

/** Whether all values of the page stay as they were. */
export function changesNothing({ fields }: PagePlan): boolean {
  return fields.every((plan) => plan.kind === 'new' || isUnchanged(plan))
}

function isUnchanged(plan: FieldPlan): boolean {
  return (
    plan.kind === 'mapped' &&
    plan.from.code === plan.to.code &&
    plan.columns.every((column) => column.kind === 'new' || isUnchanged(column))
  )
}

/** Mappings of a person that cannot hold, by their place in the list. */
export function mappingProblems(
  mappings: MigrationMappings,
  pages: ReadonlyMap<string, { readonly before: PageModel; readonly after: PageModel }>,
): readonly string[] {
  const taken = new Set<string>()
  const fields = mappings.fields.flatMap((mapping, at): readonly string[] => {
    const { pageId, table, from, to } = mapping
    const page = pages.get(pageId)
    const source = table === null ? page?.before.byCode.get(from) : column(page?.before, table, from)
    const target = page === undefined ? undefined : targetOf(page.after, mappings.fields, mapping)
    const key = [pageId, table ?? '', to].join('/')
    const again = taken.has(key)
    taken.add(key)
    const right =
      source !== undefined &&
      target !== undefined &&
      isTable(source) === isTable(target) &&
      holdsData(source) &&
      holdsData(target) &&
      !again
    return right ? [] : [`fields.${at}`]
  })
  const choices = mappings.choices.flatMap(({ pageId, table, code }, at): readonly string[] => {
    const page = pages.get(pageId)
    const source = table === null ? page?.before.byCode.get(code) : column(page?.before, table, code)
    return source !== undefined && isAnsweredByChoice(source) ? [] : [`choices.${at}`]
  })
  return [...fields, ...choices]
}

/** The field to which a mapping leads. For a column it is a column of the table that its own table became. */
function targetOf(
  after: PageModel,
  mappings: readonly FieldMapping[],
  { pageId, table, to }: FieldMapping,
): Field | undefined {
  if (table === null) return after.byCode.get(to)
  const renamed = mappings.find((one) => one.pageId === pageId && one.table === null && one.from === table)
  return column(after, renamed?.to ?? table, to)
}

function column(page: PageModel | undefined, table: string, code: string): Field | undefined {
  return page?.byCode.get(table)?.children.find((child) => child.code === code)
}

type Said = Pick<MigrationMappings, 'fields' | 'choices'>

/**
 * Matches old fields with new fields: first by a person's mappings, then by codes. A new field takes the values of one
 * old field.
 */
function pairs(
  before: readonly Field[],
  after: readonly Field[],
  said: Said,
  table: string | null,
): readonly FieldPlan[] {
  const now = new Map(after.filter(holdsData).map((field) => [field.code, field]))
  const bySource = new Map<string, Field>()
  const taken = new Set<string>()
  const pair = (from: Field, to: Field | undefined) => {
    // The rows of a table fit only into a table, and the values of other fields do not fit there.
    if (to === undefined || taken.has(to.code) || isTable(from) !== isTable(to)) return
    bySource.set(from.code, to)
    taken.add(to.code)
  }
  const held = before.filter(holdsData)
  const mapped = new Map(
    said.fields.flatMap((mapping) => (mapping.table === table ? [[mapping.from, mapping.to] as const] : [])),
  )
  for (const from of held) {
    const to = mapped.get(from.code)
    if (to !== undefined) pair(from, now.get(to))
  }
  for (const from of held) if (!bySource.has(from.code)) pair(from, now.get(from.code))
  const sources = new Map(
    held.flatMap((from) => {
      const to = bySource.get(from.code)
      return to === undefined ? [] : [[to.code, from] as const]
    }),
  )
  const plans = [...now.values()].map((to): FieldPlan => {
    const from = sources.get(to.code)
    return from === undefined ? { kind: 'new', to } : planContinued(from, to, said, table)
  })
  return [
    ...plans,
    ...held.flatMap((from): readonly FieldPlan[] => (bySource.has(from.code) ? [] : [{ kind: 'retired', from }])),
  ]
}

function planContinued(from: Field, to: Field, said: Said, table: string | null): ContinuedField {
  const columns = isTable(from) ? pairs(from.children, to.children, said, from.code) : []
  const person = new Map(
    said.choices.flatMap((choice: ChoiceMapping) =>
      choice.table === table && choice.code === from.code ? [[choice.from, choice.to] as const] : [],
    ),
  )
  // A list that is kept elsewhere is not compared.
  const listed = isAnsweredByChoice(from) && isAnsweredByChoice(to) && to.choices.length > 0
  const choices = listed
    ? choiceFates(from, to, person)
    : from.choices.length > 0 && isAnsweredByChoice(from)
      ? ownLabels(from)
      : []
  const kind = isSameWriting({ from, to, choices }) ? 'mapped' : 'converted'
  return { kind, from, to, choices, columns }
}

/** Choices of a field that is now answered in another way, or from an unknown list: each keeps its own label. */
function ownLabels(from: Field): readonly ChoiceFate[] {
  return choiceFates(from, from, new Map())
}
