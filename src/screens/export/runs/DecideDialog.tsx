import { Button, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataSetRun } from '#core/api/calls/data/dataset.ts'
import type { ApiError } from '#core/api/errors.ts'
import { useServerAction } from '#src/data/server.ts'
import { FactList } from '#src/ui/FactList.tsx'
import { Note } from '#src/ui/Note.tsx'
import { Sheet, SheetFoot } from '#src/ui/dialogs/Sheet.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import { DefinitionFacts } from '../DefinitionFacts.tsx'

interface DecideDialogProps {
  readonly projectId: string
  readonly run: DataSetRun
  readonly onClose: () => void
}

/** Approves or refuses an export of data as they are, with a word of why. */
export function DecideDialog({ projectId, run, onClose }: DecideDialogProps) {
  const { t } = useTranslation('dataExport')
  const errorText = useErrorText()
  const act = useServerAction()
  const [note, setNote] = useState('')
  const [isTried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ApiError | null>(null)
  const decide = async (decision: 'approve' | 'refuse') => {
    setTried(true)
    if (note.trim() === '') return
    setBusy(true)
    setFailure(null)
    const body = { projectId, id: run.id, decision, note: note.trim() }
    const decided = await act('dataset.decide', { body, projectId })
    setBusy(false)
    if (decided.ok) onClose()
    else setFailure(decided.error)
  }
  return (
    <Sheet title={t('decide.title')} size={720} closesOnTapBeside={false} onClose={onClose}>
      <Stack>
        <Text>{t('decide.text', { name: run.askedByName })}</Text>
        <FactList
          facts={[
            [t('runs.purpose'), run.purpose],
            ...(run.crossBorder === null ? [] : [[t('runs.abroad'), run.crossBorder] as const]),
          ]}
        />
        <DefinitionFacts definition={run.definition} facts={null} />
        <Textarea
          size="md"
          required
          autosize
          minRows={2}
          maxLength={500}
          label={t('decide.note')}
          value={note}
          error={isTried && note.trim() === '' ? t('run.required') : null}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        {failure !== null && (
          <Note tone="error" live>
            {errorText(failure)}
          </Note>
        )}
        <SheetFoot>
          <Button size="md" variant="default" color="red.9" disabled={busy} onClick={() => void decide('refuse')}>
            {t('decide.refuse')}
          </Button>
          <Button size="md" loading={busy} onClick={() => void decide('approve')}>
            {t('decide.approve')}
          </Button>
        </SheetFoot>
      </Stack>
    </Sheet>
  )
}
