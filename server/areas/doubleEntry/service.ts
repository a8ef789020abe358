import { fail } from '#core/api/errors.ts'
import { FIRST_REPEAT } from '#core/derivedIds.ts'
import { mayDoWithSecondPass } from '#core/review/doubleEntry.ts'
import { EMPTY_ITEM } from '#core/sync/entryChange.ts'
import { DELETED, deletion, EMPTY_ENTRY, sameContent } from '#core/sync/merge.ts'
import { membership, requirePermission } from '#server/access.ts'
import { refuseAuthors } from '#server/areas/entry/passes/authors.ts'
import { comparePatient, fingerprint, gapId } from '#server/areas/doubleEntry/compare.ts'
import {
  ignoreGap,
  openIgnoredGap,
  patientOf,
  secondPassState,
  setSecondPass,
} from '#server/areas/doubleEntry/store.ts'
import { noteConflicts } from '#server/areas/notice/conflicts.ts'
import { lockOpenConflicts, closeConflict } from '#server/areas/entry/disputes/conflicts.ts'
import type { EntryOfPatient } from '#server/areas/entry/store.ts'
import { lockEntriesOfPatient, writeEntries } from '#server/areas/entry/store.ts'
import { commitForMember } from '#server/database/commit.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { CallContext } from '#server/http/handler.ts'
import { runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'

/** Opening a second pass, giving it up, and accepting differences. */

type InProject<Id extends 'double.create' | 'double.destroy' | 'double.gapIgnore'> = CallContext<Id> & {
  readonly projectId: string
}

export async function openSecondPass(context: Write<'double.create'> & { readonly projectId: string }): Promise<true> {
  const { actor, body, projectId, services } = context
  return runOnce(context, { projectId, entityId: body.patientId }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'double_entry')
    await requireDouble(transaction, projectId, body.doubleSeqNo)
    const patient = await patientOf(transaction, member, body.patientId)
    if (!mayDoWithSecondPass(await secondPassState(transaction, patient.id), 'open')) throw fail('transition_refused')
    await setSecondPass(transaction, {
      patientId: patient.id,
      projectId,
      state: 'open',
      by: actor.userId,
      at: services.now(),
      agreement: null,
    })
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: ['process'],
      audit: [
        {
          action: 'double.open',
          centerId: patient.centerId,
          patientId: patient.id,
          old: 'none',
          new: 'open',
          ...reasonText(body.reason),
        },
      ],
      changes: [{ kind: 'patient', rowId: patient.id, centerId: patient.centerId, pass: null }],
    })
    return { committed, result: true }
  })
}

/**
 * Empties the pages of the second pass. Their content is in the audit trail, and a new second pass may be begun on
 * them.
 */
export async function destroySecondPass(context: InProject<'double.destroy'>): Promise<true> {
  const { actor, body, query, projectId, services } = context
  return runOnce(context, { projectId, entityId: query.patientId }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'double_merge')
    const patient = await patientOf(transaction, member, query.patientId)
    await refuseAuthors(transaction, actor.userId, patient.id)
    if (!mayDoWithSecondPass(await secondPassState(transaction, patient.id), 'destroy'))
      throw fail('transition_refused')
    const entries = (await lockEntriesOfPatient(transaction, patient.id)).filter(({ pass }) => pass === 2)
    const locked = entries.find(({ control }) => control !== 'open')
    if (locked !== undefined && locked.control !== 'open') throw fail(locked.control)
    const at = services.now()
    await emptyEntries(transaction, entries, { userId: actor.userId, at })
    await setSecondPass(transaction, {
      patientId: patient.id,
      projectId,
      state: 'destroyed',
      by: actor.userId,
      at,
      agreement: null,
    })
    const { centerId } = patient
    const place = { centerId, patientId: patient.id }
    const closed = await closeConflicts(transaction, context, entries, place)
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: ['process'],
      audit: [...auditOfDestruction(entries, place, body.reason), ...closed.audit],
      changes: [
        { kind: 'patient', rowId: patient.id, centerId, pass: null },
        ...entries.map(({ id }) => ({ kind: 'entry' as const, rowId: id, centerId, pass: 2 as const })),
        ...closed.ids.map((rowId) => ({ kind: 'conflict' as const, rowId, centerId, pass: 2 as const })),
      ],
    })
    if (closed.ids.length > 0) {
      const about = { projectId, patientId: patient.id, entryIds: [] }
      await noteConflicts(transaction, { ...about, by: actor.userId, at })
    }
    return { committed, result: true }
  })
}

async function emptyEntries(
  transaction: Queryable,
  entries: readonly EntryOfPatient[],
  by: { readonly userId: string; readonly at: string },
): Promise<void> {
  await writeEntries(
    transaction,
    entries.map((entry) => ({
      id: entry.id,
      versionId: entry.versionId,
      retired: entry.retired,
      status: 'init',
      data: EMPTY_ENTRY,
      hidden: [],
      progress: null,
      deleted: staysDeleted(entry),
      ...by,
      submittedHash: null,
    })),
  )
}

/** The content of each page, and which pages come back because they may be begun anew. */
function auditOfDestruction(
  entries: readonly EntryOfPatient[],
  place: { readonly centerId: string; readonly patientId: string },
  reason: string | undefined,
): readonly NewAuditRow[] {
  const of = ({ id, versionId }: EntryOfPatient) => ({ ...place, entryId: id, versionId, pass: 2 as const })
  const why = reasonText(reason)
  return [
    { ...place, action: 'double.destroy', old: 'open', new: 'none', ...why },
    ...entries.map((entry) => ({
      ...of(entry),
      action: 'entry.empty',
      old: { values: entry.values, missing: entry.missing },
      new: null,
      ...why,
    })),
    ...entries
      .filter((entry) => entry.deleted && !staysDeleted(entry))
      .map((entry) => ({
        ...of(entry),
        action: 'entry.restore',
        old: { deleted: true, rev: entry.rev },
        new: { deleted: false },
        ...why,
      })),
  ]
}

