import { Button, VisuallyHidden } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import type { PatientFilter } from '#src/data/shapes/listTypes.ts'
import { useSession } from '#src/session/useSession.ts'
import { downloadFile } from '#src/ui/downloadFile.ts'
import { dayOf } from '#src/ui/words/format.ts'

interface ExcelButtonProps {
  readonly project: ProjectRow
  readonly filter: PatientFilter
  readonly onFailed: (error: ApiError | null) => void
}

/** Characters that some system forbids in the name of a file. */
const FORBIDDEN = /[\s\\/:*?"<>|]+/gu

/**
 * Downloads the list with its filters. The server makes the file, masks what the user may not export, and records the
 * export.
 */
export function ExcelButton({ project, filter, onFailed }: ExcelButtonProps) {
  const { t } = useTranslation('patients')
  const { call } = useSession()
  const [busy, setBusy] = useState(false)
  const { sync, ...asked } = filter
  const download = async () => {
    setBusy(true)
    onFailed(null)
    const name = `${t('title')}-${project.projectName.slice(0, 60)}-${dayOf(new Date())}`
      .replaceAll(FORBIDDEN, ' ')
      .trim()
    const file = await call('patient.excel', {
      params: { name: `${name}.xlsx` },
      query: { projectId: project.id, ...asked },
      projectId: project.id,
    })
    setBusy(false)
    if (file.ok) downloadFile(`${name}.xlsx`, file.value)
    else onFailed(file.error)
  }
  return (
    <>
      <Button
        size="md"
        variant="default"
        leftSection={<IconFileSpreadsheet size={18} aria-hidden="true" />}
        loading={busy}
        // The server does not know the sync state of this device, so it cannot filter by it.
        disabled={sync !== undefined}
        title={sync === undefined ? undefined : t('excel.notBySync')}
        onClick={() => void download()}
      >
        {t('excel.open')}
      </Button>
      <VisuallyHidden component="output">{busy ? t('excel.busy') : ''}</VisuallyHidden>
    </>
  )
}
