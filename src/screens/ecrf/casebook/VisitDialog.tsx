import { Button, Group, Radio, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dateFromTyping } from '#core/values/dates.ts'
import { err, ok } from '#core/result.ts'
import { timingOf } from '#core/study/visits/schedule.ts'
import { today } from '#src/data/shapes/today.ts'
import type { LocalWrite, VisitView } from '#src/data/shapes/types.ts'
import type { VisitInput } from '#src/data/shapes/visitTypes.ts'
import { DayInput } from '#src/ui/DayInput.tsx'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'
import { useNames } from '#src/ui/words/useNames.ts'

const CHOICES = ['none', 'took', 'missed', 'skipped', 'stopped'] as const
type Choice = (typeof CHOICES)[number]

interface VisitDialogProps {
  readonly visit: VisitView
  readonly onSave: (input: VisitInput) => Promise<LocalWrite>
  readonly onClose: () => void
}

/** What a person says of a visit: on which day it took place, or why it did not. */
export function VisitDialog({ visit, onSave, onClose }: VisitDialogProps) {
  const names = useNames()
  const { t } = useTranslation('visits')
  const { facts, window } = visit
  const [choice, setChoice] = useState<Choice>(facts?.outcome ?? 'took')
  const [typed, setTyped] = useState(facts?.actualDate ?? '')
  const [deviation, setDeviation] = useState(facts?.deviationReason ?? '')
  const [reason, setReason] = useState(facts?.outcomeReason ?? '')
  const [tried, setTried] = useState(false)
  const day = dateFromTyping(typed)
  const isOutside = choice === 'took' && (timingOf(day, window) ?? 'inWindow') !== 'inWindow'
  const isPlanned = visit.kind === 'planned' && visit.folderRepeat === '0'
  const wrong = {
    day: choice !== 'took' ? null : day === null ? t('dialog.dateWrong') : day > today() ? t('dialog.future') : null,
    deviation: isOutside && deviation.trim() === '' ? t('dialog.required') : null,
    reason: choice !== 'took' && choice !== 'none' && reason.trim() === '' ? t('dialog.required') : null,
  }
  const send = () => {
    setTried(true)
    if (wrong.day !== null || wrong.deviation !== null || wrong.reason !== null) return null
    return onSave(inputOf(choice, { day, deviation: deviation.trim(), reason: reason.trim(), isOutside })).then(
      (done) => (done.ok ? ok(true) : err(done.error)),
    )
  }
  return (
    <SubmitDialog
      title={t('dialog.title', { name: names.visit(visit) })}
      submit={t('dialog.save')}
      onSubmit={send}
      onClose={onClose}
    >
      {isPlanned && (
        <Radio.Group
          label={t('dialog.outcome')}
          value={choice}
          onChange={(value) => setChoice(CHOICES.find((one) => one === value) ?? 'took')}
        >
          <Stack gap={4} mt={6}>
            {CHOICES.map((value) => (
              <Radio key={value} value={value} label={t(`dialog.${value}`)} size="md" py={6} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {choice === 'took' && (
        <Group align="flex-start" gap="xs" wrap="nowrap">
          <DayInput label={t('dialog.date')} value={typed} error={tried ? wrong.day : null} onChange={setTyped} />
          <Button variant="default" size="md" mt={27} onClick={() => setTyped(today())}>
            {t('dialog.today')}
          </Button>
        </Group>
      )}
      {isOutside && window !== null && (
        <Textarea
          size="md"
          rows={3}
          maxLength={1000}
          required
          label={t('dialog.outside', { from: window.from, to: window.to })}
          value={deviation}
          error={tried ? wrong.deviation : null}
          onChange={(event) => setDeviation(event.currentTarget.value)}
        />
      )}
      {choice !== 'took' && choice !== 'none' && (
        <Textarea
          size="md"
          rows={3}
          maxLength={1000}
          required
          label={t('dialog.reason')}
          value={reason}
          error={tried ? wrong.reason : null}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
    </SubmitDialog>
  )
}

/** The input that a choice means. Facts that do not belong to the choice any more become null. */
function inputOf(
  choice: Choice,
  said: {
    readonly day: string | null
    readonly deviation: string
    readonly reason: string
    readonly isOutside: boolean
  },
): VisitInput {
  const nothing = { actualDate: null, outcome: null, outcomeReason: null, deviationReason: null }
  if (choice === 'none') return nothing
  if (choice === 'took')
    return { ...nothing, actualDate: said.day, deviationReason: said.isOutside ? said.deviation : null }
  return { ...nothing, outcome: choice, outcomeReason: said.reason }
}
