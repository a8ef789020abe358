import type { Pool } from 'pg'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { EntryStatus } from '#core/sync/entryMark.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import { dataHash } from '#server/areas/entry/store.ts'

import type { Stage } from './stage.ts'
import { ITEMS, PAGES, pageValues, seedRandom, targetOf } from './study.ts'

/**
 * Rows written in bulk directly into the server's database: what other tablets had entered before the measurement
 * begins.
 */

const BATCH = 500

/** Enrols patients of the center, without entries. Returns their ids. */
export async function seedPatients(stage: Stage, count: number): Promise<readonly string[]> {
  const { database, study, coordinator } = stage
  const first = await rowCount(database, 'SELECT count(*) AS count FROM patient')
  const ids = Array.from({ length: count }, newId)
  const rows = ids.map((id, at) => ({
    id,
    no: `BJ01-${String(first + at + 1).padStart(4, '0')}`,
    seq: first + at + 1,
    mark: id.slice(-4).toUpperCase(),
  }))
  await inBatches(rows, async (batch) => {
    await database.query(
      `INSERT INTO patient (id, project_id, center_id, no, no_seq, mark, initials, sex, enrolled_on, name, mobile, birth_date, created_by)
       SELECT r.id, $1, $2, r.no, r.seq, r.mark, 'ZS', 'F', '2026-03-01', '张三', '13800000000', '1960-02-29', $3
       FROM jsonb_to_recordset($4) AS r (id uuid, no text, seq integer, mark text)`,
      [study.projectId, study.centerId, coordinator.userId, JSON.stringify(batch)],
    )
    await announce(
      stage,
      'patient',
      batch.map(({ id }) => id),
    )
  })
  await database.query('UPDATE center SET next_no = $2 WHERE id = $1', [study.centerId, first + count + 1])
  return ids
}

/** Fills in every page of the patients. Returns the entries' ids. */
export async function seedEntries(stage: Stage, patientIds: readonly string[]): Promise<readonly string[]> {
  const { database, study, coordinator } = stage
  const random = seedRandom(7)
  const made: string[] = []
  await inBatches(
    patientIds,
    async (batch) => {
      const rows = batch.flatMap((patientId) =>
        Array.from({ length: PAGES }, (_, page) => {
          const target = targetOf(study, patientId, page)
          const values = Object.fromEntries(pageValues(random))
          const [status, missing] = stateOf(page, patientId)
          const progress = { total: ITEMS - 2, answered: Object.keys(values).length - missing, missing }
          return {
            id: entryId(target),
            patient: patientId,
            page: target.pageId,
            values,
            hash: dataHash({ values, missing: {} }),
            status,
            progress,
          }
        }),
      )
      await database.query(
        `INSERT INTO entry (
         id, project_id, center_id, patient_id, folder_id, folder_repeat, page_id, page_repeat, pass, version_id, status, rev,
         "values", missing, data_hash, updated_by, progress)
       SELECT r.id, $1, $2, r.patient, $3, '0', r.page, '0', 1, $4, r.status, 1, r.values, '{}', r.hash, $5, r.progress
       FROM jsonb_to_recordset($6) AS r (id uuid, patient uuid, page uuid, values jsonb, hash text, status text, progress jsonb)`,
        [study.projectId, study.centerId, study.folderId, study.versionId, coordinator.userId, JSON.stringify(rows)],
      )
      const ids = rows.map(({ id }) => id)
      await announce(stage, 'entry', ids)
      made.push(...ids)
    },
    BATCH / PAGES,
  )
  return made
}

/** In a running study most pages are submitted; here every twelfth is not, and every thirtieth lacks something. */
function stateOf(page: number, patientId: string): readonly [EntryStatus, number] {
  const place = page + Number.parseInt(patientId.slice(-4), 16)
  return [place % 12 === 0 ? 'process' : SUBMITTED, place % 30 === 0 ? 2 : 0]
}

/** Gives each row a change number of its own, as if each had come in a transaction of its own. */
async function announce({ database, study }: Stage, kind: 'patient' | 'entry', ids: readonly string[]): Promise<void> {
  await database.query(
    `WITH place AS (UPDATE project SET seq = seq + $5 WHERE id = $1 RETURNING seq - $5 AS first)
     INSERT INTO change (project_id, kind, row_id, seq, center_id, pass)
     SELECT $1, $3, r.id, place.first + r.ord, $2, CASE WHEN $3 = 'entry' THEN 1 END
     FROM place, unnest($4::uuid[]) WITH ORDINALITY AS r (id, ord)`,
    [study.projectId, study.centerId, kind, ids, ids.length],
  )
}

async function inBatches<Row>(
  rows: readonly Row[],
  put: (batch: readonly Row[]) => Promise<void>,
  size: number = BATCH,
): Promise<void> {
  for (let at = 0; at < rows.length; at += size) await put(rows.slice(at, at + size))
}

/** The one number that a query gives. */
export async function rowCount(database: Pool, sql: string, values: readonly unknown[] = []): Promise<number> {
  const { rows } = await database.query<{ count: number }>(sql, [...values])
  return rows[0]?.count ?? Number.NaN
}
