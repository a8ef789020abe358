import { ApiFailure, fail } from '#core/api/errors.ts'
import type { SaveResult } from '#core/api/calls/entry.ts'
import type { EntryRow } from '#core/api/sync/rows.ts'
import { FIRST_REPEAT } from '#core/derivedIds.ts'
import type { CompiledPage } from '#core/form/compiled/compile.ts'
import { NO_OTHER_PAGES } from '#core/form/engine/otherPages.ts'
import { asJson } from '#core/json.ts'
import { mergeEntry } from '#core/sync/merge.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import { membership, seesAllPatients, seesCenter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { saveResult } from '#server/areas/entry/answer.ts'
import { hasOpenConflict } from '#server/areas/entry/disputes/conflicts.ts'
import { isRefusedWithoutReason } from '#server/areas/entry/disputes/reasons.ts'
import { isCrossing } from '#server/areas/entry/judgement/crossing.ts'
import { isCalculatedOn, judge } from '#server/areas/entry/judgement/judge.ts'
import { keepsMissing } from '#server/areas/entry/missingFiles.ts'
import type { OpenEntry } from '#server/areas/entry/open.ts'
import { claimPasses, enteredOther } from '#server/areas/entry/passes/authors.ts'
import type { Authorship } from '#server/areas/entry/passes/authors.ts'
import { compiledPage, findPage } from '#server/areas/entry/reading/pages.ts'
import type { DefinedPage } from '#server/areas/entry/reading/pages.ts'
import {
  dataHash,
  lockFreeEntries,
  lockFreePatients,
  makeEntries,
  mergedAmong,
  writeEntries,
} from '#server/areas/entry/store.ts'
import type { EntryAmong, PatientFacts } from '#server/areas/entry/store.ts'
import { placeChange } from '#server/areas/entry/structure.ts'
import { checkTarget } from '#server/areas/entry/target.ts'
import { NO_MIGRATION } from '#server/areas/entry/versions/migratedEntry.ts'
import { compose } from '#server/areas/entry/write.ts'
import type { Composed } from '#server/areas/entry/write.ts'
import { commitSeveral } from '#server/database/commit.ts'
import type { Committed } from '#server/database/commit.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { Actor } from '#server/http/handler.ts'
import { claimKeys } from '#server/http/idempotency.ts'
import type { OperationAnswer, OperationRecord } from '#server/http/idempotency.ts'
import type { Services } from '#server/services.ts'

import type { Act, AnyAct } from './act.ts'
import { recordOf, stampOf } from './act.ts'
import { anyWaiting } from './standing.ts'

/**
 * Saves of several pages in one transaction: what each of them costs the database is then paid once for all. Only the
 * plain case is here, which is nearly all of them: the right is there, nobody else writes the page, no rule reads
 * across pages, nothing was set aside before, nothing collides. Whatever is not plain is not decided here but left to
 * `take`, by itself and as if nothing had been tried.
 */

export type PlainAct = Act<'entry.save'> | Act<'entry.smartSave'>

/** Acts that must be taken by themselves. Thrown, so that nothing of this attempt stays. */
class NotPlain extends Error {
  readonly acts: ReadonlySet<PlainAct>

  constructor(acts: ReadonlySet<PlainAct>) {
    super('not plain')
    this.acts = acts
  }
}

/** How often the rest is tried again after some were found not to be plain. */
const ATTEMPTS = 2

/** Whether an act may be one of several: a save that builds on nothing unsent, by its own author. */
export function mayBePlain(act: AnyAct): act is PlainAct {
  if (act.call !== 'entry.save' && act.call !== 'entry.smartSave') return false
  return (
    act.former === null &&
    act.after.length === 0 &&
    act.carriedBy === null &&
    act.admission === 'usual' &&
    act.body.target.parentEntryId === null &&
    (act.body.confirms ?? []).length === 0
  )
}

/**
 * Takes saves of one project together.
 *
 * @param acts each of another entry and with another key
 * @returns the answers of those that were plain, by key; the others are still to be taken
 */
