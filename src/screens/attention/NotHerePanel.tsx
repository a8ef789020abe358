import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { conflictPath } from '#src/paths/screenPaths.ts'
import type { ServerConflict } from '#src/data/shapes/types.ts'
import { StatusBadge } from '#src/ui/badges/StatusBadge.tsx'
import { clockTime, fullTime } from '#src/ui/words/format.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { TaskList } from './TaskList.tsx'
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
    <TaskList title={t('elsewhere.title')} text={t('elsewhere.text')} count={conflicts.length} isMine>
      {conflicts.map(({ id, entryId, projectId, patientNo, pageName, pageNameEn, mineByName, mineAt, ...field }) => {
        const where = [patientNo, names.page({ pageName, pageNameEn }), names.field(field)].filter(Boolean).join(' · ')
        return (
          <li key={id} className={classes.item}>
            <StatusBadge compact status="conflict" />
            <div className={classes.body}>
              <p className={classes.where}>
                {where}
                <span className={classes.kind}>{t('kind.conflict')}</span>
              </p>
              <p className={classes.reason}>{t('elsewhere.by', { name: mineByName })}</p>
            </div>
            <time className={classes.time} dateTime={mineAt} title={fullTime(mineAt)}>
              {clockTime(mineAt)}
            </time>
            <div className={classes.actions}>
              <Link
                className={classes.step}
                to={conflictPath(projectId, entryId, id)}
                aria-label={t('openLabel', { where })}
              >
                {t('open')}
              </Link>
            </div>
          </li>
        )
      })}
    </TaskList>
  )
}
