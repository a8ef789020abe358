import type { ConflictRow, FolderRow, PageRow, ProjectRow, VersionRow } from '#core/api/sync/rows.ts'
import { MASK } from '#core/form/definition/mask.ts'
import { err, ok } from '#core/result.ts'
import { isAboutFormer } from '#core/sync/conflict.ts'
import type { EntryTarget, ItemContent } from '#core/sync/entryChange.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { DELETED, contentAt, rowsOf, stateOf } from '#core/sync/merge.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { decisionsHere } from '#src/data/rows/decisions.ts'
import { centersHere, conflictsOfEntry, isHere, localEntry } from '#src/data/rows/local.ts'
import { Names } from '#src/data/rows/names.ts'
import { rowOf } from '#src/data/rows/overlay.ts'
import { readProject, readProjects, readVersion } from '#src/data/rows/readProjects.ts'
import type { ConflictView, DecidedView, ServerConflict } from '#src/data/shapes/types.ts'
import type { Reading } from '#src/data/shapes/reading.ts'
import { pickTarget } from '#core/sync/entryChange.ts'

import { formerPage } from './formerFields.ts'
import { readEntry } from './readEntry.ts'
import { entryBar } from './readCasebook.ts'
import { cameMasked } from './savedPages.ts'

/** A conflict with all that is needed to decide it: from this device where its center is kept, else from the server. */
export async function readConflict(
  context: DataContext,
  projectId: string,
  entryId: string,
  conflictId: string,
): Reading<ConflictView> {
  const project = await readProject(context, projectId)
  if (!project.ok) return project
  const local = await context.storage.run(() => readConflictHere(context, projectId, entryId, conflictId))
  if (!local.ok) return local
  if (local.value !== null) return localView(context, project.value, local.value)
  return context.online() ? remoteView(context, project.value, entryId, conflictId) : err({ code: 'not_kept' })
}

interface ConflictHere {
  readonly row: ConflictRow
  readonly target: EntryTarget
  readonly deleted: boolean
  readonly patientLabel: string
  readonly arrivedAt: string | null
  readonly decided: DecidedView | null
}

/** Null where this device lacks the conflict or its entry. */
async function readConflictHere(
  context: DataContext,
  projectId: string,
  entryId: string,
  conflictId: string,
): Promise<ConflictHere | null> {
  const row = (await conflictsOfEntry(context, entryId)).find(({ id }) => id === conflictId)
  if (row === undefined) return null
  for (const scope of await centersHere(context, projectId)) {
    const entry = await localEntry(context, scope.text, entryId)
    if (entry === null || !isHere(scope, entry.patientId)) continue
    const names = new Names(context)
    const here = (await decisionsHere(context, entry.patientId)).findLast(({ body }) => body.conflictId === conflictId)
    const decided: DecidedView | null =
      here === undefined
        ? null
        : { ...here.body, byName: await names.author(projectId, here.op.author), at: here.op.acted.at, where: 'device' }
    const patientLabel = await names.patient(entry.patientId)
    const arrivedAt = (await context.storage.work.receipts.get(row.opKey))?.receivedAt ?? null
    return { row, target: pickTarget(entry), deleted: entry.deleted, patientLabel, arrivedAt, decided }
  }
  return null
}

async function localView(context: DataContext, project: ProjectRow, kept: ConflictHere): Reading<ConflictView> {
  const { row, target, patientLabel, decided } = kept
  const entry = await readEntry(context, project.id, target)
  // No known version has the page any more: its values can still be told apart.
  if (!entry.ok && entry.error.code !== 'not_found') return entry
  const version = await readVersion(context, project.id)
  const places = version.ok ? placesIn(version.value, target) : null
  // A release removed the field. The conflict keeps its own words for it, because another field may have its code by
  // now.
  const isOfFormer = isAboutFormer(row)
  const data = entry.ok && !isOfFormer ? entry.value.data : null
  const own = entry.ok ? entry.value.page.option : null
  return ok({
    row,
    projectId: project.id,
    target,
    versionId: entry.ok ? entry.value.versionId : null,
    patientLabel,
    folderName: places?.folder.folderName ?? null,
    folderNameEn: places?.folder.folderNameEn,
    pageName: entry.ok ? entry.value.page.pageName : null,
    pageNameEn: entry.ok ? entry.value.page.pageNameEn : null,
    option: isOfFormer ? ((await formerPage(context, project.id, target, row))?.option ?? null) : own,
    current: standing(row, data, kept.deleted),
    arrivedAt: kept.arrivedAt,
    tableRow: data === null ? null : tableRowOf(row, data),
    decided: decided ?? decidedBy(row),
    barred: entryBar(project) ?? (isMasked(row) ? 'masked' : null),
    kept: true,
  })
}

