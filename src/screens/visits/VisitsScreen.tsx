import { Group, Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router-dom'
import { addDays } from '#core/study/visits/days.ts'
import { KeepBanner } from '#src/frame/KeepBanner.tsx'
import { patientVisitsPath } from '#src/paths/screenPaths.ts'
import { useCenterChoice } from '#src/frame/lists/centerChoice.ts'
import { SearchFailed, whySearchFailed } from '#src/frame/lists/SearchFailed.tsx'
import { SearchSelect } from '#src/frame/lists/SearchSelect.tsx'
import { useSearchChoice } from '#src/frame/lists/searchChoice.ts'
import { useKeptSearches } from '#src/frame/lists/useKeptSearches.ts'
import { useCenters, useProject } from '#src/data/hooks/projects.ts'
import { today } from '#src/data/shapes/today.ts'
import type { VisitFilter, VisitList, VisitListLine } from '#src/data/shapes/visitTypes.ts'
import { useVisits } from '#src/data/hooks/visits.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { NothingFound } from '#src/ui/illustrations/NothingFound.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'
import { VisitBadge } from '#src/ui/badges/VisitBadge.tsx'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import classes from './visits.module.css'

const GROUPS = ['waiting', 'overdue', 'due', 'coming', 'all'] as const
type Group = (typeof GROUPS)[number]
const PERIODS = ['anyTime', 'past', 'week', 'month'] as const
type Period = (typeof PERIODS)[number]

/** The visits of all patients by date: overdue, due, coming. Read from this device where it keeps the centers. */
export function VisitsScreen() {
  const { t } = useTranslation('visits')
  const { id: projectId = '' } = useParams()
  const [centerId, setCenterId] = useCenterChoice()
  const [searchId, setSearchId] = useSearchChoice()
  const [group, setGroup] = useState<Group>('waiting')
  const [period, setPeriod] = useState<Period>('anyTime')
  const centers = useCenters(projectId)
  const known = centers.state === 'ready' ? centers.value : []
  const filter: VisitFilter = {
    ...(centerId === null ? {} : { centerId }),
    ...(searchId === null ? {} : { searchId }),
    ...(group === 'all' ? {} : { group }),
    ...periodOf(period),
  }
  const visits = useVisits(projectId, filter)
  const project = useProject(projectId)
  const searches = useKeptSearches(projectId, project.state === 'ready' ? project.value.permissions : [])
  const failed = visits.state === 'failed' ? whySearchFailed(visits.error, searchId) : null
  return (
    <PageFrame title={t('title')} intro={t('list.intro')} wide>
      <KeepBanner projectId={projectId} />
      <Group gap="xs">
        <Select
          size="md"
          label={t('list.group')}
          allowDeselect={false}
          value={group}
          onChange={(value) => setGroup(GROUPS.find((one) => one === value) ?? 'all')}
          data={GROUPS.map((value) => ({ value, label: t(`list.${value}`) }))}
        />
        <Select
          size="md"
          label={t('list.period')}
          allowDeselect={false}
          value={period}
          onChange={(value) => setPeriod(PERIODS.find((one) => one === value) ?? 'anyTime')}
          data={PERIODS.map((value) => ({ value, label: t(`list.${value}`) }))}
        />
        {known.length > 1 && (
          <Select
            size="md"
            clearable
            label={t('list.center')}
            value={centerId}
            onChange={setCenterId}
            placeholder={t('list.allCenters')}
            data={known.map(({ id, centerName }) => ({ value: id, label: centerName }))}
          />
        )}
        <SearchSelect searches={searches} value={searchId} onChange={setSearchId} isLabelled />
      </Group>
      {failed === null ? (
        <Loaded of={visits} rows={8}>
          {(list) => <Listed projectId={projectId} {...list} />}
        </Loaded>
      ) : (
        <SearchFailed why={failed} onRemove={() => setSearchId(null)} />
      )}
    </PageFrame>
  )
}

function Listed({ projectId, lines, total }: VisitList & { readonly projectId: string }) {
  const { t } = useTranslation('visits')
  if (lines.length === 0)
    return <EmptyState icon={<NothingFound />} title={t('list.empty.title')} text={t('list.empty.text')} />
  return (
    <>
      <p className={classes.total}>
        {lines.length < total ? t('list.beyond', { shown: lines.length, total }) : t('list.total', { count: total })}
      </p>
      <Lines projectId={projectId} lines={lines} />
    </>
  )
}

function periodOf(period: Period): Pick<VisitFilter, 'from' | 'to'> {
  const day = today()
  switch (period) {
    case 'anyTime':
      return {}
    case 'past':
      return { from: addDays(day, -30), to: day }
    case 'week':
      return { from: day, to: addDays(day, 7) }
    case 'month':
      return { from: day, to: addDays(day, 30) }
  }
}

function Lines({ projectId, lines }: { readonly projectId: string; readonly lines: readonly VisitListLine[] }) {
  const names = useNames()
  const { t } = useTranslation('visits')
  const label = usePatientLabel()
  return (
    <ul className={classes.list} aria-label={t('title')}>
      {lines.map(({ id, patient, folderName, folderNameEn, no, plannedDate, window, actualDate, status }) => (
        <li key={id}>
          <Link to={patientVisitsPath(projectId, patient.id)} className={classes.line}>
            <span className={classes.who}>
              <strong>{label(patient)}</strong> {patient.initials ?? ''}
            </span>
            <span className={classes.visit}>
              {no > 1
                ? `${names.visit({ folderName, folderNameEn })} ${no}`
                : names.visit({ folderName, folderNameEn })}
            </span>
            <span className={classes.when}>
              {actualDate !== null
                ? t('actual', { day: actualDate })
                : plannedDate !== null
                  ? t('planned', { day: plannedDate })
                  : ''}
              {actualDate === null && window !== null && window.from !== window.to && (
                <small>{t('window', window)}</small>
              )}
            </span>
            <VisitBadge status={status} />
          </Link>
        </li>
      ))}
    </ul>
  )
}
