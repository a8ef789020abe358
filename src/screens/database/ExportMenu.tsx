import { Button, Menu, VisuallyHidden } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DatabaseKey, DatabaseQuestion } from '#core/api/calls/data/database.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { useServerCall } from '#src/data/server.ts'
import { useNeedsServer } from '#src/frame/shell/useNeedsServer.ts'
import { Note } from '#src/ui/Note.tsx'
import { downloadFile } from '#src/ui/downloadFile.ts'
import { dayOf } from '#src/ui/words/format.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'

interface ExportMenuProps {
  readonly project: ProjectRow
  readonly question: DatabaseQuestion
  readonly keys: readonly DatabaseKey[]
  readonly values: 'codes' | 'labels'
}

/** Characters that some system forbids in the name of a file. */
const FORBIDDEN = /[\s\\/:*?"<>|]+/gu

/** Takes away what is shown. The server makes the file and records that it was taken. */
export function ExportMenu({ project, question, keys, values }: ExportMenuProps) {
  const { t } = useTranslation('database')
  const call = useServerCall()
  const errorText = useErrorText()
  const [isBusy, setBusy] = useState(false)
  const needs = useNeedsServer()
  const [failed, setFailed] = useState<ApiError | null>(null)
  const take = async (ending: 'csv' | 'xlsx') => {
    setBusy(true)
    setFailed(null)
    const stem = `${t('title')}-${project.projectName.slice(0, 60)}-${dayOf(new Date())}`
    const name = `${stem.replaceAll(FORBIDDEN, ' ').trim()}.${ending}`
    const file = await call('database.export', {
      params: { name },
      body: { ...question, keys: [...keys], values },
      projectId: project.id,
    })
    setBusy(false)
    if (file.ok) downloadFile(name, file.value)
    else setFailed(file.error)
  }
  return (
    <>
      <Menu position="bottom-end" withinPortal shadow="md">
        <Menu.Target>
          <Button
            size="md"
            variant="default"
            loading={isBusy}
            leftSection={<IconDownload size={18} aria-hidden="true" />}
          >
            {t('export.open')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label maw={260}>{needs ?? t('export.hint')}</Menu.Label>
          {(['csv', 'xlsx'] as const).map((ending) => (
            <Menu.Item key={ending} mih="var(--zl-control)" disabled={needs !== null} onClick={() => void take(ending)}>
              {t(`export.${ending}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <VisuallyHidden component="output">{isBusy ? t('export.busy') : ''}</VisuallyHidden>
      {failed !== null && (
        <Note tone="error" live>
          {t('export.failed', { reason: errorText(failed) })}
        </Note>
      )}
    </>
  )
}
