import { Button, FileButton, Group, Loader, Modal, Stack, Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RescueReport } from '#core/api/calls/sync.ts'
import type { ApiError } from '#core/api/errors.ts'
import { useServerAction } from '#src/data/server.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import { RescueList } from './RescueList.tsx'

/** The largest file that the server takes, in bytes. */
const MAX_BYTES = 16_000_000

interface RescueDialogProps {
  readonly projectId: string
  readonly onClose: () => void
}

interface Opened {
  readonly name: string
  readonly text: string
  readonly report: RescueReport
}

/** Reads a rescue file at the server, shows what is in it, and takes it in when that is confirmed. */
export function RescueDialog({ projectId, onClose }: RescueDialogProps) {
  const { t } = useTranslation(['devices', 'common'])
  const errorText = useErrorText()
  const act = useServerAction()
  const [busy, setBusy] = useState<'reading' | 'importing' | null>(null)
  const [opened, setOpened] = useState<Opened | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)
  const [done, setDone] = useState<RescueReport | null>(null)

  const explain = (error: ApiError): string => (error.code === 'invalid' ? t('rescue.unreadable') : errorText(error))
  const read = async (file: File | null) => {
    if (file === null) return
    setOpened(null)
    setTrouble(file.size > MAX_BYTES ? t('rescue.tooLarge') : null)
    if (file.size > MAX_BYTES) return
    setBusy('reading')
    const text = await file.text()
    const result = await act('sync.rescue', { body: { projectId, file: text, apply: false }, projectId })
    setBusy(null)
    if (result.ok) setOpened({ name: file.name, text, report: result.value })
    else setTrouble(explain(result.error))
  }
  const apply = async ({ text }: Opened) => {
    setBusy('importing')
    const result = await act('sync.rescue', { body: { projectId, file: text, apply: true }, projectId })
    setBusy(null)
    setTrouble(result.ok ? null : explain(result.error))
    if (result.ok) setDone(result.value)
  }
  const report = done ?? opened?.report ?? null
  const fresh = (opened?.report.operations ?? []).filter(({ known, error }) => !known && error === null).length
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={t('rescue.title')}
      closeButtonProps={{ 'aria-label': t('common:action.close') }}
    >
      <Stack>
        {done === null ? (
          <>
            <Text size="sm" c="dimmed">
              {t('rescue.intro')}
            </Text>
            <Group>
              <FileButton accept=".json,application/json" onChange={(file) => void read(file)}>
                {(props) => (
                  <Button
                    {...props}
                    size="md"
                    variant="default"
                    leftSection={<IconFileUpload size={18} aria-hidden="true" />}
                  >
                    {t('rescue.choose')}
                  </Button>
                )}
              </FileButton>
              {busy === 'reading' && <Loader size={24} aria-label={t('rescue.reading')} />}
              {opened !== null && <Text>{opened.name}</Text>}
            </Group>
          </>
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
        <Group justify="flex-end">
          <Button variant="default" size="md" onClick={onClose}>
            {done === null ? t('common:action.cancel') : t('common:action.close')}
          </Button>
          {opened !== null && done === null && fresh > 0 && (
            <Button size="md" loading={busy === 'importing'} onClick={() => void apply(opened)}>
              {t('rescue.submit', { count: fresh })}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

function countsOf({ operations }: RescueReport): { readonly taken: number; readonly failed: number } {
  const failed = operations.filter(({ error }) => error !== null).length
  return { taken: operations.length - failed, failed }
}
