import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { JsonValue } from '#core/json.ts'
import { writeEntries } from '#server/areas/entry/store.ts'
import type { StoredEntry } from '#server/areas/entry/store.ts'
import { commitProject } from '#server/database/commit.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { serverStamp } from '#server/http/runOnce.ts'

import { openAsServer } from './appDatabase.ts'

/**
 * A job of the shape that the migration of a version's data will have, inside the server's own process: loaded before
 * the server's program, it begins and ends with SIGUSR2, walks all entries of the project again and again, and prints
 * what it did. It keeps what every job keeps: entry rows locked in id order, freeze and lock looked at again, audit
 * rows in the same transaction, the change number taken last, chunks of at most 200 ms.
 */

/** What the job did between two signals. */
export interface JobReport {
  readonly entries: number
  /** The duration of each chunk, from its begin to its commit. */
  readonly millis: readonly number[]
}

/** A chunk may take 200 ms; the aim is lower, because the next chunk's duration is not known in advance. */
const AIM_MS = 60
const [FEWEST, MOST] = [5, 400]

/** An id that sorts before all others. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** The item that a version's new dictionary would change. */
const MIGRATED = 'f5'

interface Job {
  stop: boolean
  readonly done: Promise<JobReport>
}

let job: Job | null = null

process.on('SIGUSR2', () => {
  if (job === null) {
    const started = { stop: false }
    job = Object.assign(started, { done: migrate(started) })
    return
  }
  const ending = job
  job = null
  ending.stop = true
  void ending.done.then((report) => process.stdout.write(`${JSON.stringify({ job: report })}\n`))
})

async function migrate(control: { readonly stop: boolean }): Promise<JobReport> {
  const pool = await openAsServer(process.env['DATA_DIR'] ?? '', 1)
  const { projectId, userId } = await onlyProject(pool)
  let size = 20
  let cursor = BEFORE_ALL
  const millis: number[] = []
  let entries = 0
  try {
    while (!control.stop) {
      const start = performance.now()
      const chunk = await migrateChunk(pool, { projectId, userId, cursor, size })
      const took = performance.now() - start
      cursor = chunk.last ?? BEFORE_ALL
      size = Math.min(MOST, Math.max(FEWEST, Math.round((size * AIM_MS) / took)))
      millis.push(took)
      entries += chunk.count
      await nextTurn()
    }
    return { entries, millis }
  } finally {
    await pool.end()
  }
}

/** The benchmark's server has one project. */
async function onlyProject(pool: Pool): Promise<{ readonly projectId: string; readonly userId: string }> {
  const { rows } = await pool.query<{ projectId: string; userId: string }>(
    'SELECT id AS "projectId", created_by AS "userId" FROM project',
  )
  const [project] = rows
  if (project === undefined) throw new Error('there is no project')
  return project
}

interface ChunkAsked {
  readonly projectId: string
  readonly userId: string
  /** Entries after this id. */
  readonly cursor: string
  readonly size: number
}

function migrateChunk(
  pool: Pool,
  asked: ChunkAsked,
): Promise<{ readonly count: number; readonly last: string | null }> {
  return withTransaction(pool, async (transaction) => {
    const entries = await lockEntries(transaction, asked)
    const at = new Date().toISOString()
    const audit: NewAuditRow[] = []
    const writes = entries.map((entry) => {
      const values = { ...entry.values, [MIGRATED]: migrateCode(entry.values[MIGRATED] ?? null) }
      const { id, versionId, status, missing, hidden, progress, retired, deleted, centerId, patientId } = entry
      const [before, after] = [entry.values[MIGRATED] ?? null, values[MIGRATED] ?? null]
      audit.push({
        action: 'item.migrate',
        centerId,
        patientId,
        entryId: id,
        prop: MIGRATED,
        versionId,
        pass: 1,
        old: before,
        new: after,
      })
      return {
        id,
        versionId,
        status,
        data: { values, missing },
        hidden,
        progress,
        retired,
        deleted,
        userId: asked.userId,
        at,
        submittedHash: null,
      }
    })
    await writeEntries(transaction, writes)
    if (entries.length > 0) {
      await commitProject(transaction, {
        projectId: asked.projectId,
        statuses: ['process'],
        stamp: stampAt(at, asked.userId),
        audit,
        changes: entries.map(({ id, centerId }) => ({ kind: 'entry', rowId: id, centerId, pass: 1 })),
      })
    }
    return { count: entries.length, last: entries.at(-1)?.id ?? null }
  })
}

type LockedEntry = StoredEntry & { readonly centerId: string; readonly patientId: string }

/** The next open entries, locked in the order of their ids. */
async function lockEntries(
  transaction: Queryable,
  { projectId, cursor, size }: ChunkAsked,
): Promise<readonly LockedEntry[]> {
  const { rows } = await transaction.query<LockedEntry>({
    name: 'bench_job_lock',
    text: `
      SELECT id, center_id AS "centerId", patient_id AS "patientId", version_id AS "versionId", status, control, rev, "values", missing, hidden, progress,
        retired, deleted, updated_by AS "updatedBy"
      FROM entry
      WHERE project_id = $1 AND control = 'open' AND id > $2
      ORDER BY id LIMIT $3 FOR UPDATE`,
    values: [projectId, cursor, size],
  })
  return rows
}

/** The code of the same choice in the new dictionary. */
function migrateCode(value: JsonValue): JsonValue {
  return typeof value === 'string' ? String((Number(value) + 1) % 12) : value
}

function stampAt(at: string, userId: string) {
  return { ...serverStamp({ now: () => at }), userId, userName: '陈协调' }
}
