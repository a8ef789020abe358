import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { QueriesByVisit } from '#src/data/shapes/queryTypes.ts'
import type { PatientView } from '#src/data/shapes/types.ts'
import { DotStrip } from '#src/ui/badges/DotStrip.tsx'
import { QueryBadge } from '#src/ui/badges/QueryBadge.tsx'
import { StatusShape } from '#src/ui/badges/StatusBadge.tsx'
import type { TableColumn } from '#src/ui/table/contract.ts'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'
import { rememberWords } from '#src/ui/words/rememberWords.ts'

import type { PatientFact } from './patientFact.ts'
import classes from './patients.module.css'

type Column = TableColumn<PatientView, PatientFact>

/** How wide a dot is, in rem (DotStrip.tsx), and how many are beside each other at most. */
const DOT_REM = 10 / 16
const DOTS = 24
/** Padding of a cell on both sides, in rem. */
const PADDING_REM = 1.25

interface Shown {
  readonly hasCenters: boolean
  /** How many queries wait to be settled; null where the user has nothing to do with queries. */
  readonly queries: QueriesByVisit | null
  /** How many visits every patient has. */
  readonly visits: number
}

/** The columns of the list of patients. */
export function usePatientColumns({ hasCenters, queries, visits }: Shown): readonly Column[] {
  const { t, i18n } = useTranslation(['patients', 'status'])
  const label = usePatientLabel()
  return useMemo(
    () => {
      const sexWords = { F: t('sex.F'), M: t('sex.M') }
      const missingWords = rememberWords((count: number) => t('status:missing', { count }), String)
      const all: readonly Column[] = [
        {
          key: 'no',
          title: t('fact.no'),
          place: 'key',
          width: 8,
          text: label,
          sortBy: label,
          cell: (patient) =>
            patient.no === null ? <span title={t('unnumberedHint')}>{label(patient)}</span> : label(patient),
        },
        {
          key: 'initials',
          title: t('fact.initials'),
          width: 5.75,
          text: ({ initials }) => initials,
          sortBy: ({ initials }) => initials,
        },
        ...(visits === 0 ? [] : [visitColumn(t('columns.visits'), visits)]),
        ...(visits === 0 ? [] : nextColumns({ visit: t('columns.next'), left: t('columns.left') })),
        {
          key: 'missing',
          title: t('columns.missing'),
          width: 6.5,
          align: 'right',
          text: (_patient, fact) => fact?.missing ?? null,
          cell: (_patient, fact) =>
            fact === undefined || fact.missing === 0 ? (
              ''
            ) : (
              <StatusShape status="missing">{missingWords(fact.missing)}</StatusShape>
            ),
        },
        ...(queries === null ? [] : [queryColumn(t('columns.queries'), queries)]),
        syncColumn(
          t('columns.state'),
          rememberWords(
            (sync) => t(`status:${sync}`),
            (sync) => sync,
          ),
        ),
        {
          key: 'sex',
          title: t('fact.sex'),
          width: 4.5,
          from: 'desk',
          text: ({ sex }) => (sex === null ? null : sexWords[sex]),
          sortBy: ({ sex }) => sex,
        },
        {
          key: 'enrolledOn',
          title: t('fact.enrolledOn'),
          width: 7,
          from: 'desk',
          text: ({ enrolledOn }) => enrolledOn,
          sortBy: ({ enrolledOn }) => enrolledOn,
        },
        ...(hasCenters ? [centerColumn(t('center'))] : []),
      ]
      return all
    },
    // Every drawing makes new functions, but what they return changes only with the language.
    // oxlint-disable-next-line react/exhaustive-deps
    [i18n.language, hasCenters, queries, visits],
  )
}

function visitColumn(title: string, visits: number): Column {
  return {
    key: 'visits',
    title,
    width: Math.max(5, Math.min(visits, DOTS) * DOT_REM + PADDING_REM),
    text: (_patient, fact) => fact?.dotWords ?? null,
    cell: (_patient, fact) =>
      fact === undefined ? '' : <DotStrip dots={fact.dots} label={fact.dotWords} perLine={DOTS} />,
  }
}

interface NextCellProps {
  /** Null where no visit comes, or it is not read yet. */
  readonly of: PatientFact['next']
}

function NextVisitCell({ of }: NextCellProps) {
  return (
    of !== null && (
      <>
        <span className={classes.visit} title={of.name}>
          {of.name}
        </span>
        <span className={classes.day}>{of.plannedDate}</span>
      </>
    )
  )
}

function LeftCell({ of }: NextCellProps) {
  return (
    of !== null && (
      <span className={classes.left} data-visit={of.status}>
        {of.leftWords}
      </span>
    )
  )
}

function nextColumns(title: { readonly visit: string; readonly left: string }): readonly Column[] {
  return [
    {
      key: 'next',
      title: title.visit,
      width: 9,
      grows: 2,
      text: (_patient, fact) => {
        const next = fact?.next ?? null
        return next === null ? null : `${next.name} ${next.plannedDate}`
      },
      cell: (_patient, fact) => <NextVisitCell of={fact?.next ?? null} />,
    },
    {
      key: 'left',
      title: title.left,
      width: 6.5,
      text: (_patient, fact) => fact?.next?.leftWords ?? null,
      cell: (_patient, fact) => <LeftCell of={fact?.next ?? null} />,
    },
  ]
}

/** How many queries wait to be settled: with the flag of an open one where one waits for who looks. */
function queryColumn(title: string, queries: QueriesByVisit): Column {
  const sumOf = ({ id }: PatientView, of: 'unsettled' | 'waits') =>
    queries.get(id)?.reduce((sum, visit) => sum + visit[of], 0) ?? 0
  return {
    key: 'queries',
    title,
    width: 5.5,
    align: 'right',
    text: (patient) => sumOf(patient, 'unsettled') || null,
    sortBy: (patient) => sumOf(patient, 'unsettled'),
    cell: (patient) => {
      const unsettled = sumOf(patient, 'unsettled')
      const state = sumOf(patient, 'waits') > 0 ? 'open' : 'answered'
      return unsettled === 0 ? '' : <QueryBadge state={state}>{String(unsettled)}</QueryBadge>
    },
  }
}

/**
 * Nothing is said of a patient whose data are received. Of patients who are not kept here, this device knows no more.
 */
function syncColumn(title: string, wordOf: (sync: PatientView['sync']) => string): Column {
  return {
    key: 'sync',
    title,
    width: 7,
    place: 'end',
    text: ({ sync }) => (sync === 'received' ? null : wordOf(sync)),
    sortBy: ({ sync }) => (sync === 'received' ? null : ORDER.indexOf(sync)),
    cell: ({ sync }) => (sync === 'received' ? '' : <StatusShape status={sync}>{wordOf(sync)}</StatusShape>),
  }
}

const ORDER: readonly PatientView['sync'][] = ['conflict', 'attention', 'local', 'sending']

function centerColumn(title: string): Column {
  return {
    key: 'center',
    title,
    from: 'desk',
    width: 9,
    grows: 1,
    text: ({ centerName }) => centerName,
    sortBy: ({ centerName }) => centerName,
  }
}
