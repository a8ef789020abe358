import { Dexie } from 'dexie'
import type { ApiError } from '#core/api/errors.ts'
import type { CenterRow, ProjectRow, RowKind, VersionRow } from '#core/api/sync/rows.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { parseScope } from '#core/sync/protocol/scope.ts'
import { marksOfScope } from '#offline/db/marks.ts'
import { getMeta } from '#offline/db/meta.ts'
import { viewOf } from '#offline/db/view.ts'
import { isOwnView } from '#offline/sync/cache.ts'
import type { KeyRing } from '#offline/vault/codec.ts'
import type { Download, ScopeView } from '#src/data/shapes/scopeTypes.ts'
import type { Reading } from '#src/data/shapes/reading.ts'

import type { DataContext } from './context.ts'
import { listKeptScopes, localCenters, localProject, localRow, localVersions } from './local.ts'

/** Projects, centers, versions and scopes, from the device where they are kept and from the server where not. */

/** Specification §9: how many projects a list loads. */
const LIST_SIZE = 999

export async function readProjects(context: DataContext): Reading<readonly ProjectRow[]> {
  const local = await context.storage.run(async () => {
    const projectIds = (await listKeptScopes(context)).filter((scope) => parseScope(scope)?.kind === 'project')
    const rows = await Promise.all(projectIds.map((id) => localProject(context, id)))
    return rows.filter((row) => row !== null)
  })
  if (!local.ok) return local
  // Without the server this device knows only what it keeps: an empty list would wrongly say that there is no project.
  if (!context.online()) return local.value.length > 0 ? local : err({ code: 'not_kept' })
  const ask = async (): Promise<Result<readonly ProjectRow[], ApiError>> => {
    const page = await context.api.call('project.list', { query: { size: LIST_SIZE } })
    return page.ok ? ok(page.value.records) : page
  }
  // Kept projects are shown at once; the others are added when the server has answered.
  if (local.value.length === 0) return context.remote.read(['projects'], ask)
  const remote = context.remote.peek(['projects'], ask) ?? []
  const shown = new Map([...remote, ...local.value].map((row) => [row.id, row]))
  return ok([...shown.values()])
}

export async function readProject(context: DataContext, projectId: string): Reading<ProjectRow> {
  const local = await context.storage.run(() => localProject(context, projectId))
  if (!local.ok) return local
  if (local.value !== null) return ok(local.value)
  return context.remote.read(['project', projectId], () =>
    context.api.call('project.detail', { query: { projectId }, projectId }),
  )
}

export async function readCenters(context: DataContext, projectId: string): Reading<readonly CenterRow[]> {
  const local = await context.storage.run(() => localCenters(context, projectId))
  if (!local.ok) return local
  if (local.value.length > 0) return ok(local.value)
  return context.remote.read(['centers', projectId], async () => {
    const page = await context.api.call('center.list', { query: { projectId, size: LIST_SIZE }, projectId })
    return page.ok ? ok(page.value.records) : page
  })
}

/** A version of the project, current or earlier: from the device where it is kept, otherwise from the server. */
export async function readVersionById(context: DataContext, projectId: string, versionId: string): Reading<VersionRow> {
  const local = await context.storage.run(() => localRow(context, projectId, 'version', versionId))
  if (!local.ok) return local
  if (local.value !== null) return ok(local.value)
  if (!context.online()) return err({ code: 'not_found' })
  return context.remote.read(['version', versionId], () =>
    context.api.call('version.detail', { params: { id: versionId }, projectId }),
  )
}

/** Several versions. A version that cannot be had now is left out; its things go by their codes until then. */
export async function readVersionsById(
  context: DataContext,
  projectId: string,
  ids: readonly string[],
): Reading<readonly VersionRow[]> {
  const read = await Promise.all(ids.map((id) => readVersionById(context, projectId, id)))
  return ok(read.flatMap((one) => (one.ok ? [one.value] : [])))
}

/**
 * The version that data are entered under: the newest release, or the newest test version while nothing was released.
 */
export async function readVersion(context: DataContext, projectId: string): Reading<VersionRow> {
  const local = await context.storage.run(() => localVersions(context, projectId))
  if (!local.ok) return local
  const kept = currentOf(local.value)
  if (kept !== null) return ok(kept)
  return context.remote.read(['version', projectId], async () => {
    const list = await context.api.call('version.list', { query: { projectId, size: 100 }, projectId })
    if (!list.ok) return list
    const current = currentOf(list.value.records)
    if (current === null) return err({ code: 'not_found' })
    return context.api.call('version.detail', { params: { id: current.id }, projectId, crfId: current.id })
  })
}

function currentOf<Version extends Pick<VersionRow, 'crfProfile' | 'versionNo'>>(
  versions: readonly Version[],
): Version | null {
  const newest = versions.toSorted((a, b) => b.versionNo - a.versionNo)
  return (
    newest.find(({ crfProfile }) => crfProfile === 'formal') ??
    newest.find(({ crfProfile }) => crfProfile === 'test') ??
    null
  )
}

/**
 * Scopes that are or could be kept; without the server, only those that are.
 *
 * @param counted whether to count what is kept, which goes through all of its keys; otherwise the figures are 0
 */
