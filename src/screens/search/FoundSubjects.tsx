import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FoundSubject } from '#core/api/calls/data/search.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import type { ApiError } from '#core/api/errors.ts'
import { fieldsOf } from '#core/dataset/conditions.ts'
import type { AnswerField, Condition } from '#core/dataset/conditions.ts'
import { isMissing } from '#core/dataset/table.ts'
import { useServerCall, useServerQuery } from '#src/data/server.ts'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { useTableMemory } from '#src/frame/tableMemory.ts'
import { casebookPath } from '#src/paths/screenPaths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Note } from '#src/ui/Note.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'
import { downloadFile } from '#src/ui/downloadFile.ts'
import { NothingFound } from '#src/ui/illustrations/NothingFound.tsx'
import { TableFrame } from '#src/ui/table/TableFrame.tsx'
import type { TableColumn } from '#src/ui/table/contract.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { dayOf } from '#src/ui/words/format.ts'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'

import type { Fields } from './useFields.ts'

/** Rows that are read at first, and more each time. */
const PART = 200
const MOST = 1000
const MOST_SHOWN = 8
const REST_MS = 500

interface FoundSubjectsProps {
  readonly project: ProjectRow
  readonly condition: Condition
  readonly fields: Fields
}

/** The subjects who meet the conditions, with their last values in chosen fields. */
export function FoundSubjects({ project, condition, fields }: FoundSubjectsProps) {
  const { t } = useTranslation('search')
  const [rested] = useDebouncedValue(JSON.stringify(condition), REST_MS)
  const [size, setSize] = useState(PART)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const asked = JSON.parse(rested) as Condition
  // What is asked about can be shown.
  const offered = [...new Map(fieldsOf(asked).map((field) => [JSON.stringify(field), field])).values()]
  const show = offered.filter((field) => chosen.includes(JSON.stringify(field))).slice(0, MOST_SHOWN)
  const body = { projectId: project.id, condition: asked, show, current: 1, size }
  const found = useServerQuery('search.subjects', { body, projectId: project.id })
  const labelOf = (field: AnswerField) => fields.find(field)?.label ?? field.code
  const left = found.state === 'ready' ? found.value.total - found.value.records.length : 0
  const empty = <EmptyState icon={<NothingFound />} title={t('none.title')} text={t('none.text')} />
  return (
    <Panel
      title={t('results')}
      actions={
        project.permissions.includes('export') ? (
          <ExportButton project={project} condition={asked} show={show} />
        ) : undefined
      }
    >
      {offered.length > 0 && (
        <MultiSelect
          size="md"
          label={t('show')}
          maxValues={MOST_SHOWN}
          value={chosen.filter((one) => offered.some((field) => JSON.stringify(field) === one))}
          data={offered.map((field) => ({ value: JSON.stringify(field), label: labelOf(field) }))}
          onChange={setChosen}
        />
      )}
      <TableFrame
        name={t('results')}
        columns={useFoundColumns(show, labelOf)}
        of={
          found.state === 'ready'
            ? {
                state: 'ready',
                value: {
                  rows: found.value.records,
                  total: found.value.total,
                  isLeast: found.value.totalIsLeast ?? false,
                },
              }
            : found
        }
        rowKey={({ id }) => id}
        link={({ id }) => casebookPath(project.id, id)}
        memory={useTableMemory(`search ${project.id}`)}
        more={
          left > 0 && size < MOST
            ? { label: t('more'), isReading: false, onMore: () => setSize((before) => Math.min(MOST, before + PART)) }
            : null
        }
        empty={empty}
        noMatch={empty}
      />
    </Panel>
  )
}

function useFoundColumns(
  show: readonly AnswerField[],
  labelOf: (field: AnswerField) => string,
): readonly TableColumn<FoundSubject>[] {
  const { t } = useTranslation(['search', 'database'])
  const label = usePatientLabel()
  const own: readonly TableColumn<FoundSubject>[] = [
    { key: 'subject', title: t('columns.subject'), width: 8, place: 'key', text: label },
    { key: 'initials', title: t('columns.initials'), width: 6, text: ({ initials }) => initials },
    { key: 'center', title: t('columns.center'), width: 8, grows: 1, text: ({ centerName }) => centerName },
    {
      key: 'sex',
      title: t('columns.sex'),
      width: 5,
      text: ({ sex }) => (sex === null ? null : t(`sex.${sex}`)),
    },
    { key: 'enrolledOn', title: t('columns.enrolledOn'), width: 8, text: ({ enrolledOn }) => enrolledOn },
  ]
  return [
    ...own,
    ...show.map((field, at): TableColumn<FoundSubject> => ({
      key: `${field.pageId}.${field.table ?? ''}.${field.code}.${field.part ?? ''}`,
      title: labelOf(field),
      width: 8,
      grows: 1,
      text: ({ answers }) => {
        const cell = answers[at] ?? null
        return isMissing(cell) ? t(`database:missing.${cell.m}`) : cell
      },
    })),
  ]
}

interface ExportButtonProps {
  readonly project: ProjectRow
  readonly condition: Condition
  readonly show: readonly AnswerField[]
}

/** Takes the list away as it is shown. The server makes the file and records that it was taken. */
function ExportButton({ project, condition, show }: ExportButtonProps) {
  const { t } = useTranslation('search')
  const call = useServerCall()
  const errorText = useErrorText()
  const [isBusy, setBusy] = useState(false)
  const [failed, setFailed] = useState<ApiError | null>(null)
  const take = async () => {
    setBusy(true)
    setFailed(null)
    const name = `${t('results')}-${dayOf(new Date())}.csv`.replaceAll(/[\s\\/:*?"<>|]+/gu, ' ')
    const body = { projectId: project.id, condition, show: [...show] }
    const file = await call('search.export', { params: { name }, body, projectId: project.id })
    setBusy(false)
    if (file.ok) downloadFile(name, file.value)
    else setFailed(file.error)
  }
  return (
    <>
      <ServerButton size="md" variant="default" loading={isBusy} onClick={() => void take()}>
        {t('export')}
      </ServerButton>
      {failed !== null && (
        <Note tone="error" live>
          {t('exportFailed', { reason: errorText(failed) })}
        </Note>
      )}
    </>
  )
}
