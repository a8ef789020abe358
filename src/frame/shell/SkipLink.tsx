import { useTranslation } from 'react-i18next'

import classes from './shell.module.css'

/** The first keyboard stop: skips the bars and leads to `#main`. */
export function SkipLink() {
  const { t } = useTranslation('shell')
  return (
    <a href="#main" className={classes.skip}>
      {t('skip')}
    </a>
  )
}
