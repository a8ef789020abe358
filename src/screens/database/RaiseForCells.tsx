import { Checkbox, Textarea } from '@mantine/core'
import { use, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DatabaseColumn, DatabaseRow } from '#core/api/calls/data/database.ts'
import type { ApiError } from '#core/api/errors.ts'
import { fileQueryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { canonicalJson } from '#core/json.ts'
import { err, ok } from '#core/result.ts'
import type { QueryPlace } from '#core/review/queryThread.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import { isTaken } from '#src/form/queries/takenId.ts'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useLeft } from '#src/ui/useLeft.ts'

/** Most places that are asked about at once. */
export const MOST_PLACES = 200

/** What a query about a field of a row is about. */
export function queryPlaceOf(
  row: DatabaseRow,
  { pageId, table, code }: Pick<DatabaseColumn['field'], 'pageId' | 'table' | 'code'>,
): QueryPlace {
  const { patientId, folderId, folderRepeat, pageRepeat, parentEntryId, pass, rid } = row
  return { patientId, folderId, folderRepeat, pageRepeat, parentEntryId, pass, pageId, table, rid, code }
}

interface RaiseForCellsProps {
  readonly projectId: string
  readonly versionId: string | null
  readonly places: readonly QueryPlace[]
  /** How many selected places are masked: no query is raised there, as with a file of queries. */
  readonly masked: number
  readonly onRaised: (count: number) => void
  readonly onClose: () => void
}

/**
 * Raises the same question about each of several places, one after the other, as each alone would be. Where one cannot
 * be asked the others still are, and a second try asks none twice.
 */
export function RaiseForCells({ projectId, versionId, places, masked, onRaised, onClose }: RaiseForCellsProps) {
  const { t } = useTranslation('database')
  const device = use(DeviceContext)
  const [sitting] = useState(newId)
  const [text, setText] = useState('')
  const [isUrgent, setUrgent] = useState(false)
  const [isCandidate, setCandidate] = useState(false)
  const [isTried, setTried] = useState(false)
  const [done, setDone] = useState(0)
  const isLeft = useLeft()
  const said = text.trim()
  const raiseAll = async () => {
    let raised = 0
    let failed: ApiError | null = null
    for (const place of places) {
      if (isLeft.current || device === null) break
      // The same place and words have the same id as long as the dialog is open: an answer that was lost asks once.
      const id = fileQueryId(sitting, canonicalJson({ ...place, text: said }), 0)
      const question = { id, place, text: said, isCandidate, isUrgent, dueOn: null }
      const answer = await device.raiseQuery(projectId, versionId, question)
      if (answer.ok || isTaken(answer.error)) raised += 1
      else failed ??= answer.error
      setDone((before) => before + 1)
    }
    setDone(0)
    onRaised(raised)
    return failed === null ? ok(raised) : err(failed)
  }
  return (
    <SubmitDialog
      title={t('raise.title', { count: places.length })}
      submit={t('raise.send', { count: places.length })}
      size="lg"
      onSubmit={() => {
        setTried(true)
        return said === '' ? null : raiseAll()
      }}
      onClose={onClose}
    >
      {masked > 0 && <Note tone="info">{t('raise.masked', { count: masked })}</Note>}
      <Textarea
        size="md"
        autosize
        minRows={3}
        maxRows={10}
        maxLength={2000}
        data-autofocus
        label={t('raise.text')}
        value={text}
        error={isTried && said === '' ? t('raise.needsText') : null}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Checkbox
        size="md"
        label={t('raise.urgent')}
        checked={isUrgent}
        onChange={(event) => setUrgent(event.currentTarget.checked)}
      />
      <Checkbox
        size="md"
        label={t('raise.candidate')}
        checked={isCandidate}
        onChange={(event) => setCandidate(event.currentTarget.checked)}
      />
      <output aria-live="polite">{done > 0 && t('raise.progress', { at: done, all: places.length })}</output>
    </SubmitDialog>
  )
}
