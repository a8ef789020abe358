import { Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { IconDownload, IconFileUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LARGEST_ENTRY_SHEET } from '#core/api/calls/projectDict.ts'
import type { DictRow } from '#core/api/calls/projectDict.ts'
import type { ApiError } from '#core/api/errors.ts'
import { useServerAction } from '#src/data/server.ts'
import { useSession } from '#src/session/useSession.ts'
import { Note } from '#src/ui/Note.tsx'
import { downloadFile } from '#src/ui/downloadFile.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { Sheet, SheetFoot } from '#src/ui/dialogs/Sheet.tsx'

import { ProblemLines } from './ProblemLines.tsx'
import { useEntryName } from './entryWords.ts'

interface SheetDialogProps {
  readonly projectId: string
  readonly dictionary: DictRow
  readonly onClose: () => void
}

type Outcome =
  | { readonly ok: true; readonly added: number; readonly changed: number }
  | { readonly ok: false; readonly error: ApiError }

/** Downloads a dictionary as a spreadsheet, and takes a changed one in again. */
export function SheetDialog({ projectId, dictionary, onClose }: SheetDialogProps) {
  const { t } = useTranslation(['dict', 'common'])
  const { call } = useSession()
  const act = useServerAction()
  const name = useEntryName()(dictionary)
  const [busy, setBusy] = useState<'down' | 'up' | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const params = { parentDictId: dictionary.id }
  const download = async () => {
    setBusy('down')
    setOutcome(null)
    const file = await call('projectDict.templateFile', { params, projectId })
    setBusy(null)
    if (file.ok) downloadFile(`${dictionary.code}.xlsx`, file.value)
    else setOutcome({ ok: false, error: file.error })
  }
  const upload = async (file: File | null) => {
    if (file === null) return
    if (file.size > LARGEST_ENTRY_SHEET) return setOutcome({ ok: false, error: { code: 'too_large' } })
    setBusy('up')
    setOutcome(null)
    const answer = await act('projectDict.template', { params, body: { file }, projectId })
    setBusy(null)
    return setOutcome(answer.ok ? { ok: true, ...answer.value } : { ok: false, error: answer.error })
  }
  return (
    <Sheet onClose={onClose} title={t('sheet.title', { name })} size="lg">
      <Stack>
        <Text>{t('sheet.text')}</Text>
        <Group>
          <Button
            size="md"
            variant="default"
            data-autofocus
            leftSection={<IconDownload size={18} aria-hidden="true" />}
            loading={busy === 'down'}
            onClick={() => void download()}
          >
            {t('sheet.download')}
          </Button>
          <FileButton accept=".xlsx,.xls" onChange={(file) => void upload(file)}>
            {(props) => (
              <Button
                {...props}
                size="md"
                leftSection={<IconFileUpload size={18} aria-hidden="true" />}
                loading={busy === 'up'}
                {...(busy === 'up' ? { 'aria-label': t('sheet.sending') } : {})}
              >
                {t('sheet.choose')}
              </Button>
            )}
          </FileButton>
        </Group>
        {outcome?.ok === true && (
          <Note tone="done" live>
            {t('sheet.done', outcome)}
          </Note>
        )}
        {outcome?.ok === false && <Refusal error={outcome.error} />}
        <SheetFoot>
          <Button variant="default" size="md" onClick={onClose}>
            {t('common:action.close')}
          </Button>
        </SheetFoot>
      </Stack>
    </Sheet>
  )
}

/** The row of an error, in the server's form. */
const ROW = /^file\.(\d+)$/

function Refusal({ error }: { readonly error: ApiError }) {
  const { t } = useTranslation('dict')
  const errorText = useErrorText()
  const rows = (error.fields ?? []).flatMap(({ path, code, params }) => {
    const line = ROW.exec(path)?.[1]
    return line === undefined ? [] : [{ line: Number(line), problem: code, key: String(params?.key ?? '') }]
  })
  const isColumns = error.fields?.some(({ code }) => code === 'missing_columns') === true
  const isTooLarge =
    error.code === 'too_large' ||
    error.fields?.some(({ path, code }) => path === 'file' && code === 'too_many') === true
  return (
    <Note tone="error" live {...(rows.length > 0 ? { title: t('sheet.wrongRows') } : {})}>
      {rows.length > 0 ? (
        <ProblemLines problems={rows} />
      ) : isColumns ? (
        t('sheet.noColumns')
      ) : isTooLarge ? (
        t('sheet.tooLarge')
      ) : error.code === 'unsupported_media' ? (
        t('sheet.notWorkbook')
      ) : (
        errorText(error)
      )}
    </Note>
  )
}
