import { MOST_CELLS, MOST_ROWS } from '#core/api/calls/data/statistics.ts'
import type { StatisticsColumns, StatisticsTables, StatisticsVariable } from '#core/api/calls/data/statistics.ts'
import type { BodyOf } from '#core/api/call.ts'
import { fail } from '#core/api/errors.ts'
import type { CallOf } from '#core/api/table.ts'
import type { DataSetDefinition } from '#core/dataset/definition.ts'
import type { StudyPages } from '#core/dataset/source.ts'
import { tablesOf } from '#core/dataset/tables.ts'
import type { CellValue, DataTable, Row, Variable } from '#core/dataset/table.ts'
import { inLanguage } from '#core/form/definition/inLanguage.ts'
import { membership } from '#server/access.ts'
import { narrowToFound } from '#server/areas/dataset/narrow.ts'
import { maySeeIdentity, requireExport } from '#server/areas/dataset/rights.ts'
import { pseudonymsOf, withSnapshot } from '#server/areas/dataset/snapshot.ts'
import { sourceOf, totalsOf } from '#server/areas/dataset/source.ts'
import { loadStudy } from '#server/areas/dataset/study.ts'
import type { Actor } from '#server/http/handler.ts'
import type { Services } from '#server/services.ts'

/** Columns of de-identified tables: as a data set makes them, with the reader's rights, of one instant. */

/** The table of the subjects, the key that all tables share, and what stands before its variables elsewhere. */
const SUBJECTS = 'subjects'
const SUBJECT_KEY = 'subject_key'
const OF_SUBJECT = 'subjects.'
/** The variable that says of which visit a row is. */
const VISIT = 'visit'

type ServicesOf = Pick<Services, 'pool' | 'secrets' | 'now'>

/** How much one answer may hold. */
export interface ColumnLimits {
  readonly rows: number
  readonly cells: number
}

interface Opened {
  readonly tables: readonly DataTable[]
  readonly study: StudyPages
  readonly subjects: number
}

/**
 * @throws ApiFailure not_found; forbidden without the right to export; invalid where the definition is not
 *   de-identified or not long
 */
export async function tablesFor(
  services: ServicesOf,
  actor: Actor,
  { projectId, definition }: BodyOf<CallOf<'statistics.tables'>>,
): Promise<StatisticsTables> {
  return openTables(services, actor, { projectId, definition }, ({ tables, study, subjects }) => ({
    subjects,
    tables: tables.map(({ name, label, variables }) => ({
      name,
      label,
      variables: variables.map((variable) => ({
        ...toldVariable(variable, { variables, study, definition }),
        role: variable.role,
      })),
    })),
  }))
}

/**
 * @throws ApiFailure as `tablesFor`; invalid also for a table or variable that the definition does not make;
 *   too_much_work beyond the rows and cells of an answer
 */
export async function columnsFor(
  services: ServicesOf,
  actor: Actor,
  { projectId, definition, table: wanted, variables: names }: BodyOf<CallOf<'statistics.columns'>>,
  limits: ColumnLimits = { rows: MOST_ROWS, cells: MOST_CELLS },
): Promise<StatisticsColumns> {
  return openTables(services, actor, { projectId, definition }, async ({ tables, study }) => {
    const at = services.now()
    const table = tables.find(({ name }) => name === wanted)
    const subjects = tables.find(({ name }) => name === SUBJECTS)
    if (table === undefined || subjects === undefined || new Set(names).size < names.length) throw fail('invalid')
    const places = names.map((name) => findPlace(name, table, subjects))
    const read = await readSubjects(subjects, places.some(({ of }) => of === subjects) && table !== subjects)
    const key = table.variables.findIndex(({ name }) => name === SUBJECT_KEY)
    const cells = places.map((): CellValue[] => [])
    let rows = 0
    for await (const batch of table.rows()) {
      rows += batch.length
      if (rows > limits.rows || rows * names.length > limits.cells) throw fail('too_much_work')
      for (const row of batch) {
        const subject = read.get(textOf(row[key] ?? null)) ?? []
        for (const [index, { of, at: place }] of places.entries())
          cells[index]?.push((of === table ? row[place] : subject[place]) ?? null)
      }
    }
    const columns = places.map(({ of, at: place }, index) => {
      const variable = of.variables[place]
      if (variable === undefined) throw fail('invalid')
      const { name, ...told } = toldVariable(variable, { variables: of.variables, study, definition })
      return { ...told, name: names[index] ?? name, cells: cells[index] ?? [] }
    })
    return { at, rows, columns }
  })
}

