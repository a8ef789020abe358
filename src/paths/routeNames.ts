import { matchPath } from 'react-router-dom'
import { routeNames } from '#core/access/menus.ts'

/**
 * Names of routes and of their places: for breadcrumbs and page titles. A name from specification §2 is used as it
 * stands there.
 */

export type PlaceKey =
  | 'home'
  | 'projects'
  | 'device'
  | 'attention'
  | 'notices'
  | 'conflict'
  | 'admin'
  | 'projectInfo'
  | 'projectConf'
  | 'mem'
  | 'site'
  | 'crfHistory'
  | 'inbox'
  | 'devices'
  | 'agreement'
  | 'patients'
  | 'workspace'
  | 'visit'
  | 'query'
  | 'check'
  | 'report'
  | 'statistical'
  | 'export'
  | 'database'
  | 'tableSearch'
  | 'design'
  | 'controller'
  | 'trial'
  | 'dict'
  | 'template'
  | 'casebook'
  | 'patientVisits'
  | 'page'
  | 'diff'
  | 'files'
  | 'file'
  | 'message'
  | 'trail'

export interface NamedRoute {
  readonly name: string
  readonly path: string
  /** The name of the place (`shell:place`); a project has its own name. */
  readonly place: PlaceKey | 'project'
  /** The route one level up. */
  readonly parent: string | null
}

const named: readonly NamedRoute[] = [
  { name: 'home', path: '/wel/index', place: 'home', parent: null },
  { name: routeNames.projects, path: '/projects', place: 'projects', parent: null },
  { name: 'device', path: '/device', place: 'device', parent: null },
  { name: 'attention', path: '/attention', place: 'attention', parent: null },
  { name: 'notices', path: '/info/message', place: 'notices', parent: null },
  { name: 'conflict', path: '/conflict/:entryId/:conflictId', place: 'conflict', parent: 'attention' },
  { name: 'template', path: '/template/:id/preview', place: 'template', parent: null },
  { name: 'project', path: '/p/:id', place: 'project', parent: null },
  { name: 'admin', path: '/p/:id/admin', place: 'admin', parent: 'project' },
  { name: 'projectInfo', path: '/p/:id/admin/projectInfo', place: 'projectInfo', parent: 'admin' },
  { name: 'projectConf', path: '/p/:id/admin/projectConf', place: 'projectConf', parent: 'admin' },
  { name: routeNames.members, path: '/p/:id/admin/mem', place: 'mem', parent: 'admin' },
  { name: 'site', path: '/p/:id/admin/site', place: 'site', parent: 'admin' },
  { name: 'crfHistory', path: '/p/:id/admin/crfHistory', place: 'crfHistory', parent: 'admin' },
  { name: 'inbox', path: '/p/:id/inbox', place: 'inbox', parent: 'project' },
  { name: 'devices', path: '/p/:id/devices', place: 'devices', parent: 'project' },
  { name: 'agreement', path: '/p/:id/agreement', place: 'agreement', parent: 'project' },
  { name: 'workspace', path: '/p/:id/v/:crfId/workspace', place: 'workspace', parent: 'project' },
  { name: 'design', path: '/p/:id/v/:crfId/design', place: 'design', parent: 'project' },
  { name: 'controller', path: '/p/:id/v/:crfId/controller', place: 'controller', parent: 'project' },
  { name: 'trial', path: '/p/:id/v/:crfId/trial', place: 'trial', parent: 'project' },
  { name: 'patients', path: '/p/:id/v/:crfId/patients', place: 'patients', parent: 'project' },
  { name: 'projectVisits', path: '/p/:id/v/:crfId/visit', place: 'visit', parent: 'project' },
  { name: 'query', path: '/p/:id/v/:crfId/query', place: 'query', parent: 'project' },
  { name: 'report', path: '/p/:id/v/:crfId/report', place: 'report', parent: 'project' },
  { name: 'check', path: '/p/:id/v/:crfId/check', place: 'check', parent: 'project' },
  { name: 'statistical', path: '/p/:id/v/:crfId/statistical', place: 'statistical', parent: 'project' },
  { name: 'export', path: '/p/:id/v/:crfId/export', place: 'export', parent: 'project' },
  { name: 'database', path: '/p/:id/v/:crfId/database', place: 'database', parent: 'project' },
  { name: 'tableSearch', path: '/p/:id/v/:crfId/tableSearch', place: 'tableSearch', parent: 'project' },
  { name: 'dict', path: '/p/:id/v/:crfId/dict', place: 'dict', parent: 'project' },
  { name: routeNames.casebook, path: '/eCRF/:patientId', place: 'casebook', parent: null },
  { name: 'diff', path: '/eCRF/:patientId/diff', place: 'diff', parent: routeNames.casebook },
  { name: 'visit', path: '/eCRF/:patientId/visit', place: 'patientVisits', parent: routeNames.casebook },
  { name: 'page', path: '/eCRF/:patientId/page/:entryId', place: 'page', parent: routeNames.casebook },
  { name: 'attach', path: '/eCRF/:patientId/attach', place: 'files', parent: routeNames.casebook },
  { name: 'log', path: '/eCRF/:patientId/log', place: 'trail', parent: routeNames.casebook },
  { name: 'attachOne', path: '/eCRF/:patientId/attach/:attachId', place: 'file', parent: 'attach' },
  { name: 'message', path: '/eCRF/:patientId/message', place: 'message', parent: routeNames.casebook },
  {
    name: 'attachCanvas',
    path: '/eCRF/:patientId/canvas/attach/:attachId',
    place: 'file',
    parent: routeNames.casebook,
  },
]

/** Specification §2: on these the breadcrumb is hidden. */
const withoutBreadcrumb: ReadonlySet<string> = new Set([routeNames.projects, routeNames.cos])

/** The route that an address belongs to; null for an address without a named route. */
export function routeAt(pathname: string): NamedRoute | null {
  return named.find(({ path }) => matchPath(path, pathname) !== null) ?? null
}

export interface Crumb {
  readonly place: NamedRoute['place']
  /** Where it leads; null for the current place. */
  readonly to: string | null
}

/** The way to an address, from the outside in. Empty where only one level matches, and on routes that show none. */
export function crumbsAt(pathname: string): readonly Crumb[] {
  const here = routeAt(pathname)
  if (here === null || withoutBreadcrumb.has(here.name)) return []
  const way: Crumb[] = [{ place: here.place, to: null }]
  for (let up = parentOf(here); up !== null; up = parentOf(up))
    way.unshift({ place: up.place, to: pathTo(up, pathname) })
  return way.length > 1 ? way : []
}

function parentOf({ parent }: NamedRoute): NamedRoute | null {
  return parent === null ? null : (named.find(({ name }) => name === parent) ?? null)
}

/** The address of a parent route: as many parts of the current address as its path has. */
function pathTo({ path }: NamedRoute, pathname: string): string {
  return pathname.split('/').slice(0, path.split('/').length).join('/')
}