/** A repeat that was made in the second pass and deleted does not come back. Any other page may be begun anew. */
function staysDeleted({ deleted, pageRepeat }: EntryOfPatient): boolean {
  return deleted && pageRepeat !== FIRST_REPEAT
}

/** Ends the open conflicts of an abandoned pass: the current value is then that nothing is there. */
async function closeConflicts(
  transaction: Queryable,
  { actor, acted, body, key }: InProject<'double.destroy'>,
  entries: readonly EntryOfPatient[],
  place: { readonly centerId: string; readonly patientId: string },
): Promise<{ readonly ids: readonly string[]; readonly audit: readonly NewAuditRow[] }> {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const ids: string[] = []
  const audit: NewAuditRow[] = []
  for (const { id, entryId, table, rid, code, server, mine, formerVersionId } of await lockOpenConflicts(transaction, [
    ...byId.keys(),
  ])) {
    const entry = byId.get(entryId)
    if (entry === undefined) continue
    const to = code === DELETED ? deletion(rid !== null || staysDeleted(entry)) : EMPTY_ITEM
    const choice = sameContent(to, server) ? 'server' : sameContent(to, mine) ? 'mine' : 'new'
    await closeConflict(transaction, id, {
      choice,
      to,
      reason: { code: 'other', text: body.reason },
      by: actor.userId,
      at: acted.at,
      opKey: key,
    })
    ids.push(id)
    audit.push({
      ...place,
      entryId,
      versionId: formerVersionId ?? entry.versionId,
      pass: 2,
      action: 'conflict.resolve',
      table,
      rid,
      prop: code,
      old: { server, mine },
      new: { choice, to },
      reasonCode: 'other',
      ...reasonText(body.reason),
    })
  }
  return { ids, audit }
}

/**
 * Accepts differences as equivalent, or opens them again. All differences of one call must be of one patient;
 * otherwise nothing is done.
 */
export async function ignoreGaps(context: InProject<'double.gapIgnore'>): Promise<true> {
  const { actor, body, projectId, services } = context
  return runOnce(context, { projectId }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'double_merge')
    const ignores = body.isIgnoreGap === 1
    if (ignores && body.reason === undefined)
      throw fail('invalid', { fields: [{ path: 'body.reason', code: 'required' }] })
    const patientId = await patientOfGap(transaction, projectId, body.dataIdList[0] ?? '')
    if (patientId === null) throw fail('not_found')
    const patient = await patientOf(transaction, member, patientId)
    await refuseAuthors(transaction, actor.userId, patient.id)
    const compared = await comparePatient(transaction, projectId, patientId)
    if (compared.state !== 'open') throw fail('transition_refused')
    const gaps = new Map(
      compared.pages.flatMap((page) => page.comparison.gaps.map((gap) => [gapId(page, gap), { page, gap }])),
    )
    const unknown = body.dataIdList.filter((id) => !gaps.has(id))
    if (unknown.length > 0) throw fail('invalid', { fields: unknown.map((path) => ({ path, code: 'no_gap' })) })
    const audit: NewAuditRow[] = []
    for (const id of new Set(body.dataIdList)) {
      const found = gaps.get(id)
      if (found === undefined) continue
      const { page, gap } = found
      const key = { entryId: page.firstId, gapKey: gap.key }
      if (ignores)
        await ignoreGap(transaction, {
          ...key,
          patientId,
          fingerprint: fingerprint(gap),
          reason: body.reason ?? '',
          by: actor.userId,
          at: services.now(),
        })
      else await openIgnoredGap(transaction, key)
      audit.push({
        action: ignores ? 'gap.ignore' : 'gap.open',
        centerId: patient.centerId,
        patientId,
        entryId: page.firstId,
        versionId: page.page.versionId,
        table: gap.row?.table.code ?? null,
        rid: gap.row?.first ?? gap.row?.second ?? null,
        prop: gap.field.code,
        old: { ...gap.first },
        new: { ...gap.second },
        ...reasonText(body.reason),
      })
    }
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: ['process'],
      audit,
      changes: [],
    })
    return { committed, result: true }
  })
}

function reasonText(text: string | undefined): Pick<NewAuditRow, 'reasonText'> {
  return text === undefined || text.trim() === '' ? {} : { reasonText: text }
}

/**
 * @throws ApiFailure invalid where the project does not use double entry
 */
async function requireDouble(transaction: Queryable, projectId: string, pass: number): Promise<void> {
  const { rows } = await transaction.query<{ double: boolean }>({
    name: 'double_config',
    text: `SELECT config->>'isDouble' = '1' AS double FROM project WHERE id = $1`,
    values: [projectId],
  })
  if (rows[0]?.double !== true || pass !== 2)
    throw fail('invalid', { fields: [{ path: 'body.doubleSeqNo', code: 'not_double' }] })
}

/** The patient whose first or second pass has the entry of a gap. */
async function patientOfGap(transaction: Queryable, projectId: string, id: string): Promise<string | null> {
  const entry = id.split('.')[0] ?? ''
  const { rows } = await transaction.query<{ patientId: string }>({
    name: 'double_patient_of',
    text: `SELECT patient_id AS "patientId" FROM entry WHERE project_id = $2 AND id::text = $1`,
    values: [entry, projectId],
  })
  return rows[0]?.patientId ?? null
}
