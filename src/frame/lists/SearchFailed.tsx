import { Button } from '@mantine/core'
import { IconCloudOff, IconFilterX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'

const WHYS = ['offline', 'not_found', 'invalid', 'forbidden'] as const
type Why = (typeof WHYS)[number]

/** Why a kept search cannot narrow a list down; null where the list failed for another reason. */
export function whySearchFailed(error: ApiError, searchId: string | null): Why | null {
  return searchId === null ? null : (WHYS.find((why) => why === error.code) ?? null)
}

interface SearchFailedProps {
  readonly why: Why
  readonly onRemove: () => void
}

/** Stands in the place of a list whose search cannot be asked: it was removed, say, or there is no network. */
export function SearchFailed({ why, onRemove }: SearchFailedProps) {
  const { t } = useTranslation('search')
  const Icon = why === 'offline' ? IconCloudOff : IconFilterX
  return (
    <EmptyState
      icon={<Icon size={40} stroke={1.5} />}
      title={t(`filter.failed.${why}.title`)}
      text={t(`filter.failed.${why}.text`)}
      live
      action={
        <Button size="md" variant="default" onClick={onRemove}>
          {t('filter.remove')}
        </Button>
      }
    />
  )
}
