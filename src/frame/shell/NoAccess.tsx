import { Button } from '@mantine/core'
import { IconLock, IconMenu2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { EmptyState } from '#src/ui/EmptyState.tsx'

const large = { size: 44, stroke: 1.4 } as const

/** Shown where the user has no right, or the project does not use the function (specification §2). */
export function NoAccess() {
  const { t } = useTranslation('common')
  return (
    <EmptyState
      icon={<IconLock {...large} />}
      title={t('forbidden.title')}
      text={t('forbidden.text')}
      live
      action={<ToProjects />}
    />
  )
}

/** Shown where the user may enter no part of the project (specification §2). */
export function NoMenu() {
  const { t } = useTranslation('shell')
  return (
    <EmptyState
      icon={<IconMenu2 {...large} />}
      title={t('noMenu.title')}
      text={t('noMenu.text')}
      live
      action={<ToProjects />}
    />
  )
}

function ToProjects() {
  const { t } = useTranslation('common')
  return (
    <Button component={Link} to="/projects" h="var(--zl-control)">
      {t('action.home')}
    </Button>
  )
}
