import { Button } from '@mantine/core'
import { IconAlertTriangle, IconDownload, IconPrinter } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { columnsNeeded } from '#core/analysis/request.ts'
import type { AnalysisRequest } from '#core/analysis/request.ts'
import type { Analysis } from '#core/analysis/runAnalysis.ts'
import type { StatisticsColumns, StatisticsTable } from '#core/api/calls/data/statistics.ts'
import type { DataSetDefinition } from '#core/dataset/definition.ts'
import { useServerQuery } from '#src/data/server.ts'
import { today } from '#src/data/shapes/today.ts'
import { useSession } from '#src/session/useSession.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { downloadFile } from '#src/ui/downloadFile.ts'

import type { Chosen } from '../address.ts'
import { visitsOf } from '../choose/offered.ts'
import classes from '../statistical.module.css'
import { useAnalysis } from '../useAnalysis.ts'
import { AnalysisView } from './AnalysisView.tsx'
import { useBasis } from './basis.ts'
import type { Basis } from './basis.ts'
import { tablesCsv } from './figureTable.ts'
import { useFigures } from './useFigures.ts'

interface ResultPartProps {
  readonly projectId: string
  readonly definition: DataSetDefinition
  readonly setName: string
  readonly table: StatisticsTable
  readonly request: AnalysisRequest
  readonly onChoose: (change: Partial<Chosen>) => void
}

/** Columns that tell rows apart, where a table has them. */
const TOLD_APART = ['subject_key', 'visit']

/** Reads the columns of an analysis, has it computed, and shows what was found. */
export function ResultPart(props: ResultPartProps) {
  const { projectId, definition, table, request } = props
  const { t } = useTranslation('statistical')
  const { reachable } = useSession()
  const keys = TOLD_APART.filter((name) => table.variables.some((variable) => variable.name === name))
  const variables = [...new Set([...keys, ...columnsNeeded(request)])]
  const read = useServerQuery('statistics.columns', {
    body: { projectId, definition, table: table.name, variables },
    projectId,
  })
  const columns: typeof read = reachable === false && read.state !== 'ready' ? OFFLINE : read
  if (columns.state === 'failed' && columns.error.code === 'too_much_work')
    return (
      <EmptyState
        icon={<IconAlertTriangle size={40} stroke={1.5} />}
        title={t('state.tooMuch.title')}
        text={t('state.tooMuch.text')}
        live
      />
    )
  return (
    <Loaded of={columns} rows={8}>
      {(value) => <Computed {...props} columns={value} />}
    </Loaded>
  )
}

const OFFLINE = { state: 'failed', error: { code: 'offline' } } as const

function Computed({ columns, request, onChoose, ...about }: ResultPartProps & { readonly columns: StatisticsColumns }) {
  const { t } = useTranslation('statistical')
  const [computed, again] = useAnalysis(request, columns)
  if (computed.state === 'computing')
    return (
      <output className={classes.computing} data-waiting>
        {t('state.computing')}
      </output>
    )
  if (computed.state === 'failed')
    return (
      <EmptyState
        icon={<IconAlertTriangle size={40} stroke={1.5} />}
        title={t(`state.${computed.why}.title`)}
        text={t(`state.${computed.why}.text`)}
        live
        {...(computed.why === 'died'
          ? {
              action: (
                <Button size="md" onClick={again}>
                  {t('state.again')}
                </Button>
              ),
            }
          : {})}
      />
    )
  return <Found {...about} {...{ request, onChoose }} analysis={computed.analysis} at={columns.at} />
}

interface FoundProps extends ResultPartProps {
  readonly analysis: Analysis
  readonly at: string
}

function Found({ setName, table, request, onChoose, analysis, at }: FoundProps) {
  const { t } = useTranslation('statistical')
  const basisOf = useBasis()
  const visit = visitsOf(table).find(({ code }) => code === request.visit)?.label ?? null
  const basis = basisOf(analysis, {
    set: setName,
    table: table.label,
    visit: request.kind === 'change' ? null : visit,
    at,
  })
  return (
    <section className={classes.result} aria-label={t(`kinds.${request.kind}`)} aria-live="polite">
      <div className={classes.resultHead}>
        <h2 className={classes.title}>{t(`kinds.${request.kind}`)}</h2>
        <Acts analysis={analysis} basis={basis} />
      </div>
      <ul className={classes.basis} aria-label={t('basis.title')}>
        {basis.facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      {basis.isRepeated && <Note tone="warning">{t('basis.repeated')}</Note>}
      <AnalysisView
        found={analysis.found}
        onCompare={(variable, group) => onChoose({ kind: 'compare', variables: [variable], group })}
      />
      <p className={classes.how}>{t('basis.exploratory')}</p>
    </section>
  )
}

function Acts({ analysis, basis }: { readonly analysis: Analysis; readonly basis: Basis }) {
  const { t } = useTranslation('statistical')
  const { ofAll } = useFigures()
  const tables = ofAll(analysis.found)
  const download = () => {
    const notes = [...basis.facts, ...(basis.isRepeated ? [t('basis.repeated')] : []), t('basis.exploratory')]
    const name = t('file', { analysis: t(`kinds.${analysis.found.kind}`), day: today() })
    downloadFile(`${name}.csv`, new Blob([tablesCsv(tables, notes)], { type: 'text/csv;charset=utf-8' }))
  }
  return (
    <div className={classes.acts} data-print="no">
      <Button
        size="md"
        variant="default"
        leftSection={<IconPrinter size={18} aria-hidden="true" />}
        onClick={() => window.print()}
      >
        {t('print')}
      </Button>
      {tables.length > 0 && (
        <Button
          size="md"
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden="true" />}
          onClick={download}
        >
          {t('download')}
        </Button>
      )}
    </div>
  )
}
