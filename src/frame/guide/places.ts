import { matchPath } from 'react-router-dom'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { trailPath } from '#src/paths/screenPaths.ts'

import type { GuideProgress } from './progress.ts'

/** Where a step of the guide is done, and the address that leads there. */

export interface GuidePlace {
  /** Whether the person is there. */
  readonly isHere: boolean
  /** Where the step's button leads; null where the next move is a tap on what is on the screen. */
  readonly to: string | null
}

/** @param project in which the person is to enter something */
export function findGuidePlace({ step, page }: GuideProgress, project: ProjectRow, pathname: string): GuidePlace {
  const start = `/p/${project.id}`
  const onPage = matchPath('/eCRF/:patientId/page/:entryId', pathname) !== null
  switch (step) {
    case 'open':
      return { isHere: onPage, to: matchPath(`${start}/*`, pathname) === null ? start : null }
    case 'type':
    case 'submit':
      return { isHere: onPage, to: page ?? start }
    case 'kept':
      return { isHere: pathname === '/device', to: '/device' }
    case 'trail': {
      const patientId = matchPath('/eCRF/:patientId/*', (page ?? '').split('?')[0] ?? '')?.params.patientId
      // Without the right to the audit trail, each field of the page tells its own history.
      if (patientId === undefined || !mayReadTrail(project)) return { isHere: onPage, to: page ?? start }
      return {
        isHere: matchPath('/eCRF/:patientId/log', pathname) !== null,
        to: trailPath(project.id, patientId),
      }
    }
  }
}

export function mayReadTrail({ permissions }: Pick<ProjectRow, 'permissions'>): boolean {
  return permissions.includes('audit_view')
}
