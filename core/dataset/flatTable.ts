import { inLanguage } from '#core/form/definition/inLanguage.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { EntryData } from '#core/sync/entryData.ts'

import { entryFacts, subjectFacts, subjectKeys } from './aboutColumns.ts'
import type { LeavingEntry, LeavingSubject, Told } from './aboutColumns.ts'
import type { ItemColumn } from './itemColumns.ts'
import { nameOf } from './itemColumns.ts'
import { cellsOfEntry, rowsOfTable, withUniqueNames } from './pageColumns.ts'
import type { TableRow } from './pageColumns.ts'
import { planPage } from './pagePlan.ts'
import type { Leaving, PagePlan } from './pagePlan.ts'
import { batches, findPlace } from './rowsOf.ts'
import type { Reading } from './rowsOf.ts'
import type { Extent, StudyPages, StudyPlace, SubjectEntry } from './source.ts'
import type { CellValue, DataTable, Row, Variable } from './table.ts'
import { cellsOf } from './longTables.ts'
import { dataWord } from './words.ts'

/**
 * Data in the flat shape: one row for each subject. A variable is named by its visit, page and field, and by the number
 * of the repeat and of the row from the second on.
 */

/** More variables than this make no table that a program can work with. */
export const MOST_FLAT_VARIABLES = 30_000

/** What stands in a group of variables: one page of one visit, in one repeat and pass. */
interface Slot {
  readonly key: string
  readonly plan: PagePlan
  readonly facts: readonly Told<LeavingEntry>[]
  readonly columns: readonly ItemColumn[]
  /** Rows of tables: each with the place of its row, from 0. */
  readonly rows: readonly { readonly table: PagePlan['columns']['tables'][number]; readonly at: number }[]
  readonly width: number
}

export async function flatTable(
  study: StudyPages,
  leaving: Leaving,
  reading: Reading,
  name: string,
): Promise<Result<DataTable, 'too_wide'>> {
  const { definition, isIdentifying } = leaving
  const { language, deidentify } = definition
  const subject = [
    ...subjectKeys(language, deidentify.on),
    ...subjectFacts(language, { isDeidentified: deidentify.on, isIdentifying }),
  ]
  const plans = new Map(study.pages.map((page) => [page.pageId, planPage(page, leaving, [])]))
  const facts = entryFacts(definition)
  const extents = new Map((await reading.source.extents()).map((one) => [placeKey(one, one.pass), one]))
  const slots: Slot[] = []
  let width = subject.length
  const variables: Variable[] = subject.map(({ variable }) => variable)
  for (const place of study.places) {
    for (const pass of definition.passes === 'both' ? ([1, 2] as const) : ([1] as const)) {
      const plan = plans.get(place.pageId)
      const extent = extents.get(placeKey(place, pass))
      if (plan === undefined || extent === undefined) continue
      width += extent.repeats * slotOf(plan, extent, facts, '').width
      if (width > MOST_FLAT_VARIABLES) return err('too_wide')
      for (let repeat = 1; repeat <= extent.repeats; repeat += 1) {
        const slot = slotOf(plan, extent, facts, `${placeKey(place, pass)} ${String(repeat)}`)
        slots.push(slot)
        variables.push(...variablesOf(slot, { place, plan, pass, repeat, language }))
      }
    }
  }
  const named = withUniqueNames(
    variables.map((variable) => ({ variable })),
    [],
  )
  return ok({
    name,
    label: dataWord('flat', language),
    variables: named.map(({ variable }) => variable),
    rows: () => flatRows(reading, subject, slots),
  })
}

function placeKey({ folderId, pageId }: Pick<StudyPlace, 'folderId' | 'pageId'>, pass: 1 | 2): string {
  return `${folderId} ${pageId} ${String(pass)}`
}

