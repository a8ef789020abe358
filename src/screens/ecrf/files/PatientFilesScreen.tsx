import { NativeSelect, SegmentedControl, Stack } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOutletContext } from 'react-router-dom'
import { casebookPath } from '#src/paths/screenPaths.ts'
import type { EcrfPlace } from '#src/frame/layouts/EcrfLayout.tsx'
import { usePatientFiles } from '#src/data/hooks/patientFiles.ts'
import type { FileState, PatientFiles } from '#src/data/shapes/fileTypes.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { EcrfHeader } from '../EcrfHeader.tsx'
import ecrf from '../ecrf.module.css'
import { FileCard } from './FileCard.tsx'
import { ProjectImages } from './ProjectImages.tsx'
import classes from './files.module.css'

const SHOWN = ['all', 'here', 'server', 'attention'] as const
type Shown = (typeof SHOWN)[number]

/** The file states that each filter shows. */
const STATES: Readonly<Record<Shown, readonly FileState[] | null>> = {
  all: null,
  here: ['waiting', 'sending'],
  server: ['stored'],
  attention: ['rejected', 'loose', 'coming'],
}

/** A patient's attachments, each with its page, its field and its state; or all images of the project, for browsing. */
export function PatientFilesScreen() {
  const { projectId, patientId } = useOutletContext<EcrfPlace>()
  const { t } = useTranslation('files')
  const label = usePatientLabel()
  const files = usePatientFiles(projectId, patientId)
  const [of, setOf] = useState<'patient' | 'project'>('patient')
  return (
    <>
      <EcrfHeader
        backTo={casebookPath(projectId, patientId)}
        backLabel={t('back')}
        title={files.state === 'ready' ? `${label(files.value.book.patient)} · ${t('title')}` : t('title')}
      />
      <main className={ecrf.main} id="main" tabIndex={-1}>
        <Stack>
          <SegmentedControl
            aria-label={t('of.label')}
            value={of}
            onChange={(value) => setOf(value === 'project' ? 'project' : 'patient')}
            data={[
              { value: 'patient', label: t('of.patient') },
              { value: 'project', label: t('of.project') },
            ]}
          />
          {of === 'project' ? (
            <ProjectImages projectId={projectId} />
          ) : (
            <Loaded of={files} rows={4}>
              {(value) => <OfPatient projectId={projectId} files={value} />}
            </Loaded>
          )}
        </Stack>
      </main>
    </>
  )
}

function OfPatient({ projectId, files }: { readonly projectId: string; readonly files: PatientFiles }) {
  const names = useNames()
  const { t } = useTranslation('files')
  const [shown, setShown] = useState<Shown>('all')
  const [page, setPage] = useState('')
  const pages = new Map(
    files.lines.flatMap((line) => (line.page === null ? [] : [[line.page.entryId, names.place(line.page)]])),
  )
  const lines = files.lines.filter(
    (line) => (STATES[shown]?.includes(line.standing.state) ?? true) && (page === '' || line.page?.entryId === page),
  )
  if (files.lines.length === 0)
    return <EmptyState icon={<IconPhoto size={44} stroke={1.4} />} title={t('empty.title')} text={t('empty.text')} />
  return (
    <Stack gap="sm">
      <div className={classes.filters}>
        <NativeSelect
          size="md"
          label={t('filter.state')}
          value={shown}
          onChange={(event) => setShown(SHOWN.find((one) => one === event.currentTarget.value) ?? 'all')}
          data={SHOWN.map((value) => ({ value, label: t(`filter.${value}`) }))}
        />
        <NativeSelect
          size="md"
          label={t('filter.page')}
          value={page}
          onChange={(event) => setPage(event.currentTarget.value)}
          data={[
            { value: '', label: t('filter.allPages') },
            ...[...pages].map(([value, name]) => ({ value, label: name })),
          ]}
        />
      </div>
      <p className={ecrf.facts}>{t('count', { count: lines.length })}</p>
      {lines.length === 0 && <EmptyState compact title={t('none.title')} text={t('none.text')} />}
      <ul className={classes.cards}>
        {lines.map((line) => (
          <li key={line.reference.id}>
            <FileCard projectId={projectId} patientId={files.book.patient.id} line={line} />
          </li>
        ))}
      </ul>
    </Stack>
  )
}
