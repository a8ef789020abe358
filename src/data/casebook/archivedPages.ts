import type { VersionRow } from '#core/api/sync/rows.ts'
import { entryId } from '#core/derivedIds.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { readVersionById } from '#src/data/rows/readProjects.ts'
import type { CasebookPage } from '#src/data/shapes/types.ts'

import { casebookPage, knownTargets } from './casebookVisits.ts'
import type { Patient } from './patientParts.ts'

/**
 * Pages that the current version does not have but in which the patient has data. They are named as in the version that
 * they were entered under. A page is left out while its version cannot be had.
 */
export async function archivedPages(context: DataContext, patient: Patient): Promise<readonly CasebookPage[]> {
  const { project, version, entries } = patient
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const gone = knownTargets(patient).flatMap((target) => {
    const entry = byId.get(entryId(target))
    return entry === undefined || isIn(version, target) || entry.status === 'init'
      ? []
      : [{ target, versionId: entry.versionId }]
  })
  const versions = new Map<string, VersionRow | null>()
  for (const versionId of new Set(gone.map((one) => one.versionId))) {
    const read = await readVersionById(context, project.id, versionId)
    versions.set(versionId, read.ok ? read.value : null)
  }
  return gone.flatMap(({ target, versionId }) => {
    const folder = versions.get(versionId)?.folders.find(({ id }) => id === target.folderId)
    const page = folder?.pages.find(({ id }) => id === target.pageId)
    if (folder === undefined || page === undefined) return []
    return [{ ...casebookPage(patient, page, folder, target, 1), removableAt: null }]
  })
}

function isIn(
  version: VersionRow,
  { folderId, pageId }: { readonly folderId: string; readonly pageId: string },
): boolean {
  return version.folders.some(({ id, pages }) => id === folderId && pages.some((page) => page.id === pageId))
}