export async function takeTogether(
  services: Pick<Services, 'pool' | 'log'>,
  acts: readonly PlainAct[],
): Promise<ReadonlyMap<string, OperationAnswer<SaveResult>>> {
  let left = acts.map((act) => ({ act, record: recordOf(act) }))
  for (let attempt = 0; attempt < ATTEMPTS && left.length > 0; attempt += 1) {
    try {
      return await withTransaction(services.pool, (transaction) => write(transaction, left), { retries: 0 })
    } catch (error) {
      if (!(error instanceof NotPlain)) {
        // Taken by itself, each finds out what it is about; the one that has nothing to do with it goes on.
        services.log.debug({ error, call: 'together' }, 'taken one by one')
        break
      }
      left = left.filter(({ act }) => !error.acts.has(act))
    }
  }
  return new Map()
}

interface Booking {
  readonly act: PlainAct
  readonly record: OperationRecord
}

interface Ready {
  readonly booking: Booking
  readonly open: OpenEntry
  readonly composed: Composed
  readonly write: NonNullable<Composed['write']>
  readonly row: EntryRow
  /** Whether its author has entered nothing of the patient yet. */
  readonly isFirst: boolean
}

async function write(
  transaction: Queryable,
  bookings: readonly Booking[],
): Promise<ReadonlyMap<string, OperationAnswer<SaveResult>>> {
  const claimed = await claimKeys(
    transaction,
    bookings.map(({ record }) => record),
  )
  const fresh = bookings.filter(({ record }) => claimed.has(record.key))
  const [first] = fresh
  if (first === undefined) return new Map()
  const { projectId } = first.act
  const ready = await prepare(transaction, projectId, fresh)

  const made = ready.flatMap(({ write: entry, open, booking }) =>
    open.made ? [{ ...entry, centerId: open.place.centerId, target: booking.act.body.target }] : [],
  )
  // Somebody has made one of them meanwhile.
  if (!(await makeEntries(transaction, projectId, made))) throw fail('busy')
  await writeEntries(
    transaction,
    ready.flatMap(({ write: entry, open }) => (open.made ? [] : [entry])),
  )

  // Somebody has entered the other pass of a patient meanwhile.
  if (!(await claimPasses(transaction, firstWrites(ready)))) throw fail('busy')

  const rights = new Set(ready.flatMap(({ open }) => open.standing.member?.projectRights ?? []))
  const [projectRights] = rights
  if (projectRights === undefined || rights.size > 1) throw fail('busy')
  const answerOf = (
    { booking: { record }, composed, row }: Ready,
    committed: Committed,
  ): OperationAnswer<SaveResult> => {
    const { key, payloadHash, receivedAt } = record
    const receipt = { key, outcome: 'applied' as const, reason: null, projectId, ...committed, payloadHash, receivedAt }
    return {
      replayed: false,
      receipt,
      result: saveResult({ ...composed.parts, entry: row, conflicts: [] }, projectId)(receipt),
    }
  }
  const committed = await commitSeveral(transaction, {
    projectId,
    statuses: ['process'],
    under: { projectRights },
    links: ready.map((one) => {
      const { act, record } = one.booking
      const { centerId } = one.open.place
      return {
        stamp: stampOf(act, one.open.standing.member?.role ?? null),
        audit: one.composed.audit,
        changes: [{ kind: 'entry' as const, rowId: act.entityId, centerId, pass: act.pass }],
        answer: {
          key: record.key,
          outcome: 'applied' as const,
          centerId,
          result: asJson(answerOf(one, NOWHERE).result),
        },
      }
    }),
  })
  return new Map(ready.map((one, at) => [one.booking.act.key, answerOf(one, committed[at] ?? NOWHERE)]))
}

/** Authors who write to a patient for the first time, each once. */
function firstWrites(ready: readonly Ready[]): readonly Authorship[] {
  const claims = new Map<string, Authorship>()
  for (const {
    isFirst,
    booking: { act },
  } of ready) {
    const { patientId, pass } = act.body.target
    if (isFirst) claims.set(`${patientId} ${act.author.userId}`, { patientId, userId: act.author.userId, pass })
  }
  return [...claims.values()]
}

/** Stands in a result until its place is known. */
const NOWHERE: Committed = { seq: 0, head: '' }

/**
 * Looks at everything that decides whether the acts are plain, and works out what each makes of its entry. @throws
 * NotPlain
 */