/** What the item holds now. Where that cannot be read: what it held when the conflict arose. */
function standing(row: ConflictRow, data: EntryData | null, deleted: boolean): ItemContent {
  if (data === null) return row.server
  if (row.code !== DELETED) return contentAt(data, row) ?? row.server
  if (row.table === null || row.rid === null) return { value: deleted, missing: null }
  const found = rowOf(data, row.table, row.rid)
  return found === undefined ? row.server : { value: stateOf(found).deleted, missing: null }
}

function tableRowOf({ table, rid }: ConflictRow, data: EntryData): ConflictView['tableRow'] {
  if (table === null || rid === null) return null
  const rows = rowsOf(data.values[table]) ?? []
  const values = rows.find((row) => row['_rid'] === rid)
  if (values === undefined) return null
  // The page does not count deleted rows.
  const at = rows.filter((row) => !stateOf(row).deleted).indexOf(values)
  return { no: at === -1 ? null : at + 1, values }
}

async function remoteView(
  context: DataContext,
  project: ProjectRow,
  entryId: string,
  conflictId: string,
): Reading<ConflictView> {
  const projectId = project.id
  const query = { projectId, entryId, size: 1000 }
  const page = await context.remote.read(['conflict', projectId, entryId], () =>
    context.api.call('conflict.list', { query, projectId }),
  )
  if (!page.ok) return page
  const found = page.value.records.find(({ id }) => id === conflictId)
  if (found === undefined) return err({ code: 'not_found' })
  const version = await readVersion(context, projectId)
  const { target, current } = found
  const places = version.ok ? placesIn(version.value, target) : null
  return ok({
    row: found,
    projectId,
    target,
    versionId: version.ok ? version.value.id : null,
    patientLabel: found.patientNo ?? '',
    folderName: places?.folder.folderName ?? null,
    folderNameEn: places?.folder.folderNameEn,
    pageName: found.pageName,
    pageNameEn: found.pageNameEn,
    option: (isAboutFormer(found) ? await formerPage(context, projectId, target, found) : places?.page)?.option ?? null,
    current,
    arrivedAt: null,
    tableRow: null,
    decided: decidedBy(found),
    barred: entryBar(project) ?? (isMasked(found) ? 'masked' : null),
    kept: false,
  })
}

function decidedBy({ state, resolution }: ConflictRow): DecidedView | null {
  return state === 'open' || resolution === null ? null : { ...resolution, where: 'server' }
}

/** Nobody decides between values that they may not see. */
function isMasked(row: ConflictRow): boolean {
  const { base, server, mine } = row
  return (
    cameMasked(row) && [base, server, mine].some(({ value, missing }) => value === MASK || missing?.reason === MASK)
  )
}

function placesIn(
  { folders }: VersionRow,
  target: EntryTarget,
): { readonly folder: FolderRow; readonly page: PageRow } | null {
  const folder = folders.find(({ id }) => id === target.folderId)
  const page = folder?.pages.find(({ id }) => id === target.pageId)
  return folder === undefined || page === undefined ? null : { folder, page }
}

/** How many conflicts a list from the server shows. */
const LISTED = 200

/**
 * Open conflicts of centers that this device does not keep, from the projects in which the user may decide or follow
 * them. Empty without the server. Conflicts that are kept here are in the list of what needs attention.
 */
export async function readServerConflicts(context: DataContext): Reading<readonly ServerConflict[]> {
  if (!context.online()) return ok([])
  const projects = await readProjects(context)
  if (!projects.ok) return projects
  const all = await Promise.all(projects.value.map((project) => readNotHere(context, project)))
  return ok(all.flat())
}

async function readNotHere(
  context: DataContext,
  { id: projectId, projectStatus }: ProjectRow,
): Promise<readonly ServerConflict[]> {
  if (projectStatus === 'start') return []
  const kept = await context.storage.run(() => centersHere(context, projectId))
  const query = { projectId, state: 'open', size: LISTED } as const
  const page = await context.remote.read(['conflicts', projectId], () =>
    context.api.call('conflict.list', { query, projectId }),
  )
  // One project that cannot be asked does not keep the others from being listed.
  if (!page.ok || !kept.ok) return []
  const here = new Map(kept.value.map((center) => [center.centerId, center]))
  const notHere = page.value.records.filter(({ centerId, target }) => {
    const center = here.get(centerId)
    return center === undefined || !isHere(center, target.patientId)
  })
  const version = notHere.length === 0 ? null : await readVersion(context, projectId)
  const names = new Names(context, version?.ok === true ? [version.value] : [])
  return Promise.all(
    notHere.map(async ({ id, entryId, patientNo, pageName, pageNameEn, mineByName, mineAt, target, ...place }) => {
      const field = await names.field(projectId, target, place)
      return { id, entryId, projectId, patientNo, pageName, pageNameEn, ...field, mineByName, mineAt }
    }),
  )
}
