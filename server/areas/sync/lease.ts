import type { NumberLease } from '#core/api/calls/sync.ts'
import { fail } from '#core/api/errors.ts'
import { newId } from '#core/ids.ts'
import { requirePermission, seesCenter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { numberOf } from '#core/study/patientNumber.ts'
import { numberingOfCenter, takeNumbers } from '#server/areas/patient/numbers.ts'
import type { Numbering } from '#server/areas/patient/numbers.ts'
import { commitProject } from '#server/database/commit.ts'
import type { Stamp } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** What a device asks for. */
export interface LeaseAsked {
  readonly deviceId: string
  readonly centerId: string
  /** How many numbers the device wants in all, including those left of earlier blocks. */
  readonly want: number
}

/**
 * Leases a block of subject numbers to a device, so that the device holds `want` numbers which the server does not
 * know to be used.
 *
 * @throws ApiFailure forbidden, not_found, center_disabled; project_stopped and project_closed when a new block is
 *   needed
 */
export async function leaseNumbers(
  transaction: Queryable,
  member: Membership,
  asked: LeaseAsked,
  stamp: Stamp,
): Promise<NumberLease> {
  requirePermission(member, 'patient_enrol')
  if (!seesCenter(member, asked.centerId)) throw fail('not_found')
  const { rows } = await transaction.query<{ status: 'active' | 'disabled' }>({
    name: 'lease_center',
    text: 'SELECT status FROM center WHERE id = $1 AND project_id = $2 FOR NO KEY UPDATE',
    values: [asked.centerId, member.projectId],
  })
  const [center] = rows
  if (center === undefined) throw fail('not_found')
  if (center.status !== 'active') throw fail('center_disabled')

  const numbering = await numberingOfCenter(transaction, asked.centerId)
  const left = await unusedNumbers(transaction, member.projectId, asked, numbering)
  const more = asked.want - left.numbers.length
  if (more <= 0 && left.latest !== null) return answer(left.latest, asked, left.numbers)
  const id = newId()
  const first = await takeNumbers(transaction, numbering, more)
  await transaction.query({
    name: 'lease_put',
    text: `
      INSERT INTO number_lease (id, project_id, center_id, device_id, first_no, last_no, created_by, template)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      id,
      member.projectId,
      asked.centerId,
      asked.deviceId,
      first,
      first + more - 1,
      member.userId,
      numbering.template,
    ],
  })
  await commitProject(transaction, {
    projectId: member.projectId,
    statuses: ['process'],
    under: member,
    stamp,
    audit: [
      {
        action: 'number.lease',
        centerId: asked.centerId,
        new: { leaseId: id, first, last: first + more - 1, template: numbering.template },
      },
    ],
    changes: [],
  })
  return answer(id, asked, [
    ...left.numbers,
    ...Array.from({ length: more }, (_, at) => numberOf(numbering.format, first + at)),
  ])
}

function answer(id: string, { centerId, deviceId }: LeaseAsked, numbers: readonly string[]): NumberLease {
  return { id, centerId, deviceId, numbers: [...numbers] }
}

/**
 * Numbers of earlier blocks that no patient has, and no enrolment that is held or in the inbox. Where a device has
 * lost its storage, nobody knows which numbers of its older blocks were shown to whom, so none of those is given out
 * again. A block keeps the template under which it was leased, because the device may be showing one of its numbers
 * just now.
 */
async function unusedNumbers(
  transaction: Queryable,
  projectId: string,
  { deviceId, centerId }: LeaseAsked,
  numbering: Numbering,
): Promise<{ readonly latest: string | null; readonly numbers: readonly string[] }> {
  const { rows } = await transaction.query<{ id: string; template: string; seq: number | null }>({
    name: 'lease_unused',
    text: `
      SELECT l.id, l.template, n.seq
      FROM number_lease l JOIN device d ON d.id = l.device_id
      LEFT JOIN LATERAL (
        SELECT s AS seq FROM generate_series(l.first_no, l.last_no) AS s
        WHERE NOT EXISTS (SELECT 1 FROM patient p WHERE p.center_id = l.center_id AND p.no_seq = s)
      ) AS n ON true
      WHERE l.device_id = $1 AND l.center_id = $2 AND (d.storage_lost_at IS NULL OR l.created_at > d.storage_lost_at)
      ORDER BY l.first_no, n.seq`,
    values: [deviceId, centerId],
  })
  const waiting = await transaction.query<{ no: string }>({
    name: 'lease_waiting',
    text: `
      SELECT body->>'no' AS no FROM operation
      WHERE project_id = $1 AND device_id = $2 AND call = 'patient.save' AND outcome IN ('held', 'inbox') AND body->>'no' IS NOT NULL`,
    values: [projectId, deviceId],
  })
  const used = new Set(waiting.rows.map(({ no }) => no))
  const numbers = rows.flatMap(({ template, seq }) =>
    seq === null ? [] : [numberOf(numbering.formatOf(template), seq)],
  )
  return { latest: rows.at(-1)?.id ?? null, numbers: numbers.filter((no) => !used.has(no)) }
}
