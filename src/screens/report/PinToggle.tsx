import { Button } from '@mantine/core'
import { IconPin, IconPinned } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { MOST_PINS } from '#core/api/calls/data/report.ts'
import type { ReportKind } from '#core/report/kinds.ts'
import { useServerAction, useServerQuery } from '#src/data/server.ts'
import { useOnlineOnly } from '#src/frame/useOnlineOnly.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

interface PinToggleProps {
  readonly projectId: string
  readonly kind: ReportKind
}

/** Puts the report on one's workspace, or takes it away. Not there without a network. */
export function PinToggle({ projectId, kind }: PinToggleProps) {
  const { t } = useTranslation('report')
  const act = useServerAction()
  const errorText = useErrorText()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ApiError | null>(null)
  const pins = useOnlineOnly(useServerQuery('report.pins', { query: { projectId }, projectId }))
  if (pins.state === 'failed') return null
  const own = pins.state === 'ready' ? pins.value : []
  const isPinned = own.includes(kind)
  const isFull = !isPinned && own.length >= MOST_PINS
  const toggle = async () => {
    const kinds = isPinned ? own.filter((one) => one !== kind) : [...own, kind]
    setBusy(true)
    const saved = await act('report.pinSave', { body: { projectId, kinds }, projectId })
    setBusy(false)
    setFailure(saved.ok ? null : saved.error)
  }
  const Icon = isPinned ? IconPinned : IconPin
  return (
    <>
      <Button
        size="md"
        variant="default"
        aria-pressed={isPinned}
        loading={busy}
        disabled={isFull || pins.state !== 'ready'}
        leftSection={<Icon size={18} aria-hidden="true" />}
        onClick={() => void toggle()}
      >
        {isFull ? t('pin.full', { count: MOST_PINS }) : t(isPinned ? 'pin.remove' : 'pin.add')}
      </Button>
      {failure !== null && (
        <Note tone="error" live>
          {errorText(failure)}
        </Note>
      )}
    </>
  )
}
