import { asJson } from '#core/json.ts'
import type { Membership } from '#server/access.ts'
import { commitProject } from '#server/database/commit.ts'
import { sha256 } from '#server/database/auditDigest.ts'
import type { Stamp } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { runOperation } from '#server/http/idempotency.ts'
import type { Services } from '#server/services.ts'

import type { RescuedDraft } from './rescueFile.ts'

/**
 * Keeps typing that a rescued device had not yet put into an operation. This typing has no proof, so it is booked to
 * the person who brought the file and changes no data. It stays with the operation as evidence of what was typed, for
 * its author to enter.
 *
 * @returns how many bundles of typing were not kept before
 */
export async function keepDrafts(
  services: Services,
  member: Membership,
  deviceId: string,
  drafts: readonly RescuedDraft[],
  stamp: Stamp,
): Promise<number> {
  let kept = 0
  for (const draft of drafts) {
    const fresh = await withTransaction(services.pool, async (transaction) => {
      if (await isStored(transaction, draft.id)) return false
      await keep(transaction, member, deviceId, draft, stamp)
      return true
    })
    if (fresh) kept += 1
  }
  return kept
}

/** The person who brought the typing first. */
async function isStored(transaction: Queryable, key: string): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'draft_kept',
    text: 'SELECT 1 FROM operation WHERE key = $1',
    values: [key],
  })
  return rowCount === 1
}

async function keep(
  transaction: Queryable,
  member: Membership,
  deviceId: string,
  draft: RescuedDraft,
  stamp: Stamp,
): Promise<void> {
  const { id: key, author, projectId, patientId, entryId, versionId, target, steps, answers } = draft
  const answered = answers.length > 0
  const body = asJson({ author, deviceId, target, steps, ...(answered ? { answers } : {}) })
  await runOperation(
    transaction,
    {
      key,
      author: member.userId,
      carriedBy: null,
      call: 'draft.rescue',
      projectId,
      centerId: null,
      entityId: entryId,
      crfVersionId: versionId,
      pass: target.pass,
      deviceSeq: null,
      acted: {
        at: stamp.occurredAt,
        offsetMinutes: stamp.occurredOffsetMinutes,
        driftMs: stamp.clockDriftMs,
        deviceId: stamp.deviceId,
        appVersion: stamp.appVersion,
      },
      protocol: null,
      receivedAt: stamp.receivedAt,
      payloadHash: sha256(JSON.stringify(body)),
      body,
    },
    async () => {
      const centerId = await centerOf(transaction, patientId)
      const committed = await commitProject(transaction, {
        projectId,
        statuses: ['start', 'process', 'stop', 'close'],
        stamp: { ...stamp, opKey: key },
        audit: [
          {
            action: 'draft.rescue',
            centerId,
            patientId,
            entryId,
            versionId,
            pass: target.pass,
            new: { author, deviceId, steps: steps.length, ...(answered ? { answers: answers.length } : {}) },
          },
        ],
        changes: [],
      })
      return { outcome: 'applied', reason: null, centerId, committed, result: () => null }
    },
  )
}

async function centerOf(transaction: Queryable, patientId: string): Promise<string | null> {
  const { rows } = await transaction.query<{ centerId: string }>({
    name: 'draft_center',
    text: 'SELECT center_id AS "centerId" FROM patient WHERE id = $1',
    values: [patientId],
  })
  return rows[0]?.centerId ?? null
}
