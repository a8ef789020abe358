import { fail } from '#core/api/errors.ts'
import { newId } from '#core/ids.ts'
import { membership } from '#server/access.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { confirmPassword } from '#server/areas/auth/attempts.ts'
import * as approvals from '#server/areas/version/approvalStore.ts'
import type { ApprovalRow } from '#server/areas/version/approvalStore.ts'
import { changeVersion } from '#server/areas/version/service.ts'
import { findVersion } from '#server/areas/version/store.ts'
import type { VersionRecord } from '#server/areas/version/store.ts'
import type { CallContext } from '#server/http/handler.ts'
import type { Write } from '#server/http/runOnce.ts'

/** Testers judge a test version and sign for it. */

export async function listApprovals(context: CallContext<'version.approveList'>): Promise<readonly ApprovalRow[]> {
  const { services, actor, query } = context
  return withTransaction(services.pool, async (transaction) => {
    const version = await findVersion(transaction, query.crfId)
    if (version === null) throw fail('not_found')
    await membership(transaction, actor, version.project_id)
    return approvals.listApprovals(transaction, query.crfId)
  })
}

/** Records the tester's own judgement. A signed one has to be signed again. */
export async function judgeVersion(context: Write<'version.approveCheck'>): Promise<boolean> {
  const { services, actor, body } = context
  return changeVersion(
    context,
    { action: 'judge', permission: 'project_crf_test_check' },
    async (transaction, { version }) => {
      const own = await approvals.lockApproval(transaction, version.id, actor.userId, newId)
      // A member who is no tester today has nothing to judge.
      if (own === null) throw fail('forbidden')
      const { result, content, suggest } = body
      await approvals.judge(transaction, own.id, { result, content, suggest })
      // One that was signed has lost its signature: it is awaited again.
      await approvals.askTesters(transaction, ofVersion(version), actor.userId, services.now())
      const old = { result: own.result, content: own.content, suggest: own.suggest, isSign: own.isSign }
      return {
        audit: [{ action: 'version.judge', versionId: version.id, old, new: { result, content, suggest } }],
        result: async () => true,
      }
    },
  )
}

/** Signs the tester's own judgement with their login password. */
export async function signJudgement(context: Write<'version.approveSign'>): Promise<boolean> {
  const { services, actor, body, ip } = context
  await confirmPassword(services, actor, body.password, ip)
  const rule = { action: 'judge', permission: 'project_crf_test_check', secrets: ['password'] } as const
  return changeVersion(context, rule, async (transaction, { version }) => {
    const own = await approvals.lockApproval(transaction, version.id, actor.userId, newId)
    if (own === null) throw fail('forbidden')
    if (own.result === null) throw fail('transition_refused')
    await approvals.signApproval(transaction, own.id, services.now())
    await approvals.askTesters(transaction, ofVersion(version), actor.userId, services.now())
    return {
      audit: [
        {
          action: 'version.sign',
          versionId: version.id,
          new: { result: own.result, content: own.content, suggest: own.suggest },
        },
      ],
      result: async () => true,
    }
  })
}

function ofVersion({ id, project_id }: VersionRecord) {
  return { id, projectId: project_id }
}
