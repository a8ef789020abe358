import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useEntered } from '#src/data/hooks/sync.ts'
import { EnteredList } from '#src/form/EnteredList.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { Sheet } from '#src/ui/dialogs/Sheet.tsx'

/** What was entered in an operation, even long after it was sent. */
export function EnteredDialog({ opKey, onClose }: { readonly opKey: string; readonly onClose: () => void }) {
  const { t } = useTranslation(['device', 'common'])
  const errorText = useErrorText()
  const entered = useEntered(opKey)
  return (
    <Sheet onClose={onClose} size="lg" title={t('receipts.enteredTitle')}>
      {entered.state === 'ready' && <EnteredList entered={entered.value} />}
      {entered.state === 'failed' &&
        (entered.error.code === 'not_found' ? (
          <Text>{t('receipts.unreadable')}</Text>
        ) : (
          <Note tone="error">{errorText(entered.error)}</Note>
        ))}
    </Sheet>
  )
}
