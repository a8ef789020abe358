import { Button, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { RescueReport } from '#core/api/calls/sync.ts'
import { ChooseFile } from '#src/ui/ChooseFile.tsx'
import { Note } from '#src/ui/Note.tsx'
import { Sheet, SheetFoot } from '#src/ui/dialogs/Sheet.tsx'

import { RescueList } from './RescueList.tsx'
import { useRescue } from './useRescue.ts'

interface RescueDialogProps {
  readonly projectId: string
  readonly onClose: () => void
}

/**
 * Sends a rescue file to the server to be read, shows its contents, and has it taken in after the user's confirmation.
 */
export function RescueDialog({ projectId, onClose }: RescueDialogProps) {
  const { t } = useTranslation(['devices', 'common'])
  const { busy, opened, trouble, done, read, apply } = useRescue(projectId)
  const report = done ?? opened?.report ?? null
  const fresh = (opened?.report.operations ?? []).filter(({ known, error }) => !known && error === null).length
  return (
    <Sheet onClose={onClose} size="xl" title={t('rescue.title')}>
      <Stack>
        {done === null ? (
          <RescueFile name={opened?.name ?? null} reading={busy === 'reading'} onChoose={(file) => void read(file)} />
        ) : (
          <Note tone="done" live>
            {t('rescue.done', countsOf(done))}
          </Note>
        )}
        {trouble !== null && (
          <Note tone="error" live>
            {trouble}
          </Note>
        )}
        {report !== null && <RescueList report={report} />}
        <SheetFoot>
          <Button variant="default" size="md" onClick={onClose}>
            {done === null ? t('common:action.cancel') : t('common:action.close')}
          </Button>
          {opened !== null && done === null && fresh > 0 && (
            <Button size="md" loading={busy === 'importing'} onClick={() => void apply(opened)}>
              {t('rescue.submit', { count: fresh })}
            </Button>
          )}
        </SheetFoot>
      </Stack>
    </Sheet>
  )
}

interface RescueFileProps {
  readonly name: string | null
  readonly reading: boolean
  readonly onChoose: (file: File | null) => void
}

function RescueFile({ name, reading, onChoose }: RescueFileProps) {
  const { t } = useTranslation('devices')
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('rescue.intro')}
      </Text>
      <ChooseFile
        accept=".json,application/json"
        label={t('rescue.choose')}
        reading={reading ? t('rescue.reading') : null}
        name={name}
        onChoose={onChoose}
      />
    </>
  )
}

function countsOf({ operations }: RescueReport): { readonly taken: number; readonly failed: number } {
  const failed = operations.filter(({ error }) => error !== null).length
  return { taken: operations.length - failed, failed }
}
