import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { ReviewPlan } from '#core/review/reviewPlan.ts'
import type { ReviewTrack } from '#core/review/verification.ts'
import { useServerAction, useServerQuery } from '#src/data/server.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { Sheet, SheetFoot } from '#src/ui/dialogs/Sheet.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

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
  const { t } = useTranslation(['review', 'common'])
  const errorText = useErrorText()
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
        {failure !== null && (
          <Note tone="error" live>
            {errorText(failure)}
          </Note>
        )}
        <SheetFoot>
          <Button size="md" variant="default" disabled={busy} onClick={onClose}>
            {t('common:action.cancel')}
          </Button>
          <Button size="md" loading={busy} disabled={coverage.state !== 'ready'} onClick={() => void confirm()}>
            {t('plan.confirm.submit')}
          </Button>
        </SheetFoot>
      </Stack>
    </Sheet>
  )
}
