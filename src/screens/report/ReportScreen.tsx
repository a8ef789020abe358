import { Button, Select } from '@mantine/core'
import { IconDownload, IconMailForward, IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOutletContext, useSearchParams } from 'react-router-dom'
import type { Report } from '#core/api/calls/data/report.ts'
import type { CenterRow } from '#core/api/sync/rows.ts'
import { REPORTS, reportKinds } from '#core/report/kinds.ts'
import type { ReportKind } from '#core/report/kinds.ts'
import { dateFromTyping } from '#core/values/dates.ts'
import { useCenters } from '#src/data/hooks/projects.ts'
import { useServerQuery } from '#src/data/server.ts'
import { today } from '#src/data/shapes/today.ts'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { useCenterChoice } from '#src/frame/lists/centerChoice.ts'
import { NoAccess } from '#src/frame/shell/NoAccess.tsx'
import { useOnlineOnly } from '#src/frame/useOnlineOnly.ts'
import { DayInput } from '#src/ui/DayInput.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'
import { downloadFile } from '#src/ui/downloadFile.ts'
import { SplitView } from '#src/ui/panel/SplitView.tsx'

import { PinToggle } from './PinToggle.tsx'
import { ReportBody } from './ReportBody.tsx'
import { ReportChoice } from './ReportChoice.tsx'
import { SubjectsPanel } from './SubjectsPanel.tsx'
import { kindIn, openedIn, withOpened } from './reportAddress.ts'
import classes from './reports.module.css'
import { useReportFile } from './reportFile.ts'
import { ScheduleSheet } from './schedule/ScheduleSheet.tsx'
import type { ShownReport } from './schedule/ScheduleSheet.tsx'

/** How the study goes, in figures by center that lead to the subjects behind them. */
export function ReportScreen() {
  const { project } = useOutletContext<WorkspacePlace>()
  return project.permissions.includes('report_view') ? <Reports project={project} /> : <NoAccess />
}

function Reports({ project }: WorkspacePlace) {
  const { t } = useTranslation('report')
  const [address, setAddress] = useSearchParams()
  const [centerId] = useCenterChoice()
  const [width, setWidth] = useState<number | null>(null)
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const kind = kindIn(address)
  const opened = openedIn(address)
  const centers = useCenters(project.id)
  const period = REPORTS[kind].hasPeriod ? periodOf(from, to) : {}
  const asked = { projectId: project.id, kind, ...(centerId === null ? {} : { centerId }), ...period }
  const center = centers.state === 'ready' ? centers.value.find(({ id }) => id === centerId) : undefined
  const shown: ShownReport = {
    projectId: project.id,
    kind,
    center: center === undefined ? null : { id: center.id, name: center.centerName },
  }
  const read = useOnlineOnly(useServerQuery('report.read', { query: asked, projectId: project.id }))
  return (
    <PageFrame
      title={t('title')}
      wide
      actions={<Acts {...{ shown }} report={read.state === 'ready' ? read.value : null} />}
    >
      <SplitView
        width={width}
        onWidth={setWidth}
        panel={
          opened !== null && (
            <SubjectsPanel
              key={`${kind} ${opened.measure} ${opened.centerId ?? ''}`}
              {...{ asked, opened }}
              onClose={() => setAddress((before) => withOpened(before, null), { replace: true })}
            />
          )
        }
      >
        <div className={classes.screen}>
          <ReportChoice kinds={kindsFor(project.config.isDouble === 1)} kind={kind} />
          <div className={classes.report}>
            <div className={classes.asked} data-print="no">
              <CenterSelect centers={centers.state === 'ready' ? centers.value : []} />
              {REPORTS[kind].hasPeriod && <Period {...{ from, to, setFrom, setTo }} />}
            </div>
            {/* A new placeholder once it is known whether centers can be chosen: none that moves down. */}
            <Loaded key={centers.state} of={read} rows={8}>
              {(value) => <ReportBody report={value} />}
            </Loaded>
          </div>
        </div>
      </SplitView>
    </PageFrame>
  )
}

/** Double entry is a report of projects that use it. */
function kindsFor(isDouble: boolean): readonly ReportKind[] {
  return reportKinds.filter((kind) => isDouble || kind !== 'doubleEntry')
}

/** The days that are typed whole; an order that cannot be asks for nothing. */
function periodOf(from: string, to: string): { readonly from?: string; readonly to?: string } {
  const [first, last] = [dateFromTyping(from), dateFromTyping(to)]
  if (first !== null && last !== null && first > last) return {}
  return { ...(first === null ? {} : { from: first }), ...(last === null ? {} : { to: last }) }
}

function CenterSelect({ centers }: { readonly centers: readonly CenterRow[] }) {
  const { t } = useTranslation('report')
  const [centerId, setCenterId] = useCenterChoice()
  if (centers.length < 2) return null
  return (
    <Select
      size="md"
      clearable
      label={t('center')}
      value={centerId}
      onChange={setCenterId}
      placeholder={t('allCenters')}
      data={centers.map(({ id, centerName }) => ({ value: id, label: centerName }))}
    />
  )
}

interface PeriodProps {
  readonly from: string
  readonly to: string
  readonly setFrom: (day: string) => void
  readonly setTo: (day: string) => void
}

function Period({ from, to, setFrom, setTo }: PeriodProps) {
  const { t } = useTranslation('report')
  const [first, last] = [dateFromTyping(from), dateFromTyping(to)]
  const faultOf = (typed: string, day: string | null) => (typed !== '' && day === null ? t('badDay') : null)
  const badOrder = first !== null && last !== null && first > last ? t('badOrder') : null
  return (
    <>
      <DayInput label={t('from')} value={from} error={faultOf(from, first)} onChange={setFrom} />
      <DayInput label={t('to')} value={to} error={faultOf(to, last) ?? badOrder} onChange={setTo} />
    </>
  )
}

interface ActsProps {
  readonly shown: ShownReport
  readonly report: Report | null
}

/** What comes with the report stands before what is always there, which then keeps its place. */
function Acts({ shown, report }: ActsProps) {
  const { t } = useTranslation('report')
  const [isScheduling, setScheduling] = useState(false)
  return (
    <>
      {report !== null && report.lines.length > 0 && <PaperActs report={report} />}
      <PinToggle projectId={shown.projectId} kind={shown.kind} />
      <Button
        size="md"
        variant="default"
        leftSection={<IconMailForward size={18} aria-hidden="true" />}
        onClick={() => setScheduling(true)}
      >
        {t('schedule.title')}
      </Button>
      {isScheduling && <ScheduleSheet shown={shown} onClose={() => setScheduling(false)} />}
    </>
  )
}

function PaperActs({ report }: { readonly report: Report }) {
  const { t } = useTranslation('report')
  const fileOf = useReportFile()
  const download = () => {
    const name = t('file', { report: t(`kinds.${report.kind}.title`), day: today() })
    downloadFile(name, new Blob([fileOf(report)], { type: 'text/csv;charset=utf-8' }))
  }
  return (
    <>
      <Button
        size="md"
        variant="default"
        leftSection={<IconPrinter size={18} aria-hidden="true" />}
        onClick={() => window.print()}
      >
        {t('print')}
      </Button>
      <Button
        size="md"
        variant="default"
        leftSection={<IconDownload size={18} aria-hidden="true" />}
        onClick={download}
      >
        {t('download')}
      </Button>
    </>
  )
}
