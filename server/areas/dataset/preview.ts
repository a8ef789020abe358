import type { DataSetPreview } from '#core/api/calls/data/dataset.ts'
import type { BodyOf } from '#core/api/call.ts'
import type { CallOf } from '#core/api/table.ts'
import { smallGroups } from '#core/dataset/deidentify.ts'
import { formatsByKind, hasTrail } from '#core/dataset/formats.ts'
import { leftFields } from '#core/dataset/pagePlan.ts'
import { tablesOf, wantedStudy } from '#core/dataset/tables.ts'
import type { DataTable, Row } from '#core/dataset/table.ts'
import { ok } from '#core/result.ts'
import { membership } from '#server/access.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Actor } from '#server/http/handler.ts'
import type { Services } from '#server/services.ts'

import { Casebooks } from './clinical/casebooks.ts'
import { narrowToFound } from './narrow.ts'
import { maySeeIdentity, requireExport } from './rights.ts'
import { sdtmName, sdtmRunOf } from './sdtm.ts'
import { pseudonymsOf, withSnapshot } from './snapshot.ts'
import { groupsOf, sourceOf, totalsOf } from './source.ts'
import type { Read } from './source.ts'
import { loadStudy } from './study.ts'

/** The first rows of each table as they would leave, and how much casebooks would hold. */

const ROWS = 20
/** Variables that a person looks through; the dictionary of the archive has all. */
const MOST_VARIABLES = 300

/** @throws ApiFailure not_found, forbidden */
export async function previewOf(
  { pool, secrets }: Pick<Services, 'pool' | 'secrets'>,
  actor: Actor,
  { projectId, definition: asked }: BodyOf<CallOf<'dataset.preview'>>,
): Promise<DataSetPreview> {
  return withSnapshot(pool, projectId, async (connection) => {
    const member = await membership(connection, actor, projectId)
    requireExport(member, asked)
    const definition = await narrowToFound(connection, member, asked)
    const study = await loadStudy(connection, projectId)
    const read = { member, definition, study }
    const leaving = { definition, isIdentifying: maySeeIdentity(member) }
    const chosen = formatsByKind(definition.formats)
    const reading = {
      source: sourceOf(connection, read),
      places: study.places,
      pseudonymOf: definition.deidentify.on ? pseudonymsOf(secrets.root, projectId) : null,
    }
    const made = chosen.tables.length === 0 ? ok([]) : await tablesOf(study, leaving, reading)
    const tables = []
    if (made.ok) {
      for (const table of made.value) tables.push(await firstRows(table))
      for (const table of sdtmRunOf(study, leaving, reading)?.tables ?? [])
        tables.push({ ...(await firstRows(table)), name: sdtmName(table) })
    }
    return {
      ...(await totalsOf(connection, read)),
      casebooks: chosen.casebooks.length === 0 ? null : await countCasebooks(connection, read),
      tables: made.ok ? tables : null,
      left: [...leftFields(wantedStudy(study, leaving).pages, leaving)],
      small: definition.deidentify.on ? [...smallGroups(await groupsOf(connection, read))] : [],
    }
  })
}

async function countCasebooks(connection: Queryable, read: Read): Promise<DataSetPreview['casebooks']> {
  const withTrail = read.definition.formats.some(hasTrail)
  const { queries, trailLines } = await new Casebooks(connection, read).count(withTrail)
  return { queries, trailLines: withTrail ? trailLines : null }
}

type PreviewTable = NonNullable<DataSetPreview['tables']>[number]

async function firstRows(table: DataTable): Promise<PreviewTable> {
  const rows: Row[] = []
  for await (const batch of table.rows()) {
    rows.push(...batch.slice(0, ROWS - rows.length))
    if (rows.length >= ROWS) break
  }
  return {
    name: table.name,
    label: table.label,
    variables: table.variables
      .slice(0, MOST_VARIABLES)
      .map(({ name, label, type, unit }) => ({ name, label, type, unit })),
    variableCount: table.variables.length,
    rows: rows.map((row) => row.slice(0, MOST_VARIABLES)),
  }
}
