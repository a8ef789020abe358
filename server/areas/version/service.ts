import type { PermissionCode } from '#core/access/permissions.ts'
import type { TreeFolder, VersionRecord as VersionHistory, VersionSummary } from '#core/api/calls/version.ts'
import { fail } from '#core/api/errors.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import type { CallId } from '#core/api/table.ts'
import { summaryOf as changesOf } from '#core/design/difference/changeSummary.ts'
import { versionDifference } from '#core/design/difference/versionDifference.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import { NO_MAPPINGS } from '#core/study/migration/migrationMappings.ts'
import { approvalsComplete, mayDo } from '#core/study/versionLife.ts'
import type { CrfProfile, VersionAction } from '#core/study/versionLife.ts'
import type { Page } from '#core/wire/shapes.ts'
import { membership, requireAnyPermission, requirePermission } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { tellRelease } from '#server/areas/notice/store.ts'
import { OPEN_STATUSES } from '#server/areas/project/service.ts'
import { loadProjectRow } from '#server/areas/project/store.ts'
import { listsAudit, withNewestLists } from '#server/areas/projectDict/drafts.ts'
import { askTesters, listApprovals, openApprovals } from '#server/areas/version/approvalStore.ts'
import { toTree } from '#server/areas/version/definition.ts'
import { soundnessProblems } from '#server/areas/version/soundness.ts'
import * as store from '#server/areas/version/store.ts'
import type { VersionRecord } from '#server/areas/version/store.ts'
import { commitForMember } from '#server/database/commit.ts'
import type { NewChange } from '#server/database/commit.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Actor, CallContext } from '#server/http/handler.ts'
import { readPage } from '#server/http/paging.ts'
import { runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'
import type { Services } from '#server/services.ts'

import { beginMigration } from './migration/migrationBegin.ts'

/** CRF versions: draft → test → formal (specification §4). All released definitions are kept. */

export async function listVersions(context: CallContext<'version.list'>): Promise<Page<VersionSummary>> {
  const { services, actor, query } = context
  return withTransaction(services.pool, async (transaction) => {
    await membership(transaction, actor, query.projectId)
    return readPage(query, (window) => store.listVersions(transaction, query.projectId, window))
  })
}

/** All versions ever, each with its changes. */
export async function listHistory(context: CallContext<'version.history'>): Promise<Page<VersionHistory>> {
  const { services, actor, query } = context
  return withTransaction(services.pool, async (transaction) => {
    await membership(transaction, actor, query.projectId)
    return readPage(query, (window) => store.listHistory(transaction, query.projectId, window))
  })
}

export async function readTree(context: CallContext<'version.tree'>): Promise<TreeFolder[]> {
  return toTree((await readVersion(context)).folders)
}

export async function readVersion(
  context: Pick<CallContext<'version.detail'>, 'services' | 'actor' | 'params'>,
): Promise<VersionRow> {
  const { services, actor, params } = context
  return withTransaction(services.pool, async (transaction) => {
    const version = await store.findVersion(transaction, params.id)
    if (version === null) throw fail('not_found')
    const row = await store.loadVersionRow(
      transaction,
      await membership(transaction, actor, version.project_id),
      params.id,
    )
    if (row === null) throw fail('not_found')
    return row
  })
}

/** Makes the next draft from the release, or the first one. Only one version is in work at a time. */
export async function createDraft(context: Write<'version.save'>): Promise<VersionSummary> {
  const { actor, body } = context
  const { projectId, remark } = body
  const id = newId()
  return runOnce(context, { projectId, entityId: id, crfVersionId: id }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'project_crf_new')
    if ((await store.newestVersion(transaction, projectId, ['draft', 'test'])) !== null) throw fail('already_exists')
    const base = await store.newestVersion(transaction, projectId, ['formal'])
    await store.insertVersion(transaction, { id, projectId, remark, baseId: base?.id ?? null, createdBy: actor.userId })
    if (base !== null) await store.copyDefinition(transaction, base.id, id)
    const refreshed = await withNewestLists(transaction, projectId)
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: OPEN_STATUSES,
      audit: [
        { action: 'version.create', versionId: id, new: { remark, base: base?.id ?? null } },
        ...listsAudit(refreshed),
      ],
      changes: [...new Set([id, ...refreshed])].map(versionChange),
    })
    return { committed, result: await summaryOf(transaction, id) }
  })
}

/** Deletes a draft; its number is not used again. */
export async function removeDraft(context: Write<'version.remove'>): Promise<boolean> {
  return changeVersion(
    context,
    { action: 'remove', permission: 'project_crf_draft_del' },
    async (transaction, { version }) => {
      await store.markVersionDeleted(transaction, version.id)
      return {
        audit: [{ action: 'version.remove', versionId: version.id, old: { versionNo: version.version_no } }],
        result: async () => true,
      }
    },
  )
}

/** Publishes a sound draft to test and asks the testers. */
export async function publishTest(
  context: Write<'version.releaseTest'> & Pick<CallContext<'version.releaseTest'>, 'language'>,
): Promise<VersionSummary> {
  return changeVersion(
    context,
    { action: 'publishTest', permission: 'project_crf_draft_publish' },
    async (transaction, { version }) => {
      const folders = [...(await store.loadFolders(transaction, version.id))]
      const problems = soundnessProblems(folders, context.language)
      if (problems.length > 0) throw fail('version_not_sound', { problems })
      const before =
        version.base_version_id === null ? [] : [...(await store.loadFolders(transaction, version.base_version_id))]
      await store.setChanges(transaction, version.id, changesOf(versionDifference({ folders: before }, { folders })))
      await openApprovals(transaction, version.id)
      return moveTo(transaction, context.services, version, 'test')
    },
  )
}

