import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Sheet, SheetFoot } from '#src/ui/dialogs/Sheet.tsx'

interface NotLoadedProps {
  readonly onClose: () => void
}

/** Says that a part which somebody asked for is not on this device yet and cannot be had now. */
export function NotLoaded({ onClose }: NotLoadedProps) {
  const { t } = useTranslation('common')
  return (
    <Sheet onClose={onClose} title={t('notLoaded.title')}>
      <p>{t('notLoaded.text')}</p>
      <SheetFoot>
        <Button size="md" onClick={onClose}>
          {t('action.close')}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}
