import { fail } from '#core/api/errors.ts'
import { isOwnPatient, lockPatientForWrite } from '#server/areas/patient/store.ts'
import { membership, requirePermission, seesCenter } from '#server/access.ts'
import { addNotices } from '#server/areas/notice/store.ts'
import { commitForMember } from '#server/database/commit.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'

/**
 * The members to whom a patient is assigned. Experts see only patients that are assigned to them. A member with data
 * scope `self` sees the patients that they look after, besides those that they enrolled. A member whose patients
 * change learns of it by the scope version of their devices.
 */

interface Asked {
  readonly projectId: string
  readonly patientId: string
  /**
   * Members to whom the patient is to be assigned, of the kind that the call is about. All others of that kind lose
   * the patient.
   */
  readonly memberIds: readonly string[]
  readonly kind: 'experts' | 'members'
  /** Whether the people concerned are to be told, as the caller chose; null where the caller chose nothing. */
  readonly notify: boolean | null
}

interface Candidate {
  readonly id: string
  readonly seesAll: boolean
  readonly centers: readonly string[]
  /** Their view depends on their assignments. */
  readonly narrowed: boolean
}

/**
 * @throws ApiFailure not_found for a patient that the actor does not see; invalid for somebody who is no such member,
 *   or who does not see the patient's center
 */
export function assignPatient(
  context: Write<'patient.expertSave'> | Write<'patient.memberSave'>,
  asked: Asked,
): Promise<boolean> {
  const { actor, services } = context
  const { projectId, patientId, kind, notify } = asked
  return runOnce(context, { projectId, entityId: patientId }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'patient_edit')
    const patient = await lockPatientForWrite(transaction, projectId, patientId)
    if (patient === null || patient.deleted || !seesCenter(member, patient.centerId)) throw fail('not_found')
    if (!(await isOwnPatient(transaction, member, patient))) throw fail('not_found')
    const wanted = [...new Set(asked.memberIds)].toSorted()
    const old = await assignedTo(transaction, patientId, kind)
    const concerned = [...wanted.filter((id) => !old.includes(id)), ...old.filter((id) => !wanted.includes(id))]
    const candidates = await candidatesAmong(transaction, projectId, concerned)
    const path = kind === 'experts' ? 'body.expertIds' : 'body.memIds'
    for (const id of wanted.filter((one) => !old.includes(one))) {
      const candidate = candidates.get(id)
      if (candidate === undefined || candidate.kind !== kind)
        throw fail('invalid', { fields: [{ path, code: 'unknown' }] })
      if (!candidate.seesAll && !candidate.centers.includes(patient.centerId))
        throw fail('invalid', { fields: [{ path, code: 'other_center' }] })
    }
    await writeAssignments(transaction, { patientId, wanted, old, by: actor.userId, at: services.now() })
    if (notify === true) {
      const about = { projectId, patientId, by: actor.userId, at: services.now() }
      await addNotices(transaction, { ...about, kind: 'assigned', memberIds: wanted.filter((id) => !old.includes(id)) })
      await addNotices(transaction, {
        ...about,
        kind: 'taken_back',
        memberIds: old.filter((id) => !wanted.includes(id)),
      })
    }
    const narrowed = concerned.filter((id) => candidates.get(id)?.narrowed === true)
    await transaction.query({
      name: 'assign_rights',
      text: 'UPDATE member SET rights_rev = rights_rev + 1 WHERE id = ANY ($1)',
      values: [narrowed],
    })
    if (concerned.length > 0) {
      await transaction.query({
        name: 'assign_patient',
        text: 'UPDATE patient SET rev = rev + 1, updated_at = $2 WHERE id = $1',
        values: [patientId, services.now()],
      })
    }
    const place = { centerId: patient.centerId, patientId }
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: ['process', 'stop'],
      changesRights: narrowed.length > 0,
      audit: [
        {
          ...place,
          action: concerned.length === 0 ? 'patient.unchanged' : `patient.${kind}`,
          old,
          new: { members: wanted, ...(notify === null ? {} : { notify }) },
        },
      ],
      changes:
        concerned.length === 0 ? [] : [{ kind: 'patient', rowId: patientId, centerId: patient.centerId, pass: null }],
    })
    return { committed, result: true }
  })
}

async function assignedTo(transaction: Queryable, patientId: string, kind: Asked['kind']): Promise<readonly string[]> {
  const { rows } = await transaction.query<{ id: string }>({
    name: 'assigned_to',
    text: `
      SELECT a.member_id AS id FROM patient_member a JOIN member m ON m.id = a.member_id
      WHERE a.patient_id = $1 AND NOT a.removed AND (m.type = 'expert') = $2 ORDER BY a.member_id::text`,
    values: [patientId, kind === 'experts'],
  })
  return rows.map(({ id }) => id)
}

async function candidatesAmong(
  transaction: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Candidate & { readonly kind: Asked['kind'] }>> {
  const { rows } = await transaction.query<Candidate & { readonly expert: boolean }>({
    name: 'assign_candidates',
    text: `
      SELECT
        m.id, m.data_scope = 'all' AS "seesAll", m.type = 'expert' AS expert, m.type = 'expert' OR m.data_scope = 'self' AS narrowed,
        ARRAY (SELECT c.center_id::text FROM member_center c WHERE c.member_id = m.id AND NOT c.removed) AS centers
      FROM member m WHERE m.project_id = $1 AND m.id = ANY ($2) AND NOT m.removed ORDER BY m.id FOR NO KEY UPDATE`,
    values: [projectId, ids],
  })
  return new Map(rows.map(({ expert, ...row }) => [row.id, { ...row, kind: expert ? 'experts' : 'members' }]))
}

interface Assignments {
  readonly patientId: string
  readonly wanted: readonly string[]
  readonly old: readonly string[]
  readonly by: string
  readonly at: string
}

async function writeAssignments(
  transaction: Queryable,
  { patientId, wanted, old, by, at }: Assignments,
): Promise<void> {
  await transaction.query({
    name: 'assign_add',
    text: `
      INSERT INTO patient_member (patient_id, member_id, assigned_by, assigned_at) SELECT $1, unnest($2::uuid[]), $3, $4
      ON CONFLICT (patient_id, member_id) DO UPDATE SET removed = false, assigned_by = $3, assigned_at = $4`,
    values: [patientId, wanted.filter((id) => !old.includes(id)), by, at],
  })
  await transaction.query({
    name: 'assign_take_back',
    text: 'UPDATE patient_member SET removed = true, assigned_by = $3, assigned_at = $4 WHERE patient_id = $1 AND member_id = ANY ($2)',
    values: [patientId, old.filter((id) => !wanted.includes(id)), by, at],
  })
}
