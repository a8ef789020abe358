import { Button, Group, Select, TextInput } from '@mantine/core'
import { IconSearch, IconUsers } from '@tabler/icons-react'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router-dom'
import type { VisitStatus } from '#core/study/visits/schedule.ts'
import type { FolderRow } from '#core/api/sync/rows.ts'
import { patientsAddress } from '#src/paths/addresses.ts'
import { KeepBanner } from '#src/frame/KeepBanner.tsx'
import { useCenterChoice } from '#src/frame/centerChoice.ts'
import { useMatrixStart } from '#src/data/hooks/patients.ts'
import { useCenters, useProject, useVersion } from '#src/data/hooks/projects.ts'
import { useVisits } from '#src/data/hooks/visits.ts'
import { ALL_PATIENTS } from '#src/data/shapes/listTypes.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'
import { StatusMark } from '#src/ui/marks/StatusMark.tsx'
import type { Status } from '#src/ui/marks/StatusMark.tsx'
import { VisitMark } from '#src/ui/marks/VisitMark.tsx'
import { useAfterDrawing } from '#src/ui/lists/useAfterDrawing.ts'

import { Matrix } from './Matrix.tsx'
import { WorkPanel } from './WorkPanel.tsx'
import { PART } from './useWindow.ts'
import classes from './work.module.css'

/** The marks that need no number, in the order of a page's life. */
const LEGEND: readonly Status[] = ['notStarted', 'inProgress', 'submitted', 'local', 'attention', 'conflict']

interface HiddenNoteProps {
  readonly projectId: string
  readonly centerId: string | null
  readonly isAll: boolean
  readonly onToggle: () => void
}

/** Says how many visits the study hides because they are outside of their window, and shows them. */
function HiddenNote({ projectId, centerId, isAll, onToggle }: HiddenNoteProps) {
  const { t } = useTranslation('visits')
  const center = centerId === null ? {} : { centerId }
  const [coming, overdue] = [
    useVisits(projectId, { ...center, group: 'coming' }),
    useVisits(projectId, { ...center, group: 'overdue' }),
  ]
  const count =
    (coming.state === 'ready' ? coming.value.total : 0) + (overdue.state === 'ready' ? overdue.value.total : 0)
  if (count === 0) return null
  return (
    <Group gap="xs">
      {!isAll && <span className={classes.total}>{t('hidden', { count })}</span>}
      <Button variant="subtle" h={44} onClick={onToggle} aria-expanded={isAll}>
        {t(isAll ? 'hide' : 'show')}
      </Button>
    </Group>
  )
}

const columns = new WeakMap<readonly FolderRow[], readonly FolderRow[]>()

/** The visits that every patient has: what somebody makes when it is needed stands in the casebook of that patient. */
function columnsOf(folders: readonly FolderRow[]): readonly FolderRow[] {
  const known = columns.get(folders) ?? folders.filter(({ schedule }) => schedule?.kind !== 'unscheduled')
  columns.set(folders, known)
  return known
}

/** Of visits in which nothing was entered. */
const VISITS: readonly VisitStatus[] = ['due', 'overdue', 'missed', 'skipped', 'stopped']

/** My work in a project, and how far its patients are by visit. */
export function WorkspaceScreen() {
  const { t } = useTranslation(['workspace', 'patients', 'shell'])
  const { id: projectId = '', crfId = '' } = useParams()
  const [centerId, setCenterId] = useCenterChoice()
  const [typed, setTyped] = useState('')
  const no = useDeferredValue(typed.trim())
  const centers = useCenters(projectId)
  const version = useVersion(projectId)
  const filter = { ...(centerId === null ? {} : { centerId }), ...(no === '' ? {} : { no }), size: ALL_PATIENTS }
  const patients = useMatrixStart(projectId, filter, PART)
  const project = useProject(projectId)
  const hides = project.state === 'ready' && project.value.config.isFilterPeriod === 'Y'
  const [isAll, setAll] = useState(false)
  const areDrawn = useAfterDrawing(patients.state !== 'loading')
  const known = centers.state === 'ready' ? centers.value : []
  return (
    <PageFrame title={t('title')} wide>
      <KeepBanner projectId={projectId} />
      <div className={classes.columns}>
        <WorkPanel projectId={projectId} centerId={centerId} isDue={areDrawn} />
        <section className={classes.matrix} aria-label={t('matrix.title')}>
          <Group gap="xs">
            <TextInput
              size="md"
              inputMode="search"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              placeholder={t('patients:search')}
              aria-label={t('patients:search')}
              leftSection={<IconSearch size={18} aria-hidden="true" />}
              flex="1 1 200px"
              maw={320}
            />
            {known.length > 1 && (
              <Select
                size="md"
                clearable
                value={centerId}
                onChange={setCenterId}
                placeholder={t('patients:allCenters')}
                aria-label={t('patients:center')}
                data={known.map(({ id, centerName }) => ({ value: id, label: centerName }))}
                flex="1 1 180px"
                maw={280}
              />
            )}
            {patients.state === 'ready' && (
              <span className={classes.total}>{t('matrix.total', { count: patients.value.total })}</span>
            )}
          </Group>
          <Loaded of={version} rows={6}>
            {({ folders }) => (
              <Loaded of={patients} rows={6}>
                {(list) =>
                  list.patients.length === 0 ? (
                    <EmptyState
                      icon={<IconUsers size={44} stroke={1.4} />}
                      title={t(no === '' ? 'patients:empty.title' : 'patients:noMatch.title')}
                      text={t(no === '' ? 'matrix.empty' : 'patients:noMatch.text')}
                      action={
                        no === '' ? (
                          <Button size="md" component={Link} to={patientsAddress(projectId, crfId)}>
                            {t('matrix.toPatients')}
                          </Button>
                        ) : undefined
                      }
                    />
                  ) : (
                    <>
                      {hides && (
                        <HiddenNote
                          projectId={projectId}
                          centerId={centerId}
                          isAll={isAll}
                          onToggle={() => setAll(!isAll)}
                        />
                      )}
                      <Matrix
                        projectId={projectId}
                        hidesOutside={hides && !isAll}
                        folders={columnsOf(folders)}
                        patients={list.patients}
                        started={list}
                      />
                      <ul className={classes.legend} aria-label={t('matrix.legend')}>
                        {LEGEND.map((status) => (
                          <li key={status}>
                            <StatusMark status={status} />
                          </li>
                        ))}
                        {folders.some(({ schedule }) => schedule?.kind === 'planned') &&
                          VISITS.map((status) => (
                            <li key={status}>
                              <VisitMark status={status} />
                            </li>
                          ))}
                      </ul>
                    </>
                  )
                }
              </Loaded>
            )}
          </Loaded>
        </section>
      </div>
    </PageFrame>
  )
}
