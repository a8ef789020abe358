import { Button } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import type { ApiError } from '#core/api/errors.ts'
import type { ReviewTrack } from '#core/review/verification.ts'
import { useSession } from '#src/session/useSession.ts'
import { entryPath } from '#src/paths/screenPaths.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'

import classes from '../check.module.css'
import { askedFor, workIn } from './listFilter.ts'
import type { ListFilter } from './listFilter.ts'

interface VerifyNextProps {
  readonly projectId: string
  readonly track: ReviewTrack
  readonly filter: ListFilter
  readonly search: string
}

/** Opens the first page of the filtered list on which something is left to check. */
export function VerifyNext({ projectId, track, filter, search }: VerifyNextProps) {
  const { t } = useTranslation('review')
  const errorText = useErrorText()
  const { call, reachable } = useSession()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [came, setCame] = useState<ApiError | 'none' | null>(null)
  const go = async () => {
    setBusy(true)
    setCame(null)
    const next = await call('review.next', { query: askedFor(workIn(filter), projectId, track, search), projectId })
    setBusy(false)
    if (!next.ok) setCame(next.error)
    else if (next.value === null) setCame('none')
    else void navigate(entryPath(projectId, next.value.patientId, next.value.entryId))
  }
  return (
    <>
      {/* Without a network the list says so. */}
      <output className={classes.said}>
        {reachable === false || came === null ? '' : came === 'none' ? t('list.next.none') : errorText(came)}
      </output>
      <Button
        size="md"
        h="var(--zl-control)"
        loading={busy}
        disabled={reachable === false}
        leftSection={<IconPlayerPlay size={18} aria-hidden="true" />}
        onClick={() => void go()}
      >
        {t('list.next.go')}
      </Button>
    </>
  )
}
