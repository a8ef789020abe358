import type { ItemChange, ItemContent, RowChange } from '#core/sync/entryChange.ts'
import type { LostPlace } from '#core/sync/protocol/lostPlace.ts'
import { DELETED, sameContent } from '#core/sync/merge.ts'
import type { Precedence, ItemPlace } from '#core/sync/merge.ts'
import type { AnyAct } from '#server/operations/act.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * The order of operations that come again after a restore (docs/adr/0036-order-after-restore.md). The server has
 * forgotten part of its history. Devices send that part again, tablet by tablet, and not in the order in which it was
 * done. In the lost history operations were applied one after the other. So the order of two operations on the same
 * item is known.
 */

/** From this protocol on, devices mark every operation from before a restore. */
const SAYS_SO = 5

/** The last writer of what a change is about. */
interface Writer {
  /** Null where nothing was ever written. */
  readonly seq: number | null
  readonly deviceId: string | null
  readonly userId: string | null
  /** Null for an operation that came without a device's outbox. */
  readonly protocol: number | null
  /** The lost place of the writing operation, where it came again itself. */
  readonly epoch: string | null
  readonly lostSeq: number | null
  /** The parts of the writing operation that another person's will stood against. */
  readonly collided: LostPlace['collided'] | null
  /** The epoch that the last restore ended, and the change number up to which the backup goes. */
  readonly lostEpoch: string | null
  readonly restoredSeq: number | null
}

/** SQL columns of a `Writer`, from a row `a` of the audit trail. */
const WRITER = `
  a.seq::integer, a.device_id AS "deviceId", a.user_id AS "userId", o.protocol, r.epoch, r.seq::integer AS "lostSeq", r.collided,
  s.value->>'epoch' AS "lostEpoch", (s.value->'seqs'->>$3)::integer AS "restoredSeq"`

/**
 * A place, and which writers count. `whole`: all writers of anything in the place, as for somebody who deletes it.
 * Otherwise only the last writer of the place itself.
 */
interface Asked extends ItemPlace {
  readonly whole: boolean
}

interface Said extends ItemPlace {
  readonly to: ItemContent
}

/** Stores the lost place of an operation, for the operations that come after it. */
export async function noteLostPlace(transaction: Queryable, { key, lostPlace: lost }: AnyAct): Promise<void> {
  if (lost === null) return
  await transaction.query({
    name: 'resent_put',
    text: 'INSERT INTO resent (op_key, epoch, seq, collided) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    values: [key, lost.epoch, lost.seq, JSON.stringify(lost.collided)],
  })
}

/** The order between what an entry holds and a change of it. Null for a new operation, as nearly all are. */
export async function orderOfChange(
  transaction: Queryable,
  act: AnyAct,
  change: { readonly items: readonly ItemChange[]; readonly rows: readonly RowChange[] },
): Promise<((place: ItemPlace) => Precedence) | null> {
  if (act.lostPlace === null) return null
  const rowsOfItems = change.items.flatMap(({ table, rid }) =>
    rid === null ? [] : [{ table, rid, code: DELETED, whole: false }],
  )
  const asked: readonly Asked[] = [
    { table: null, rid: null, code: DELETED, whole: false },
    ...change.items.map(({ table, rid, code }) => ({ table, rid, code, whole: false })),
    ...rowsOfItems,
    // They come last, so that they win for a row that is both edited and deleted.
    ...change.rows.map(({ table, rid, to }) => ({ table, rid, code: DELETED, whole: to.deleted })),
  ]
  const order = await orders(transaction, act, act.lostPlace, { asked, words: change.items }, null)
  const undecided = await builtOnUndecided(transaction, act, act.lostPlace, change.items)
  return (place) => (undecided.has(keyOf(place)) ? null : order(place))
}

/**
 * The same for an operation that deletes a whole entry. After a restore revisions are counted anew, so they only tell
 * what the person saw of the backup.
 *
 * @param seen whether the person saw at least as many revisions of the entry as there are
 */
export async function orderOfRemoval(transaction: Queryable, act: AnyAct, seen: boolean): Promise<Precedence> {
  if (act.lostPlace === null) return null
  const place = { table: null, rid: null, code: DELETED }
  const order = (
    await orders(
      transaction,
      act,
      act.lostPlace,
      { asked: [{ ...place, whole: true }], words: [] },
      seen ? 'mine' : 'collide',
    )
  )(place)
  return order ?? 'collide'
}

