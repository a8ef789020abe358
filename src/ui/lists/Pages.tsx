import { Pagination } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import classes from './Pages.module.css'

interface PagesProps {
  readonly pages: number
  readonly total: number
  /** 1-based. */
  readonly current: number
  readonly onChange: (page: number) => void
}

/** The navigation through a list of several pages; shows nothing for one page. */
export function Pages({ pages, total, current, onChange }: PagesProps) {
  const { t } = useTranslation('shell')
  if (pages <= 1) return null
  return (
    <nav className={classes.pages} aria-label={t('page.title')}>
      <span>{t('page.total', { total })}</span>
      <Pagination
        total={pages}
        value={current}
        onChange={onChange}
        size="lg"
        getControlProps={(control) => ({ 'aria-label': t(`page.${control}`) })}
        getItemProps={(page) => ({ 'aria-label': t('page.item', { page }) })}
      />
    </nav>
  )
}
