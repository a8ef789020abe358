import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { ReviewPlan } from '#core/review/reviewPlan.ts'
import type { ReviewTrack } from '#core/review/verification.ts'
import { useServerAction, useServerQuery } from '#src/data/server.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Sheet } from '#src/ui/dialogs/Sheet.tsx'
import { SheetActs } from '#src/ui/dialogs/SheetActs.tsx'

import { CoverageTable } from './CoverageTable.tsx'

interface SwitchDialogProps {
  readonly projectId: string
  readonly track: ReviewTrack
  readonly plan: ReviewPlan
  readonly note: string
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Asks before a plan is switched on, with what it would ask for now. */
export function SwitchDialog({ projectId, track, plan, note, onDone, onClose }: SwitchDialogProps) {
  const { t } = useTranslation('review')
  const act = useServerAction()
  const coverage = useServerQuery('review.planCoverage', { body: { projectId, track, plan }, projectId })
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ApiError | null>(null)
  const confirm = async () => {
    setBusy(true)
    setFailure(null)
    const switched = await act('review.planSwitch', { body: { projectId, track, plan, note: note.trim() }, projectId })
    setBusy(false)
    if (switched.ok) onDone()
    else setFailure(switched.error)
  }
  return (
    <Sheet
      title={t('plan.confirm.title', { track: t(`track.${track}`) })}
      size={860}
      isTall
      closesOnTapBeside={false}
      onClose={onClose}
    >
      <Stack>
        <Text>{t('plan.confirm.text')}</Text>
        <Loaded of={coverage} rows={4}>
          {(value) => <CoverageTable coverage={value} />}
        </Loaded>
        <SheetActs
          submit={t('plan.confirm.submit')}
          disabled={coverage.state !== 'ready'}
          onSubmit={() => void confirm()}
          {...{ busy, failure, onClose }}
        />
      </Stack>
    </Sheet>
  )
}
