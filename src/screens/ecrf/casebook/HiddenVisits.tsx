import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import type { VisibleVisits } from './useVisibleVisits.ts'
import classes from './visits.module.css'

/** Says how many visits are hidden because they are outside of their window, and offers to show them. */
export function HiddenVisits({ of: { hidden, isAll, toggle } }: { readonly of: VisibleVisits }) {
  const { t } = useTranslation('visits')
  if (hidden === 0) return null
  return (
    <p className={classes.hidden}>
      {!isAll && <span>{t('hidden', { count: hidden })}</span>}
      <Button variant="subtle" size="compact-md" h="var(--zl-control)" onClick={toggle} aria-expanded={isAll}>
        {t(isAll ? 'hide' : 'show')}
      </Button>
    </p>
  )
}
