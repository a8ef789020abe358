import type { Notice } from '#core/api/calls/notice.ts'

import { casebookPath, conflictPath, entryPath } from './screenPaths.ts'

/** All notices of the user, those that were read too. */
export const NOTICES_PATH = '/info/message'

type Told = Pick<Notice, 'kind' | 'projectId' | 'patientId' | 'place' | 'conflict' | 'screen' | 'versionId'>

/** The exact place of what a notice is about; null where the user has nothing to see there any more. */
export function noticePath(notice: Told): string | null {
  const { kind, projectId, patientId, place, conflict, screen } = notice
  if (kind === 'approval') return versionsPath(projectId)
  if (screen !== undefined) return screenPath(notice, screen)
  if (conflict !== undefined) return conflictPath(projectId, conflict.entryId, conflict.id)
  if (place !== undefined && patientId !== null) return entryPath(projectId, patientId, place.entryId, place.field)
  return kind === 'taken_back' || patientId === null ? null : casebookPath(projectId, patientId)
}

function screenPath({ projectId, versionId }: Told, screen: NonNullable<Told['screen']>): string | null {
  if (screen === 'inbox') return `/p/${projectId}/inbox`
  if (screen === 'versions') return versionsPath(projectId)
  if (versionId === undefined) return null
  const version = `/p/${projectId}/v/${versionId}`
  if (screen === 'exports') return `${version}/export?part=runs`
  return screen === 'work' ? `${version}/workspace` : `${version}/query?waits=true&overdue=true`
}

function versionsPath(projectId: string): string {
  return `/p/${projectId}/admin/crfHistory`
}
