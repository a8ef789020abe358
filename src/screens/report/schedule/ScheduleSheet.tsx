import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MOST_SCHEDULES } from '#core/api/reportSchedule.ts'
import type { ApiError } from '#core/api/errors.ts'
import { newId } from '#core/ids.ts'
import type { ReportKind } from '#core/report/kinds.ts'
import type { Rhythm } from '#core/report/rhythm.ts'
import { useServerAction, useServerQuery } from '#src/data/server.ts'
import type { ServerAnswer } from '#src/data/server.ts'
import { useOnlineOnly } from '#src/frame/useOnlineOnly.ts'
import { Sheet } from '#src/ui/dialogs/Sheet.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { RhythmFields } from './RhythmFields.tsx'
import { ScheduleLine } from './ScheduleLine.tsx'
import type { Wanted } from './ScheduleLine.tsx'
import classes from './schedule.module.css'

/** The report that is shown, which may be added. */
export interface ShownReport {
  readonly projectId: string
  readonly kind: ReportKind
  readonly center: { readonly id: string; readonly name: string } | null
}

interface ScheduleSheetProps {
  readonly shown: ShownReport
  readonly onClose: () => void
}

/** The reports that one has sent to oneself by e-mail. */
export function ScheduleSheet({ shown, onClose }: ScheduleSheetProps) {
  const { t } = useTranslation('report')
  const { projectId } = shown
  const found = useOnlineOnly(useServerQuery('report.schedules', { query: { projectId }, projectId }))
  return (
    <Sheet title={t('schedule.title')} size="lg" isTall onClose={onClose}>
      <Loaded of={found} rows={4}>
        {(given) => <Schedules {...{ shown, given }} />}
      </Loaded>
    </Sheet>
  )
}

interface SchedulesProps {
  readonly shown: ShownReport
  readonly given: ServerAnswer<'report.schedules'>
}

function Schedules({ shown, given: { email, schedules } }: SchedulesProps) {
  const { t } = useTranslation('report')
  const { projectId, kind, center } = shown
  const act = useServerAction()
  const language = useLanguage()
  const errorText = useErrorText()
  const [failure, setFailure] = useState<ApiError | null>(null)
  const showFailure = (result: { readonly ok: boolean; readonly error?: ApiError }) => setFailure(result.error ?? null)
  const save = async (wanted: Wanted) =>
    act('report.scheduleSave', { body: { ...wanted, projectId, language }, projectId }).then(showFailure)
  const remove = async (id: string) =>
    act('report.scheduleRemove', { body: { id, projectId }, projectId }).then(showFailure)
  const has = schedules.some((one) => one.kind === kind && one.centerId === (center?.id ?? null))
  const mayAdd = email === 'ready' && !has
  return (
    <div className={classes.sheet}>
      {email === 'ready' ? (
        <p className={classes.intro}>{t('schedule.intro')}</p>
      ) : (
        <Note tone="info">{t(`schedule.noEmail.${email}`)}</Note>
      )}
      {failure !== null && (
        <Note tone="error" live>
          {errorText(failure)}
        </Note>
      )}
      {mayAdd && schedules.length < MOST_SCHEDULES && (
        <AddSchedule
          key={schedules.length}
          shown={shown}
          onAdd={(rhythm) => save({ id: newId(), kind, centerId: center?.id ?? null, rhythm })}
        />
      )}
      {mayAdd && schedules.length >= MOST_SCHEDULES && (
        <Note tone="info">{t('schedule.full', { count: MOST_SCHEDULES })}</Note>
      )}
      <h3 className={classes.heading}>{t('schedule.own')}</h3>
      {schedules.length === 0 ? (
        <p className={classes.quiet}>{t('schedule.none')}</p>
      ) : (
        <ul className={classes.lines}>
          {schedules.map((one) => (
            <ScheduleLine
              key={one.id}
              schedule={one}
              isSent={email === 'ready'}
              onSave={save}
              onRemove={() => remove(one.id)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

interface AddScheduleProps {
  readonly shown: ShownReport
  readonly onAdd: (rhythm: Rhythm) => Promise<void>
}

function AddSchedule({ shown: { kind, center }, onAdd }: AddScheduleProps) {
  const { t } = useTranslation('report')
  const [rhythm, setRhythm] = useState<Rhythm>({ every: 'week', weekday: 1 })
  const [busy, setBusy] = useState(false)
  const name = t('schedule.of', { report: t(`kinds.${kind}.title`), center: center?.name ?? t('allCenters') })
  return (
    <section className={classes.add} aria-label={t('schedule.addOf', { name })}>
      <strong className={classes.name}>{name}</strong>
      <div className={classes.acts}>
        <RhythmFields name={name} rhythm={rhythm} disabled={busy} onChange={setRhythm} />
        <Button
          size="md"
          loading={busy}
          onClick={() => {
            setBusy(true)
            void onAdd(rhythm).finally(() => setBusy(false))
          }}
        >
          {t('schedule.add')}
        </Button>
      </div>
    </section>
  )
}