async function prepare(
  transaction: Queryable,
  projectId: string,
  bookings: readonly Booking[],
): Promise<readonly Ready[]> {
  const acts = bookings.map(({ act }) => act)
  const members = await membersOf(transaction, projectId, acts)
  const patientIds = [...new Set(acts.map(({ body }) => body.target.patientId))]
  const entryIds = acts.map(({ entityId }) => entityId)
  if (await anyWaiting(transaction, projectId, [...patientIds, ...entryIds])) throw new NotPlain(new Set(acts))
  const patients = new Map(
    (await lockFreePatients(transaction, projectId, patientIds)).map((patient) => [patient.id, patient]),
  )
  const merged = await mergedAmong(
    transaction,
    acts.filter(({ pass }) => pass === 2).map(({ body }) => body.target.patientId),
  )
  const entries = new Map((await lockFreeEntries(transaction, projectId, entryIds)).map((entry) => [entry.id, entry]))
  const ready: Ready[] = []
  const others = new Set<PlainAct>()
  for (const booking of bookings) {
    const { act } = booking
    const facts = {
      member: members.get(act.author.userId) ?? null,
      patient: patients.get(act.body.target.patientId),
      entry: entries.get(act.entityId),
    }
    const ended = act.pass === 2 && merged.has(act.body.target.patientId)
    const one = ended ? null : await prepareOne(transaction, booking, facts)
    if (one === null) others.add(act)
    else ready.push(one)
  }
  if (others.size > 0) throw new NotPlain(others)
  return ready
}

/** What the authors are in the project; null where they are nothing in it. */
async function membersOf(
  transaction: Queryable,
  projectId: string,
  acts: readonly PlainAct[],
): Promise<ReadonlyMap<string, Membership | null>> {
  const members = new Map<string, Membership | null>()
  for (const { author } of acts) {
    if (!members.has(author.userId)) members.set(author.userId, await membershipOrNull(transaction, author, projectId))
  }
  return members
}

async function membershipOrNull(transaction: Queryable, author: Actor, projectId: string): Promise<Membership | null> {
  try {
    return await membership(transaction, author, projectId)
  } catch (error) {
    if (error instanceof ApiFailure) return null
    throw error
  }
}

interface Facts {
  readonly member: Membership | null
  readonly patient: PatientFacts | undefined
  readonly entry: EntryAmong | undefined
}

/** Null where the act is not plain. */
async function prepareOne(
  transaction: Queryable,
  booking: Booking,
  { member, patient, entry }: Facts,
): Promise<Ready | null> {
  const { act } = booking
  if (member === null || patient === undefined || !mayWrite(member, act, patient)) return null
  if (entry !== undefined && (!entry.free || entry.control !== 'open' || entry.deleted)) return null
  const page = await pageOf(transaction, act)
  if (page === null || (entry !== undefined && entry.versionId !== page.versionId)) return null
  // What was entered under another release than the patient's has to be mapped, as has what builds on what a migration
  // has just changed.
  if (
    (patient.migratedTo !== null && patient.migratedTo !== page.versionId) ||
    (entry !== undefined && entry.migratedRev === entry.rev)
  )
    return null
  if (await isCrossing(transaction, page)) return null
  const compiled = await compiledPage(transaction, page)
  // Whose rules are asked for and whose values must be unique is compared with what others are writing.
  if ((act.call !== 'entry.save' || entry?.status === SUBMITTED) && compiled.page.fields.some(({ unique }) => unique))
    return null
  const placed = await plainChange(act, compiled)
  if (placed === null) return null
  const stored = entry ?? makeEmptyEntry(act, page)
  if (keepsMissing(stored, placed.items)) return null
  const open: OpenEntry = {
    standing: { member, former: null, status: 'process', hold: null },
    entry: stored,
    made: entry === undefined,
    place: {
      centerId: patient.centerId,
      patientId: patient.id,
      entryId: act.entityId,
      versionId: page.versionId,
      pass: act.pass,
    },
    compiled,
    own: { versionId: page.versionId, page: compiled.page },
    migration: NO_MIGRATION,
    placed,
    journal: act.body.journal,
    confirms: [],
    crossing: false,
    otherPages: NO_OTHER_PAGES,
    patientDeleted: false,
  }
  const merged = mergeEntry(stored, placed, { isCalculated: isCalculatedOn(compiled), deleted: false })
  if (merged.collisions.length > 0 || merged.misplaced.length > 0 || isRefusedWithoutReason(act, stored, merged))
    return null
  const judgement = judge(compiled, merged.data, act.acted, NO_OTHER_PAGES, stored.confirmed)
  // A rule that failed is noted where an act is taken by itself.
  if (judgement.evaluation.faults.length > 0) return null
  const work = { merged, deleted: false, journal: act.body.journal, audit: [] }
  // Asked now that the entry is locked: what was read with the lock may be from before another's commit.
  const waits = stored.status === SUBMITTED && (await hasOpenConflict(transaction, stored.id))
  const composed = compose(act, open, work, { judgement, conflicts: [], waits, submitted: null })
  if (composed.write === null) return null
  const isFirst = patient.authors[act.author.userId] === undefined
  return {
    booking,
    open,
    composed,
    write: composed.write,
    row: rowAfter(act, open, composed.write, entry?.conflicts ?? 0),
    isFirst,
  }
}

