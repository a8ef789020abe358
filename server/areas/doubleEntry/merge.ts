import type { GapCheck } from '#core/api/calls/review/double.ts'
import { fail } from '#core/api/errors.ts'
import type { FieldError } from '#core/api/errors.ts'
import { isMaskedContent } from '#core/form/definition/mask.ts'
import { ADJUDICATED, changeOf, changeOfDeleted, isDecidable, upheldBy } from '#core/review/adjudication.ts'
import type { Decided, GapDecision } from '#core/review/adjudication.ts'
import { mayDoWithSecondPass } from '#core/review/doubleEntry.ts'
import { nowAt } from '#core/study/migration/migrateChange.ts'
import type { EntryStatus } from '#core/sync/entryMark.ts'
import { mergeEntry } from '#core/sync/merge.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import { reasonKey } from '#core/sync/reasons.ts'
import { ROW_STEP } from '#core/sync/rowStep.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import { membership, requirePermission } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { talliesOf } from '#server/areas/doubleEntry/agreement.ts'
import { refuseAuthors } from '#server/areas/entry/passes/authors.ts'
import { comparePatient, gapCheckOf, gapId, hiddenFrom, ignoredAs } from '#server/areas/doubleEntry/compare.ts'
import type { ComparedPage, ComparedPatient } from '#server/areas/doubleEntry/compare.ts'
import { adoptFiles } from '#server/areas/doubleEntry/files.ts'
import { itemAuthors } from '#server/areas/doubleEntry/itemAuthors.ts'
import { lockPass, patientOf, setSecondPass } from '#server/areas/doubleEntry/store.ts'
import { ruleErrors } from '#server/areas/entry/answer.ts'
import type { EntryPlace } from '#server/areas/entry/book.ts'
import { changeRows } from '#server/areas/entry/book.ts'
import { hasOpenConflict } from '#server/areas/entry/disputes/conflicts.ts'
import { readOtherPages, isCrossing, lockCrossing } from '#server/areas/entry/judgement/crossing.ts'
import { isCalculatedOn, judge } from '#server/areas/entry/judgement/judge.ts'
import type { Judgement } from '#server/areas/entry/judgement/judge.ts'
import { bringEntry } from '#server/areas/entry/versions/migratedEntry.ts'
import { pageSteps } from '#server/areas/entry/versions/migrationSteps.ts'
import type { PageStep } from '#server/areas/entry/versions/migrationSteps.ts'
import { bookReasons } from '#server/areas/entry/disputes/reasons.ts'
import {
  NOTHING_BOOKED,
  noteRuleQueries,
  planRuleQueries,
  writePagesQueries,
} from '#server/areas/entry/queries/ruleQueries.ts'
import type { BookedQueries, PageQueries, RuleQueries } from '#server/areas/entry/queries/ruleQueries.ts'
import { NOTHING_RECALCULATED, recalculateReaders } from '#server/areas/entry/judgement/recalculate.ts'
import { dataHash, lockEntry, makeEntry, writeEntries } from '#server/areas/entry/store.ts'
import type { StoredEntry } from '#server/areas/entry/store.ts'
import { commitForMember } from '#server/database/commit.ts'
import type { NewChange } from '#server/database/commit.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { CallContext } from '#server/http/handler.ts'
import { runOnce } from '#server/http/runOnce.ts'

type MergeContext = CallContext<'double.merge'> & { readonly projectId: string }

/** Audit rows and changed rows of a write, and what checks ask and end with it. */
interface Written {
  readonly audit: readonly NewAuditRow[]
  readonly changes: readonly NewChange[]
  readonly queries: readonly PageQueries[]
  /** What ended because a release took its field away before the pages were merged. */
  readonly ended: BookedQueries
}

/**
 * Writes the decisions into the first pass, in one transaction with all audit rows, and ends the second pass. The
 * pages of the second pass are kept, locked, as they were entered. Every gap must be decided or accepted, and nothing
 * may have changed since the person looked.
 */
