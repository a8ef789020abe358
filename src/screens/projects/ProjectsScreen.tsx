import { Button, Center, SegmentedControl, TextInput, VisuallyHidden } from '@mantine/core'
import { IconFolderPlus, IconLayoutGrid, IconList, IconPlus, IconSearch } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { useProjects } from '#src/data/hooks/projects.ts'
import { setPreferences, usePreferences } from '#src/frame/preferences.ts'
import { LoadedProjects } from '#src/frame/shell/LoadedProjects.tsx'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { StartProjectDialog } from '#src/frame/StartProjectDialog.tsx'
import { useSession } from '#src/session/useSession.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { NothingFound } from '#src/ui/illustrations/NothingFound.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'

import { CreateProjectDialog } from './CreateProjectDialog.tsx'
import { ProjectCards } from './ProjectCards.tsx'
import { ProjectTable } from './ProjectTable.tsx'

/** The projects a user can enter: as cards (the default, specification §9) or as a table. */
export function ProjectsScreen() {
  const { t } = useTranslation('projects')
  const navigate = useNavigate()
  const { projectView } = usePreferences()
  const projects = useProjects()
  const { current } = useSession()
  const [search, setSearch] = useState('')
  const [starting, setStarting] = useState<ProjectRow | null>(null)
  const [creating, setCreating] = useState(false)
  const isAdmin = current.state === 'open' && current.user.isAdmin

  const open = (project: ProjectRow) => {
    if (project.projectStatus === 'start' && project.permissions.includes('project_toggle_status')) setStarting(project)
    else void navigate(`/p/${project.id}`)
  }
  return (
    <PageFrame
      title={t('title')}
      actions={
        <>
          <ProjectsView search={search} onSearch={setSearch} />
          {isAdmin && (
            <ServerButton
              size="md"
              leftSection={<IconPlus size={18} aria-hidden="true" />}
              onClick={() => setCreating(true)}
            >
              {t('create.open')}
            </ServerButton>
          )}
        </>
      }
    >
      <LoadedProjects of={projects}>
        {(all) => {
          if (all.length === 0) return <NoProjects {...(isAdmin ? { onCreate: () => setCreating(true) } : {})} />
          const wanted = search.trim().toLowerCase()
          const shown = all.filter(({ projectName }) => projectName.toLowerCase().includes(wanted))
          if (shown.length === 0) return <NoMatch onClear={() => setSearch('')} />
          return projectView === 'card' ? (
            <ProjectCards projects={shown} onOpen={open} />
          ) : (
            <ProjectTable projects={shown} onOpen={open} />
          )
        }}
      </LoadedProjects>
      <StartProjectDialog project={starting} onClose={() => setStarting(null)} />
      {creating && <CreateProjectDialog onClose={() => setCreating(false)} />}
    </PageFrame>
  )
}

interface ProjectsViewProps {
  readonly search: string
  readonly onSearch: (search: string) => void
}

/** The search for projects, and the choice between cards and table. */
function ProjectsView({ search, onSearch }: ProjectsViewProps) {
  const { t } = useTranslation('projects')
  const { projectView } = usePreferences()
  return (
    <>
      <TextInput
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
        placeholder={t('search')}
        aria-label={t('search')}
        leftSection={<IconSearch size={18} aria-hidden="true" />}
        size="md"
      />
      <SegmentedControl
        size="md"
        aria-label={t('view.label')}
        value={projectView}
        onChange={(view) => setPreferences({ projectView: view === 'table' ? 'table' : 'card' })}
        data={[
          { value: 'card', label: <ViewIcon of={IconLayoutGrid} name={t('view.card')} /> },
          { value: 'table', label: <ViewIcon of={IconList} name={t('view.table')} /> },
        ]}
      />
    </>
  )
}

/** @param onCreate makes the first project; absent where only somebody else can */
function NoProjects({ onCreate }: { readonly onCreate?: () => void }) {
  const { t } = useTranslation('projects')
  return (
    <EmptyState
      icon={<IconFolderPlus size={44} stroke={1.4} />}
      title={t('empty.title')}
      text={onCreate === undefined ? t('empty.text') : t('empty.admin')}
      {...(onCreate === undefined
        ? {}
        : { action: <ServerButton onClick={onCreate}>{t('create.open')}</ServerButton> })}
    />
  )
}

function NoMatch({ onClear }: { readonly onClear: () => void }) {
  const { t } = useTranslation(['projects', 'common'])
  return (
    <EmptyState
      icon={<NothingFound />}
      title={t('noMatch.title')}
      text={t('noMatch.text')}
      action={
        <Button variant="default" onClick={onClear}>
          {t('common:action.clear')}
        </Button>
      }
    />
  )
}

function ViewIcon({ of: Shape, name }: { readonly of: Icon; readonly name: string }) {
  return (
    <Center>
      <Shape size={20} aria-hidden="true" />
      <VisuallyHidden>{name}</VisuallyHidden>
    </Center>
  )
}
