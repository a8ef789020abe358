import type { ApiError } from '#core/api/errors.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { parseScope } from '#core/sync/protocol/scope.ts'
import type { WorkDb } from '#offline/db/databases.ts'
import { getMeta, setMeta } from '#offline/db/meta.ts'
import type { ReceiptRow } from '#offline/db/rows.ts'
import { hasSentOperation } from '#offline/sync/forgotten.ts'

import type { SyncContext } from './context.ts'

/**
 * A sent operation is kept for a server that may be restored from a backup, until every kept backup holds the
 * operation. Then it goes, and only its receipt stays: so a tablet that is used for years does not fill up with
 * operations that the server has had for long.
 */

/** Receipts that are changed in one transaction. */
const AT_ONCE = 500

/**
 * Lets go of the operations of a project that no restore can make the server forget any more: in all scopes that were
 * pulled here, also those that were given up since.
 *
 * @param durable change number that the server named together with its epoch
 */
export async function letGo(
  { storage }: Pick<SyncContext, 'storage'>,
  projectId: string,
  epoch: string,
  durable: number,
): Promise<Result<true, ApiError>> {
  if (durable === 0) return ok(true)
  const mark = `${epoch} ${durable}`
  const due = await storage.run(async ({ work }) => {
    const [epochs = {}, done = {}] = await Promise.all([getMeta(work, 'epochs'), getMeta(work, 'letGo')])
    // A scope with another epoch is left out: a restored server has yet to be offered its operations. They belong to an
    // older history, in which these change numbers meant something else.
    return Object.keys(epochs).filter(
      (scope) => epochs[scope] === epoch && done[scope] !== mark && parseScope(scope)?.projectId === projectId,
    )
  })
  if (!due.ok) return due
  for (const scope of due.value) {
    const gone = await letGoIn({ storage }, scope, mark, durable)
    if (!gone.ok) return gone
  }
  return ok(true)
}

async function letGoIn(
  { storage }: Pick<SyncContext, 'storage'>,
  scope: string,
  mark: string,
  durable: number,
): Promise<Result<true, ApiError>> {
  const read = await storage.run(async ({ work }) => {
    // Operations that a colleague has still to offer again belong to an older history too.
    const unoffered = new Set((await getMeta(work, 'unoffered'))?.[scope])
    const pictured = await patientsOfFiles(work, scope)
    const going = (row: ReceiptRow): boolean =>
      row.op !== null &&
      row.seq <= durable &&
      row.outcome !== 'inbox' &&
      row.outcome !== 'held' &&
      !unoffered.has(row.key) &&
      !pictured.has(row.patientId)
    return work.receipts.where('scope').equals(scope).filter(going).primaryKeys()
  })
  if (!read.ok) return read
  for (let from = 0; from < read.value.length; from += AT_ONCE) {
    const keys = read.value.slice(from, from + AT_ONCE)
    const gone = await storage.run(({ work }) => work.receipts.where('key').anyOf(keys).modify({ op: null }))
    if (!gone.ok) return gone
  }
  const noted = await storage.run(({ work }) =>
    work.transaction('rw', work.meta, async () =>
      setMeta(work, 'letGo', { ...(await getMeta(work, 'letGo')), [scope]: mark }),
    ),
  )
  return noted.ok ? ok(true) : noted
}

/**
 * Patients with files on this device. Their sent operations stay as long as the files do: somebody may restore the
 * server from a backup older than any that it kept, and a photograph that no operation here names would then belong to
 * no field (offline/files/named.ts). All of it is offered again.
 */
async function patientsOfFiles(work: WorkDb, scope: string): Promise<ReadonlySet<string>> {
  const patients = new Set<string>()
  await work.files
    .where('scope')
    .equals(scope)
    .each(({ patientId, dropped }) => {
      if (dropped === 0) patients.add(patientId)
    })
  return patients
}

/**
 * Projects of which nothing is pulled for a user, but of which sent operations are here: no pull tells which of these
 * may go.
 */
export async function projectsLeft(work: WorkDb, userId: string): Promise<readonly string[]> {
  const pulled = new Set(
    (await work.kept.where('userId').equals(userId).toArray()).flatMap(
      ({ scope }) => parseScope(scope)?.projectId ?? [],
    ),
  )
  const left = new Set<string>()
  for (const scope of (await work.receipts.orderBy('scope').uniqueKeys()).map(String)) {
    const projectId = parseScope(scope)?.projectId
    if (projectId === undefined || pulled.has(projectId) || left.has(projectId)) continue
    if (await hasSentOperation(work, scope)) left.add(projectId)
  }
  return [...left]
}
