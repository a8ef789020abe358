import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ChangeResult } from '#core/analysis/changed.ts'
import type { CompareResult } from '#core/analysis/compared.ts'
import type { RelateResult } from '#core/analysis/related.ts'
import type { AnalysisFound } from '#core/analysis/runAnalysis.ts'
import type { SurvivalResult } from '#core/analysis/survived.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Note } from '#src/ui/Note.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'

import { ChangeChart } from '../charts/ChangeChart.tsx'
import { HeatChart } from '../charts/HeatChart.tsx'
import { ScatterChart } from '../charts/ScatterChart.tsx'
import { SurvivalChart } from '../charts/SurvivalChart.tsx'
import { nameWithUnit } from '../charts/nameWithUnit.ts'
import classes from '../statistical.module.css'
import { useWording } from '../wording.ts'
import { crossFigures } from './crossFigures.ts'
import { DescribedView } from './DescribedView.tsx'
import { FigureTableView } from './FigureTableView.tsx'
import { TableOneView } from './TableOneView.tsx'
import { TestsView } from './TestsView.tsx'
import { useFigures } from './useFigures.ts'

interface AnalysisViewProps {
  readonly found: AnalysisFound
  /** A number and a category are compared instead of related. */
  readonly onCompare: (variable: string, group: string) => void
}

/** A result in figures, tests and pictures. */
export function AnalysisView({ found, onCompare }: AnalysisViewProps) {
  switch (found.kind) {
    case 'describe':
      return found.described.map((described) => (
        <Panel key={described.variable.name} title={nameWithUnit(described.variable)}>
          <DescribedView described={described} isTitled={false} />
        </Panel>
      ))
    case 'compare':
      return <CompareView compared={found} />
    case 'relate':
      return <RelateView related={found} onCompare={onCompare} />
    case 'change':
      return <ChangeView changed={found} />
    case 'survival':
      return <SurvivalView survived={found} />
    case 'tableOne':
      return <TableOneView result={found} />
  }
}

function CompareView({ compared }: { readonly compared: CompareResult }) {
  const { t } = useTranslation('statistical')
  return (
    <>
      <Panel title={t('compare.tests')}>
        <TestsView offer={compared} groups={compared.groups} event={compared.event} />
      </Panel>
      <Panel title={t('compare.described')}>
        <DescribedView described={compared.described} isTitled />
      </Panel>
    </>
  )
}

interface RelateViewProps {
  readonly related: RelateResult
  readonly onCompare: AnalysisViewProps['onCompare']
}

function RelateView({ related, onCompare }: RelateViewProps) {
  const { t } = useTranslation('statistical')
  const { problemOf } = useWording()
  if (related.of === 'mixed')
    return (
      <EmptyState
        title={t('relate.mixed')}
        text={t('relate.mixedText')}
        action={
          <Button size="md" onClick={() => onCompare(related.number, related.category)}>
            {t('relate.toCompare')}
          </Button>
        }
      />
    )
  if (related.of === 'numbers') {
    const groups = [related.x.label, related.y.label]
    return (
      <>
        <Panel title={t('compare.tests')}>
          <TestsView offer={related} groups={groups} event={null} isRelation />
        </Panel>
        {related.points.length > 0 && (
          <Panel>
            <ScatterChart related={related} />
          </Panel>
        )}
      </>
    )
  }
  if (!related.table.ok) return <Note tone="warning">{problemOf(related.table.error)}</Note>
  const table = related.table.value
  return (
    <>
      <Panel title={`${related.x.label} × ${related.y.label}`}>
        <div className={classes.stack}>
          <FigureTableView table={crossFigures(table, { title: t('relate.rowPercent'), total: t('columns.all') })} />
          <HeatChart crossed={related} table={table} />
        </div>
      </Panel>
      <Panel title={t('compare.tests')}>
        <TestsView offer={related} groups={table.rows} event={related.event} />
      </Panel>
    </>
  )
}

function ChangeView({ changed }: { readonly changed: ChangeResult }) {
  const { t } = useTranslation('statistical')
  const { problemOf } = useWording()
  const { ofMeans, ofChanges } = useFigures()
  const failed = changed.groups.map(({ points }) => points).find((points) => !points.ok)
  const hasPoint = changed.groups.some(({ points }) => points.ok && points.value.some(({ mean }) => mean !== null))
  return (
    <Panel title={nameWithUnit(changed.variable)}>
      <div className={classes.stack}>
        {failed !== undefined && !failed.ok && <Note tone="warning">{problemOf(failed.error)}</Note>}
        {hasPoint && <ChangeChart changed={changed} table={ofMeans(changed)} />}
        <FigureTableView table={ofMeans(changed)} />
        {changed.visits.length > 1 && (
          <>
            <FigureTableView table={ofChanges(changed)} />
            <p className={classes.how}>{t('change.method')}</p>
          </>
        )}
      </div>
    </Panel>
  )
}

function SurvivalView({ survived }: { readonly survived: SurvivalResult }) {
  const { t } = useTranslation('statistical')
  const { problemOf } = useWording()
  const { ofMedians, ofTimes, ofExpected, timeTitleOf } = useFigures()
  const curves = survived.curves.flatMap((curve) => (curve.ok ? [curve.value] : []))
  const failed = survived.curves.find((curve) => !curve.ok)
  const expected = ofExpected(survived)
  return (
    <>
      <Panel title={t('survival.curves')}>
        <div className={classes.stack}>
          <p className={classes.how}>{t('survival.event', { event: survived.event })}</p>
          {failed !== undefined && !failed.ok && <Note tone="warning">{problemOf(failed.error)}</Note>}
          {curves.length > 0 && (
            <SurvivalChart {...{ survived, curves }} timeTitle={timeTitleOf(survived)} table={ofTimes(survived)} />
          )}
          <FigureTableView table={ofMedians(survived)} />
          <FigureTableView table={ofTimes(survived)} />
        </div>
      </Panel>
      {survived.test !== null && (
        <Panel title={t('compare.tests')}>
          <div className={classes.stack}>
            <TestsView
              offer={{ tests: [survived.test], favoured: null }}
              groups={curves.map(({ group }) => group ?? '')}
              event={null}
            />
            {expected !== null && <FigureTableView table={expected} />}
          </div>
        </Panel>
      )}
    </>
  )
}