/** The same for a patient's facts, or for what was said about a visit. */
export async function orderOfFacts(
  transaction: Queryable,
  act: AnyAct,
  {
    patientId,
    subject,
    changes,
  }: {
    readonly patientId: string
    /** Id of the patient or the visit. */
    readonly subject: string
    readonly changes: readonly { readonly field: string; readonly to: string | null }[]
  },
): Promise<(field: string) => Precedence> {
  const { lostPlace: lost } = act
  if (lost === null) return () => null
  const { rows } = await transaction.query<Writer & { readonly field: string }>({
    name: 'fact_writers',
    text: `
      SELECT DISTINCT ON (a.prop) a.prop AS field, ${WRITER}
      FROM audit a LEFT JOIN setting s ON s.key = 'restored' LEFT JOIN operation o ON o.key = a.op_key LEFT JOIN resent r ON r.op_key = a.op_key
      WHERE a.patient_id = $1 AND a.prop IS NOT NULL AND CASE
        WHEN $2::uuid = $1 THEN a.action = 'patient.update'
        ELSE a.rid = $2::text AND a.action IN ('visit.update', 'visit.remove', 'visit.restore', 'folder.remove', 'folder.restore', 'folder.order')
      END
      ORDER BY a.prop, a.seq DESC, a.ord DESC`,
    values: [patientId, subject, act.projectId],
  })
  const writers = new Map(rows.map((row) => [row.field, row]))
  const words = changes.map(({ field, to }) => ({
    table: null,
    rid: null,
    code: field,
    to: { value: to, missing: null },
  }))
  const later = await laterPlaces(transaction, act, lost, words)
  const collided = new Set(lost.collided.map(keyOf))
  return (field) => {
    if (collided.has(keyOf({ table: null, rid: null, code: field }))) return 'collide'
    if (later.has(keyOf({ table: null, rid: null, code: field }))) return 'theirs'
    const writer = writers.get(field)
    return writer === undefined ? 'mine' : orderOf(act, lost, writer, null)
  }
}

/**
 * @param words what the act says of items
 * @param ofBackup the order between what the backup holds and an act that was never sent
 */
async function orders(
  transaction: Queryable,
  act: AnyAct,
  lost: LostPlace,
  { asked, words }: { readonly asked: readonly Asked[]; readonly words: readonly Said[] },
  ofBackup: Precedence,
): Promise<(place: ItemPlace) => Precedence> {
  const { rows } = await transaction.query<Writer & { readonly at: number }>({
    name: 'entry_writers',
    text: `
      SELECT c.at, ${WRITER}
      FROM jsonb_to_recordset($2) AS c (at integer, "table" text, rid text, code text, whole boolean)
      LEFT JOIN setting s ON s.key = 'restored'
      LEFT JOIN LATERAL (
        SELECT a.seq, a.op_key, a.device_id, a.user_id FROM audit a
        WHERE a.entry_id = $1 AND CASE
          WHEN c.code <> '${DELETED}' THEN a.action IN ('item.update', 'item.migrate') AND a.prop = c.code
            AND a.table_prop IS NOT DISTINCT FROM c."table" AND a.rid IS NOT DISTINCT FROM c.rid
          WHEN c.rid IS NOT NULL THEN a.table_prop = c."table" AND a.rid = c.rid
            AND (a.action IN ('row.insert', 'row.delete', 'row.restore') OR c.whole AND a.action = 'item.update')
          ELSE a.action IN ('entry.create', 'entry.delete', 'entry.restore') OR c.whole AND a.action IN ('item.update', 'row.insert', 'row.delete', 'row.restore')
        END
        ORDER BY a.seq DESC, a.ord DESC LIMIT CASE WHEN c.whole THEN NULL ELSE 1 END
      ) a ON true
      LEFT JOIN operation o ON o.key = a.op_key
      LEFT JOIN resent r ON r.op_key = a.op_key`,
    values: [act.entityId, JSON.stringify(asked.map((place, at) => ({ at, ...place }))), act.projectId],
  })
  const writers = new Map(asked.map((place, at) => [keyOf(place), rows.filter((writer) => writer.at === at)]))
  const later = await laterPlaces(transaction, act, lost, words)
  const collided = new Set(lost.collided.map(keyOf))
  return (place) => {
    if (collided.has(keyOf(place))) return 'collide'
    if (later.has(keyOf(place))) return 'theirs'
    const found = (writers.get(keyOf(place)) ?? []).map((writer) => {
      const order = orderOf(act, lost, writer, ofBackup)
      // An edit that collided with a deletion undoes the deletion only by a decision.
      return order === 'theirs' &&
        place.code === DELETED &&
        writer.collided?.some((other) => keyOf(other) === keyOf(place)) === true
        ? 'mine'
        : order
    })
    if (found.includes('theirs')) return 'theirs'
    return found.includes('collide')
      ? 'collide'
      : found.length > 0 && found.every((order) => order === 'mine')
        ? 'mine'
        : null
  }
}

/** What an operation here said of a place, where that operation is from before the restore as well. */
interface SaidHere extends ItemPlace {
  /** Null where the operation was not sent before the history was lost. Then only its base tells when it was done. */
  readonly lostSeq: number | null
  readonly base: ItemContent | null
}

/**
 * Places about which somebody has said something here that they had said after the act, in the lost history. That
 * person knew the act. This also holds where they said what the backup holds anyway, and so changed nothing when the
 * operation came again. That an entry or a row stays deleted does not stand against an act that deletes it. An
 * operation that had not been sent yet came after the act where its base is the act's own value.
 *
 * @param words what the act says of items, or of facts
 */
