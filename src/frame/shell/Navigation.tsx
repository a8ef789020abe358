import { TextInput, Tooltip } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArrowsDiff,
  IconArrowsSplit2,
  IconBook2,
  IconBriefcase,
  IconBuildingHospital,
  IconCalendar,
  IconChartBar,
  IconChartHistogram,
  IconDatabase,
  IconChecklist,
  IconDeviceTablet,
  IconDatabaseExport,
  IconDevices,
  IconExternalLink,
  IconFlag,
  IconFolders,
  IconForms,
  IconHistory,
  IconHome,
  IconInbox,
  IconInfoCircle,
  IconPlayerPlay,
  IconSearch,
  IconSettings,
  IconUserSearch,
  IconTestPipe,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink, useLocation } from 'react-router-dom'
import type { FunctionCode } from '#core/access/functions.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { studyName } from '#core/study/studyName.ts'
import { useQueryFigures } from '#src/data/hooks/queries.ts'
import { agreementPath, patientsPath } from '#src/paths/screenPaths.ts'
import { centerIn, withCenter } from '#src/frame/lists/centerChoice.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { adminAreas } from './adminAreas.ts'
import type { AdminArea } from './adminAreas.ts'
import { menuOf, startingWith } from './menu.ts'
import type { MenuItem } from './menu.ts'
import classes from './shell.module.css'
import { useSync } from './useSync.ts'

interface NavigationProps {
  readonly project: ProjectRow | null
  /** The version whose patients are listed; null while a project has none. */
  readonly versionId: string | null
  /** Shows only icons; their names appear at the pointer and are read out. */
  readonly collapsed?: boolean
  readonly onChosen: () => void
}

/** One place of the menu. */
export interface MenuEntry {
  readonly to: string
  readonly name: string
  readonly icon: Icon
  readonly count?: number
  /** Leads out of the app. */
  readonly outside?: boolean
}

/** Places of the menu that belong together. */
export interface MenuGroup {
  readonly title: string | null
  readonly entries: readonly MenuEntry[]
  /** Shown where the entry is empty. */
  readonly hint?: string
}

const functionIcons: Readonly<Record<FunctionCode, Icon>> = {
  workspace: IconBriefcase,
  patients: IconUsers,
  visit: IconCalendar,
  query: IconFlag,
  check: IconChecklist,
  report: IconChartBar,
  statistical: IconChartHistogram,
  export: IconDatabaseExport,
  database: IconDatabase,
  tableSearch: IconUserSearch,
  design: IconForms,
  controller: IconArrowsSplit2,
  trial: IconTestPipe,
  inbox: IconInbox,
  dict: IconBook2,
  devices: IconDevices,
}
const adminIcons: Readonly<Record<AdminArea, Icon>> = {
  projectInfo: IconInfoCircle,
  projectConf: IconSettings,
  mem: IconUsersGroup,
  site: IconBuildingHospital,
  crfHistory: IconHistory,
}

/** A menu with more entries than this can be searched. */
const SEARCH_FROM = 5

/** The places that can be reached from here: only those that exist and that the user may enter. */
export function Navigation({ project, versionId, collapsed = false, onChosen }: NavigationProps) {
  const { t } = useTranslation('shell')
  const groups = useMenuGroups(project, versionId)
  const [search, setSearch] = useState('')
  const isSearchable = !collapsed && groups.flatMap(({ entries }) => entries).length > SEARCH_FROM
  const wanted = isSearchable ? search : ''
  const shown = groups
    .map((group) => ({ ...group, entries: startingWith(group.entries, wanted) }))
    .filter(({ entries, hint }) => entries.length > 0 || (hint !== undefined && wanted === ''))
  return (
    <nav className={classes.nav} aria-label={t('nav.title')} data-collapsed={collapsed}>
      {isSearchable && (
        <TextInput
          size="md"
          className={classes.navSearch}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          placeholder={t('nav.search')}
          aria-label={t('nav.search')}
          leftSection={<IconSearch size={18} aria-hidden="true" />}
        />
      )}
      {shown.map(({ title, entries, hint }) => (
        <div key={title ?? ''} className={classes.navGroup}>
          {title !== null && <p className={classes.navTitle}>{title}</p>}
          {entries.length === 0 && <p className={classes.navHint}>{hint}</p>}
          {entries.map((entry) => (
            <EntryLink key={entry.to} entry={entry} collapsed={collapsed} onChosen={onChosen} />
          ))}
        </div>
      ))}
      {shown.length === 0 && <p className={classes.navHint}>{t('nav.noMatch')}</p>}
    </nav>
  )
}

