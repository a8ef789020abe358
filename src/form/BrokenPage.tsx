import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Shown instead of a page whose definition cannot be read. The data stay as they are; nothing can be saved. */
export function BrokenPage() {
  const { t } = useTranslation('form')
  return (
    <Alert color="red" title={t('broken.title')}>
      {t('broken.text')}
    </Alert>
  )
}
