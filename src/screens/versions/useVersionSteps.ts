import { useNavigate } from 'react-router-dom'
import type { PermissionCode } from '#core/access/permissions.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { VersionSummary } from '#core/api/calls/version.ts'
import type { CallId } from '#core/api/table.ts'
import type { Result } from '#core/result.ts'
import type { MigrationMappings } from '#core/study/migration/migrationMappings.ts'
import { mayDo } from '#core/study/versionLife.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { useServerAction } from '#src/data/server.ts'
import { setMigrationTask } from '#src/frame/migrationTask.ts'
import { patientsPath } from '#src/paths/screenPaths.ts'
import { reloadPath } from '#src/paths/redirect.ts'

/** The steps that bring a version to another stage of its life. */
export type VersionStep = 'publishTest' | 'remove' | 'back' | 'release'

/** A step that needs only a yes or no; a release needs a closer look. */
export type PlainStep = Exclude<VersionStep, 'release'>

const steps: Readonly<
  Record<VersionStep, { readonly call: CallId & `version.${string}`; readonly code: PermissionCode }>
> = {
  publishTest: { call: 'version.releaseTest', code: 'project_crf_draft_publish' },
  remove: { call: 'version.remove', code: 'project_crf_draft_del' },
  back: { call: 'version.back', code: 'project_crf_test_revent' },
  release: { call: 'version.release', code: 'project_crf_test_publish' },
}
const order: readonly VersionStep[] = ['publishTest', 'release', 'back', 'remove']

/** The steps that are possible in a version's stage and permitted to this user, in the order of their buttons. */
export function offeredSteps({ permissions }: ProjectRow, { crfProfile }: VersionSummary): readonly VersionStep[] {
  return order.filter((step) => mayDo(crfProfile, step) && permissions.includes(steps[step].code))
}

interface VersionSteps {
  readonly take: (step: PlainStep) => Promise<Result<unknown, ApiError>>
  readonly release: (mappings: MigrationMappings) => Promise<Result<unknown, ApiError>>
}

/**
 * Brings a version to another stage. Specification §4: afterwards the project is loaded anew.
 *
 * @param previousId the version before a draft, which becomes current again when the draft is deleted
 */
export function useVersionSteps(project: ProjectRow, version: VersionSummary, previousId: string | null): VersionSteps {
  const navigate = useNavigate()
  const act = useServerAction()
  const place = { query: { crfId: version.id }, projectId: project.id }
  const history = `/p/${project.id}/admin/crfHistory`

  const release = async (mappings: MigrationMappings) => {
    const result = await act('version.release', { ...place, body: { mappings } })
    if (!result.ok) return result
    if (result.value.taskId !== null) setMigrationTask({ taskId: result.value.taskId, projectId: project.id })
    void navigate(reloadPath(history))
    return result
  }
  const take = async (step: PlainStep) => {
    const result = await act(steps[step].call as 'version.back', place)
    if (result.ok) {
      const goesBack = step === 'remove' && previousId !== null
      void navigate(reloadPath(goesBack ? patientsPath(project.id, previousId) : history))
    }
    return result
  }
  return { take, release }
}