function mayWrite(member: Membership, act: PlainAct, patient: PatientFacts): boolean {
  if (!member.permissions.has('database_submit_page') || member.pass !== act.pass || member.projectStatus !== 'process')
    return false
  // Without the right to what identifies, the answer would have to be masked.
  if (!member.sensitive || patient.deleted || !seesCenter(member, patient.centerId)) return false
  if (enteredOther(patient.authors, act.author.userId, act.pass)) return false
  // Whether a patient is assigned to somebody is looked up where an act is taken by itself.
  return seesAllPatients(member) || (member.dataScope === 'self' && patient.createdBy === act.author.userId)
}

async function pageOf(transaction: Queryable, act: PlainAct): Promise<DefinedPage | null> {
  const { target } = act.body
  if (act.crfVersionId === null || target.folderRepeat !== FIRST_REPEAT || !meansItsEntry(act)) return null
  const page = await findPage(transaction, act.projectId, { versionId: act.crfVersionId, ...target })
  if (page === null || page.profile !== 'formal') return null
  return page.repeatable || target.pageRepeat === FIRST_REPEAT ? page : null
}

function meansItsEntry(act: PlainAct): boolean {
  try {
    checkTarget(act, act.body.target)
    return true
  } catch (error) {
    if (error instanceof ApiFailure) return false
    throw error
  }
}

/** The change in its place; null where anything of it has none on this page. */
async function plainChange(act: PlainAct, { page }: CompiledPage) {
  const { placed, problems } = await placeChange(act.body, { own: page, target: page, others: async () => [] })
  return problems.length === 0 && placed.retired.length === 0 ? placed : null
}

/** An entry in which nothing stands yet. */
function makeEmptyEntry(act: PlainAct, { versionId }: DefinedPage): OpenEntry['entry'] {
  const { entityId: id, author } = act
  const nothing = {
    values: {},
    missing: {},
    hidden: [],
    progress: null,
    retired: {},
    submittedOnce: false,
    unexplained: [],
    confirmed: [],
    migratedRev: null,
  }
  return {
    id,
    versionId,
    status: 'init',
    control: 'open',
    rev: 0,
    ...nothing,
    deleted: false,
    updatedBy: author.userId,
  }
}

/** The entry's row as it goes out, after the write. */
function rowAfter(
  act: PlainAct,
  { entry, place }: OpenEntry,
  write: NonNullable<Composed['write']>,
  conflicts: number,
): EntryRow {
  const { folderId, folderRepeat, pageId, pageRepeat, parentEntryId } = act.body.target
  return {
    id: entry.id,
    patientId: place.patientId,
    centerId: place.centerId,
    folderId,
    folderRepeat,
    pageId,
    pageRepeat,
    parentEntryId,
    pass: act.pass,
    versionId: write.versionId,
    status: write.status,
    submittedOnce: entry.submittedOnce,
    unexplained: [...(write.unexplained ?? entry.unexplained)],
    confirmed: [...(write.confirmed ?? entry.confirmed)],
    rev: entry.rev + 1,
    values: { ...write.data.values },
    missing: { ...write.data.missing },
    // As it is stored; it was written by this server alone.
    retired: { ...write.retired } as NonNullable<EntryRow['retired']>,
    progress: write.progress,
    hidden: [...write.hidden],
    dataHash: dataHash(write.data),
    deleted: write.deleted,
    conflicts,
    // Only those who may see whom it is about come here.
    masked: false,
    updatedBy: act.author.userId,
    updatedByName: act.author.realName,
    updatedAt: act.receivedAt,
  }
}
