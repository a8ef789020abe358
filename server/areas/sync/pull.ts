import { asJson } from '#core/json.ts'
import type { JsonValue } from '#core/json.ts'
import type { PullLine } from '#core/api/sync/pull.ts'
import { projectKinds } from '#core/api/sync/rows.ts'
import type { RowKind, RowOf } from '#core/api/sync/rows.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import type { Scope } from '#core/sync/protocol/scope.ts'
import { seesAllPatients } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { loadConflictRows, loadEntryRows, loadEntryTexts } from '#server/areas/entry/reading/rows.ts'
import { loadMemberRow } from '#server/areas/member/store.ts'
import { loadPatientRows } from '#server/areas/patient/store.ts'
import { loadCenterRow, loadProjectRow } from '#server/areas/project/store.ts'
import { requireDevice } from '#server/areas/auth/device.ts'
import { Remaining, placeText, readPlace } from '#server/areas/sync/firstPull.ts'
import { loadInboxRows } from '#server/areas/sync/inbox.ts'
import { PutLine, RowText } from '#server/areas/sync/putLine.ts'
import { requireScope, scopeVersion } from '#server/areas/sync/scopeAccess.ts'
import { DURABLE_SEQ } from '#server/backup/durable.ts'
import { loadQueryRows } from '#server/areas/query/rows.ts'
import { loadVisitRows } from '#server/areas/visit/store.ts'
import { loadVersionRow } from '#server/areas/version/store.ts'
import { prepare } from '#server/database/prepare.ts'
import type { Leading } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Actor } from '#server/http/handler.ts'
import { requireSession } from '#server/http/session.ts'
import type { Services } from '#server/services.ts'

/**
 * Streams a scope's changes, oldest first. The stream ends at the project's change number at the start. A change
 * number is taken under the project's lock and kept until the commit. So a reader of the number sees every change up
 * to it. A row that changes meanwhile moves behind that end, and comes with the next pull.
 */