export async function mergePasses(context: MergeContext): Promise<GapCheck> {
  const { actor, body, projectId } = context
  // The answer compares both passes. So a person who has entered one of them since, or no longer sees the patient, does
  // not get it again.
  const mayReadAgain = async (transaction: Queryable, member: Membership): Promise<void> => {
    const patient = await patientOf(transaction, member, body.patientId)
    await refuseAuthors(transaction, actor.userId, patient.id)
  }
  return runOnce(context, { projectId, entityId: body.patientId, mayReadAgain }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'double_merge')
    const patient = await patientOf(transaction, member, body.patientId)
    await refuseAuthors(transaction, actor.userId, patient.id)
    await lockCrossing(transaction, { patientId: patient.id, pass: 1 })
    const compared = await comparePatient(transaction, projectId, patient.id, true)
    if (!mayDoWithSecondPass(compared.state, 'merge')) throw fail('transition_refused')
    if ((await gapCheckOf(transaction, member, compared)).compared !== body.compared) throw fail('revision_changed')
    await refuseConflicts(transaction, compared)
    const decided = decisionsOf(compared, body.choices, await hiddenFrom(transaction, member, compared))

    const written: Written[] = []
    for (const page of compared.pages)
      written.push(await writeDecided(transaction, context, patient.centerId, page, decided.get(page) ?? []))
    const ended = compared.secondPass.map(({ id }) => id)
    await lockPass(transaction, ended)
    const authors = await itemAuthors(transaction, projectId, compared.pages)
    const tallies = talliesOf(compared.pages, authors)
    await setSecondPass(transaction, {
      patientId: patient.id,
      projectId,
      state: 'merged',
      by: actor.userId,
      at: context.services.now(),
      agreement: JSON.stringify(tallies),
    })
    const at = context.services.now()
    const asked = await writePagesQueries(
      transaction,
      written.flatMap((page) => page.queries),
      { projectId, receivedAt: at, actedAt: context.acted.at },
    )
    const queries = {
      audit: [...written.flatMap(({ ended: { audit } }) => audit), ...asked.audit],
      changes: [...written.flatMap(({ ended: { changes } }) => changes), ...asked.changes],
    }
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: ['process'],
      audit: [
        {
          action: 'double.merge',
          centerId: patient.centerId,
          patientId: patient.id,
          old: 'open',
          new: { state: 'merged', decided: body.choices.length, agreement: { ...tallies.total } },
        },
        ...written.flatMap(({ audit }) => audit),
        ...queries.audit,
      ],
      changes: [
        { kind: 'patient', rowId: patient.id, centerId: patient.centerId, pass: null },
        ...ended.map((rowId) => ({ kind: 'entry' as const, rowId, centerId: patient.centerId, pass: 2 as const })),
        ...written.flatMap(({ changes }) => changes),
        ...queries.changes,
      ],
    })
    await noteRuleQueries(transaction, { projectId, receivedAt: at, author: actor }, patient.id, queries)
    return {
      committed,
      result: await gapCheckOf(transaction, member, await comparePatient(transaction, projectId, patient.id)),
    }
  })
}

/**
 * A conflict on a page of the second pass that is not compared refuses the merge too. While it is undecided whether
 * that page is deleted, nobody knows what there is to compare.
 *
 * @throws ApiFailure invalid where two people's values for one item still wait for a decision
 */
async function refuseConflicts(transaction: Queryable, { pages, secondPass }: ComparedPatient): Promise<void> {
  const compared = pages.flatMap(({ first, second, gone }) => [first, second, gone])
  for (const entry of new Set([...compared, ...secondPass])) {
    if (entry !== null && (await hasOpenConflict(transaction, entry.id)))
      throw fail('invalid', { fields: [{ path: `entry.${entry.id}`, code: 'conflict' }] })
    if (entry !== null && compared.includes(entry) && entry.control !== 'open') throw fail(entry.control)
  }
}

