import { fail } from '#core/api/errors.ts'
import { mayDoWithSecondPass } from '#core/review/doubleEntry.ts'
import { membership, requirePermission } from '#server/access.ts'
import { refuseAuthors } from '#server/areas/doubleEntry/authors.ts'
import { comparePatient, fingerprint, gapId } from '#server/areas/doubleEntry/compare.ts'
import { entriesOfPasses, ignoreGap, openIgnoredGap, patientOf, secondPassState, setSecondPass } from '#server/areas/doubleEntry/store.ts'
import { writeEntries } from '#server/areas/entry/store.ts'
import { commitProject } from '#server/database/commit.ts'
import type { AuditDraft } from '#server/database/seal.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { CallContext } from '#server/http/handler.ts'
import { runOnce } from '#server/http/runOnce.ts'

/** Opening a second pass, giving it up, and accepting differences. */

type InProject<Id extends 'double.create' | 'double.destroy' | 'double.gapIgnore'> = CallContext<Id> & { readonly projectId: string }

export async function openSecondPass(context: InProject<'double.create'>): Promise<true> {
  const { actor, body, projectId, services } = context
  return runOnce(context, { projectId, entityId: body.patientId }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'double_entry')
    await requireDouble(transaction, projectId, body.doubleSeqNo)
    const patient = await patientOf(transaction, member, body.patientId)
    if (!mayDoWithSecondPass(await secondPassState(transaction, patient.id), 'open')) throw fail('transition_refused')
    await setSecondPass(transaction, { patientId: patient.id, projectId, state: 'open', by: actor.userId, at: services.now(), agreement: null })
    const committed = await commitProject(transaction, {
      projectId,
      statuses: ['process'],
      under: member,
      stamp: stampAs(member.role),
      audit: [{ action: 'double.open', centerId: patient.centerId, patientId: patient.id, old: 'none', new: 'open', ...reasonText(body.reason) }],
      changes: [{ kind: 'patient', rowId: patient.id, centerId: patient.centerId, pass: null }],
    })
    return { committed, result: true }
  })
}

/** Empties the pages of the second pass. What was in them is in the audit trail, and a new second pass may be begun on them. */
export async function destroySecondPass(context: InProject<'double.destroy'>): Promise<true> {
  const { actor, body, query, projectId, services } = context
  return runOnce(context, { projectId, entityId: query.patientId }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'double_merge')
    const patient = await patientOf(transaction, member, query.patientId)
    await refuseAuthors(transaction, actor.userId, patient.id)
    if (!mayDoWithSecondPass(await secondPassState(transaction, patient.id), 'destroy')) throw fail('transition_refused')
    const entries = (await entriesOfPasses(transaction, patient.id, true)).filter(({ pass }) => pass === 2)
    const locked = entries.find(({ control }) => control !== 'open')
    if (locked !== undefined && locked.control !== 'open') throw fail(locked.control)
    const at = services.now()
    await writeEntries(
      transaction,
      entries.map(({ id, versionId, retired }) => ({
        id, versionId, retired, status: 'init', data: { values: {}, missing: {} }, hidden: [], progress: null, deleted: false, userId: actor.userId, at, submittedHash: null,
      })),
    )
    await setSecondPass(transaction, { patientId: patient.id, projectId, state: 'destroyed', by: actor.userId, at, agreement: null })
    const place = { centerId: patient.centerId, patientId: patient.id }
    const audit: AuditDraft[] = [
      { ...place, action: 'double.destroy', old: 'open', new: 'none', ...reasonText(body.reason) },
      ...entries.map(({ id, versionId, values, missing }) => ({ ...place, entryId: id, versionId, pass: 2 as const, action: 'entry.empty', old: { values, missing }, new: null, ...reasonText(body.reason) })),
    ]
    const committed = await commitProject(transaction, {
      projectId,
      statuses: ['process'],
      under: member,
      stamp: stampAs(member.role),
      audit,
      changes: [
        { kind: 'patient', rowId: patient.id, centerId: patient.centerId, pass: null },
        ...entries.map(({ id }) => ({ kind: 'entry' as const, rowId: id, centerId: patient.centerId, pass: 2 as const })),
      ],
    })
    return { committed, result: true }
  })
}

/** Accepts differences as equivalent, or opens them again. All of one call are of one patient, or nothing is done. */
export async function ignoreGaps(context: InProject<'double.gapIgnore'>): Promise<true> {
  const { actor, body, projectId, services } = context
  return runOnce(context, { projectId }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'double_merge')
    const ignores = body.isIgnoreGap === 1
    if (ignores && body.reason === undefined) throw fail('invalid', { fields: [{ path: 'body.reason', code: 'required' }] })
    const patientId = await patientOfGap(transaction, projectId, body.dataIdList[0] ?? '')
    if (patientId === null) throw fail('not_found')
    const patient = await patientOf(transaction, member, patientId)
    await refuseAuthors(transaction, actor.userId, patient.id)
    const compared = await comparePatient(transaction, projectId, patientId)
    if (compared.state !== 'open') throw fail('transition_refused')
    const gaps = new Map(compared.pages.flatMap((page) => page.comparison.gaps.map((gap) => [gapId(page, gap), { page, gap }])))
    const unknown = body.dataIdList.filter((id) => !gaps.has(id))
    if (unknown.length > 0) throw fail('invalid', { fields: unknown.map((path) => ({ path, code: 'no_gap' })) })
    const audit: AuditDraft[] = []
    for (const id of new Set(body.dataIdList)) {
      const found = gaps.get(id)
      if (found === undefined) continue
      const { page, gap } = found
      const key = { entryId: page.firstId, gapKey: gap.key }
      if (ignores) await ignoreGap(transaction, { ...key, patientId, fingerprint: fingerprint(gap), reason: body.reason ?? '', by: actor.userId, at: services.now() })
      else await openIgnoredGap(transaction, key)
      audit.push({
        action: ignores ? 'gap.ignore' : 'gap.open', centerId: patient.centerId, patientId, entryId: page.firstId, versionId: page.page.versionId, table: gap.row?.table.prop ?? null,
        rid: gap.row?.first ?? gap.row?.second ?? null, prop: gap.field.prop, old: { ...gap.first }, new: { ...gap.second }, ...reasonText(body.reason),
      })
    }
    const committed = await commitProject(transaction, { projectId, statuses: ['process'], under: member, stamp: stampAs(member.role), audit, changes: [] })
    return { committed, result: true }
  })
}

function reasonText(text: string | undefined): Pick<AuditDraft, 'reasonText'> {
  return text === undefined || text.trim() === '' ? {} : { reasonText: text }
}

/** @throws ApiFailure invalid where the project is not entered twice */
async function requireDouble(transaction: Queryable, projectId: string, pass: number): Promise<void> {
  const { rows } = await transaction.query<{ double: boolean }>({
    name: 'double_config',
    text: `SELECT config->>'isDouble' = '1' AS double FROM project WHERE id = $1`,
    values: [projectId],
  })
  if (rows[0]?.double !== true || pass !== 2) throw fail('invalid', { fields: [{ path: 'body.doubleSeqNo', code: 'not_double' }] })
}

/** The patient whose first or second pass has the entry that a gap names. */
async function patientOfGap(transaction: Queryable, projectId: string, id: string): Promise<string | null> {
  const entry = id.split('.')[0] ?? ''
  const { rows } = await transaction.query<{ patientId: string }>({
    name: 'double_patient_of',
    text: `SELECT patient_id AS "patientId" FROM entry WHERE project_id = $2 AND id::text = $1`,
    values: [entry, projectId],
  })
  return rows[0]?.patientId ?? null
}
