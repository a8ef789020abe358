import type { VersionSummary } from '#core/api/calls/version.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { MemberRow, ProjectRow } from '#core/api/sync/rows.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { parseScope } from '#core/sync/protocol/scope.ts'
import type { ProjectChoice, ProjectSearch } from '#src/data/shapes/listTypes.ts'
import type { Reading } from '#src/data/shapes/reading.ts'

import type { DataContext } from './context.ts'
import { listKeptScopes, localMembers, localProject, localVersions } from './local.ts'

/**
 * What the bar over a project offers: projects, versions, members. The device keeps only a part of each (releases, kept
 * projects), so the server is asked first, and the device answers without it.
 */

/** Specification §9: how many projects the selector loads at a time, and at most. */
const PROJECTS_AT_ONCE = 20
const PROJECTS_AT_MOST = 999
/** Specification §9. */
const VERSIONS = 100
const MEMBERS = 999

/** The first list pages of the projects whose name contains the search text. */
export async function readProjectChoice(context: DataContext, { name, pages }: ProjectSearch): Reading<ProjectChoice> {
  const wanted = name.trim()
  const local = async (): Reading<ProjectChoice> =>
    context.storage.run(async () => {
      const ids = (await listKeptScopes(context)).filter((scope) => parseScope(scope)?.kind === 'project')
      const rows = (await Promise.all(ids.map((id) => localProject(context, id)))).filter((row) => row !== null)
      const projects = rows.filter(({ projectName }) => projectName.toLowerCase().includes(wanted.toLowerCase()))
      return { projects, total: projects.length }
    })
  return serverFirst(context, () => projectPages(context, wanted, pages), local)
}

async function projectPages(context: DataContext, name: string, pages: number): Reading<ProjectChoice> {
  const projects: ProjectRow[] = []
  let total = 0
  for (let current = 1; current <= pages; current += 1) {
    const page = await context.remote.read(['projectChoice', name, String(current)], () =>
      context.api.call('project.list', {
        query: { current, size: PROJECTS_AT_ONCE, ...(name === '' ? {} : { projectName: name }) },
      }),
    )
    if (!page.ok) return page
    projects.push(...page.value.records)
    total = page.value.total
    if (page.value.records.length < PROJECTS_AT_ONCE) break
  }
  return ok({ projects: projects.slice(0, PROJECTS_AT_MOST), total: Math.min(total, PROJECTS_AT_MOST) })
}

/**
 * Versions of a project, newest first. Only the server has drafts and tests: without it the list holds the releases
 * that this device keeps.
 */
export async function readVersions(context: DataContext, projectId: string): Reading<readonly VersionSummary[]> {
  const ask = async (): Promise<Result<readonly VersionSummary[], ApiError>> => {
    const page = await context.api.call('version.list', { query: { projectId, size: VERSIONS }, projectId })
    return page.ok ? ok(page.value.records) : page
  }
  const local = async (): Reading<readonly VersionSummary[]> =>
    context.storage.run(async () =>
      (await localVersions(context, projectId)).toSorted((a, b) => b.versionNo - a.versionNo),
    )
  return serverFirst(context, () => context.remote.read(['versions', projectId], ask), local)
}

/** The team of a project as each member sees it. */
export async function readMembers(context: DataContext, projectId: string): Reading<readonly MemberRow[]> {
  const ask = async (): Promise<Result<readonly MemberRow[], ApiError>> => {
    const page = await context.api.call('member.list', { query: { projectId, size: MEMBERS }, projectId })
    return page.ok ? ok(page.value.records) : page
  }
  const local = async (): Reading<readonly MemberRow[]> => context.storage.run(() => localMembers(context, projectId))
  return serverFirst(context, () => context.remote.read(['members', projectId], ask), local)
}

/**
 * The server's answer. Where there is none: what the device knows, or the server's error if the device knows nothing.
 */
async function serverFirst<Value>(
  context: DataContext,
  ask: () => Reading<Value>,
  local: () => Reading<Value>,
): Reading<Value> {
  if (!context.online()) return local()
  const answer = await ask()
  if (answer.ok || context.online()) return answer
  const known = await local()
  return known.ok ? known : answer
}
