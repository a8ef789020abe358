import { Button, Group, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dateFromTyping } from '#core/values/dates.ts'
import { err, ok } from '#core/result.ts'
import { today } from '#src/data/shapes/today.ts'
import type { LocalWrite } from '#src/data/shapes/types.ts'
import { DayInput } from '#src/ui/DayInput.tsx'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'

interface MakeVisitDialogProps {
  readonly name: string
  /** Whether the visit is unscheduled: then the reason why it took place is part of the record. */
  readonly asksWhy: boolean
  readonly onMake: (actualDate: string, why: string | null) => Promise<LocalWrite>
  readonly onClose: () => void
}

/**
 * Asks for the day, and for the reason, of an unscheduled visit or a further repeat of a folder. Nothing is stored
 * before the answer.
 */
export function MakeVisitDialog({ name, asksWhy, onMake, onClose }: MakeVisitDialogProps) {
  const { t } = useTranslation('visits')
  const [typed, setTyped] = useState('')
  const [why, setWhy] = useState('')
  const [tried, setTried] = useState(false)
  const day = dateFromTyping(typed)
  const wrongDay = day === null ? t('dialog.dateWrong') : day > today() ? t('dialog.future') : null
  const wrongWhy = asksWhy && why.trim() === '' ? t('dialog.required') : null
  const make = () => {
    setTried(true)
    if (day === null || wrongDay !== null || wrongWhy !== null) return null
    return onMake(day, asksWhy ? why.trim() : null).then((done) => (done.ok ? ok(true) : err(done.error)))
  }
  return (
    <SubmitDialog title={t('make.title', { name })} submit={t('make.submit')} onSubmit={make} onClose={onClose}>
      <Text size="sm">{t('make.text')}</Text>
      <Group align="flex-start" gap="xs" wrap="nowrap">
        <DayInput label={t('dialog.date')} value={typed} error={tried ? wrongDay : null} onChange={setTyped} />
        <Button variant="default" size="md" mt={27} onClick={() => setTyped(today())}>
          {t('dialog.today')}
        </Button>
      </Group>
      {asksWhy && (
        <Textarea
          size="md"
          rows={2}
          maxLength={1000}
          required
          label={t('make.why')}
          placeholder={t('make.whyHint')}
          value={why}
          error={tried ? wrongWhy : null}
          onChange={(event) => setWhy(event.currentTarget.value)}
        />
      )}
    </SubmitDialog>
  )
}
