import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import { Note } from '#src/ui/Note.tsx'
import { downloadFile } from '#src/ui/downloadFile.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { Sheet, SheetFoot } from '#src/ui/dialogs/Sheet.tsx'

import type { Leaving } from './useLeaveGuard.ts'

/**
 * Asks before the user leaves a page on which something could not be saved: stay, take it along as a rescue file, or
 * leave.
 */
export function LeaveDialog({ leaving }: { readonly leaving: Leaving }) {
  const { t } = useTranslation('ecrf')
  const errorText = useErrorText()
  const { exportUnsent } = useDataActions()
  const [exported, setExported] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const carryAway = async () => {
    const result = await exportUnsent()
    setError(result.ok ? null : result.error)
    if (!result.ok) return
    downloadFile(result.value.name, result.value.file)
    setExported(true)
  }
  return (
    <Sheet
      onClose={leaving.stay}
      title={t('leave.title')}

      closeLabel={t('leave.stay')}
    >
      <Stack>
        <Text>{t('leave.text')}</Text>
        {error !== null && (
          <Note tone="error" live>
            {errorText(error)}
          </Note>
        )}
        {exported && (
          <Note tone="done" live>
            {t('leave.exported')}
          </Note>
        )}
        <SheetFoot>
          <Button size="md" variant="subtle" color="red" onClick={leaving.go}>
            {t('leave.go')}
          </Button>
          <Button size="md" variant="default" onClick={() => void carryAway()}>
            {t('leave.export')}
          </Button>
          <Button size="md" data-autofocus onClick={leaving.stay}>
            {t('leave.stay')}
          </Button>
        </SheetFoot>
      </Stack>
    </Sheet>
  )
}
