import type { MigrationReport } from '#core/api/calls/migration.ts'
import type { ErrorCode } from '#core/api/errors.ts'
import { MASK } from '#core/form/definition/mask.ts'
import type { Field } from '#core/form/definition/page.ts'
import { PLAIN_LOOK } from '#core/form/definition/pageLook.ts'
import { valueText } from '#core/form/definition/value.ts'
import { isAnsweredByChoice } from '#core/study/migration/choiceFate.ts'
import { rowsOf } from '#core/sync/merge.ts'
import { wordsOf } from '#core/study/migration/retiredWords.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { isMasked } from '#server/areas/entry/reading/mask.ts'
import type { PageQueries } from '#server/areas/entry/queries/ruleQueries.ts'
import type { MovedEntry } from '#server/areas/entry/versions/migrate.ts'
import { fieldAt } from '#server/areas/entry/reading/pages.ts'
import type { PageStep } from '#server/areas/entry/versions/migrationSteps.ts'

/** The effect of a migration on one patient, for a dry run and for the log. */

export type ReportedItem = MigrationReport['items'][number]
export type Counts = Required<MigrationReport['counts']>

export const NOTHING_COUNTED: Counts = {
  mapped: 0,
  converted: 0,
  retired: 0,
  unconverted: 0,
  archived: 0,
  asks: 0,
  ends: 0,
}

export interface PagePart {
  readonly counts: MigrationReport['counts']
  readonly items: readonly ReportedItem[]
}

/** The place of a page, in words. */
export type ReportedNames = Pick<ReportedItem, 'folderName' | 'folderNameEn' | 'pageName' | 'pageNameEn'>

/**
 * The effect of steps on one entry.
 *
 * @param masked fields that identify a patient on the page, in any of its definitions (`pageMasks`); null for a
 *   reader who may see them
 */
export function reportEntry(
  names: ReportedNames,
  result: MovedEntry,
  steps: readonly PageStep[],
  masked: ReadonlySet<string> | null,
): PagePart {
  const fieldsBefore = steps.flatMap(({ plan }) => plan.fields.flatMap((one) => (one.kind === 'new' ? [] : [one.from])))
  const fieldsNow = steps
    .toReversed()
    .flatMap(({ plan }) => plan.fields.flatMap((one) => (one.kind === 'retired' ? [] : [one.to])))
  const lookIn = (fields: readonly Field[], table: string | null, code: string): Field | null =>
    fieldAt(
      {
        sections: [],
        fields,
        byCode: new Map(fields.toReversed().map((field) => [field.code, field])),
        look: PLAIN_LOOK,
      },
      table,
      code,
    )
  // A value that identifies under one of its names does so under the other too.
  const hides = (
    places: readonly { readonly table: string | null; readonly code: string }[],
    fields: readonly (Field | null)[],
  ): boolean =>
    masked !== null && (fields.some(identifies) || places.some(({ table, code }) => isMasked(masked, table, code)))
  const says = (field: Field | null, content: ItemContent, isHidden: boolean) => {
    const words = wordsOf(field, content.value)
    return isHidden ? MASK : words === '' && content.missing !== null ? content.missing.m : words
  }
  const label = (fields: readonly Field[], table: string | null, code: string) => {
    const tableField = table === null ? null : lookIn(fields, null, table)
    return labelsOf({ field: lookIn(fields, table, code), code, tableField, table })
  }
  const items: ReportedItem[] = [
    ...result.moved.map(({ from, to, old, now }): ReportedItem => {
      const [before, after] = [lookIn(fieldsBefore, from.table, from.code), lookIn(fieldsNow, to.table, to.code)]
      const named = label(fieldsBefore, from.table, from.code)
      const writeChange = (name: string) => `${name} (${from.code} → ${to.code})`
      const renamed =
        from.code === to.code
          ? named
          : {
              ...named,
              label: writeChange(named.label),
              labelEn: named.labelEn === null ? null : writeChange(named.labelEn),
            }
      const isHidden = hides([from, to], [before, after])
      return {
        kind: 'converted',
        ...names,
        ...renamed,
        value: withCode(before, old, says(before, old, isHidden)),
        to: withCode(after, now, says(after, now, isHidden)),
      }
    }),
    ...result.retired.map(({ table, code, content, field, tableField }): ReportedItem => {
      return {
        kind: 'retired',
        ...names,
        ...labelsOf({ field, code, tableField, table }),
        value: says(field, content, hides([{ table, code }], [field])),
        to: null,
      }
    }),
    ...result.unconverted.map(({ table, code, content, field }): ReportedItem => ({
      kind: 'unconverted',
      ...names,
      ...label(fieldsNow, table, code),
      label: field.label,
      labelEn: field.labelEn,
      value: says(field, content, hides([{ table, code }], [field, lookIn(fieldsNow, table, code)])),
      to: null,
    })),
  ]
  const [converted, retired, unconverted] = [result.moved.length, result.retired.length, result.unconverted.length]
  const stands = countItems(result.entry.values) - converted - unconverted
  return { counts: { ...NOTHING_COUNTED, mapped: Math.max(0, stands), converted, retired, unconverted }, items }
}

