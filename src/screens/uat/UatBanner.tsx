import { IconTestPipe } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import classes from '#src/screens/uat/uat.module.css'

/** Says that nothing here belongs to a patient. It stays in sight while the page scrolls. */
export function UatBanner() {
  const { t } = useTranslation('uat')
  return (
    <div className={classes.banner} role="note">
      <IconTestPipe size={22} aria-hidden="true" />
      <strong>{t('banner')}</strong>
      <span>{t('bannerHint')}</span>
    </div>
  )
}
