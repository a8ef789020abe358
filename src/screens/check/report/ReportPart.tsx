import { Button, Select } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReviewTrack } from '#core/review/verification.ts'
import { addDays } from '#core/study/visits/days.ts'
import { dateFromTyping } from '#core/values/dates.ts'
import { useCenters } from '#src/data/hooks/projects.ts'
import { useServerQuery } from '#src/data/server.ts'
import { today } from '#src/data/shapes/today.ts'
import { useCenterChoice } from '#src/frame/lists/centerChoice.ts'
import { useOnlineOnly } from '#src/frame/useOnlineOnly.ts'
import { DayInput } from '#src/ui/DayInput.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { downloadFile } from '#src/ui/downloadFile.ts'

import { ReportPaper } from './ReportPaper.tsx'
import classes from './report.module.css'
import { useReportFile } from './reportFile.ts'

interface ReportPartProps {
  readonly projectId: string
  readonly tracks: readonly ReviewTrack[]
}

/** How far a report reaches back at first: a visit to a center and the days around it. */
const DAYS = 6

/** The report of a monitoring visit: what was checked and asked at a center in a time, to be printed and signed. */
export function ReportPart({ projectId, tracks }: ReportPartProps) {
  const { t } = useTranslation('review')
  const [centerId, setCenterId] = useCenterChoice()
  const [from, setFrom] = useState(() => addDays(today(), -DAYS))
  const [to, setTo] = useState(today)
  const centers = useCenters(projectId)
  const known = centers.state === 'ready' ? centers.value : []
  const days = { from: dateFromTyping(from), to: dateFromTyping(to) }
  const isOrdered = days.from === null || days.to === null || days.from <= days.to
  const faultOf = (day: string | null) => (day === null ? t('report.badDay') : null)
  return (
    <div className={classes.report}>
      <div className={classes.choices} data-print="no">
        {known.length > 1 && (
          <Select
            size="md"
            clearable
            label={t('report.center')}
            value={centerId}
            onChange={setCenterId}
            placeholder={t('report.allCenters')}
            data={known.map(({ id, centerName }) => ({ value: id, label: centerName }))}
          />
        )}
        <DayInput label={t('report.from')} value={from} error={faultOf(days.from)} onChange={setFrom} />
        <DayInput
          label={t('report.to')}
          value={to}
          error={faultOf(days.to) ?? (isOrdered ? null : t('report.badOrder'))}
          onChange={setTo}
        />
      </div>
      {days.from !== null && days.to !== null && isOrdered && (
        <Found {...{ projectId, tracks, centerId }} from={days.from} to={days.to} />
      )}
    </div>
  )
}

interface FoundProps extends ReportPartProps {
  readonly centerId: string | null
  readonly from: string
  readonly to: string
}

function Found({ projectId, tracks, centerId, from, to }: FoundProps) {
  const { t } = useTranslation('review')
  // Days begin by this device's clock.
  const [offset] = useState(() => String(-new Date().getTimezoneOffset()))
  const report = useOnlineOnly(
    useServerQuery('review.report', {
      query: {
        projectId,
        from,
        to,
        offsetMinutes: offset,
        ...(centerId === null ? {} : { centerId }),
      },
      projectId,
    }),
  )
  const fileOf = useReportFile()
  return (
    <Loaded of={report} rows={10}>
      {(value) => (
        <>
          <div className={classes.acts} data-print="no">
            <Button size="md" leftSection={<IconPrinter size={18} aria-hidden="true" />} onClick={() => window.print()}>
              {t('report.print')}
            </Button>
            <Button
              size="md"
              variant="default"
              leftSection={<IconDownload size={18} aria-hidden="true" />}
              onClick={() =>
                downloadFile(
                  t('report.file', { from, to }),
                  new Blob([fileOf(value)], { type: 'text/csv;charset=utf-8' }),
                )
              }
            >
              {t('report.download')}
            </Button>
          </div>
          <ReportPaper key={`${from} ${to} ${centerId ?? ''}`} report={value} tracks={tracks} />
        </>
      )}
    </Loaded>
  )
}
