import type { SaveResult } from '#core/api/calls/entry.ts'
import { fail } from '#core/api/errors.ts'
import type { ConflictResolution } from '#core/sync/conflict.ts'
import { EMPTY_ITEM } from '#core/sync/entryChange.ts'
import type { EntryChange, ItemContent } from '#core/sync/entryChange.ts'
import { contentAt, DELETED, deletion, mergeEntry, rowsOf, sameContent, stateOf } from '#core/sync/merge.ts'
import type { Changes, Collision, EntryTraits, Merged, ItemPlace } from '#core/sync/merge.ts'
import { composeWork } from '#server/areas/entry/compose.ts'
import { isCalculatedOn } from '#server/areas/entry/judgement/judge.ts'
import { openEntry } from '#server/areas/entry/open.ts'
import type { OpenEntry, Wanted } from '#server/areas/entry/open.ts'
import { READ_ALONE } from '#server/areas/entry/saveReads.ts'
import { writeWork } from '#server/areas/entry/write.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { OperationEffect } from '#server/http/idempotency.ts'
import type { Act } from '#server/operations/act.ts'
import { orderOfChange } from '#server/operations/lostPlace.ts'

import { findConflict, versionOfConflict } from './conflicts.ts'
import type { StoredConflict } from './conflicts.ts'
import { answerUnder } from './decisionWords.ts'
import type { Answer, Question } from './decisionWords.ts'

type ResolveAct = Act<'conflict.resolve'>

/**
 * Decides a conflict. The decision is a change of the item that builds on what the person saw, and it is applied like
 * a save. Where the item has changed meanwhile, or somebody else has decided otherwise, the old conflict is over. A
 * new one then stands between the current value and what this person wants.
 *
 * @throws ApiFailure invalid for a conflict that the entry does not have, or for a value that is not the one of the
 *   choice
 */
export async function applyResolution(transaction: Queryable, act: ResolveAct): Promise<OperationEffect<SaveResult>> {
  let question: Question | undefined
  const wantedOf = async (): Promise<Wanted> => {
    const asked = await questionOf(transaction, act)
    question = asked
    return {
      versionId: asked.versionId,
      under: async (page) => readAnswer(await answerUnder(transaction, act, asked, page)),
    }
  }
  const opened = await openEntry(transaction, act, wantedOf, READ_ALONE)
  if ('held' in opened) return opened.held
  const { open } = opened
  // The question as it was when the entry was locked; bringing the entry to a later version has rewritten it since.
  const { conflict, body } = await answerUnder(transaction, act, question ?? (await questionOf(transaction, act)), {
    ...act.body.target,
    versionId: open.place.versionId,
  })
  requireChoice(conflict, body)
  const kept = dropContinued(open, conflict, body)
  const order = await orderOfChange(transaction, act, kept.placed)
  const { merged, deleted } = decide(conflict, body, kept, order)
  const work = {
    merged,
    deleted,
    journal: [],
    verdict: () => Promise.resolve(null),
    audit: decisionRows(conflict, body, kept, deleted),
    decides: body,
  }
  return writeWork(transaction, await composeWork(transaction, act, kept, work, READ_ALONE))
}

async function questionOf(transaction: Queryable, { entityId, body }: ResolveAct): Promise<Question> {
  const conflict = await findConflict(transaction, entityId, body.conflictId)
  if (conflict === null) throw fail('invalid', { fields: [{ path: 'body.conflictId', code: 'unknown_conflict' }] })
  return { conflict, versionId: await versionOfConflict(transaction, conflict.id) }
}

/** The value that the person chose must be one that the conflict offers. */
function requireChoice(conflict: StoredConflict, { choice, seen, to }: ConflictResolution): void {
  const offered = { server: [conflict.server, seen], mine: [conflict.mine], new: [to] }[choice]
  if (!offered.some((content) => sameContent(content, to)))
    throw fail('invalid', { fields: [{ path: 'body.to', code: 'choice' }] })
  if (conflict.code === DELETED && !(isFlag(seen) && isFlag(to)))
    throw fail('invalid', { fields: [{ path: 'body.to.value', code: 'type' }] })
}

function isFlag({ value, missing }: ItemContent): boolean {
  return typeof value === 'boolean' && missing === null
}

/** The decision as a change of the entry. A deletion is no item of the page, so it is decided apart. */
function changeOf({ conflict: { table, rid, code }, body: { target, seen, to, reason } }: Answer): EntryChange {
  const items = code === DELETED ? [] : [{ table, rid, code, to, base: seen, isShow: 1 as const, reason }]
  return { target, items, rows: [], journal: [], seen: null }
}

function readAnswer(answer: Answer): { readonly change: EntryChange; readonly formerVersionId: string | null } {
  return { change: changeOf(answer), formerVersionId: answer.conflict.formerVersionId }
}

/**
 * A value that does not change need not be kept beside the data, where the version has no place for it in the data.
 * Nor need a value of a field that is gone, where somebody else has decided.
 */
