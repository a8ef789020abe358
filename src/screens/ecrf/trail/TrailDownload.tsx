import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { today } from '#src/data/shapes/today.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import { Note } from '#src/ui/Note.tsx'
import { downloadFile } from '#src/ui/downloadFile.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'

import type { TrailQuery } from './filter.ts'
import { useTrailFile } from './trailFile.ts'
import type { TrailReader } from './trailLine.ts'

/** Downloads the lines that pass the filter: its button, and what is said of it. */
export function useTrailDownload(
  book: Casebook,
  query: TrailQuery,
  reader: TrailReader,
): { readonly button: ReactNode; readonly notes: ReactNode } {
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
  const button = (
    <Button
      size="md"
      variant="default"
      disabled={count !== null}
      leftSection={<IconDownload size={18} aria-hidden="true" />}
      onClick={() => void download()}
    >
      {count === null ? t('download.start') : t('download.busy', { count })}
    </Button>
  )
  const notes = (
    <>
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
  return { button, notes }
}
