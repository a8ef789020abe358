import { Button, Center } from '@mantine/core'
import { IconAlertTriangle, IconLock, IconMapOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useSearchParams } from 'react-router-dom'
import { sameOriginPath } from '#src/paths/redirect.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'

const large = { size: 56, stroke: 1.4 } as const

export function NotFoundScreen() {
  const { t } = useTranslation('common')
  return (
    <Center component="main" mih="100dvh">
      <EmptyState
        icon={<IconMapOff {...large} />}
        title={t('notFound.title')}
        text={t('notFound.text')}
        action={<HomeButton />}
      />
    </Center>
  )
}

export function ForbiddenScreen() {
  const { t } = useTranslation('common')
  return (
    <Center component="main" mih="100dvh">
      <EmptyState
        icon={<IconLock {...large} />}
        title={t('forbidden.title')}
        text={t('forbidden.text')}
        action={<HomeButton />}
      />
    </Center>
  )
}

/** /500, and what a route shows when drawing it failed. The error itself is not shown: it may hold values. */
export function BrokenScreen() {
  const { t } = useTranslation('common')
  return (
    <Center component="main" mih="100dvh">
      <EmptyState
        icon={<IconAlertTriangle {...large} />}
        title={t('broken.title')}
        text={t('broken.text')}
        live
        action={
          <Button h="var(--zl-control)" onClick={() => window.location.assign('/')}>
            {t('action.reload')}
          </Button>
        }
      />
    </Center>
  )
}

/** /302: goes to the address in `redirect`, on this origin only (specification §2). */
export function RedirectScreen() {
  const [search] = useSearchParams()
  return <Navigate to={sameOriginPath(search.get('redirect'))} replace />
}

function HomeButton() {
  const { t } = useTranslation('common')
  return (
    <Button component={Link} to="/" h="var(--zl-control)">
      {t('action.home')}
    </Button>
  )
}