/** Releases a test version once all approvals are signed, and begins to migrate earlier data to it. */
export async function release(
  context: Write<'version.release'> & Partial<Pick<CallContext<'version.release'>, 'language'>>,
): Promise<VersionSummary & { taskId: string | null }> {
  const { services, actor, body, language = 'zh' } = context
  return changeVersion(
    context,
    { action: 'release', permission: 'project_crf_test_publish' },
    async (transaction, { version, member }) => {
      const project = await loadProjectRow(transaction, member)
      const approvals = await listApprovals(transaction, version.id)
      if (project === null || !approvalsComplete(approvals, project.config.minTesters)) throw fail('approvals_missing')
      const from = await store.newestVersion(transaction, version.project_id, ['formal'])
      const starter = { userId: actor.userId, userName: actor.realName, role: member.role, language }
      const begun = await beginMigration(transaction, {
        version,
        from,
        mappings: body.mappings ?? NO_MAPPINGS,
        starter,
        at: services.now(),
      })
      const { audit, result } = await moveTo(transaction, services, version, 'formal')
      const released = { projectId: version.project_id, versionId: version.id }
      await tellRelease(transaction, { ...released, by: actor.userId, at: services.now() })
      return { audit: [...audit, begun.audit], result: async () => ({ ...(await result()), taskId: begun.taskId }) }
    },
  )
}

/** Sends a test version back to draft; the judgements no longer count. */
export async function sendBack(context: Write<'version.back'>): Promise<VersionSummary> {
  return changeVersion(
    context,
    { action: 'back', permission: 'project_crf_test_revent' },
    async (transaction, { version }) => {
      await store.setChanges(transaction, version.id, null)
      return moveTo(transaction, context.services, version, 'draft')
    },
  )
}

export interface Change<Result extends JsonValue> {
  readonly audit: readonly NewAuditRow[]
  /** Whether devices need not read the version anew: nobody enters data into a draft that is being designed. */
  readonly quiet?: boolean
  readonly result: () => Promise<Result>
}

type VersionWrite = Pick<
  Write<'version.remove'>,
  'services' | 'actor' | 'acted' | 'ip' | 'key' | 'protocol' | 'query'
> & {
  readonly call: CallId
  readonly body: unknown
}

/**
 * The steps that all changes of a version share: find it, check the rights, lock it, check its profile, commit. Any
 * one of several permissions opens the way; the change itself checks for the one that it needs.
 */
export async function changeVersion<Result extends JsonValue>(
  context: VersionWrite,
  rule: {
    readonly action: VersionAction | 'judge'
    readonly permission: PermissionCode | readonly PermissionCode[]
    readonly secrets?: readonly string[]
  },
  change: (
    transaction: Queryable,
    at: { readonly version: VersionRecord; readonly member: Membership },
  ) => Promise<Change<Result>>,
): Promise<Result> {
  const { services, actor, query } = context
  const { crfId } = query
  const projectId = await projectOf(services, actor, crfId)
  const subject = { projectId, entityId: crfId, crfVersionId: crfId, secrets: rule.secrets ?? [] }
  return runOnce(context, subject, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requireAnyPermission(member, typeof rule.permission === 'string' ? [rule.permission] : rule.permission)
    const version = await store.findVersion(transaction, crfId, true)
    if (version === null) throw fail('not_found')
    const allowed = rule.action === 'judge' ? version.profile === 'test' : mayDo(version.profile, rule.action)
    if (!allowed) throw fail(rule.action === 'edit' ? 'version_not_editable' : 'transition_refused')
    const { audit, quiet = false, result } = await change(transaction, { version, member })
    if (MOVES_TESTERS.has(rule.action))
      await askTesters(transaction, { id: crfId, projectId }, actor.userId, services.now())
    // A definition that was designed or restored has no copies of the project's dictionaries yet, or older ones.
    const refreshed =
      rule.action === 'edit' || rule.action === 'back' ? await withNewestLists(transaction, projectId) : []
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: OPEN_STATUSES,
      audit: [...audit, ...listsAudit(refreshed)],
      changes: quiet ? [] : [...new Set([crfId, ...refreshed])].map(versionChange),
    })
    return { committed, result: await result() }
  })
}

/** After these, others are to review the version than before, or nobody any more. */
const MOVES_TESTERS: ReadonlySet<VersionAction | 'judge'> = new Set(['publishTest', 'release', 'back'])

function versionChange(rowId: string): NewChange {
  return { kind: 'version', rowId, centerId: null, pass: null }
}

async function moveTo(
  transaction: Queryable,
  services: Services,
  version: VersionRecord,
  to: CrfProfile,
): Promise<Change<VersionSummary>> {
  await store.setProfile(transaction, version.id, to, services.now())
  return {
    audit: [{ action: 'version.profile', versionId: version.id, old: version.profile, new: to }],
    result: () => summaryOf(transaction, version.id),
  }
}

async function summaryOf(transaction: Queryable, versionId: string): Promise<VersionSummary> {
  const version = await store.findVersion(transaction, versionId)
  if (version === null) throw fail('not_found')
  return store.toSummary(version)
}

/**
 * A version's project, told only to a member of that project. Deleted versions count, so that a repeated deletion
 * finds its answer.
 */
async function projectOf(services: Services, actor: Actor, versionId: string): Promise<string> {
  return withTransaction(
    services.pool,
    async (transaction) => (await membershipOf(transaction, actor, versionId)).projectId,
  )
}

export async function membershipOf(transaction: Queryable, actor: Actor, versionId: string): Promise<Membership> {
  const projectId = await store.projectOfVersion(transaction, versionId)
  if (projectId === null) throw fail('not_found')
  return membership(transaction, actor, projectId)
}