interface ColumnPlace {
  readonly of: DataTable
  readonly at: number
}

function findPlace(name: string, table: DataTable, subjects: DataTable): ColumnPlace {
  const isOfSubject = name.startsWith(OF_SUBJECT)
  const of = isOfSubject ? subjects : table
  const own = isOfSubject ? name.slice(OF_SUBJECT.length) : name
  const at = of.variables.findIndex((variable) => variable.name === own)
  if (at < 0) throw fail('invalid')
  return { of, at }
}

/** Rows of the subjects by their keys; none where nothing of them is asked for. */
async function readSubjects(subjects: DataTable, isWanted: boolean): Promise<ReadonlyMap<string, Row>> {
  const read = new Map<string, Row>()
  if (!isWanted) return read
  const key = subjects.variables.findIndex(({ name }) => name === SUBJECT_KEY)
  for await (const batch of subjects.rows()) {
    for (const row of batch) read.set(textOf(row[key] ?? null), row)
    if (read.size > MOST_ROWS) throw fail('too_much_work')
  }
  return read
}

function textOf(cell: CellValue): string {
  return typeof cell === 'string' ? cell : ''
}

function toldVariable(
  { name, label, type, unit, decimals, codes }: Variable,
  within: {
    readonly variables: readonly Variable[]
    readonly study: StudyPages
    readonly definition: DataSetDefinition
  },
): Omit<StatisticsVariable, 'role'> {
  const own = name === VISIT ? visitsOf(within) : codes.map(({ code, label: text }) => ({ code, label: text }))
  return { name, label, type, unit, decimals, codes: own }
}

/** The visits that a page has, in the order of the casebook: a row says its visit by a code. */
function visitsOf({
  variables,
  study,
  definition,
}: {
  readonly variables: readonly Variable[]
  readonly study: StudyPages
  readonly definition: DataSetDefinition
}): StatisticsVariable['codes'] {
  const pageId = variables.find(({ field }) => field !== null)?.field?.pageId
  const places = study.places.filter((place) => pageId === undefined || place.pageId === pageId)
  const visits = places.map(({ folderCode, folderName, folderNameEn }) => ({
    code: folderCode,
    label: inLanguage(definition.language, folderName, folderNameEn),
  }))
  return [...new Map(visits.map((visit) => [visit.code, visit])).values()]
}

async function openTables<Answer>(
  { pool, secrets }: ServicesOf,
  actor: Actor,
  { projectId, definition: asked }: { readonly projectId: string; readonly definition: DataSetDefinition },
  use: (opened: Opened) => Answer | Promise<Answer>,
): Promise<Answer> {
  return withSnapshot(pool, projectId, async (connection) => {
    const member = await membership(connection, actor, projectId)
    requireExport(member)
    // What stands on this screen may be photographed: it is never data as they are.
    if (!asked.deidentify.on || asked.shape !== 'long') throw fail('invalid')
    const definition = await narrowToFound(connection, member, asked)
    const study = await loadStudy(connection, projectId)
    const read = { member, definition, study }
    const made = await tablesOf(
      study,
      { definition, isIdentifying: maySeeIdentity(member) },
      {
        source: sourceOf(connection, read),
        places: study.places,
        pseudonymOf: pseudonymsOf(secrets.root, projectId),
      },
    )
    if (!made.ok) throw fail('invalid')
    // What has no place in the forms any more has no variables to compute with.
    const tables = made.value.filter(({ name }) => name !== 'retired')
    const { subjects } = await totalsOf(connection, read)
    return use({ tables, study, subjects })
  })
}
