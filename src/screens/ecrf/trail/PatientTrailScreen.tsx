import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useNeedsServer } from '#src/frame/shell/useNeedsServer.ts'
import { useTableMemory } from '#src/frame/tableMemory.ts'
import { useUnsentTrail } from '#src/data/hooks/useUnsentTrail.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Note } from '#src/ui/Note.tsx'
import { TableFrame } from '#src/ui/table/TableFrame.tsx'
import type { RowPanel, TableLoading } from '#src/ui/table/contract.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'

import { PatientPart } from '../PatientPart.tsx'
import { useTrailDownload } from './TrailDownload.tsx'
import { TrailEntry } from './TrailEntry.tsx'
import { EVERYTHING, queryOf } from './filter.ts'
import { useLineVersions } from './lineVersions.ts'
import classes from './trail.module.css'
import { useTrailColumns } from './trailColumns.tsx'
import type { TrailLine } from './trailLine.ts'
import { changedFilter, useTrailFilters } from './useTrailFilters.ts'
import { useTrailLines } from './useTrailLines.tsx'
import type { TrailLines } from './useTrailLines.tsx'
import { useTrailReader } from './useTrailReader.ts'

/**
 * The audit trail of a patient's data, for users who may see trails. Without a network it shows what this tablet has
 * not sent yet.
 */
export function PatientTrailScreen() {
  const { t } = useTranslation('trail')
  return (
    <PatientPart title={t('title')} right="audit_view" className={classes.main}>
      {(book) => <Trail book={book} />}
    </PatientPart>
  )
}

const NO_LINES: readonly TrailLine[] = []

function Trail({ book }: { readonly book: Casebook }) {
  const { t } = useTranslation('trail')
  const errorText = useErrorText()
  const { project, patient } = book
  const [filter, setFilter] = useState(EVERYTHING)
  const reader = useTrailReader(book)
  const unsent = useUnsentTrail(project.id, patient.id)
  const waiting = unsent.state === 'ready' ? unsent.value : []
  const versions = useLineVersions(reader, waiting)
  const query = queryOf(project.id, patient.id, filter)
  const needs = useNeedsServer()
  const trail = useTrailLines(query, waiting.map(({ id }) => id).join(' '), reader, needs === null)
  const offline = needs ?? (trail.error?.code === 'offline' ? errorText(trail.error) : null)
  const filters = useTrailFilters(book, filter)
  const isFiltered = filters.some(({ value }) => value !== null)
  // Only the server can filter: lines of this device are shown only beside the whole trail.
  const own = isFiltered || versions === null ? NO_LINES : waiting.map((line) => reader.ofDevice(line, versions))
  const { button, notes } = useTrailDownload(book, query, reader)
  return (
    <Stack gap="sm">
      {trail.readers}
      {notes}
      {offline !== null && own.length > 0 && (
        <Note tone="info" title={offline}>
          {t('offline')}
        </Note>
      )}
      {offline === null && trail.error !== null && trail.lines !== null && (
        <Note tone="error" live>
          {errorText(trail.error)}
        </Note>
      )}
      <TableFrame
        name={t('title')}
        columns={useTrailColumns()}
        of={tableOf(trail, own, offline !== null)}
        rowKey={({ id }) => id}
        filters={offline === null ? filters : []}
        onFilter={(change) => setFilter((before) => changedFilter(before, change))}
        memory={useTableMemory(`trail ${project.id}`)}
        panel={panelOf(t('table.open'))}
        more={
          trail.onMore === null && !trail.isReading
            ? null
            : { label: t('list.more'), isReading: trail.isReading, onMore: trail.onMore ?? (() => undefined) }
        }
        actions={offline === null ? button : null}
        empty={
          offline === null ? (
            <EmptyState title={t('empty.title')} />
          ) : (
            <EmptyState title={offline} text={t('offlineNone')} />
          )
        }
      />
    </Stack>
  )
}

/** The lines that only this device has, above those of the server. */
function tableOf(trail: TrailLines, own: readonly TrailLine[], isOffline: boolean): TableLoading<TrailLine> {
  const { lines, total, totalIsLeast, error } = trail
  if (lines === null && !isOffline) return error === null ? { state: 'loading' } : { state: 'failed', error }
  const rows = [...own, ...(lines ?? [])]
  return {
    state: 'ready',
    value: { rows, total: own.length + Math.max(total, lines?.length ?? 0), isLeast: totalIsLeast },
  }
}

function panelOf(open: string): (line: TrailLine) => RowPanel {
  return function TrailPanel(line) {
    return {
      title: line.what,
      ...(line.to === null
        ? {}
        : {
            actions: (
              <Button size="md" variant="default" component={Link} to={line.to}>
                {open}
              </Button>
            ),
          }),
      content: (
        <ol className={classes.lines}>
          <TrailEntry line={line} ofField={false} />
        </ol>
      ),
    }
  }
}
