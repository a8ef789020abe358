import { Button } from '@mantine/core'
import { IconExternalLink, IconFolderOpen } from '@tabler/icons-react'
import { use, useMemo } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { VersionRow } from '#core/api/sync/rows.ts'
import { useQueriesByVisit } from '#src/data/hooks/queries.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import type { PatientList } from '#src/data/shapes/listTypes.ts'
import type { Loadable, PatientView } from '#src/data/shapes/types.ts'
import { useTableMemory } from '#src/frame/tableMemory.ts'
import { casebookPath } from '#src/paths/screenPaths.ts'
import { TableFrame } from '#src/ui/table/TableFrame.tsx'
import type { RowPanel, TableFrameProps, TableLoading } from '#src/ui/table/contract.ts'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'

import { PatientPanel } from './PatientPanel.tsx'
import { usePatientColumns } from './patientColumns.tsx'
import { usePatientFacts } from './patientFact.ts'
import type { PatientFact } from './patientFact.ts'
import { useGlanceWindow } from './useGlanceWindow.ts'

interface PatientTableProps extends Pick<
  TableFrameProps<PatientView, PatientFact>,
  'search' | 'filters' | 'onFilter' | 'noMatch' | 'file' | 'failed'
> {
  readonly projectId: string
  readonly of: Loadable<PatientList>
  /** Null until it is read: then the visits are not known. */
  readonly version: VersionRow | null
  readonly hasCenters: boolean
  /** Whether the user has to do with queries. */
  readonly hasQueries: boolean
  readonly empty: ReactNode
}

/** The patients as a table: where each stands, what comes next, what is missing. */
export function PatientTable({ projectId, of, version, hasCenters, hasQueries, ...frame }: PatientTableProps) {
  const { t } = useTranslation('patients')
  const label = usePatientLabel()
  const device = use(DeviceContext)
  const factOf = usePatientFacts(version?.folders ?? null)
  const { facts, onWindow } = useGlanceWindow(projectId, factOf)
  const queries = useQueriesByVisit(projectId, hasQueries && of.state === 'ready')
  const visits = version?.folders.filter(({ schedule }) => schedule?.kind !== 'unscheduled').length ?? 0
  const columns = usePatientColumns({ hasCenters, queries: hasQueries ? queries : null, visits })
  const readFacts = async (patients: readonly PatientView[]): Promise<ReadonlyMap<string, PatientFact>> => {
    const read = factOf === null ? undefined : await device?.glances(projectId, patients)
    if (factOf === null || read?.ok !== true) return facts
    return new Map([...read.value].map(([id, glance]) => [id, factOf(glance)]))
  }
  const panel = (patient: PatientView, fact: PatientFact | undefined): RowPanel => ({
    title: [label(patient), patient.initials].filter(Boolean).join(' '),
    actions: (
      <>
        <Button
          size="md"
          component={Link}
          to={casebookPath(projectId, patient.id)}
          leftSection={<IconFolderOpen size={18} aria-hidden="true" />}
        >
          {t('openCasebook')}
        </Button>
        <Button
          size="md"
          variant="default"
          component="a"
          href={casebookPath(projectId, patient.id)}
          target="_blank"
          rel="noopener"
          leftSection={<IconExternalLink size={18} aria-hidden="true" />}
        >
          {t('inTab')}
        </Button>
      </>
    ),
    content: <PatientPanel projectId={projectId} patient={patient} fact={fact} />,
  })
  return (
    <TableFrame
      {...frame}
      name={t('title')}
      columns={columns}
      of={useMemo(() => rowsOf(of), [of])}
      rowKey={idOf}
      isSame={showsTheSame}
      facts={facts}
      readFacts={readFacts}
      onWindow={onWindow}
      memory={useTableMemory(`patients ${projectId}`)}
      panel={panel}
      link={({ id }) => casebookPath(projectId, id)}
    />
  )
}

function rowsOf(of: Loadable<PatientList>): TableLoading<PatientView> {
  return of.state === 'ready' ? { state: 'ready', value: { rows: of.value.patients, total: of.value.total } } : of
}

function idOf({ id }: PatientView): string {
  return id
}

const SHOWN = ['id', 'no', 'mark', 'initials', 'sex', 'enrolledOn', 'centerName', 'sync'] as const

function showsTheSame(a: PatientView, b: PatientView): boolean {
  return SHOWN.every((field) => a[field] === b[field])
}
