import { IconArrowsDiff, IconCalendarTime, IconHistory, IconMessage2, IconPaperclip } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Casebook } from '#src/data/shapes/types.ts'
import { filesPath, messagesPath, patientVisitsPath, trailPath } from '#src/paths/screenPaths.ts'

import { comparisonPath } from './DoubleEntry.tsx'
import classes from './casebook.module.css'

/** Links to what a patient has besides the pages. */
export function CasebookLinks({ book }: { readonly book: Casebook }) {
  const { t } = useTranslation(['visits', 'files', 'message', 'trail', 'ecrf'])
  const { project, patient } = book
  const compare = comparisonPath(book)
  const links: readonly (readonly [icon: Icon, name: string, address: string])[] = [
    [IconCalendarTime, t('visits:patient.open'), patientVisitsPath(project.id, patient.id)],
    ...(compare === null ? [] : [[IconArrowsDiff, t('ecrf:casebook.diff'), compare] as const]),
    [IconPaperclip, t('files:open'), filesPath(project.id, patient.id)],
    [IconMessage2, t('message:open'), messagesPath(project.id, patient.id)],
    ...(project.permissions.includes('audit_view')
      ? [[IconHistory, t('trail:open'), trailPath(project.id, patient.id)] as const]
      : []),
  ]
  return (
    <ul className={classes.links}>
      {links.map(([Mark, name, address]) => (
        <li key={address}>
          <Link to={address}>
            <Mark size={18} aria-hidden="true" />
            {name}
          </Link>
        </li>
      ))}
    </ul>
  )
}
