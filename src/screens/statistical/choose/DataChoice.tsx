import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { DataSet } from '#core/api/calls/data/dataset.ts'
import type { StatisticsTable, StatisticsTables } from '#core/api/calls/data/statistics.ts'

import { ALL_VISITS } from '../address.ts'
import type { Chosen } from '../address.ts'
import classes from '../statistical.module.css'
import { visitOf, visitsOf } from './offered.ts'

/** Stands for all that was submitted. */
const ALL = ''

interface SetChoiceProps {
  readonly sets: readonly DataSet[]
  readonly setId: string | null
  readonly onChoose: (change: Partial<Chosen>) => void
}

/** Which data set is analyzed. */
export function SetChoice({ sets, setId, onChoose }: SetChoiceProps) {
  const { t } = useTranslation('statistical')
  return (
    <Select
      size="md"
      label={t('data.set')}
      allowDeselect={false}
      value={setId ?? ALL}
      onChange={(next) => onChoose({ set: next === ALL || next === null ? null : next })}
      data={[{ value: ALL, label: t('data.all') }, ...sets.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  )
}

interface TableChoiceProps {
  readonly told: StatisticsTables
  readonly table: StatisticsTable
  readonly chosen: Chosen
  readonly onChoose: (change: Partial<Chosen>) => void
}

/** Which of its tables, and of which visit. */
export function TableChoice({ told, table, chosen, onChoose }: TableChoiceProps) {
  const { t } = useTranslation('statistical')
  const visits = visitsOf(table)
  return (
    <>
      <Select
        size="md"
        searchable
        label={t('data.table')}
        allowDeselect={false}
        value={table.name}
        onChange={(next) => onChoose({ table: next })}
        data={told.tables.map(({ name, label }) => ({ value: name, label }))}
        nothingFoundMessage={t('choose.nothing')}
      />
      {visits.length > 1 && chosen.kind !== 'change' && (
        <Select
          size="md"
          label={t('data.visit')}
          allowDeselect={false}
          value={visitOf(table, chosen) ?? ALL_VISITS}
          onChange={(next) => onChoose({ visit: next })}
          data={[
            ...visits.map(({ code, label }) => ({ value: code, label })),
            { value: ALL_VISITS, label: t('data.allVisits') },
          ]}
        />
      )}
      <p className={classes.count}>{t('data.subjects', { count: told.subjects })}</p>
    </>
  )
}
