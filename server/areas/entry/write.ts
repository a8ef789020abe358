import type { SaveResult } from '#core/api/calls/entry.ts'
import { fail } from '#core/api/errors.ts'
import { noteConflicts } from '#server/areas/notice/conflicts.ts'
import { saveResult } from '#server/areas/entry/answer.ts'
import type { Composed } from '#server/areas/entry/compose.ts'
import { makeEntries, writeEntries } from '#server/areas/entry/store.ts'
import { commitProject } from '#server/database/commit.ts'
import type { Committed, Link } from '#server/database/commit.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { OperationEffect } from '#server/http/idempotency.ts'
import { stampOf } from '#server/operations/act.ts'

import { putConflicts, closeConflict } from './disputes/conflicts.ts'
import { noteFaults } from './judgement/noteFaults.ts'
import type { Recalculated } from './judgement/recalculate.ts'
import { NOTHING_RECALCULATED, recalculateReaders } from './judgement/recalculate.ts'
import { claimPasses } from './passes/authors.ts'
import type { Authorship } from './passes/authors.ts'
import { NOTHING_BOOKED, noteRuleQueries, writePagesQueries } from './queries/ruleQueries.ts'
import type { BookedQueries } from './queries/ruleQueries.ts'
import { loadConflictRows, loadEntryRows } from './reading/rows.ts'

/** Writes what acts make of entries: the end of every save, of a decided conflict, and of a batch of saves. */

/** The effect of an act without its place in the project, which is known only after the commit. */
interface Written<One extends Composed> {
  readonly one: One
  readonly effect: Omit<OperationEffect<SaveResult>, 'committed'>
  readonly link: Omit<Link, 'answer'>
}

/** The effect of an act. */
interface Done<One extends Composed> {
  readonly one: One
  readonly effect: OperationEffect<SaveResult>
}

/** Project statuses in which entries may be written. */
export const ENTRY_STATUSES = ['process'] as const

/** Writes what one act makes of its entry, and commits it. */
export async function writeWork(transaction: Queryable, composed: Composed): Promise<OperationEffect<SaveResult>> {
  const { act, open } = composed
  const { projectId } = act
  const under = open.standing.member
  const [done] = await writeSeveral(transaction, projectId, [composed], (written) =>
    Promise.all(
      written.map(({ link }) => commitProject(transaction, { projectId, statuses: ENTRY_STATUSES, under, ...link })),
    ),
  )
  if (done === undefined) throw fail('internal')
  return done.effect
}

/**
 * Writes what acts of one project make of their entries, each of another entry.
 *
 * @param commit gives each act its place in the project, in their order
 * @throws ApiFailure busy where somebody has just made one of the entries, or entered the other pass of a patient:
 *   the next try may have another result
 */
export async function writeSeveral<One extends Composed>(
  transaction: Queryable,
  projectId: string,
  several: readonly One[],
  commit: (written: readonly Written<One>[]) => Promise<readonly Committed[]>,
): Promise<readonly Done<One>[]> {
  const made = several.flatMap(({ write, open: { hasRow, place }, act }) =>
    write === null || hasRow ? [] : [{ ...write, centerId: place.centerId, target: act.body.target }],
  )
  if (!(await makeEntries(transaction, projectId, made))) throw fail('busy')
  if (!(await claimPasses(transaction, firstWrites(several)))) throw fail('busy')
  const changed = several.flatMap(({ write, open }) => (write !== null && open.hasRow ? [write] : []))
  const marks = await writeEntries(transaction, changed)
  const readers = await recalculateAfter(transaction, several)
  for (const one of several) await writeDisputes(transaction, one)
  const rows = await loadRowsAfter(transaction, projectId, several)
  const queries = await writeQueries(transaction, several, readers)
  const written = several.map((one) =>
    bookWritten(one, rows(one), {
      marks: marks.get(one.open.entry.id) ?? [],
      readers: readers.get(one) ?? NOTHING_RECALCULATED,
      queries: queries.get(one) ?? NOTHING_BOOKED,
    }),
  )
  const committed = await commit(written)
  for (const { act, open, faults } of several) {
    const page = { projectId, pageId: act.body.target.pageId, at: act.receivedAt }
    await noteFaults(transaction, { ...open.place, ...page }, faults)
  }
  for (const [{ act, open }, booked] of queries) await noteRuleQueries(transaction, act, open.place.patientId, booked)
  for (const one of several) await noteDisputes(transaction, one)
  return written.map(({ one, effect }, at) => {
    const place = committed[at]
    if (place === undefined) throw fail('internal')
    return { one, effect: { ...effect, committed: place } }
  })
}

/** Authors who write to a patient for the first time, each once. */
function firstWrites(several: readonly Composed[]): readonly Authorship[] {
  const claims = several.flatMap(({ open: { firstWrite } }) => (firstWrite === null ? [] : [firstWrite]))
  return [...new Map(claims.map((claim) => [`${claim.patientId} ${claim.userId}`, claim])).values()]
}