/** Changes that are read at once. The connection is given back in between, so that a slow device does not hold it. */
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
  asked: Asked,
): AsyncGenerator<PullLine> {
  const { cursor, from = null, patientId = null } = asked
  const { bounds, first } = await withConnection(services.pool, async (connection) => {
    const known = await boundsOf(connection, scope, asked)
    if (cursor > 0 || from === null || patientId !== null || scope.kind !== 'center')
      return { bounds: known, first: null }
    const place = readPlace(from, known.end)
    const remaining = await Remaining.after(connection, place, inScope('$6', null), [
      ...scopeParameters(scope, cursor),
      place.end,
    ])
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
  // Session, device and rights are checked for each batch, because a stream may last longer than they do.
  const batch = (read: (connection: Queryable) => Promise<readonly Change[]>) =>
    withConnection(services.pool, async (connection) => {
      await requireDevice(connection, deviceId)
      await requireSession(connection, actor)
      const now = await requireScope(connection, actor, scope)
      const changes = await read(connection)
      return { changes, rows: await rowsOf(connection, now, changes) }
    })
  if (first !== null) {
    for (let more = true; more;) {
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
    const lines = await batch((connection) => nextChanges(connection, scope, asked, end, after))
    yield* linesOf(lines, cursor)
    last = lines.changes.at(-1) ?? null
    if (last === null || lines.changes.length < BATCH) break
    // Rows of one transaction share a number, so more rows with the last number may follow.
    const complete = last.seq - 1
    if (complete > announced) {
      announced = complete
      yield { t: 'cursor', cursor: complete }
    }
  }
  if (scope.kind === 'project' && cursor > 0) yield* signedInSince(services, actor, scope, cursor)
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
    // A row that was never sent needs no drop.
    else if (cursor > 0) yield { t: 'drop', ...change }
  }
}

/** The longest delay between the recorded time of a sign-in and the moment at which others can see it. */
const SIGN_IN_MARGIN = '1 minute'

/**
 * Members who have signed in since the device's cursor. A sign-in is no change of a project and takes no change
 * number. So these members come with every pull until the project changes again.
 */
async function* signedInSince(
  services: Services,
  actor: Actor,
  scope: Scope,
  cursor: number,
): AsyncGenerator<PullLine> {
  const lines = await withConnection(services.pool, async (connection) => {
    await requireSession(connection, actor)
    const member = await requireScope(connection, actor, scope)
    const { rows } = await connection.query<Change>({
      name: 'pull_signed_in',
      text: `
        SELECT c.kind, c.row_id AS id, c.seq
        FROM change c JOIN member m ON m.id = c.row_id JOIN app_user u ON u.id = m.user_id
        WHERE c.project_id = $1 AND c.kind = 'member' AND c.seq <= $2 AND NOT m.removed AND u.last_login_at > (
          SELECT a.received_at FROM audit a WHERE a.project_id = $1 AND a.seq <= $2 ORDER BY a.seq DESC LIMIT 1
        ) - interval '${SIGN_IN_MARGIN}'
        ORDER BY c.row_id`,
      values: [scope.projectId, cursor],
    })
    return { changes: rows, rows: await rowsOf(connection, member, rows) }
  })
  yield* linesOf(lines, 0)
}

/** What a device asks for: the changes since a change number, of one patient only where the device names one. */
interface Asked {
  readonly cursor: number
  /**
   * Where a first download goes on, which brings patients first. Absent from a device that does not know that order.
   */
  readonly from?: string | null | undefined
  readonly patientId?: string | null | undefined
}

/**
 * The SQL condition for changes that belong to the scope, up to a change number.
 *
 * @param patient the parameter of the one patient who is asked for
 */
function inScope(end: string, patient: string | null): string {
  return `
  c.project_id = $1 AND c.kind = ANY ($2)
  AND ($3::uuid IS NULL OR c.center_id = $3) AND ($4::smallint IS NULL OR c.pass IS NULL OR c.pass = $4)
  AND c.seq > $5 AND c.seq <= ${end}${patient === null ? '' : ` AND (c.kind, c.row_id) IN (${ofPatient(patient)})`}`
}

function ofPatient(patient: string): string {
  return `
    SELECT 'patient', ${patient}::uuid
    UNION ALL SELECT 'visit', v.id FROM visit v WHERE v.patient_id = ${patient}::uuid
    UNION ALL SELECT 'entry', e.id FROM entry e WHERE e.patient_id = ${patient}::uuid
    UNION ALL SELECT 'query', q.id FROM query q WHERE q.patient_id = ${patient}::uuid AND q.asked_at IS NOT NULL
    UNION ALL SELECT 'conflict', k.id FROM conflict k JOIN entry e ON e.id = k.entry_id WHERE e.patient_id = ${patient}::uuid`
}

const CENTER_KINDS: readonly RowKind[] = ['patient', 'visit', 'entry', 'conflict', 'query']

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

async function boundsOf(connection: Queryable, scope: Scope, { cursor, patientId = null }: Asked): Promise<Bounds> {
  // One statement sees one moment. A device that is told of nothing more to come believes that it has everything up to
  // the end.
  const { rows } = await connection.query<Bounds>({
    name: patientId === null ? 'pull_bounds' : 'pull_bounds_patient',
    text: `
      WITH project_now AS (SELECT seq FROM project WHERE id = $1)
      SELECT
        coalesce((SELECT seq FROM project_now), 0) AS "end",
        (SELECT count(*) FROM change c WHERE ${inScope('(SELECT seq FROM project_now)', patientId === null ? null : '$6')}) AS total,
        (SELECT count(*) FROM crf_version v WHERE v.project_id = $1 AND v.profile = 'formal' AND NOT v.deleted) AS releases,
        ${DURABLE_SEQ} AS durable`,
    values: [...scopeParameters(scope, cursor), ...(patientId === null ? [] : [patientId])],
  })
  // A cursor from before a restore may lie beyond the end; the epoch tells the device to start over.
  return rows[0] ?? { end: 0, total: 0, releases: 0, durable: 0 }
}

interface Next {
  readonly scope: Scope
  readonly asked: Asked
  readonly end: number
  readonly after: Change | null
}

/** The parameters that `inScope` numbers itself. */
const IN_SCOPE: Leading<Next> = { count: 5, read: ({ scope, asked }) => scopeParameters(scope, asked.cursor) }

const nextOf = (name: string, patient: ((next: Next) => string | null | undefined) | null) =>
  prepare<Next>(
    name,
    (parameter) => {
      const seq = parameter(({ after }) => after?.seq ?? null)
      const place = `${seq}, ${parameter(({ after }) => after?.kind ?? null)}, ${parameter(({ after }) => after?.id ?? null)}::uuid`
      const end = parameter((next) => next.end)
      return `
      SELECT c.kind, c.row_id AS id, c.seq FROM change c
      WHERE ${inScope(end, patient === null ? null : parameter(patient))}
        AND (${seq}::bigint IS NULL OR (c.seq, c.kind, c.row_id) > (${place}))
      ORDER BY c.seq, c.kind, c.row_id LIMIT ${BATCH}`
    },
    IN_SCOPE,
  )

const NEXT = nextOf('pull_changes', null)
const NEXT_OF_PATIENT = nextOf('pull_changes_patient', ({ asked }) => asked.patientId)

async function nextChanges(
  connection: Queryable,
  scope: Scope,
  asked: Asked,
  end: number,
  after: Change | null,
): Promise<readonly Change[]> {
  const next = (asked.patientId ?? null) === null ? NEXT : NEXT_OF_PATIENT
  const { rows } = await connection.query<Change>(next({ scope, asked, end, after }))
  return rows
}

/**
 * The rows as they are now and as the member may see them, by `kind/id`. A row that is missing here is not for the
 * member to see.
 */
async function rowsOf(connection: Queryable, member: Membership, changes: readonly Change[]): Promise<Lines['rows']> {
  const found = new Map<string, JsonValue | RowText>()
  for (const kind of new Set(changes.map((change) => change.kind))) {
    const ids = changes.flatMap((change) => (change.kind === kind ? [change.id] : []))
    if (kind === 'entry' && member.sensitive && seesAllPatients(member)) {
      for (const [id, text] of await loadEntryTexts(connection, member, ids))
        found.set(`${kind}/${id}`, new RowText(text))
      continue
    }
    for (const row of await loadRows(connection, member, kind, ids)) found.set(`${kind}/${row.id}`, asJson(row))
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
      // A device enters data under releases only; drafts and test versions are worked on online.
      return (await oneByOne(ids, (id) => loadVersionRow(connection, member, id))).filter(
        (row) => row.crfProfile === 'formal',
      )
    case 'inbox':
      return loadInboxRows(connection, member, ids)
    case 'patient':
      return loadPatientRows(connection, member, ids)
    case 'visit':
      return loadVisitRows(connection, member, ids)
    case 'entry':
      return ownRows(connection, member, await loadEntryRows(connection, member, ids), (row) => row.patientId)
    case 'query':
      return loadQueryRows(connection, member, ids)
    case 'conflict': {
      const rows = await loadConflictRows(connection, member, ids)
      if (seesAllPatients(member)) return rows
      const entries = await loadEntryRows(
        connection,
        member,
        rows.map(({ entryId }) => entryId),
      )
      const patients = new Map(entries.map((entry) => [entry.id, entry.patientId]))
      return ownRows(connection, member, rows, (row) => patients.get(row.entryId) ?? '')
    }
  }
}

/** A filter for members who do not see all patients: only rows of the patients that they see. */
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

async function oneByOne<Row>(
  ids: readonly string[],
  load: (id: string) => Promise<Row | null>,
): Promise<readonly Row[]> {
  const rows: (Row | null)[] = []
  for (const id of ids) rows.push(await load(id))
  return present(rows)
}

function present<Row>(rows: readonly (Row | null)[]): readonly Row[] {
  return rows.flatMap((row) => (row === null ? [] : [row]))
}
