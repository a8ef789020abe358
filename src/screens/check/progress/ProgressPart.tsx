import { Button } from '@mantine/core'
import { IconChartBar, IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import type { CenterProgress } from '#core/api/calls/review/check.ts'
import { csvText } from '#core/exchange/writeCsv.ts'
import type { ReviewTrack } from '#core/review/verification.ts'
import { useServerQuery } from '#src/data/server.ts'
import { today } from '#src/data/shapes/today.ts'
import { Share, percentOf } from '#src/screens/check/Share.tsx'
import { withPart } from '#src/screens/check/checkAddress.ts'
import { withFilter } from '#src/screens/check/list/listFilter.ts'
import { useOnlineOnly } from '#src/frame/useOnlineOnly.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'
import { downloadFile } from '#src/ui/downloadFile.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import type { DataColumn } from '#src/ui/lists/DataTable.tsx'
import { figure } from '#src/ui/words/format.ts'

import classes from '../check.module.css'
import { totalOf } from './progressRows.ts'
import type { FigureState, ProgressRow } from './progressRows.ts'

interface ProgressPartProps {
  readonly projectId: string
  readonly track: ReviewTrack
  /** Whether the reader checks in this track: only then its list is theirs to open. */
  readonly hasList: boolean
}

/** How far each center is checked in a track. Each figure leads to the pages behind it. */
export function ProgressPart({ projectId, track, hasList }: ProgressPartProps) {
  const progress = useOnlineOnly(useServerQuery('review.progress', { query: { projectId, track }, projectId }))
  return (
    <Loaded of={progress} rows={6}>
      {(centers) =>
        centers.every(({ pages }) => pages === 0) ? <Nothing /> : <Figures {...{ centers, track, hasList }} />
      }
    </Loaded>
  )
}

function Nothing() {
  const { t } = useTranslation('review')
  const { pathname, search } = useLocation()
  return (
    <EmptyState
      icon={<IconChartBar size={44} stroke={1.4} />}
      title={t('progress.empty.title')}
      text={t('progress.empty.text')}
      action={
        <Button
          size="md"
          variant="default"
          component={Link}
          to={`${pathname}?${withPart(new URLSearchParams(search), 'plan').toString()}`}
        >
          {t('list.noPlan.toPlan')}
        </Button>
      }
    />
  )
}

interface FiguresProps extends Pick<ProgressPartProps, 'track' | 'hasList'> {
  readonly centers: readonly CenterProgress[]
}

function Figures({ centers, track, hasList }: FiguresProps) {
  const { t } = useTranslation('review')
  const total = totalOf(centers, t('progress.total'))
  const columns = useColumns(hasList)
  const fileOf = useProgressFile()
  const rows: readonly ProgressRow[] = centers.length > 1 ? [...centers, total] : centers
  const name = t('progress.title', { track: t(`track.${track}`) })
  const download = () => {
    const file = new Blob([fileOf([...centers, total])], { type: 'text/csv;charset=utf-8' })
    downloadFile(t('progress.file', { track: t(`track.${track}`), day: today() }), file)
  }
  return (
    <>
      <Panel title={t('progress.whole')}>
        <Whole total={total} />
      </Panel>
      <Panel
        title={name}
        actions={
          <Button
            size="md"
            variant="default"
            leftSection={<IconDownload size={18} aria-hidden="true" />}
            onClick={download}
          >
            {t('progress.download')}
          </Button>
        }
      >
        <DataTable caption={name} rows={rows} rowKey={({ centerId }) => centerId ?? 'total'} columns={columns} />
        <p className={classes.quiet}>{t('progress.hint')}</p>
      </Panel>
    </>
  )
}

/** The figures of the whole project, and a bar of what is done, what changed since, and what is left. */
function Whole({ total }: { readonly total: ProgressRow }) {
  const { t } = useTranslation('review')
  const { due, done, changed } = total
  const facts = [
    [t('progress.rate'), `${percentOf(total)}%`],
    [t('progress.fields'), `${figure(done, 0)} / ${figure(due, 0)}`],
    [t('progress.pagesDone'), `${figure(total.pagesDone, 0)} / ${figure(total.pagesReady, 0)}`],
    [t('progress.patients'), `${figure(total.patientsDone, 0)} / ${figure(total.patients, 0)}`],
    [t('list.state.changed'), figure(changed, 0)],
  ] as const
  return (
    <>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={classes.gauge} aria-hidden="true">
        <span className={classes.shareDone} style={{ width: `${due === 0 ? 0 : (100 * done) / due}%` }} />
        <span className={classes.shareChanged} style={{ width: `${due === 0 ? 0 : (100 * changed) / due}%` }} />
      </div>
      <ul className={classes.legend} aria-hidden="true">
        <li data-part="done">{t('progress.legend.done')}</li>
        <li data-part="changed">{t('list.state.changed')}</li>
        <li data-part="left">{t('progress.legend.left')}</li>
      </ul>
    </>
  )
}

type CountKey = 'pages' | 'notReady' | 'toDo' | 'pagesDone' | 'changed'

function useColumns(hasList: boolean): readonly DataColumn<ProgressRow>[] {
  const { t } = useTranslation('review')
  const linkOf = useListLinks(hasList)
  const countOf = (key: CountKey, state: FigureState, of: (row: ProgressRow) => number): DataColumn<ProgressRow> => {
    const title = t(`progress.columns.${key}`)
    return {
      key,
      title,
      align: 'right',
      cell: (row) => linkOf(row, state, of(row), `${row.centerName} · ${title}`),
    }
  }
  return [
    {
      key: 'center',
      title: t('list.columns.center'),
      cell: ({ centerId, centerName }) => (centerId === null ? <strong>{centerName}</strong> : centerName),
    },
    {
      key: 'patients',
      align: 'right',
      title: t('progress.columns.patientsOf'),
      cell: (row) => (
        <>
          {figure(row.patientsDone, 0)}/
          {linkOf(row, 'all', row.patients, `${row.centerName} · ${t('progress.columns.patients')}`)}
        </>
      ),
    },
    countOf('pages', 'all', ({ pages }) => pages),
    countOf('notReady', 'notReady', ({ pages, pagesReady }) => pages - pagesReady),
    countOf('toDo', 'toDo', ({ pagesReady, pagesDone }) => pagesReady - pagesDone),
    countOf('pagesDone', 'complete', ({ pagesDone }) => pagesDone),
    {
      key: 'share',
      title: t('progress.columns.share'),
      short: true,
      cell: (row) => (
        <span className={classes.sharePlace}>
          <Share of={row} wide />
          <span className={classes.percent}>{percentOf(row)}%</span>
        </span>
      ),
    },
    countOf('changed', 'changed', ({ changed }) => changed),
  ]
}

/** Makes a figure into a link to the pages that it counts; zero, and what is not the reader's, is a plain figure. */
function useListLinks(hasList: boolean) {
  const { pathname, search } = useLocation()
  return (row: ProgressRow, state: FigureState, count: number, name: string) => {
    if (count === 0 || !hasList) return figure(count, 0)
    const address = withFilter(withPart(new URLSearchParams(search), 'list'), {
      state: state === 'all' ? null : state,
      center: row.centerId,
      folder: null,
      page: null,
    })
    return (
      <Link
        className={classes.figureLink}
        to={`${pathname}?${address.toString()}`}
        aria-label={`${name} ${figure(count, 0)}`}
      >
        {figure(count, 0)}
      </Link>
    )
  }
}

/** Makes the text of the file: every center, and all together. */
function useProgressFile(): (rows: readonly ProgressRow[]) => string {
  const { t } = useTranslation('review')
  const titles = [
    'patients',
    'patientsDone',
    'pages',
    'notReady',
    'toDo',
    'pagesDone',
    'done',
    'due',
    'rate',
    'changed',
  ] as const
  return (rows) =>
    csvText([
      [t('list.columns.center'), ...titles.map((title) => t(`progress.columns.${title}`))],
      ...rows.map((row) => [
        row.centerName,
        row.patients,
        row.patientsDone,
        row.pages,
        row.pages - row.pagesReady,
        row.pagesReady - row.pagesDone,
        row.pagesDone,
        row.done,
        row.due,
        percentOf(row),
        row.changed,
      ]),
    ])
}