/** The effects on pages whose rules read a written page, by the act that wrote it. */
async function recalculateAfter(
  transaction: Queryable,
  several: readonly Composed[],
): Promise<ReadonlyMap<Composed, Recalculated>> {
  const readers = new Map<Composed, Recalculated>()
  for (const one of several) {
    const { act, open, write } = one
    if (write !== null && open.crossing)
      readers.set(one, await recalculateReaders(transaction, act, open.place, act.body.target))
  }
  return readers
}

/** Asks and ends what the acts do, by the act. It takes the project's row: only the commit may follow. */
async function writeQueries(
  transaction: Queryable,
  several: readonly Composed[],
  readers: ReadonlyMap<Composed, Recalculated>,
): Promise<ReadonlyMap<Composed, BookedQueries>> {
  const booked = new Map<Composed, BookedQueries>()
  for (const one of several) {
    const { act, open, queries } = one
    const { projectId, receivedAt, acted } = act
    const own = { target: act.body.target, place: open.place, queries }
    const pages = [own, ...(readers.get(one)?.queries ?? [])]
    const { audit, changes } = await writePagesQueries(transaction, pages, {
      projectId,
      receivedAt,
      actedAt: acted.at,
    })
    // What ended because a release took its field away, ended before.
    const { ended } = open.migration.queries
    booked.set(one, { audit: [...ended.audit, ...audit], changes: [...ended.changes, ...changes] })
  }
  return booked
}

/** Stores new conflicts, and ends the one that the act decides. */
async function writeDisputes(transaction: Queryable, { act, open, conflicts, decides }: Composed): Promise<void> {
  const [by, at, opKey] = [act.author.userId, act.acted.at, act.key]
  const common = { projectId: act.projectId, entryId: open.entry.id, mineBy: by, mineAt: at, opKey }
  await putConflicts(transaction, common, conflicts)
  if (decides !== null) await closeConflict(transaction, decides.conflictId, { ...decides, by, at, opKey })
}

/** Tells people of conflicts that an act opened, and that what it decided is over. After the commit. */
async function noteDisputes(transaction: Queryable, { act, open, conflicts, decides }: Composed): Promise<void> {
  if (conflicts.length === 0 && decides === null) return
  const { projectId, receivedAt: at, author } = act
  const entryIds = conflicts.length === 0 ? [] : [open.entry.id]
  await noteConflicts(transaction, { projectId, patientId: open.place.patientId, entryIds, by: author.userId, at })
}

/** The conflicts that an act opens, asks again or decides. */
function conflictIdsOf({ conflicts, decides }: Composed): readonly string[] {
  return [...(decides === null ? [] : [decides.conflictId]), ...conflicts.map(({ id }) => id)]
}

type Rows = Pick<SaveResult, 'entry' | 'conflicts'>

/** The entries and their conflicts after the write, as the author of each act may see them. */
async function loadRowsAfter(
  transaction: Queryable,
  projectId: string,
  several: readonly Composed[],
): Promise<(composed: Composed) => Rows> {
  const rows = new Map<Composed, Rows>()
  for (const [sensitive, seen] of Map.groupBy(several, ({ open }) => open.standing.member?.sensitive ?? false)) {
    const reader = { projectId, sensitive }
    const ids = seen.map(({ open }) => open.entry.id)
    const entries = new Map((await loadEntryRows(transaction, reader, ids)).map((row) => [row.id, row]))
    const conflicts = await loadConflictRows(transaction, reader, seen.flatMap(conflictIdsOf))
    for (const one of seen) {
      const own = new Set(conflictIdsOf(one))
      rows.set(one, {
        entry: entries.get(one.open.entry.id) ?? null,
        conflicts: conflicts.filter(({ id }) => own.has(id)),
      })
    }
  }
  return (composed) => rows.get(composed) ?? { entry: null, conflicts: [] }
}

/** What follows the write of an entry. */
interface Followed {
  /** About marks of what was verified and has changed. */
  readonly marks: readonly NewAuditRow[]
  readonly readers: Recalculated
  readonly queries: BookedQueries
}

/** The booking of an act, and its answer. */
function bookWritten<One extends Composed>(one: One, rows: Rows, { marks, readers, queries }: Followed): Written<One> {
  const { act, open, write, audit, parts, conflicts } = one
  const { centerId } = open.place
  const conflictIds = conflictIdsOf(one)
  const isChanged = write !== null || conflictIds.length > 0
  const ownChange = { kind: 'entry' as const, rowId: open.entry.id, centerId, pass: act.pass }
  const conflictChanges = [...conflictIds, ...open.migration.conflicts].map((rowId) => ({
    kind: 'conflict' as const,
    rowId,
    centerId,
    pass: act.pass,
  }))
  return {
    one,
    effect: {
      outcome: conflicts.length > 0 ? 'conflict' : 'applied',
      reason: null,
      centerId,
      result: saveResult({ ...parts, ...rows }, act.projectId),
    },
    link: {
      stamp: stampOf(act, open.standing.member?.role ?? null),
      audit: [...audit, ...marks, ...readers.audit, ...queries.audit],
      changes: [
        ...readers.changes,
        ...(isChanged ? [ownChange] : []),
        ...conflictChanges,
        ...open.migration.queries.changes,
        ...queries.changes,
      ],
    },
  }
}