/** The names of a field and its table. If no definition has it, its code is used. */
function labelsOf({
  field,
  code,
  tableField,
  table,
}: Pick<MovedEntry['retired'][number], 'field' | 'code' | 'tableField' | 'table'>) {
  return {
    label: field?.label ?? code,
    labelEn: field?.labelEn ?? null,
    tableLabel: tableField?.label ?? table,
    tableLabelEn: tableField?.labelEn ?? null,
  }
}

/** The label of a choice with its code, because a conversion often changes only the code. */
function withCode(field: Field | null, { value }: ItemContent, said: string): string {
  const code = valueText(value)
  return field === null || !isAnsweredByChoice(field) || said === MASK || code === said ? said : `${said} (${code})`
}

function identifies(field: Field | null): boolean {
  return field !== null && (field.identifier || field.children.some(identifies))
}

/**
 * A part of the report without entered values, for a reader who may not see them. The reader learns that something
 * was retired, but not its content.
 */
export function withoutValues({ counts, items }: PagePart): PagePart {
  return {
    counts,
    items: items.map((item) =>
      item.kind === 'archived' ? item : { ...item, value: MASK, to: item.to === null ? null : MASK },
    ),
  }
}

/** A page that the new version does not have. Its data stay under the version in which they were entered. */
export function reportArchived(names: ReportedNames, values: Readonly<Record<string, ItemContent['value']>>): PagePart {
  const item: ReportedItem = {
    kind: 'archived',
    ...names,
    label: '',
    tableLabel: null,
    value: String(countItems(values)),
    to: null,
  }
  return { counts: { ...NOTHING_COUNTED, archived: 1 }, items: [item] }
}

/**
 * How many queries are raised and ended. Of queries nothing more is reported: their fields may identify a patient, and
 * candidates are not for everybody who may release.
 */
export function reportQueries(pages: readonly Pick<PageQueries, 'queries'>[], gone: number): PagePart {
  const counts = { ...NOTHING_COUNTED, ends: gone }
  for (const { queries } of pages) {
    counts.asks += queries.asked.length
    counts.ends += queries.ended.length
  }
  return { counts, items: [] }
}

export function sum(parts: readonly PagePart[]): PagePart {
  return { counts: totalOf(parts.map(({ counts }) => counts)), items: parts.flatMap(({ items }) => items) }
}

/** The sum of counts; those of before a version of this server counted queries have none. */
export function totalOf(counted: readonly MigrationReport['counts'][]): Counts {
  const total = { ...NOTHING_COUNTED }
  for (const counts of counted) for (const key of COUNTED) total[key] += counts[key] ?? 0
  return total
}

const COUNTED = ['mapped', 'converted', 'retired', 'unconverted', 'archived', 'asks', 'ends'] as const

/** Entered values; those in rows count one by one. */
function countItems(values: Readonly<Record<string, ItemContent['value']>>): number {
  return Object.values(values).reduce<number>((count, value) => {
    const rows = typeof value === 'object' ? rowsOf(value) : null
    if (rows === null || rows.length === 0 || !rows.every((row) => '_rid' in row)) return count + 1
    return (
      count + rows.reduce((inside, row) => inside + Object.keys(row).filter((code) => !code.startsWith('_')).length, 0)
    )
  }, 0)
}

/** The stored result of a patient's turn. */
export type Turned = PagePart | { readonly failed: ErrorCode }

/** A patient's turn as it was booked. */
export interface LoggedTurn {
  readonly patient: string
  readonly state: 'done' | 'failed'
  /** The words as they were written then, in the language of the person who released. */
  readonly log: string
  readonly part: Turned | null
}
