import { Button, Group, Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOutletContext } from 'react-router-dom'
import type { ApiError } from '#core/api/errors.ts'
import { casebookPath } from '#src/paths/screenPaths.ts'
import type { EcrfPlace } from '#src/frame/layouts/EcrfLayout.tsx'
import { useServerQuery } from '#src/data/server.ts'
import { NoAccess } from '#src/frame/shell/NoAccess.tsx'
import { useNeedsServer } from '#src/frame/shell/useNeedsServer.ts'
import { useCasebook } from '#src/data/hooks/patients.ts'
import { today } from '#src/data/shapes/today.ts'
import { useUnsentTrail } from '#src/data/hooks/useUnsentTrail.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { downloadFile } from '#src/ui/downloadFile.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'

import { EcrfHeader } from '../EcrfHeader.tsx'
import { CHUNK, TrailChunk } from './TrailChunk.tsx'
import type { ChunkProps } from './TrailChunk.tsx'
import { TrailFilters } from './TrailFilters.tsx'
import { UnsentLines } from './UnsentLines.tsx'
import type { TrailQuery } from './filter.ts'
import { EVERYTHING, queryOf } from './filter.ts'
import classes from './trail.module.css'
import { useTrailFile } from './trailFile.ts'
import type { TrailReader } from './trailLine.ts'
import { useParts } from './useParts.ts'
import { useTrailReader } from './useTrailReader.ts'

/**
 * The audit trail of a patient's data, for users who may see trails. Without a network it shows what this tablet has
 * not sent yet.
 */
export function PatientTrailScreen() {
  const { projectId, patientId } = useOutletContext<EcrfPlace>()
  const { t } = useTranslation(['trail', 'common'])
  const label = usePatientLabel()
  const casebook = useCasebook(patientId, projectId)
  const patient = casebook.state === 'ready' ? label(casebook.value.patient) : null
  return (
    <>
      <EcrfHeader
        backTo={casebookPath(projectId, patientId)}
        backLabel={t('common:action.back')}
        title={[patient, t('title')].filter(Boolean).join(' · ')}
      />
      <main className={classes.main} id="main" tabIndex={-1}>
        <Loaded of={casebook} rows={8}>
          {(book) => (book.project.permissions.includes('audit_view') ? <Trail book={book} /> : <NoAccess />)}
        </Loaded>
      </main>
    </>
  )
}

function Trail({ book }: { readonly book: Casebook }) {
  const { t } = useTranslation('trail')
  const { project, patient } = book
  const [filter, setFilter] = useState(EVERYTHING)
  const reader = useTrailReader(book)
  const needs = useNeedsServer()
  const unsent = useUnsentTrail(project.id, patient.id)
  // Only the server can filter: lines of this device are shown only beside the whole trail.
  const own = filter === EVERYTHING && unsent.state === 'ready' ? unsent.value : []
  const query = queryOf(project.id, patient.id, filter)
  const asOf = (unsent.state === 'ready' ? unsent.value : []).map(({ id }) => id).join(' ')
  const { parts, more } = useParts(`${JSON.stringify(query)} ${asOf}`)
  return (
    <Stack>
      {needs === null && <TrailFilters book={book} filter={filter} onChange={setFilter} />}
      <UnsentLines lines={own} reader={reader} ofField={false} needs={needs} />
      {needs === null && (
        <section aria-label={t('list.title')}>
          <Group justify="space-between" mb="xs">
            <h2 className={classes.heading}>{t('list.title')}</h2>
            <Download book={book} query={query} reader={reader} />
          </Group>
          <Stack gap="xs">
            {parts.map((before, at) => (
              <PatientChunk
                key={before}
                query={query}
                isFiltered={filter !== EVERYTHING}
                asOf={asOf}
                before={before}
                isLast={at === parts.length - 1}
                onMore={more}
                reader={reader}
              />
            ))}
          </Stack>
        </section>
      )}
    </Stack>
  )
}

interface PatientChunkProps extends ChunkProps {
  readonly query: TrailQuery
  readonly isFiltered: boolean
  readonly asOf: string
}

function PatientChunk({ query, isFiltered, asOf, ...chunk }: PatientChunkProps) {
  const { t } = useTranslation('trail')
  const after = chunk.before === null ? {} : { before: chunk.before }
  const of = useServerQuery(
    'audit.list',
    { query: { ...query, ...after, size: CHUNK }, projectId: query.projectId },
    asOf,
  )
  return <TrailChunk {...chunk} of={of} ofField={false} empty={t(isFiltered ? 'empty.filtered' : 'empty.title')} />
}

interface DownloadProps {
  readonly book: Casebook
  readonly query: TrailQuery
  readonly reader: TrailReader
}

/** Downloads the lines that pass the filter. */
function Download({ book, query, reader }: DownloadProps) {
  const { t } = useTranslation('trail')
  const label = usePatientLabel()
  const errorText = useErrorText()
  const fileOf = useTrailFile(reader)
  const [count, setCount] = useState<number | null>(null)
  const [error, setError] = useState<ApiError | null>(null)
  const [cut, setCut] = useState<number | null>(null)
  const download = async () => {
    setError(null)
    setCut(null)
    setCount(0)
    let read = 0
    const file = await fileOf(query, (so) => {
      read = so
      setCount(so)
    })
    setCount(null)
    if (!file.ok) return setError(file.error)
    setCut(file.value.isCut ? read : null)
    return downloadFile(
      t('download.file', { patient: label(book.patient), day: today() }),
      new Blob([file.value.text], { type: 'text/csv;charset=utf-8' }),
    )
  }
  return (
    <>
      <Button
        size="md"
        variant="default"
        disabled={count !== null}
        leftSection={<IconDownload size={18} aria-hidden="true" />}
        onClick={() => void download()}
      >
        {count === null ? t('download.start') : t('download.busy', { count })}
      </Button>
      {error !== null && (
        <Note tone="error" live>
          {errorText(error)}
        </Note>
      )}
      {cut !== null && (
        <Note tone="warning" live>
          {t('download.cut', { count: cut })}
        </Note>
      )}
    </>
  )
}
