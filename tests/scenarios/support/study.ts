import { newId } from '#core/ids.ts'
import { updateMember } from '#server/areas/member/store.ts'
import type { MemberFields } from '#server/areas/member/store.ts'
import type { Person, World } from '#tests/server/support/world.ts'
import { VITALS, addVersion, announce } from '#tests/server/support/world.ts'

/** What happens to the study while a tablet is away. */

/** Changes what somebody is in the project, as the member form does. */
export async function changeMember(
  { services, study }: World,
  person: Person,
  more: Partial<MemberFields>,
): Promise<void> {
  const { rows } = await services.pool.query<{ id: string }>('SELECT id FROM member WHERE user_id = $1', [
    person.userId,
  ])
  await updateMember(services.pool, rows[0]?.id ?? '', {
    userRole: 'CRC',
    type: 'center',
    dataScope: 'center',
    centerIds: [study.north],
    entryPass: 1,
    crfApprove: 0,
    status: 'active',
    startDt: null,
    endDt: null,
    remark: null,
    ...more,
  })
}

/**
 * Releases a version in which some fields of the vital signs are gone, and a pulse and photos are new. Gives its id.
 */
export async function releaseWithout(
  { services, study, people }: World,
  no: number,
  ...gone: readonly string[]
): Promise<string> {
  const id = newId()
  const { column } = JSON.parse(VITALS) as { column: readonly { prop: string }[] }
  const kept = column.filter(({ prop }) => !gone.includes(prop))
  const vitals = JSON.stringify({
    column: [
      ...kept,
      { prop: `pulse${no}`, label: '脉搏', type: 'number' },
      { prop: 'photos', label: '照片', type: 'upload' },
    ],
  })
  await addVersion(services.pool, study, people.admin, { id, no, vitals })
  await announce(services.pool, study, people.admin, [{ kind: 'version', rowId: id }])
  return id
}

/**
 * The patient belongs to another center from now on. No screen moves patients yet: it is done where an administrator
 * would.
 */
export async function movePatient({ services }: World, patientId: string, centerId: string): Promise<void> {
  // The number stays the patient's; it is none of the new center's series.
  await services.pool.query('UPDATE patient SET center_id = $2, no_seq = no_seq + 1000000 WHERE id = $1', [
    patientId,
    centerId,
  ])
  await services.pool.query('UPDATE entry SET center_id = $2 WHERE patient_id = $1', [patientId, centerId])
}