export async function readScopes(
  context: DataContext,
  projectId: string,
  counted: boolean,
): Reading<readonly ScopeView[]> {
  const offered = context.online()
    ? context.remote.peek(['scopes', projectId], () => context.api.call('sync.scopes', { query: { projectId } }))
    : null
  return context.storage.run(async ({ work, cache }) => {
    const rows = (await work.kept.where('userId').equals(context.user.userId).toArray()).filter(
      ({ scope }) => parseScope(scope)?.projectId === projectId,
    )
    const light = new Set(rows.flatMap((row) => (row.light === 1 ? [row.scope] : [])))
    const kept = rows.map(({ scope }) => scope).filter((scope) => !light.has(scope))
    const centers = await localCenters(context, projectId)
    const progress = await getMeta(work, 'pullProgress')
    const texts = new Set([...(offered ?? []).map(({ scope }) => scope), ...kept, ...light])
    const views: ScopeView[] = []
    for (const scope of texts) {
      const parsed = parseScope(scope)
      const offer = offered?.find((one) => one.scope === scope)
      const isKept = kept.includes(scope)
      const shared = isKept && (await work.kept.where('scope').equals(scope).count()) > 1
      const count = (kind: 'patient' | 'entry'): Promise<number> =>
        // While a pull runs the figure changes anyway.
        shared && progress?.scope !== scope
          ? countOwn(context, scope, kind)
          : cache.rows.where('[scope+kind]').equals([scope, kind]).count()
      const known = parsed?.kind === 'center' ? centers.find(({ id }) => id === parsed.centerId) : undefined
      const cursor = await cache.pulls.get([scope, context.user.userId])
      views.push({
        scope,
        center:
          known ??
          (parsed?.kind === 'center' && offer !== undefined ? centerOf(parsed.centerId, offer.centerName ?? '') : null),
        kept: isKept,
        withheld: offer?.withheld === true,
        opened: light.has(scope)
          ? await cache.opened
              .where('[scope+userId]')
              .equals([scope, context.user.userId])
              .filter(({ view }) => view !== null)
              .count()
          : null,
        patients: !isKept ? (offer?.patients ?? 0) : counted ? await count('patient') : 0,
        entries: !isKept
          ? (offer?.entries ?? 0)
          : counted
            ? (await count('entry')) + (await countPacked(context, scope))
            : 0,
        pulledAt: cursor === undefined || (isKept && cursor.light === 1) ? null : cursor.pulledAt,
      })
    }
    return views
  })
}

/** The download that runs. It reads one unencrypted row and nothing else, so that Dexie can observe it row by row. */
export function readDownload({ storage }: DataContext): Reading<Download | null> {
  return storage.run(async ({ work }) => (await getMeta(work, 'pullProgress')) ?? null)
}

/** How many keys are read at once. */
const KEYS_AT_ONCE = 1000

/** How many entries were counted in packs, by the keys that read them and the scope, and after which pulls. */
const packed = new WeakMap<KeyRing, Map<string, { readonly after: string; readonly count: number }>>()

/**
 * Entries of a scope in packs, as this user sees them, without those of patients that gave way on a full disk. All
 * casebooks are read for it, so it is counted again only when anybody's pull has brought something since.
 */
async function countPacked({ storage, ring, user }: DataContext, scope: string): Promise<number> {
  const keys = ring()
  const [pulls, evicted] = await Promise.all([
    storage.cache.pulls.where('scope').equals(scope).toArray(),
    storage.cache.evicted.where('scope').equals(scope).toArray(),
  ])
  const after = JSON.stringify([
    pulls.map((pull) => ({ ...pull, pulledAt: null })),
    evicted.map(({ patientId, view }) => [patientId, view]),
  ])
  const known = packed.get(keys)?.get(scope)
  if (known?.after === after) return known.count
  const away = new Set(evicted.map(({ patientId, view }) => `${patientId} ${view}`))
  const here = await marksOfScope(
    storage.cache,
    scope,
    (mark) => mark.pack !== undefined && isOwnView(keys, user.userId, { ...mark, kind: 'entry' }),
  )
  const count = here.filter(({ patientId, id }) => !away.has(`${patientId} ${viewOf(id)}`)).length
  packed.set(
    keys,
    (packed.get(keys) ?? new Map<string, { readonly after: string; readonly count: number }>()).set(scope, {
      after,
      count,
    }),
  )
  return count
}

/** Rows of a kind as this user sees them, where rows that a colleague pulled may be stored beside them. */
async function countOwn({ storage, ring, user }: DataContext, scope: string, kind: RowKind): Promise<number> {
  let count = 0
  let after: string | typeof Dexie.minKey = Dexie.minKey
  for (;;) {
    const range = storage.cache.rows
      .where('[scope+kind+id]')
      .between([scope, kind, after], [scope, kind, Dexie.maxKey], false, true)
    const keys: [string, string, string][] = await range.limit(KEYS_AT_ONCE).primaryKeys()
    count += keys.filter(([, , id]) => isOwnView(ring(), user.userId, { scope, kind, id })).length
    const last = keys.at(-1)
    if (last === undefined || keys.length < KEYS_AT_ONCE) return count
    after = last[2]
  }
}

/** A center of which only the name is known, before its project's common scope has arrived. */
function centerOf(id: string, centerName: string): CenterRow {
  return {
    id,
    centerName,
    centerCode: '',
    status: 'active',
    groupSummary: null,
    planEnrolls: null,
    siteNo: null,
    numberTemplate: null,
  }
}
