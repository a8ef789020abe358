import { use } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { CasebookPage } from '#src/data/shapes/types.ts'
import { entryPath } from '#src/paths/screenPaths.ts'
import { AskedPagesContext } from '#src/screens/ecrf/beside/askedPages.ts'
import { ReviewedPagesContext } from '#src/screens/ecrf/check/reviewedPages.ts'
import { PageStatus } from '#src/ui/badges/PageStatus.tsx'
import { QueryBadge } from '#src/ui/badges/QueryBadge.tsx'
import { ReviewRollUp } from '#src/ui/badges/ReviewBadge.tsx'
import { StatusBadge } from '#src/ui/badges/StatusBadge.tsx'
import { stateOfPages } from '#src/ui/badges/pageState.ts'
import { clockTime, dayOf, fullTime } from '#src/ui/words/format.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import classes from './casebook.module.css'

/** One page of the casebook: how far it is, its name, what it lacks, and who wrote it last. */
export function PageLine({ projectId, page }: { readonly projectId: string; readonly page: CasebookPage }) {
  const names = useNames()
  const { t } = useTranslation(['ecrf', 'status', 'form'])
  const asked = use(AskedPagesContext).get(page.entryId)
  const reviewed = use(ReviewedPagesContext).get(page.entryId)
  const { mark, changed } = page
  const entered = { ...page, mark: null }
  const { status, missing } = stateOfPages([entered])
  const what =
    status === 'missing'
      ? t('status:missing', { count: missing })
      : status === 'inProgress'
        ? t('status:inProgress')
        : null
  return (
    <Link to={entryPath(projectId, page.target.patientId, page.entryId)} className={classes.page}>
      <PageStatus pages={[entered]} compact />
      <span className={classes.pageName}>
        {names.page(page)}
        {page.repeatable && <small>{t('casebook.repeat', { no: page.repeatNo })}</small>}
      </span>
      {what !== null && (
        // The mark at the beginning says the same to a screen reader.
        <span className={classes.what} data-status={status} aria-hidden="true">
          {what}
        </span>
      )}
      {reviewed !== undefined && <ReviewRollUp counts={reviewed} />}
      {asked !== undefined && <QueryBadge state={asked}>{t(`form:asked.${asked}`)}</QueryBadge>}
      {mark !== null && mark !== 'received' && <StatusBadge status={mark} />}
      {changed !== undefined && (
        <span className={classes.changed} title={fullTime(changed.at)}>
          {[changed.byName, shortTime(changed.at)].filter(Boolean).join(' ')}
        </span>
      )}
    </Link>
  )
}

/** The time of today, else the day: the rest is in the tooltip and in the log. */
function shortTime(instant: string): string {
  const now = new Date()
  const day = dayOf(new Date(instant))
  return day === dayOf(now) ? clockTime(instant, now) : day
}
