import { Button, Group, Select, TextInput } from '@mantine/core'
import { IconCloudDownload, IconSearch, IconUserPlus, IconUsers } from '@tabler/icons-react'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams, useSearchParams } from 'react-router-dom'
import { KeepBanner } from '#src/app/KeepBanner.tsx'
import { useCenterChoice } from '#src/app/centerChoice.ts'
import { usePatients } from '#src/data/patients.ts'
import { ALL_PATIENTS } from '#src/data/source.ts'
import type { PatientView } from '#src/data/types.ts'
import { useCenters, useProject } from '#src/data/projects.ts'
import { useKeeping } from '#src/data/sync.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'

import { EnrolDialog } from './EnrolDialog.tsx'
import { PatientList } from './PatientList.tsx'

/** What a list of patients can be narrowed down to. */
const states = ['todo', 'attention', 'local'] as const

function isIn(state: (typeof states)[number], { sync }: PatientView): boolean {
  // Those with something to go on with are asked for as such.
  if (state === 'todo') return true
  return state === 'local' ? sync === 'local' || sync === 'sending' : sync === 'attention' || sync === 'conflict'
}

/** The patients of a project that the user may see, and enrolment. */
export function PatientsScreen() {
  const { t } = useTranslation(['patients', 'common'])
  const { id: projectId = '' } = useParams()
  const [query, setQuery] = useSearchParams()
  const [centerId, setCenterId] = useCenterChoice()
  const state = states.find((known) => known === query.get('state')) ?? null
  const [search, setSearch] = useState('')
  const [enrolling, setEnrolling] = useState(false)
  const no = useDeferredValue(search.trim())
  const project = useProject(projectId)
  const centers = useCenters(projectId)
  const patients = usePatients(projectId, {
    ...(centerId === null ? {} : { centerId }),
    ...(no === '' ? {} : { no }),
    ...(state === 'todo' ? { todo: 'any' as const } : {}),
    size: ALL_PATIENTS,
  })

  const keeping = useKeeping(projectId)
  // Kept, and nothing of it has come whole yet: that nobody is here means nothing.
  const waitsForDownload = keeping.state === 'ready' && keeping.value.some(({ kept, center, pulledAt }) => kept && center !== null && pulledAt === null)
  const chooseState = (chosen: string | null) => {
    const next = new URLSearchParams(query)
    if (chosen === null) next.delete('state')
    else next.set('state', chosen)
    setQuery(next, { replace: true })
  }
  const known = centers.state === 'ready' ? centers.value : []
  const open = known.filter(({ status }) => status === 'active')
  const row = project.state === 'ready' ? project.value : null
  const mayEnrol = row !== null && row.permissions.includes('patient_enrol') && row.projectStatus === 'process' && open.length > 0
  const enrolButton = (
    <Button size="md" leftSection={<IconUserPlus size={18} aria-hidden="true" />} onClick={() => setEnrolling(true)}>
      {t('enrol.open')}
    </Button>
  )
  return (
    <PageFrame title={t('title')} actions={mayEnrol ? enrolButton : undefined}>
      <KeepBanner projectId={projectId} />
      <Group gap="xs">
        <TextInput
          size="md"
          inputMode="search"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          placeholder={t('search')}
          aria-label={t('search')}
          leftSection={<IconSearch size={18} aria-hidden="true" />}
          flex="1 1 220px"
          maw={360}
        />
        {known.length > 1 && (
          <Select
            size="md"
            aria-label={t('center')}
            placeholder={t('allCenters')}
            clearable
            value={centerId}
            onChange={setCenterId}
            data={known.map(({ id, centerName }) => ({ value: id, label: centerName }))}
          />
        )}
        <Select
          size="md"
          aria-label={t('state.label')}
          placeholder={t('state.all')}
          clearable
          value={state}
          onChange={chooseState}
          data={states.map((value) => ({ value, label: t(`state.${value}`) }))}
        />
      </Group>
      <Loaded of={patients} rows={8}>
        {(list) => {
          const shown = state === null ? list.patients : list.patients.filter((patient) => isIn(state, patient))
          if (shown.length > 0) {
            const total = state === null ? list.total : shown.length
            return <PatientList projectId={projectId} patients={shown} total={total} showCenter={known.length > 1} />
          }
          if (no !== '' || centerId !== null || state !== null) {
            return (
              <EmptyState
                title={t('noMatch.title')}
                text={t('noMatch.text')}
                action={
                  <Button
                    variant="default"
                    onClick={() => {
                      setSearch('')
                      setQuery({}, { replace: true })
                    }}
                  >
                    {t('common:action.clear')}
                  </Button>
                }
              />
            )
          }
          if (waitsForDownload) return <EmptyState icon={<IconCloudDownload size={44} stroke={1.4} />} title={t('downloading.title')} text={t('downloading.text')} />
          if (centers.state === 'ready' && known.length === 0) {
            return <EmptyState title={t('noCenter.title')} text={t('noCenter.text')} />
          }
          return (
            <EmptyState
              icon={<IconUsers size={44} stroke={1.4} />}
              title={t('empty.title')}
              text={mayEnrol ? t('empty.enrol') : t('empty.read')}
              {...(mayEnrol ? { action: enrolButton } : {})}
            />
          )
        }}
      </Loaded>
      {enrolling && row !== null && <EnrolDialog project={row} centers={open} onClose={() => setEnrolling(false)} />}
    </PageFrame>
  )
}
