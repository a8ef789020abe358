import { Button } from '@mantine/core'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router-dom'
import type { FolderRow } from '#core/api/sync/rows.ts'
import { studyName } from '#core/study/studyName.ts'
import { patientsPath } from '#src/paths/screenPaths.ts'
import { KeepBanner } from '#src/frame/KeepBanner.tsx'
import { useCenterChoice } from '#src/frame/lists/centerChoice.ts'
import { SearchFailed, whySearchFailed } from '#src/frame/lists/SearchFailed.tsx'
import { useSearchChoice } from '#src/frame/lists/searchChoice.ts'
import { useKeptSearches } from '#src/frame/lists/useKeptSearches.ts'
import { useMatrixStart } from '#src/data/hooks/patients.ts'
import { useCenters, useProject, useVersion } from '#src/data/hooks/projects.ts'
import { ALL_PATIENTS } from '#src/data/shapes/listTypes.ts'
import type { MatrixStart } from '#src/data/shapes/listTypes.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { NoPatients } from '#src/ui/illustrations/NoPatients.tsx'
import { NothingFound } from '#src/ui/illustrations/NothingFound.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'
import { useAfterDrawing } from '#src/ui/lists/useAfterDrawing.ts'
import { shortStudyName } from '#src/ui/words/studyName.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { HiddenNote } from './HiddenNote.tsx'
import { Matrix } from './Matrix.tsx'
import { MatrixFilter } from './MatrixFilter.tsx'
import { MatrixLegend } from './MatrixLegend.tsx'
import { PinnedReports } from './PinnedReports.tsx'
import { WorkPanel } from './WorkPanel.tsx'
import { PART } from './useWindow.ts'
import classes from './work.module.css'

const columns = new WeakMap<readonly FolderRow[], readonly FolderRow[]>()

/**
 * The visits that every patient has. A visit that somebody makes when needed is shown only in the casebook of its
 * patient.
 */
function columnsOf(folders: readonly FolderRow[]): readonly FolderRow[] {
  const known = columns.get(folders) ?? folders.filter(({ schedule }) => schedule?.kind !== 'unscheduled')
  columns.set(folders, known)
  return known
}

/** The user's work in a project, and how far its patients are, by visit. */
export function WorkspaceScreen() {
  const { t } = useTranslation('workspace')
  const { id: projectId = '', crfId = '' } = useParams()
  const [centerId, setCenterId] = useCenterChoice()
  const [searchId, setSearchId] = useSearchChoice()
  const [typed, setTyped] = useState('')
  const no = useDeferredValue(typed.trim())
  const centers = useCenters(projectId)
  const version = useVersion(projectId)
  const filter = {
    ...(centerId === null ? {} : { centerId }),
    ...(no === '' ? {} : { no }),
    ...(searchId === null ? {} : { searchId }),
    size: ALL_PATIENTS,
  }
  const patients = useMatrixStart(projectId, filter, PART)
  const project = useProject(projectId)
  const hasQueries = project.state === 'ready' && project.value.functions?.includes('query') === true
  const hides = project.state === 'ready' && project.value.config.isFilterPeriod === 'Y'
  const maySeeReports = project.state === 'ready' && project.value.permissions.includes('report_view')
  const [isAll, setAll] = useState(false)
  const areDrawn = useAfterDrawing(patients.state !== 'loading')
  const searches = useKeptSearches(projectId, project.state === 'ready' ? project.value.permissions : [], areDrawn)
  const failed = patients.state === 'failed' ? whySearchFailed(patients.error, searchId) : null
  return (
    <PageFrame title={t('title')} actions={<StudyName of={project} />} wide>
      <KeepBanner projectId={projectId} />
      <div className={classes.screen}>
        <div className={classes.columns}>
          <WorkPanel
            projectId={projectId}
            centerId={centerId}
            enters={project.state !== 'ready' || project.value.permissions.includes('database_submit_page')}
            hasQueries={hasQueries}
            isDue={areDrawn && project.state !== 'loading'}
          />
          <section className={classes.matrix} aria-label={t('matrix.title')}>
            <div className={classes.bar}>
              <MatrixFilter
                typed={typed}
                onTyped={setTyped}
                centers={centers.state === 'ready' ? centers.value : []}
                centerId={centerId}
                onCenter={setCenterId}
                searches={searches}
                searchId={searchId}
                onSearch={setSearchId}
                total={patients.state === 'ready' ? patients.value.total : null}
              />
              {hides && areDrawn && (
                <HiddenNote {...{ projectId, centerId, searchId, isAll }} onToggle={() => setAll(!isAll)} />
              )}
            </div>
            {failed === null ? (
              <Loaded of={version} rows={6}>
                {({ folders }) => (
                  <Loaded of={patients} rows={6}>
                    {(list) =>
                      list.patients.length === 0 ? (
                        <EmptyMatrix isSearch={no !== '' || searchId !== null} to={patientsPath(projectId, crfId)} />
                      ) : (
                        <MatrixOf {...{ projectId, folders, list, hasQueries }} hidesOutside={hides && !isAll} />
                      )
                    }
                  </Loaded>
                )}
              </Loaded>
            ) : (
              <SearchFailed why={failed} onRemove={() => setSearchId(null)} />
            )}
          </section>
        </div>
        {areDrawn && maySeeReports && <PinnedReports projectId={projectId} versionId={crfId} />}
      </div>
    </PageFrame>
  )
}

interface MatrixOfProps {
  readonly projectId: string
  readonly folders: readonly FolderRow[]
  readonly list: MatrixStart
  readonly hasQueries: boolean
  readonly hidesOutside: boolean
}

function MatrixOf({ projectId, folders, list, hasQueries, hidesOutside }: MatrixOfProps) {
  return (
    <>
      <Matrix
        {...{ projectId, hasQueries, hidesOutside }}
        folders={columnsOf(folders)}
        patients={list.patients}
        started={list}
      />
      <MatrixLegend folders={folders} hasQueries={hasQueries} />
    </>
  )
}

/** The short name of the study; its whole name where a pointer rests, and for a screen reader. */
function StudyName({ of }: { readonly of: ReturnType<typeof useProject> }) {
  const language = useLanguage()
  if (of.state !== 'ready') return null
  const name = studyName(of.value.projectName, language)
  return (
    <span className={classes.study} title={name}>
      {shortStudyName(name)}
    </span>
  )
}

interface EmptyMatrixProps {
  /** Whether the user searched for a patient. */
  readonly isSearch: boolean
  /** The address of the patient list, where patients are enrolled. */
  readonly to: string
}

function EmptyMatrix({ isSearch, to }: EmptyMatrixProps) {
  const { t } = useTranslation(['workspace', 'patients'])
  return (
    <EmptyState
      icon={isSearch ? <NothingFound /> : <NoPatients />}
      title={t(isSearch ? 'patients:noMatch.title' : 'patients:empty.title')}
      text={t(isSearch ? 'patients:noMatch.text' : 'matrix.empty')}
      action={
        isSearch ? undefined : (
          <Button size="md" component={Link} to={to}>
            {t('matrix.toPatients')}
          </Button>
        )
      }
    />
  )
}
