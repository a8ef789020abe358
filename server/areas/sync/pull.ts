import type { JsonValue } from '#core/json.ts'
import type { PullLine } from '#core/sync/pull.ts'
import { projectKinds } from '#core/sync/rows.ts'
import type { RowKind, RowOf } from '#core/sync/rows.ts'
import { scopeText } from '#core/sync/scope.ts'
import type { Scope } from '#core/sync/scope.ts'
import { seesAllPatients } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { loadConflictRows, loadEntryRows, loadEntryTexts } from '#server/areas/entry/rows.ts'
import { loadMemberRow } from '#server/areas/member/store.ts'
import { loadPatientRows } from '#server/areas/patient/store.ts'
import { loadCenterRow, loadProjectRow } from '#server/areas/project/store.ts'
import { requireDevice } from '#server/areas/sync/device.ts'
import { Remaining, placeText, readPlace } from '#server/areas/sync/firstPull.ts'
import { loadInboxRows } from '#server/areas/sync/inbox.ts'
import { PutLine, RowText } from '#server/areas/sync/putLine.ts'
import { requireScope, scopeVersion } from '#server/areas/sync/scopeAccess.ts'
import { DURABLE_SEQ } from '#server/backup/durable.ts'
import { loadVisitRows } from '#server/areas/visit/store.ts'
import { loadVersionRow } from '#server/areas/version/store.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Actor } from '#server/http/handler.ts'
import type { Services } from '#server/services.ts'

/**
 * Streams a scope's changes, oldest first. It goes up to the project's change number at the start: a number is taken under the
 * project's lock and kept until its commit, so whoever reads it sees every change up to it. What changes meanwhile moves behind that
 * end, and comes with the next pull.
 */

/** Changes that are read at once; the connection is given back in between, however slowly the device reads. */
const BATCH = 200

interface Change {
  readonly kind: RowKind
  readonly id: string
  readonly seq: number
}

export async function* pullLines(
  services: Services,
  { actor, deviceId }: { readonly actor: Actor; readonly deviceId: string },
  member: Membership,
  scope: Scope,
  { cursor, from }: { readonly cursor: number; readonly from: string | null },
): AsyncGenerator<PullLine> {
  const { bounds, first } = await withConnection(services.pool, async (connection) => {
    const known = await boundsOf(connection, scope, cursor)
    if (cursor > 0 || from === null || scope.kind !== 'center') return { bounds: known, first: null }
    const place = readPlace(from, known.end)
    const remaining = await Remaining.after(connection, place, inScope('$6'), [...scopeParameters(scope, cursor), place.end])
    return { bounds: { ...known, total: remaining.total, end: place.end }, first: remaining }
  })
  const { end } = bounds
  yield {
    t: 'start',
    scope: scopeText(scope),
    epoch: services.secrets.epoch,
    scopeVersion: scopeVersion(scope, member, bounds.releases),
    total: bounds.total,
    durable: bounds.durable,
    serverTime: services.now(),
  }
  // Rights are looked at for each batch: a stream may last longer than they do.
  const batch = (read: (connection: Queryable) => Promise<readonly Change[]>) =>
    withConnection(services.pool, async (connection) => {
      await requireDevice(connection, deviceId)
      const now = await requireScope(connection, actor, scope)
      const changes = await read(connection)
      return { changes, rows: await rowsOf(connection, now, changes) }
    })
  if (first !== null) {
    for (let more = true; more; ) {
      const lines = await batch(async (connection) => {
        const changes = await first.next(connection, BATCH)
        more = changes !== null
        return changes ?? []
      })
      yield* linesOf(lines, cursor)
      if (more) yield { t: 'cursor', cursor, from: placeText(first.place) }
    }
    yield { t: 'end', cursor: end }
    return
  }
  let last: Change | null = null
  let announced = cursor
  for (;;) {
    const after: Change | null = last
    const lines = await batch((connection) => nextChanges(connection, scope, cursor, end, after))
    yield* linesOf(lines, cursor)
    last = lines.changes.at(-1) ?? null
    if (last === null || lines.changes.length < BATCH) break
    // The rows of one transaction have one number; the last may have more of them to come.
    const complete = last.seq - 1
    if (complete > announced) {
      announced = complete
      yield { t: 'cursor', cursor: complete }
    }
  }
  yield { t: 'end', cursor: end }
}

interface Lines {
  readonly changes: readonly Change[]
  readonly rows: ReadonlyMap<string, JsonValue | RowText>
}

function* linesOf({ changes, rows }: Lines, cursor: number): Generator<PullLine> {
  for (const change of changes) {
    const row = rows.get(`${change.kind}/${change.id}`)
    if (row instanceof RowText) yield new PutLine(change, row)
    else if (row !== undefined) yield { t: 'put', ...change, row }
    // What was never sent needs no drop.
    else if (cursor > 0) yield { t: 'drop', ...change }
  }
}

/** What of the changes belongs to the scope, up to a change number. */
function inScope(end: string): string {
  return `
  c.project_id = $1 AND c.kind = ANY ($2)
  AND ($3::uuid IS NULL OR c.center_id = $3) AND ($4::smallint IS NULL OR c.pass IS NULL OR c.pass = $4)
  AND c.seq > $5 AND c.seq <= ${end}`
}

const CENTER_KINDS: readonly RowKind[] = ['patient', 'visit', 'entry', 'conflict']

