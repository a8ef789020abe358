import { Button, Group, Select, TextInput } from '@mantine/core'
import { IconSearch, IconUserPlus, IconUsers } from '@tabler/icons-react'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router-dom'
import { BULK_PAGE_SIZE } from '#core/api/call.ts'
import { useCenterChoice } from '#src/app/centerChoice.ts'
import { usePatients } from '#src/data/patients.ts'
import { useCenters, useProject } from '#src/data/projects.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'

import { EnrolDialog } from './EnrolDialog.tsx'
import { KeepBanner } from './KeepBanner.tsx'
import { PatientList } from './PatientList.tsx'

/** The patients of a project that the user may see, and enrolment. */
export function PatientsScreen() {
  const { t } = useTranslation(['patients', 'common'])
  const { id: projectId = '' } = useParams()
  const [centerId, setCenterId] = useCenterChoice()
  const [search, setSearch] = useState('')
  const [enrolling, setEnrolling] = useState(false)
  const no = useDeferredValue(search.trim())
  const project = useProject(projectId)
  const centers = useCenters(projectId)
  const patients = usePatients(projectId, {
    ...(centerId === null ? {} : { centerId }),
    ...(no === '' ? {} : { no }),
    size: BULK_PAGE_SIZE,
  })

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
      </Group>
      <Loaded of={patients} rows={8}>
        {(list) => {
          if (list.patients.length > 0) return <PatientList projectId={projectId} list={list} showCenter={known.length > 1} />
          if (no !== '' || centerId !== null) {
            return (
              <EmptyState
                title={t('noMatch.title')}
                text={t('noMatch.text')}
                action={
                  <Button
                    variant="default"
                    onClick={() => {
                      setSearch('')
                      setCenterId(null)
                    }}
                  >
                    {t('common:action.clear')}
                  </Button>
                }
              />
            )
          }
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
