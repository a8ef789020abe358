import type { MigrationPlan, MigrationReport, PlanLine } from '#core/api/calls/migration.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import { columnsOf, readForm } from '#core/design/design.ts'

/** What a release does to entered values, by outcome and field. */

/** One value that does not stay as it is, of one patient. */
export type OutcomeLine = MigrationReport['items'][number] & { readonly key: string; readonly patient: string }

/** What about the definition of a field has changed; the types where it is the type. */
export type FieldChange =
  | { readonly of: 'type'; readonly from: string; readonly to: string }
  | { readonly of: 'choices' | 'code' | 'form' }

/** The values of one field with one outcome. */
export interface FieldOutcome {
  readonly key: string
  readonly item: OutcomeLine
  readonly values: number
  readonly patients: number
}

/** All fields with one outcome, for the same reason. */
export interface OutcomeGroup {
  readonly key: string
  readonly kind: OutcomeLine['kind']
  /** Null for values of fields and pages that are there no more. */
  readonly change: FieldChange | null
  readonly fields: readonly FieldOutcome[]
  readonly values: number
  readonly lines: readonly OutcomeLine[]
}

/** What needs a person most stands first. */
const ORDER = ['unconverted', 'archived', 'retired', 'converted'] as const

/** Groups the values by outcome and by what has changed about their fields. */
export function groupOutcomes(
  lines: readonly OutcomeLine[],
  plan: MigrationPlan,
  before: FieldTypes,
  after: FieldTypes,
): readonly OutcomeGroup[] {
  const planned = plannedBy(plan)
  const groups = new Map<string, { readonly change: FieldChange | null; readonly lines: OutcomeLine[] }>()
  for (const line of lines) {
    const isGone = line.kind === 'retired' || line.kind === 'archived'
    const change = isGone ? null : changeOf(planned.get(labelKey(line)), before, after)
    const key = `${line.kind} ${JSON.stringify(change)}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { change, lines: [line] })
    else group.lines.push(line)
  }
  return ORDER.flatMap((kind) =>
    [...groups]
      .flatMap(([key, group]) => {
        if (group.lines[0]?.kind !== kind) return []
        return [
          {
            key,
            kind,
            change: group.change,
            fields: fieldsOf(group.lines),
            values: group.lines.length,
            lines: group.lines,
          },
        ]
      })
      .toSorted((a, b) => b.values - a.values),
  )
}

/** The types of the fields of a version, by page, table and code. */
export type FieldTypes = ReadonlyMap<string, string>

export function fieldTypes(folders: VersionRow['folders']): FieldTypes {
  return new Map(
    folders.flatMap(({ pages }) =>
      pages.flatMap(({ id, option }) => {
        const form = readForm(option)
        return form === null
          ? []
          : [...columnsOf(form)].map(({ table, column }): [string, string] => [
              fieldKey({ pageId: id, table: table?.prop ?? null, code: column.prop }),
              typeof column.type === 'string' ? column.type : 'input',
            ])
      }),
    ),
  )
}

function fieldKey({ pageId, table, code }: Pick<PlanLine, 'pageId' | 'table' | 'code'>): string {
  return `${pageId} ${table ?? ''} ${code}`
}

function changeOf(line: PlanLine | undefined, before: FieldTypes, after: FieldTypes): FieldChange {
  if (line === undefined) return { of: 'form' }
  const code = line.to?.code ?? line.code
  const [from, to] = [before.get(fieldKey(line)), after.get(fieldKey({ ...line, code }))]
  if (from !== undefined && to !== undefined && from !== to) return { of: 'type', from, to }
  if (line.choices.some(({ value, to: now }) => now !== value)) return { of: 'choices' }
  return code === line.code ? { of: 'form' } : { of: 'code' }
}

/** A report names fields by their labels, so the plan is looked up by them. */
function plannedBy({ lines }: MigrationPlan): ReadonlyMap<string, PlanLine> {
  return new Map(
    lines.flatMap((line) => {
      const at = (label: string): [string, PlanLine] => [
        `${line.pageName} ${String(line.table !== null)} ${label}`,
        line,
      ]
      return line.kind === 'new' ? [] : [at(line.label), ...(line.to === null ? [] : [at(line.to.label)])]
    }),
  )
}

function labelKey({ pageName, tableLabel, label }: OutcomeLine): string {
  return `${pageName} ${String(tableLabel !== null)} ${label}`
}

function fieldsOf(lines: readonly OutcomeLine[]): readonly FieldOutcome[] {
  const fields = new Map<string, { readonly item: OutcomeLine; values: number; readonly patients: Set<string> }>()
  for (const line of lines) {
    const key = `${line.folderName} ${line.pageName} ${line.tableLabel ?? ''} ${line.label}`
    const field = fields.get(key) ?? { item: line, values: 0, patients: new Set<string>() }
    field.values += 1
    field.patients.add(line.patient)
    fields.set(key, field)
  }
  return [...fields].map(([key, { item, values, patients }]) => ({ key, item, values, patients: patients.size }))
}
