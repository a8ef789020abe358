import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { conflictPath } from '#src/paths/screenPaths.ts'
import type { ServerConflict } from '#src/data/shapes/types.ts'
import { StatusBadge } from '#src/ui/badges/StatusBadge.tsx'
import { fullTime } from '#src/ui/words/format.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import classes from './attention.module.css'

/**
 * Conflicts of centers that this device does not keep, for people who work at a desk. Draws nothing where there are
 * none.
 */
export function NotHerePanel({ conflicts }: { readonly conflicts: readonly ServerConflict[] }) {
  const names = useNames()
  const { t } = useTranslation('attention')
  if (conflicts.length === 0) return null
  return (
    <section aria-label={t('elsewhere.title')}>
      <h2 className={classes.elsewhere}>{t('elsewhere.title')}</h2>
      <p className={classes.quiet}>{t('elsewhere.text')}</p>
      <ul className={classes.list}>
        {conflicts.map(({ id, entryId, projectId, patientNo, pageName, pageNameEn, mineByName, mineAt, ...field }) => {
          const where = [patientNo, names.page({ pageName, pageNameEn }), names.field(field)]
            .filter(Boolean)
            .join(' · ')
          return (
            <li key={id} className={classes.item}>
              <div className={classes.body}>
                <p className={classes.where}>{where}</p>
                <p className={classes.kind}>
                  <StatusBadge compact status="conflict" />
                  {t('kind.conflict')} · <time dateTime={mineAt}>{fullTime(mineAt)}</time>
                </p>
                <p className={classes.reason}>{t('elsewhere.by', { name: mineByName })}</p>
              </div>
              <Button
                size="md"
                variant="default"
                component={Link}
                to={conflictPath(projectId, entryId, id)}
                aria-label={t('openLabel', { where })}
              >
                {t('open')}
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
