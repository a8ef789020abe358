import { Button } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isRetryable } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import { AskPassword } from '#src/frame/AskPassword.tsx'
import type { Casebook, Loadable } from '#src/data/shapes/types.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import { useSession } from '#src/session/useSession.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { NotHere } from '#src/ui/illustrations/NotHere.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

type Stand =
  | { readonly at: 'running' }
  | { readonly at: 'withheld' }
  | { readonly at: 'failed'; readonly error: ApiError }

/** How long a download that failed is left alone before it is tried again by itself. */
const AGAIN_MS = 15_000

/**
 * Brings the patient onto this device when a user who may enter data looks at the patient. Until then the page is read
 * only; afterwards it takes typing by itself.
 */
export function OpenHere({ book }: { readonly book: Casebook }) {
  const { t } = useTranslation('ecrf')
  const errorText = useErrorText()
  const { openHere } = useDataActions()
  const { current } = useSession()
  const [stand, setStand] = useState<Stand>({ at: 'running' })
  const isOpen = current.state === 'open' && current.vault
  const { project, patient } = book
  const bring = async () => {
    const opened = await openHere(project.id, patient)
    if (!opened.ok) setStand({ at: 'failed', error: opened.error })
    else if (opened.value === 'withheld') setStand({ at: 'withheld' })
  }
  const beginAnew = () => {
    setStand({ at: 'running' })
    void bring()
  }
  const begin = useEffectEvent(() => {
    // Runs after this drawing, because the drawing shows nothing of it.
    if (isOpen) queueMicrotask(beginAnew)
  })
  useEffect(() => begin(), [isOpen, patient.id])
  const beginAgain = useEffectEvent(() => void bring())
  // The note stays meanwhile: it is not read out anew with every attempt.
  useEffect(() => {
    if (stand.at !== 'failed' || !isRetryable(stand.error.code)) return undefined
    const timer = setTimeout(beginAgain, AGAIN_MS)
    return () => clearTimeout(timer)
  }, [stand])
  if (!isOpen) {
    return (
      <Note tone="info" title={t('openHere.locked')}>
        <AskPassword submit={t('openHere.unlock')} />
      </Note>
    )
  }
  if (stand.at === 'withheld') return <Note tone="info">{t('openHere.withheld')}</Note>
  if (stand.at === 'running') {
    return (
      <Note tone="info" live>
        {t('openHere.running')}
      </Note>
    )
  }
  return (
    <Note tone="error" live>
      <p style={{ margin: 0 }}>{t('openHere.failed', { reason: errorText(stand.error) })}</p>
      <Button mt="xs" size="md" variant="default" onClick={beginAnew}>
        {t('openHere.again')}
      </Button>
    </Note>
  )
}

/**
 * Shows what a patient's pages are made from. Without a network, a patient who is not on this device gets a note that
 * says so.
 */
export function LoadedPatient<Value>({
  of,
  rows,
  children,
}: {
  readonly of: Loadable<Value>
  readonly rows: number
  readonly children: (value: Value) => ReactNode
}) {
  const { t } = useTranslation('ecrf')
  if (of.state === 'failed' && of.error.code === 'not_kept') {
    return <EmptyState icon={<NotHere />} title={t('openHere.away.title')} text={t('openHere.away.text')} live />
  }
  return (
    <Loaded of={of} rows={rows}>
      {children}
    </Loaded>
  )
}