function EntryLink({
  entry,
  collapsed,
  onChosen,
}: {
  readonly entry: MenuEntry
  readonly collapsed: boolean
  readonly onChosen: () => void
}) {
  const { t } = useTranslation('shell')
  const { to, name, icon: EntryIcon, count = 0, outside = false } = entry
  const figure = count > 99 ? '99+' : String(count)
  const className = classes.navLink ?? ''
  const label = `${name}${count > 0 ? ` ${figure}` : ''}${outside ? `（${t('nav.outside')}）` : ''}`
  const body = (
    <>
      <EntryIcon size={20} aria-hidden="true" />
      {!collapsed && <span className={classes.navLabel}>{name}</span>}
      {count > 0 && <span className={classes.navCount}>{figure}</span>}
    </>
  )
  return (
    <Tooltip label={label} position="right" disabled={!collapsed}>
      {outside ? (
        <a
          href={to}
          target="_blank"
          rel="noopener noreferrer"
          className={className}
          aria-label={label}
          onClick={onChosen}
        >
          {body}
        </a>
      ) : (
        <NavLink to={to} className={className} onClick={onChosen} {...(collapsed ? { 'aria-label': label } : {})}>
          {body}
        </NavLink>
      )}
    </Tooltip>
  )
}

/** The places that can be reached from a project, or from outside of all. */
export function useMenuGroups(project: ProjectRow | null, versionId: string | null): readonly MenuGroup[] {
  const { t } = useTranslation('shell')
  const language = useLanguage()
  const { search } = useLocation()
  const sync = useSync()
  const waiting = useWaitingQueries(project)
  const tablet: MenuGroup = {
    title: t('nav.tablet'),
    entries: [
      { to: '/device', name: t('nav.device'), icon: IconDeviceTablet, count: sync?.unsent ?? 0 },
      { to: '/attention', name: t('nav.attention'), icon: IconAlertTriangle, count: sync?.attention ?? 0 },
    ],
  }
  const top: MenuGroup = {
    title: null,
    entries: [
      { to: '/wel/index', name: t('nav.home'), icon: IconHome },
      { to: '/projects', name: t('nav.projects'), icon: IconFolders },
    ],
  }
  if (project === null) return [top, tablet]
  const centerId = centerIn(new URLSearchParams(search))
  const isStarting = project.projectStatus === 'start'
  const functions: MenuEntry[] = isStarting
    ? []
    : menuOf(project, language).flatMap((entry) => toLink(entry, project.id, versionId, centerId, waiting))
  if (!isStarting && project.config.isDouble === 1 && project.permissions.includes('double_merge')) {
    functions.push({
      to: withCenter(agreementPath(project.id), centerId),
      name: t('nav.agreement'),
      icon: IconArrowsDiff,
    })
  }
  const areas: MenuEntry[] = adminAreas(project).map((area) => ({
    to: `/p/${project.id}/admin/${area}`,
    name: t(`nav.${area}`),
    icon: adminIcons[area],
  }))
  // A project that is being set up has no function menu yet: the research is started here.
  if (isStarting && areas.length > 0 && versionId !== null) {
    areas.push({ to: patientsPath(project.id, versionId), name: t('nav.startResearch'), icon: IconPlayerPlay })
  }
  return [
    top,
    ...(isStarting
      ? []
      : [{ title: studyName(project.projectName, language), entries: functions, hint: t('nav.empty') }]),
    ...(areas.length > 0 ? [{ title: t('nav.admin'), entries: areas }] : []),
    tablet,
  ]
}

/** How many queries of the project wait for who looks; none where they have nothing to do with queries. */
function useWaitingQueries(project: ProjectRow | null): number {
  const isConcerned =
    project !== null && project.projectStatus !== 'start' && project.functions?.includes('query') === true
  const figures = useQueryFigures(isConcerned ? project.id : null)
  return figures.state === 'ready' ? figures.value.waits : 0
}

/** Where a menu item leads; null for one that needs a version while the project has none. */
function toLink(
  item: MenuItem,
  projectId: string,
  versionId: string | null,
  centerId: string | null,
  waiting: number,
): readonly MenuEntry[] {
  if (item.kind === 'link') return [{ to: item.href, name: item.name, icon: IconExternalLink, outside: true }]
  const { code, name } = item
  const icon = functionIcons[code]
  switch (code) {
    case 'inbox':
    case 'devices':
      return [{ to: `/p/${projectId}/${code}`, name, icon }]
    case 'design':
    case 'controller':
    case 'trial':
      return versionId === null ? [] : [{ to: `/p/${projectId}/v/${versionId}/${code}`, name, icon }]
    case 'workspace':
    case 'patients':
    case 'visit':
    case 'query':
    case 'check':
    case 'report':
    case 'statistical':
    case 'export':
    case 'database':
    case 'tableSearch':
    case 'dict':
      return versionId === null
        ? []
        : [
            {
              to: withCenter(`/p/${projectId}/v/${versionId}/${code}`, centerId),
              name,
              icon,
              ...(code === 'query' ? { count: waiting } : {}),
            },
          ]
  }
}
