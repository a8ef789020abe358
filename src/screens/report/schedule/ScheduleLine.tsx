import { ActionIcon, Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReportSchedule } from '#core/api/reportSchedule.ts'
import { ConfirmDialog } from '#src/ui/dialogs/ConfirmDialog.tsx'

import { RhythmFields, useRhythmText } from './RhythmFields.tsx'
import classes from './schedule.module.css'

export type Wanted = Pick<ReportSchedule, 'id' | 'kind' | 'centerId' | 'rhythm'>

interface ScheduleLineProps {
  readonly schedule: ReportSchedule
  /** Whether e-mail reaches the person: else there is nothing to set. */
  readonly isSent: boolean
  readonly onSave: (wanted: Wanted) => Promise<void>
  readonly onRemove: () => Promise<void>
}

/** One report that is sent by schedule: which, when next, and what became of the last. */
export function ScheduleLine({ schedule, isSent, onSave, onRemove }: ScheduleLineProps) {
  const { t } = useTranslation('report')
  const { id, kind, centerId, centerName, rhythm, nextDay, paused, last } = schedule
  const rhythmText = useRhythmText()
  const [busy, setBusy] = useState(false)
  const [removing, setRemoving] = useState(false)
  const name = t('schedule.of', { report: t(`kinds.${kind}.title`), center: centerName ?? t('allCenters') })
  const save = (next: Wanted['rhythm']) => {
    setBusy(true)
    void onSave({ id, kind, centerId, rhythm: next }).finally(() => setBusy(false))
  }
  return (
    <li className={classes.line}>
      <strong className={classes.name}>{name}</strong>
      <div className={classes.told}>
        {(paused !== null || !isSent) && <span>{rhythmText(rhythm)}</span>}
        {paused !== null && <span data-tone="warning">{t(`schedule.paused.${paused}`)}</span>}
        {nextDay !== null && isSent && <span>{t('schedule.next', { day: nextDay })}</span>}
        {last !== null && (
          <span data-tone={last.why === null ? undefined : 'warning'}>
            {last.why === null
              ? t('schedule.sent', { day: last.day })
              : t('schedule.unsent', { day: last.day, why: t(`schedule.why.${last.why}`) })}
          </span>
        )}
      </div>
      <div className={classes.acts}>
        {isSent && paused === null && <RhythmFields name={name} rhythm={rhythm} disabled={busy} onChange={save} />}
        {isSent && paused !== null && (
          <Button size="md" variant="default" loading={busy} onClick={() => save(rhythm)}>
            {t('schedule.resume')}
          </Button>
        )}
        <ActionIcon
          size={44}
          variant="subtle"
          color="gray"
          aria-label={t('schedule.removeOf', { name })}
          onClick={() => setRemoving(true)}
        >
          <IconTrash size={20} />
        </ActionIcon>
      </div>
      <ConfirmDialog
        opened={removing}
        title={t('schedule.sure')}
        text={t('schedule.sureText', { name })}
        submit={t('schedule.remove')}
        danger
        onConfirm={async () => {
          await onRemove()
          setRemoving(false)
        }}
        onClose={() => setRemoving(false)}
      />
    </li>
  )
}
