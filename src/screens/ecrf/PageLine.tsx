import { IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { EntryStatus } from '#core/sync/entryMark.ts'
import { entryAddress } from '#src/app/addresses.ts'
import type { CasebookPage } from '#src/data/types.ts'
import { StatusMark } from '#src/ui/StatusMark.tsx'
import type { Status } from '#src/ui/StatusMark.tsx'

import classes from './ecrf.module.css'

const marks: Readonly<Record<EntryStatus, Status>> = { init: 'notStarted', process: 'inProgress', other: 'submitted' }

/** One page of the casebook: its name, how far it is, and where its values are. */
export function PageLine({ projectId, page }: { readonly projectId: string; readonly page: CasebookPage }) {
  const { t } = useTranslation('ecrf')
  return (
    <Link to={entryAddress(projectId, page.target.patientId, page.entryId)} className={classes.page}>
      <span className={classes.pageName}>
        {page.pageName}
        {page.repeatable && <small>{t('casebook.repeat', { no: page.repeatNo })}</small>}
      </span>
      {page.mark !== null && page.mark !== 'received' && <StatusMark status={page.mark} />}
      <StatusMark status={marks[page.status]} />
      <IconChevronRight size={20} className={classes.arrow} aria-hidden="true" />
    </Link>
  )
}