/**
 * @param hides the gaps that the merging person sees masked: the mask is no value to choose
 * @throws ApiFailure invalid for a gap without a decision, a decision that does not fit, and a decision about no gap
 */
function decisionsOf(
  patient: ComparedPatient,
  choices: MergeContext['body']['choices'],
  hides: Awaited<ReturnType<typeof hiddenFrom>>,
): ReadonlyMap<ComparedPage, readonly Decided[]> {
  const problems: FieldError[] = []
  const byId = new Map(choices.map((choice) => [choice.id, choice]))
  const decided = new Map<ComparedPage, Decided[]>()
  for (const page of patient.pages) {
    for (const gap of page.comparison.gaps) {
      const id = gapId(page, gap)
      const choice = byId.get(id)
      byId.delete(id)
      if (choice === undefined) {
        if (ignoredAs(patient, page, gap) === null) problems.push({ path: id, code: 'undecided' })
        continue
      }
      const decision = decisionOf(choice)
      if (decision === null || !isDecidable({ gap, decision })) problems.push({ path: id, code: 'not_a_decision' })
      else if (decision.choose === 'new' && hides(page, gap) && isMaskedContent(decision.to))
        problems.push({ path: id, code: 'mask' })
      else decided.set(page, [...(decided.get(page) ?? []), { gap, decision }])
    }
  }
  for (const id of byId.keys()) problems.push({ path: id, code: 'no_gap' })
  if (problems.length > 0) throw fail('invalid', { fields: problems.slice(0, 100) })
  return decided
}

function decisionOf({ choose, to, reason }: MergeContext['body']['choices'][number]): GapDecision | null {
  if (choose !== 'new') return { choose }
  return to === undefined || reason === undefined ? null : { choose, to, reason }
}

/** Writes the decisions about a page into its first pass. */
async function writeDecided(
  transaction: Queryable,
  context: MergeContext,
  centerId: string,
  compared: ComparedPage,
  decided: readonly Decided[],
): Promise<Written> {
  const { target, firstId, first, second, gone, data, page, compiled } = compared
  const { projectId, actor, acted, services } = context
  const decision = changeOf(decided, data.first, data.second)
  const taken = { rows: decision.rows, items: await adoptFiles(transaction, decision.items, compared) }
  const differs = taken.items.length > 0 || taken.rows.length > 0
  // The second pass may have been migrated to a release before the first. They are merged in the later version.
  const stood = first ?? gone
  const steps = stood === null ? [] : await pageSteps(transaction, projectId, stood.versionId, page.versionId, page)
  const upheld = upheldBy(decided, data.first)
  if (!differs && !answersListed(first, upheld, steps))
    return { audit: [], changes: [], queries: [], ended: NOTHING_BOOKED }
  const at = services.now()
  const { made, before, place, entry, migration } = await openFirst(transaction, context, centerId, compared, {
    isThere: stood !== null,
    steps,
    at,
  })
  const change = entry.deleted ? changeOfDeleted(compiled.page, entry, taken) : taken
  const merged = mergeEntry(entry, change, { isCalculated: isCalculatedOn(compiled), seesRows: true })
  if (merged.collisions.length > 0 || merged.misplaced.length > 0) throw fail('revision_changed')
  const judgement = judge(compiled, merged.data, acted, await readOtherPages(transaction, page, target))
  // A page that both passes submitted and that is sound after the merge stays submitted. Any other has to be submitted
  // again.
  const wasSubmitted = [first, second].every((one) => one?.status === SUBMITTED)
  const changes = differs || judgement.calculated.length > 0
  const decidedStatus =
    wasSubmitted && Object.keys(ruleErrors(judgement, context.language, true)).length === 0 ? SUBMITTED : 'process'
  const status = changes ? decidedStatus : entry.status
  // The decision itself is the reason for the value; nobody else is asked for one.
  const reasons = bookReasons(
    { author: actor, acted },
    place,
    entry,
    { items: [...change.items, ...upheld.items], rows: [...change.rows, ...upheld.rows] },
    merged,
  )
  const marks = await writeEntries(transaction, [
    {
      id: firstId,
      versionId: page.versionId,
      status,
      data: judgement.data,
      hidden: judgement.hidden,
      progress: judgement.progress,
      retired: entry.retired,
      deleted: false,
      userId: actor.userId,
      at,
      submittedHash: changes && status === SUBMITTED ? dataHash(judgement.data) : null,
      unexplained: reasons.unexplained,
      confirmed: entry.confirmed,
    },
  ])
  const cause = { projectId, acted, author: actor, receivedAt: at }
  const readers = (await isCrossing(transaction, page))
    ? await recalculateReaders(transaction, cause, place, target)
    : NOTHING_RECALCULATED
  return {
    audit: [
      ...(made ? [{ ...place, action: 'entry.create' }] : []),
      ...migration.audit,
      ...(before.deleted ? [restoredRow(place, before.rev)] : []),
      ...changeRows(place, [], merged, judgement.calculated),
      ...(marks.get(firstId) ?? []),
      ...reasons.audit,
      ...(entry.status === status ? [] : [{ ...place, action: 'entry.status', old: entry.status, new: status }]),
      ...readers.audit,
    ],
    changes: [{ kind: 'entry', rowId: firstId, centerId, pass: 1 }, ...migration.queries.changes, ...readers.changes],
    ended: migration.queries.ended,
    queries: [{ target, place, queries: await queriesOn(transaction, entry, judgement, status) }, ...readers.queries],
  }
}