function slotOf(plan: PagePlan, extent: Extent, facts: readonly Told<LeavingEntry>[], key: string): Slot {
  const { columns, tables } = plan.columns
  const rows = tables.flatMap((table) =>
    Array.from({ length: extent.rows[table.code] ?? 0 }, (_, at) => ({ table, at })),
  )
  const width = rows.reduce((sum, { table }) => sum + table.columns.length, facts.length + columns.length)
  return { key, plan, facts, columns, rows, width }
}

function variablesOf(
  { facts, columns, rows }: Slot,
  at: {
    readonly place: StudyPlace
    readonly plan: PagePlan
    readonly pass: 1 | 2
    readonly repeat: number
    readonly language: 'zh' | 'en'
  },
): readonly Variable[] {
  const { place, plan, pass, repeat, language } = at
  const start = `${nameOf(place.folderCode)}_${nameOf(plan.page.code)}`.replaceAll(/_+/g, '_')
  const nth = `${repeat > 1 ? `_${String(repeat)}` : ''}${pass === 2 ? '_p2' : ''}`
  const visit = inLanguage(language, place.folderName, place.folderNameEn)
  const within = `${visit} · ${plan.label}${repeat > 1 ? ` (${String(repeat)})` : ''}`
  const placeVariable = (variable: Variable, row: string, rowLabel: string): Variable => ({
    ...variable,
    name: `${start}_${variable.name}${row}${nth}`,
    label: `${within}${rowLabel} · ${variable.label}`,
  })
  return [
    ...[...facts, ...columns].map(({ variable }) => placeVariable(variable, '', '')),
    ...rows.flatMap(({ table, at: row }) =>
      table.columns.map(({ variable }) =>
        placeVariable(
          { ...variable, name: `${nameOf(table.code)}_${variable.name}` },
          `_r${String(row + 1)}`,
          ` · ${table.label} ${String(row + 1)}`,
        ),
      ),
    ),
  ]
}

async function* flatRows(
  reading: Reading,
  subject: readonly Told<LeavingSubject>[],
  slots: readonly Slot[],
): AsyncGenerator<readonly Row[]> {
  const empty = new Map(slots.map(({ key, width }) => [key, Array.from({ length: width }, (): CellValue => null)]))
  for await (const { subjects, entries } of batches(reading, null, { pageId: null })) {
    const ofSubject = Map.groupBy(entries, ({ patientId }) => patientId)
    yield subjects.map((who) => {
      const found = numberEntries(ofSubject.get(who.subject.id) ?? [])
      const cells: CellValue[] = [...cellsOf(subject, who)]
      for (const slot of slots) {
        const entry = found.get(slot.key)
        const part = entry === undefined ? (empty.get(slot.key) ?? []) : slotCells(slot, reading, { who, entry })
        for (const cell of part) cells.push(cell)
      }
      return cells
    })
  }
}

/** The entries of a subject by the slots in which they stand. */
function numberEntries(entries: readonly SubjectEntry[]): ReadonlyMap<string, SubjectEntry> {
  const slots = new Map<string, SubjectEntry>()
  const counts = new Map<string, number>()
  for (const entry of entries) {
    const place = placeKey(entry, entry.pass)
    const count = (counts.get(place) ?? 0) + 1
    counts.set(place, count)
    slots.set(`${place} ${String(count)}`, entry)
  }
  return slots
}

function slotCells(
  { plan, facts, columns, rows }: Slot,
  { places }: Reading,
  { who, entry }: { readonly who: LeavingSubject; readonly entry: SubjectEntry },
): readonly CellValue[] {
  const data: EntryData = plan.dataOf(entry, who)
  const hidden = new Set(entry.hidden)
  const byTable = new Map<string, readonly TableRow[]>()
  return [
    ...cellsOf(facts, { who, entry, place: findPlace(places, entry) }),
    ...cellsOfEntry(columns, data, hidden),
    ...rows.flatMap(({ table, at }): readonly CellValue[] => {
      const known = byTable.get(table.code) ?? rowsOfTable(table, data, hidden)
      byTable.set(table.code, known)
      return known[at]?.cells ?? table.columns.map(() => null)
    }),
  ]
}
