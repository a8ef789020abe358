import { IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { CasebookPage } from '#src/data/shapes/types.ts'
import { entryPath } from '#src/paths/screenPaths.ts'
import classes from '#src/screens/ecrf/ecrf.module.css'
import { PageStatus } from '#src/ui/badges/PageStatus.tsx'
import { StatusBadge } from '#src/ui/badges/StatusBadge.tsx'
import { useNames } from '#src/ui/words/useNames.ts'

/** One page of the casebook: its name, how far it is, and where its values are. */
export function PageLine({ projectId, page }: { readonly projectId: string; readonly page: CasebookPage }) {
  const names = useNames()
  const { t } = useTranslation('ecrf')
  return (
    <Link to={entryPath(projectId, page.target.patientId, page.entryId)} className={classes.page}>
      <span className={classes.pageName}>
        {names.page(page)}
        {page.repeatable && <small>{t('casebook.repeat', { no: page.repeatNo })}</small>}
      </span>
      {page.mark !== null && page.mark !== 'received' && <StatusBadge status={page.mark} />}
      <PageStatus pages={[{ ...page, mark: null }]} />
      <IconChevronRight size={20} className={classes.arrow} aria-hidden="true" />
    </Link>
  )
}