/** What the checks of a merged page ask and end. */
function queriesOn(
  transaction: Queryable,
  { id: entryId, hasQueries, submittedOnce }: StoredEntry,
  judgement: Judgement,
  status: EntryStatus,
): Promise<RuleQueries> {
  const asks = submittedOnce || status === SUBMITTED
  return planRuleQueries(transaction, { entryId, judgement, deleted: false, hasQueries, asks })
}

/** Whether an upheld value still needs a reason, by the places of the merge's version. */
function answersListed(
  first: ComparedPage['first'],
  upheld: ReturnType<typeof upheldBy>,
  steps: readonly PageStep[],
): boolean {
  const listed = new Set(
    first?.unexplained.map((one) => reasonKey(steps.reduce<ItemPlace>((place, { plan }) => nowAt(plan, place), one))),
  )
  const rows = upheld.rows.map(({ table, rid }) => ({ table, rid, code: ROW_STEP }))
  return [...upheld.items, ...rows].some((place) => listed.has(reasonKey(place)))
}

/**
 * The entry of the first pass. It is made if it does not exist, and migrated to the version in which both are merged.
 */
async function openFirst(
  transaction: Queryable,
  { projectId, actor, key }: MergeContext,
  centerId: string,
  { target, firstId, page }: ComparedPage,
  { isThere, steps, at }: { readonly isThere: boolean; readonly steps: readonly PageStep[]; readonly at: string },
) {
  const { versionId } = page
  const made =
    !isThere &&
    (await makeEntry(transaction, { id: firstId, projectId, centerId, target, versionId, userId: actor.userId }))
  const before = await lockEntry(transaction, projectId, firstId)
  if (before === null) throw fail('not_found')
  const place: EntryPlace = { centerId, patientId: target.patientId, entryId: firstId, versionId, pass: 1 }
  const brought = await bringEntry(transaction, before, place, {
    projectId,
    receivedAt: at,
    steps,
    by: { userId: actor.userId, at, opKey: key },
  })
  return { made, before, place, ...brought }
}

/** A deleted entry comes back by a merge. */
function restoredRow(place: EntryPlace, rev: number): NewAuditRow {
  return {
    ...place,
    action: 'entry.restore',
    old: { deleted: true, rev },
    new: { deleted: false },
    reasonCode: ADJUDICATED.code,
  }
}
