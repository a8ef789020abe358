import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Stands in place of a page whose definition cannot be read. Its data stay as they are; nothing can be saved. */
export function BrokenPage() {
  const { t } = useTranslation('form')
  return (
    <Alert color="red" title={t('broken.title')}>
      {t('broken.text')}
    </Alert>
  )
}
