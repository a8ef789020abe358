import { Button, Group, Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface NotLoadedProps {
  readonly onClose: () => void
}

/** Says that a part which somebody asked for is not on this device yet and cannot be had now. */
export function NotLoaded({ onClose }: NotLoadedProps) {
  const { t } = useTranslation('common')
  return (
    <Modal opened onClose={onClose} title={t('notLoaded.title')} closeButtonProps={{ 'aria-label': t('action.close') }}>
      <p>{t('notLoaded.text')}</p>
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('action.close')}</Button>
      </Group>
    </Modal>
  )
}