function dropContinued(
  open: OpenEntry,
  { state, formerVersionId }: StoredConflict,
  { seen, to }: ConflictResolution,
): OpenEntry {
  const isOver = formerVersionId !== null && state === 'resolved'
  return isOver || sameContent(seen, to) ? { ...open, placed: { ...open.placed, retired: [] } } : open
}

interface Decided {
  readonly merged: Merged
  /** Whether the entry is deleted after the decision. */
  readonly deleted: boolean
}

type OrderOf = EntryTraits['order']

function decide(conflict: StoredConflict, body: ConflictResolution, open: OpenEntry, order: OrderOf): Decided {
  return conflict.code === DELETED
    ? decidedDeletion(conflict, body, open, order)
    : decidedItem(conflict, body, open, order)
}

function decidedItem(conflict: StoredConflict, { seen }: ConflictResolution, open: OpenEntry, order: OrderOf): Decided {
  const { entry, placed } = open
  const { deleted } = entry
  if (conflict.state === 'open') return { merged: merge(open, { items: placed.items, rows: [] }, order), deleted }
  // Somebody else has decided. Their decision is not overwritten, even where the item looks as this person saw it.
  const present = contentAt(entry, conflict) ?? EMPTY_ITEM
  const { items } = merge(open, { items: placed.items.map((item) => ({ ...item, base: present })), rows: [] })
  return {
    merged: leaveEntry(
      open,
      items.map(({ to }) => ({ ...pickPlace(conflict), base: seen, server: present, mine: to })),
    ),
    deleted,
  }
}

function decidedDeletion(
  conflict: StoredConflict,
  { seen, to, reason }: ConflictResolution,
  open: OpenEntry,
  order: OrderOf,
): Decided {
  const { entry, patientDeleted } = open
  const { table, rid } = conflict
  const wanted = to.value === true
  const row =
    table === null ? null : (rowsOf(entry.values[table])?.find((candidate) => candidate['_rid'] === rid) ?? null)
  // The entry's version no longer has the row's table, so the row is beside the data. There is nothing to delete, and
  // nothing to bring back.
  if (table !== null && row === null) return { merged: leaveEntry(open, []), deleted: entry.deleted }
  const present = row === null ? entry.deleted || patientDeleted : stateOf(row).deleted
  if (present === wanted) return { merged: leaveEntry(open, []), deleted: entry.deleted }
  // A deleted patient's pages come back only with the patient. After a restore, what was decided upon may not have come
  // again yet.
  const knows = present === seen.value || order?.({ table, rid, code: DELETED }) === 'mine'
  const builds = conflict.state === 'open' && knows && (row !== null || present === entry.deleted)
  if (!builds) {
    const collision = { ...pickPlace(conflict), base: seen, server: deletion(present), mine: to }
    return { merged: leaveEntry(open, [collision]), deleted: entry.deleted }
  }
  if (row === null || table === null || rid === null) return { merged: leaveEntry(open, []), deleted: wanted }
  const state = stateOf(row)
  const change = { table, rid, to: { ...state, deleted: wanted }, base: state, seen: null, reason }
  return { merged: merge(open, { items: [], rows: [change] }), deleted: entry.deleted }
}

function merge({ entry, compiled, patientDeleted }: OpenEntry, change: Changes, order: OrderOf = null): Merged {
  return mergeEntry(entry, change, {
    isCalculated: isCalculatedOn(compiled),
    deleted: entry.deleted || patientDeleted,
    order,
    seesRows: true,
    decides: true,
  })
}

/** The entry as it stands, and what collides with it. */
function leaveEntry({ entry }: OpenEntry, collisions: readonly Collision[]): Merged {
  return { ...mergeEntry(entry, { items: [], rows: [] }), collisions }
}

function pickPlace({ table, rid, code }: ItemPlace): ItemPlace {
  return { table, rid, code }
}

/**
 * The audit rows of a decision: who decided, between which values and why, and whether the entry was deleted or came
 * back by it.
 */
function decisionRows(
  conflict: StoredConflict,
  { choice, to, reason }: ConflictResolution,
  { entry, place }: OpenEntry,
  deleted: boolean,
): readonly NewAuditRow[] {
  const why = { reasonCode: reason.code, reasonText: reason.text }
  const { table, rid, code, server, mine, formerVersionId } = conflict
  return [
    {
      ...place,
      versionId: formerVersionId ?? place.versionId,
      action: 'conflict.resolve',
      table,
      rid,
      prop: code,
      old: { server, mine },
      new: { choice, to },
      ...why,
    },
    ...(deleted === entry.deleted
      ? []
      : [
          {
            ...place,
            action: deleted ? 'entry.delete' : 'entry.restore',
            old: { deleted: entry.deleted, rev: entry.rev },
            new: { deleted },
            ...why,
          },
        ]),
  ]
}
