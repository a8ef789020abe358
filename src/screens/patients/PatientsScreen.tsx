import { Button } from '@mantine/core'
import { IconCloudDownload, IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router-dom'
import type { ApiError } from '#core/api/errors.ts'
import { KeepBanner } from '#src/frame/KeepBanner.tsx'
import { SearchFailed, whySearchFailed } from '#src/frame/lists/SearchFailed.tsx'
import { useKeptSearches } from '#src/frame/lists/useKeptSearches.ts'
import { useListChoice } from '#src/frame/lists/useListChoice.ts'
import { usePatients } from '#src/data/hooks/patients.ts'
import { ALL_PATIENTS } from '#src/data/shapes/listTypes.ts'
import { useCenters, useProject, useVersion } from '#src/data/hooks/projects.ts'
import { useKeeping } from '#src/data/hooks/sync.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { NoPatients as NoPatientsDrawing } from '#src/ui/illustrations/NoPatients.tsx'
import { Note } from '#src/ui/Note.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import { EnrolDialog } from './EnrolDialog.tsx'
import { ExcelButton } from './ExcelButton.tsx'
import { NoMatch } from './NoMatch.tsx'
import { PatientTable } from './PatientTable.tsx'
import { addressFilter, askedFor } from './filter.ts'
import { useFilterWords } from './filterWords.ts'
import { listChange, usePatientFilters } from './usePatientFilters.ts'

/** The patients of a project that the user may see, and enrolment. */
export function PatientsScreen() {
  const { t } = useTranslation('patients')
  const errorText = useErrorText()
  const { id: projectId = '' } = useParams()
  const { filter, change, search, searched, setSearch, clear } = useListChoice(addressFilter)
  const [enrolling, setEnrolling] = useState(false)
  const [failed, setFailed] = useState<ApiError | null>(null)
  const project = useProject(projectId)
  const centers = useCenters(projectId)
  const casebook = useVersion(projectId)
  const asked = askedFor(filter, searched)
  const patients = usePatients(projectId, { ...asked, size: ALL_PATIENTS })

  const waitsForDownload = useWaitsForDownload(projectId)
  const known = centers.state === 'ready' ? centers.value : []
  const version = casebook.state === 'ready' ? casebook.value : null
  const open = known.filter(({ status }) => status === 'active')
  const row = project.state === 'ready' ? project.value : null
  const permissions = row?.permissions ?? []
  const searches = useKeptSearches(projectId, permissions)
  const words = useFilterWords({ centers: known, version, permissions, searches })(filter, searched)
  const filters = usePatientFilters(filter, words, { centers: known, version, permissions, searches })
  const mayEnrol =
    row !== null && permissions.includes('patient_enrol') && row.projectStatus === 'process' && open.length > 0
  const mayExport = row !== null && permissions.includes('export')
  const enrolButton = mayEnrol ? <EnrolButton onEnrol={() => setEnrolling(true)} /> : null
  const actions = (mayEnrol || mayExport) && (
    <>
      {mayExport && <ExcelButton project={row} filter={asked} onFailed={setFailed} />}
      {enrolButton}
    </>
  )
  return (
    <PageFrame title={t('title')} wide actions={actions === false ? undefined : actions}>
      <KeepBanner projectId={projectId} />
      {failed !== null && (
        <Note tone="error" live>
          {t('excel.failed', { reason: errorText(failed) })}
        </Note>
      )}
      <PatientTable
        projectId={projectId}
        of={patients}
        version={version}
        hasCenters={known.length > 1}
        hasQueries={row?.functions?.includes('query') === true}
        search={{ label: t('search'), value: search, onChange: setSearch }}
        filters={filters}
        onFilter={(changed) => change(listChange(changed))}
        file={mayExport ? t('title') : null}
        failed={(error) => {
          const why = whySearchFailed(error, filter.search)
          return why === null ? null : <SearchFailed why={why} onRemove={() => change({ search: null })} />
        }}
        noMatch={
          <NoMatch
            projectId={projectId}
            filter={filter}
            search={searched}
            words={words}
            onRemove={(key) => (key === 'words' ? setSearch('') : change({ [key]: null }))}
            onClear={clear}
          />
        }
        empty={
          <NoPatients
            waitsForDownload={waitsForDownload}
            hasCenters={centers.state !== 'ready' || known.length > 0}
            enrolButton={enrolButton}
          />
        }
      />
      {enrolling && row !== null && <EnrolDialog project={row} centers={open} onClose={() => setEnrolling(false)} />}
    </PageFrame>
  )
}

/** Whether the project is kept here but no part of it is complete yet: an empty list then means nothing. */
function useWaitsForDownload(projectId: string): boolean {
  const keeping = useKeeping(projectId)
  return (
    keeping.state === 'ready' &&
    keeping.value.some(({ kept, center, pulledAt }) => kept && center !== null && pulledAt === null)
  )
}

function EnrolButton({ onEnrol }: { readonly onEnrol: () => void }) {
  const { t } = useTranslation('patients')
  return (
    <Button size="md" leftSection={<IconUserPlus size={18} aria-hidden="true" />} onClick={onEnrol}>
      {t('enrol.open')}
    </Button>
  )
}

interface NoPatientsProps {
  readonly waitsForDownload: boolean
  readonly hasCenters: boolean
  /** Null where the user may not enrol patients. */
  readonly enrolButton: ReactNode
}

/** Says why the list is empty without any filter. */
function NoPatients({ waitsForDownload, hasCenters, enrolButton }: NoPatientsProps) {
  const { t } = useTranslation('patients')
  if (waitsForDownload)
    return (
      <EmptyState
        icon={<IconCloudDownload size={44} stroke={1.4} />}
        title={t('downloading.title')}
        text={t('downloading.text')}
      />
    )
  if (!hasCenters)
    return <EmptyState icon={<NoPatientsDrawing />} title={t('noCenter.title')} text={t('noCenter.text')} />
  return (
    <EmptyState
      icon={<NoPatientsDrawing />}
      title={t('empty.title')}
      text={enrolButton === null ? t('empty.read') : t('empty.enrol')}
      {...(enrolButton === null ? {} : { action: enrolButton })}
    />
  )
}