async function laterPlaces(
  transaction: Queryable,
  act: AnyAct,
  lost: LostPlace,
  words: readonly Said[],
): Promise<ReadonlySet<string>> {
  if (lost.seq === null) return new Set()
  const { rows } = await transaction.query<SaidHere>({
    name: 'later_places',
    text: `
      SELECT DISTINCT said."table", said.rid, said.code, said.base, r.seq::integer AS "lostSeq"
      FROM resent r JOIN operation o ON o.key = r.op_key, LATERAL (
        SELECT i->>'table' AS "table", i->>'rid' AS rid, i->>'code' AS code, i->'base' AS base FROM jsonb_path_query(o.body, '$.items[*]') i
        UNION ALL SELECT w->>'table', w->>'rid', '${DELETED}', NULL FROM jsonb_path_query(o.body, '$.rows[*]') w
          WHERE w->'base'->'deleted' IS DISTINCT FROM w->'to'->'deleted'
        UNION ALL SELECT c.table_prop, c.rid, c.prop, NULL FROM conflict c
          WHERE o.call = 'conflict.resolve' AND c.id::text = o.body->>'conflictId' AND NOT (c.prop = '${DELETED}' AND o.body->'to'->'value' = 'true')
        UNION ALL SELECT NULL, NULL, f->>'field', jsonb_build_object('value', f->'base', 'missing', NULL) FROM jsonb_path_query(o.body, '$.fields[*]') f
        UNION ALL SELECT NULL, NULL, CASE o.call WHEN 'visit.remove' THEN 'removed' ELSE 'applies' END, NULL WHERE o.call IN ('visit.remove', 'folder.remove')
      ) said
      WHERE o.project_id = $1 AND o.entity_id = $2 AND r.epoch = $3 AND (r.seq > $4 OR r.seq IS NULL) AND o.outcome IN ('applied', 'conflict')
        AND NOT r.collided @> jsonb_build_array(jsonb_build_object('table', said."table", 'rid', said.rid, 'code', said.code))`,
    values: [act.projectId, act.entityId, lost.epoch, lost.seq],
  })
  const isOver = ({ base, ...place }: SaidHere) =>
    base !== null && words.some((word) => keyOf(word) === keyOf(place) && sameContent(word.to, base))
  return new Set(rows.flatMap((said) => (said.lostSeq !== null || isOver(said) ? [keyOf(said)] : [])))
}

/**
 * For an operation that had not been sent yet: the items that build on a value which this server has and has not
 * applied, because that value waits for a decision or was decided against. Nothing of that value was forgotten. So the
 * bases of these items decide, as they would without the restore.
 */
async function builtOnUndecided(
  transaction: Queryable,
  act: AnyAct,
  lost: LostPlace,
  items: readonly ItemChange[],
): Promise<ReadonlySet<string>> {
  if (lost.seq !== null) return new Set()
  const { rows } = await transaction.query<Said>({
    name: 'entry_undecided',
    text: `
      SELECT said->>'table' AS "table", said->>'rid' AS rid, said->>'code' AS code, said->'to' AS "to"
      FROM operation o JOIN inbox i ON i.op_key = o.key, jsonb_path_query(o.body, '$.items[*]') said
      WHERE o.project_id = $1 AND o.entity_id = $2 AND o.outcome IN ('held', 'inbox') AND i.state <> 'released' AND o.key <> $3
      UNION ALL SELECT table_prop, rid, prop, mine FROM conflict WHERE project_id = $1 AND entry_id = $2`,
    values: [act.projectId, act.entityId, act.key],
  })
  const builds = (item: ItemChange) =>
    rows.some((said) => keyOf(said) === keyOf(item) && sameContent(said.to, item.base))
  return new Set(items.filter(builds).map(keyOf))
}

function orderOf(act: AnyAct, lost: LostPlace, writer: Writer, ofBackup: Precedence): Precedence {
  if (writer.seq === null) return 'mine'
  const sameDevice = writer.deviceId === act.acted.deviceId
  if (writer.epoch !== null) {
    if (writer.epoch !== lost.epoch) return null
    if (writer.lostSeq !== null && lost.seq !== null) return writer.lostSeq < lost.seq ? 'mine' : 'theirs'
    // One of them had not been sent, or was not applied. A device sends what it had not sent after what it had sent.
    // What a person takes up may have waited meanwhile.
    const isSentAfter =
      lost.seq === null &&
      writer.lostSeq !== null &&
      sameDevice &&
      act.admission !== 'resumed' &&
      act.admission !== 'released'
    return isSentAfter ? 'mine' : null
  }
  if (writer.lostEpoch !== lost.epoch || writer.restoredSeq === null) return null
  // Every operation that was sent knew what the backup holds, or had collided with it. One that was never sent may not
  // have known it.
  if (writer.seq <= writer.restoredSeq) return lost.seq === null ? ofBackup : 'mine'
  // Written since the restore. A writer who has said it again themselves has said it later; between two people it is a
  // conflict.
  const isNew = writer.protocol === null || writer.protocol >= SAYS_SO
  return isNew && lost.seq !== null && writer.userId === act.author.userId ? 'theirs' : null
}

function keyOf({ table, rid, code }: ItemPlace): string {
  return `${table ?? ''}.${rid ?? ''}.${code}`
}
