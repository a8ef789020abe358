import { Switch } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { dateFromTyping } from '#core/values/dates.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { useVersion } from '#src/data/hooks/projects.ts'
import { DayInput } from '#src/ui/DayInput.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { ChoiceFilter } from './ChoiceFilter.tsx'
import classes from './filterBar.module.css'
import type { ListFilter } from './filter.ts'
import { pagesToChoose, tablesToChoose } from './filterWords.ts'

interface FilterPanelProps {
  readonly projectId: string
  readonly filter: ListFilter
  readonly onChange: (changes: Partial<ListFilter>) => void
  readonly permissions: ProjectRow['permissions']
  /** Whether the panel is in sight: only then it reads the pages of the casebook. */
  readonly open: boolean
  /** What stands before the panel's fields. */
  readonly children: ReactNode
}

/** The filters behind the button of the bar. */
export function FilterPanel({ projectId, filter, onChange, permissions, open, children }: FilterPanelProps) {
  const { t } = useTranslation('patients')
  return (
    <div className={classes.panel}>
      {children}
      <ChoiceFilter
        label={t('fact.sex')}
        all={t('filter.all')}
        value={filter.sex}
        onChange={(value) => onChange({ sex: value === 'F' || value === 'M' ? value : null })}
        data={(['F', 'M'] as const).map((value) => ({ value, label: t(`sex.${value}`) }))}
      />
      <DayFilter label={t('filter.from')} value={filter.from} onChange={(from) => onChange({ from })} />
      <DayFilter
        label={t('filter.to')}
        value={filter.to}
        error={filter.from !== null && filter.to !== null && filter.from > filter.to ? t('filter.turned') : null}
        onChange={(to) => onChange({ to })}
      />
      {open && <PageFilter projectId={projectId} filter={filter} onChange={onChange} permissions={permissions} />}
      <Switch
        size="md"
        className={classes.mine ?? ''}
        label={t('filter.mine')}
        checked={filter.mine === 'true'}
        onChange={(event) => onChange({ mine: event.currentTarget.checked ? 'true' : null })}
      />
    </div>
  )
}

type PageFilterProps = Pick<FilterPanelProps, 'projectId' | 'filter' | 'onChange' | 'permissions'>

/** Narrows down to patients with data on a page, and further to those with rows in one of its tables. */
function PageFilter({ projectId, filter, onChange, permissions }: PageFilterProps) {
  const { t } = useTranslation('patients')
  const casebook = useVersion(projectId)
  const version = casebook.state === 'ready' ? casebook.value : null
  const language = useLanguage()
  const pages = pagesToChoose(version, language)
  const tables = tablesToChoose(version, filter.page, { permissions, language })
  return (
    <>
      <ChoiceFilter
        searchable
        disabled={pages.length === 0}
        label={t('filter.page')}
        all={t('filter.all')}
        value={filter.page}
        onChange={(page) => onChange({ page })}
        data={pages}
      />
      {tables.length > 0 && (
        <ChoiceFilter
          label={t('filter.table')}
          all={t('filter.all')}
          value={filter.table}
          onChange={(table) => onChange({ table })}
          data={tables}
        />
      )}
    </>
  )
}

interface DayFilterProps {
  readonly label: string
  readonly value: string | null
  readonly error?: string | null
  readonly onChange: (day: string | null) => void
}

/** A box for a day. It filters once a whole date is typed; until then the text stays on the screen. */
function DayFilter({ label, value, error = null, onChange }: DayFilterProps) {
  const { t } = useTranslation('patients')
  const [typed, setTyped] = useState<{ readonly text: string; readonly day: string | null }>({ text: '', day: null })
  const [left, setLeft] = useState(false)
  // When something else changes or clears the filter, the filter's day replaces what was typed.
  const text = typed.day === value ? typed.text : (value ?? '')
  const type = (next: string) => {
    const day = dateFromTyping(next)
    setTyped({ text: next, day })
    setLeft(false)
    if (day !== value) onChange(day)
  }
  return (
    <DayInput
      label={label}
      value={text}
      error={error ?? (left && text !== '' && value === null ? t('enrol.date') : null)}
      onChange={type}
      onBlur={() => setLeft(true)}
    />
  )
}
