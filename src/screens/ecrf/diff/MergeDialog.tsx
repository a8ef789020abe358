import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'

interface MergeDialogProps {
  /** How many items of the first pass the merge changes. */
  readonly changes: number
  readonly onSubmit: () => Promise<Result<unknown, ApiError>>
  readonly onClose: () => void
}

/** Says what a merge does, before the merge, which is final. */
export function MergeDialog({ changes, onSubmit, onClose }: MergeDialogProps) {
  const { t } = useTranslation('diff')
  return (
    <SubmitDialog title={t('merge.title')} submit={t('merge.submit')} onSubmit={onSubmit} onClose={onClose}>
      <Text>{t('merge.text', { count: changes })}</Text>
    </SubmitDialog>
  )
}