function scopeParameters(scope: Scope, cursor: number): unknown[] {
  return scope.kind === 'project'
    ? [scope.projectId, [...projectKinds], null, null, cursor]
    : [scope.projectId, CENTER_KINDS, scope.centerId, scope.pass, cursor]
}

interface Bounds {
  readonly end: number
  readonly total: number
  readonly releases: number
  readonly durable: number
}

async function boundsOf(connection: Queryable, scope: Scope, cursor: number): Promise<Bounds> {
  // One statement, and so one moment: a device that is told of nothing more to come takes what it has for everything up to the end.
  const { rows } = await connection.query<Bounds>({
    name: 'pull_bounds',
    text: `
      WITH project_now AS (SELECT seq FROM project WHERE id = $1)
      SELECT
        coalesce((SELECT seq FROM project_now), 0) AS "end",
        (SELECT count(*) FROM change c WHERE ${inScope('(SELECT seq FROM project_now)')}) AS total,
        (SELECT count(*) FROM crf_version v WHERE v.project_id = $1 AND v.profile = 'formal' AND NOT v.deleted) AS releases,
        ${DURABLE_SEQ} AS durable`,
    values: scopeParameters(scope, cursor),
  })
  // A cursor of before a restore may lie beyond the end; the epoch tells the device to start over.
  return rows[0] ?? { end: 0, total: 0, releases: 0, durable: 0 }
}

async function nextChanges(
  connection: Queryable,
  scope: Scope,
  cursor: number,
  end: number,
  after: Change | null,
): Promise<readonly Change[]> {
  const { rows } = await connection.query<Change>({
    name: 'pull_changes',
    text: `
      SELECT c.kind, c.row_id AS id, c.seq FROM change c
      WHERE ${inScope('$6')} AND ($7::bigint IS NULL OR (c.seq, c.kind, c.row_id) > ($7, $8, $9::uuid))
      ORDER BY c.seq, c.kind, c.row_id LIMIT ${BATCH}`,
    values: [...scopeParameters(scope, cursor), end, after?.seq ?? null, after?.kind ?? null, after?.id ?? null],
  })
  return rows
}

/** The rows as they are now and as the member may see them, by `kind/id`. What is not among them is not theirs to see. */
async function rowsOf(connection: Queryable, member: Membership, changes: readonly Change[]): Promise<Lines['rows']> {
  const found = new Map<string, JsonValue | RowText>()
  for (const kind of new Set(changes.map((change) => change.kind))) {
    const ids = changes.flatMap((change) => (change.kind === kind ? [change.id] : []))
    if (kind === 'entry' && member.sensitive && seesAllPatients(member)) {
      for (const [id, text] of await loadEntryTexts(connection, member, ids)) found.set(`${kind}/${id}`, new RowText(text))
      continue
    }
    // Made of JSON throughout; a part that may be absent is, when it is written.
    for (const row of await loadRows(connection, member, kind, ids)) found.set(`${kind}/${row.id}`, row as unknown as JsonValue)
  }
  return found
}

async function loadRows(
  connection: Queryable,
  member: Membership,
  kind: RowKind,
  ids: readonly string[],
): Promise<readonly RowOf<RowKind>[]> {
  switch (kind) {
    case 'project':
      return present([await loadProjectRow(connection, member)])
    case 'center':
      return oneByOne(ids, (id) => loadCenterRow(connection, member, id))
    case 'member':
      return oneByOne(ids, (id) => loadMemberRow(connection, member, id))
    case 'version':
      // A device enters data under releases; drafts and tests are worked on online.
      return (await oneByOne(ids, (id) => loadVersionRow(connection, member, id))).filter((row) => row.crfProfile === 'formal')
    case 'inbox':
      return loadInboxRows(connection, member, ids)
    case 'patient':
      return loadPatientRows(connection, member, ids)
    case 'visit':
      return loadVisitRows(connection, member, ids)
    case 'entry':
      return ownRows(connection, member, await loadEntryRows(connection, member, ids), (row) => row.patientId)
    case 'conflict': {
      const rows = await loadConflictRows(connection, member, ids)
      if (seesAllPatients(member)) return rows
      const entries = await loadEntryRows(connection, member, rows.map(({ entryId }) => entryId))
      const patients = new Map(entries.map((entry) => [entry.id, entry.patientId]))
      return ownRows(connection, member, rows, (row) => patients.get(row.entryId) ?? '')
    }
  }
}

/** Where not all patients are the member's to see: what belongs to those that are. */
async function ownRows<Row>(
  connection: Queryable,
  member: Membership,
  rows: readonly Row[],
  patientOf: (row: Row) => string,
): Promise<readonly Row[]> {
  if (seesAllPatients(member)) return rows
  const own = new Set((await loadPatientRows(connection, member, rows.map(patientOf))).map(({ id }) => id))
  return rows.filter((row) => own.has(patientOf(row)))
}

async function oneByOne<Row>(ids: readonly string[], load: (id: string) => Promise<Row | null>): Promise<readonly Row[]> {
  const rows: (Row | null)[] = []
  for (const id of ids) rows.push(await load(id))
  return present(rows)
}

function present<Row>(rows: readonly (Row | null)[]): readonly Row[] {
  return rows.flatMap((row) => (row === null ? [] : [row]))
}
