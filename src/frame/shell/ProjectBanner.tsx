import { useTranslation } from 'react-i18next'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { Note } from '#src/ui/Note.tsx'

import { useStatusName } from './statusName.ts'

/** Says when a project is paused, ended or not started (specification §2). */
export function ProjectBanner({ project }: { readonly project: ProjectRow }) {
  const { t } = useTranslation('shell')
  const statusName = useStatusName()
  const { projectStatus: state } = project
  if (state === 'process') return null
  return (
    <Note tone={state === 'close' ? 'error' : 'warning'}>{t(`banner.${state}`, { status: statusName(state) })}</Note>
  )
}
