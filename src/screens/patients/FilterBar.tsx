import { Button, Collapse, Select, Switch, TextInput } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconSearch, IconX } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dateFromTyping } from '#core/values/dates.ts'
import type { CenterRow, ProjectRow } from '#core/api/sync/rows.ts'
import { useBreakpoint } from '#src/frame/breakpoints.ts'
import { useVersion } from '#src/data/hooks/projects.ts'
import { DayInput } from '#src/ui/DayInput.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import classes from './filterBar.module.css'
import { listStates } from './filter.ts'
import type { ListFilter } from './filter.ts'
import { pagesToChoose, tablesToChoose } from './filterWords.ts'
import type { FilterWord } from './filterWords.ts'

interface FilterBarProps {
  readonly projectId: string
  readonly filter: ListFilter
  readonly onChange: (changes: Partial<ListFilter>) => void
  readonly search: string
  readonly onSearch: (text: string) => void
  /** What is in force, in words. */
  readonly words: readonly FilterWord[]
  readonly centers: readonly CenterRow[]
  readonly permissions: ProjectRow['permissions']
}

/** What stands in the bar itself on a wide screen; the rest, and on a tablet all but the search, is behind a button. */
const OF_BAR: ReadonlySet<FilterWord['key']> = new Set(['search', 'center', 'state'])

/** Narrows the list of patients down. What is in force is always to be seen, and can be taken away by itself. */
export function FilterBar({
  projectId,
  filter,
  onChange,
  search,
  onSearch,
  words,
  centers,
  permissions,
}: FilterBarProps) {
  const { t } = useTranslation(['patients', 'common'])
  const isWide = useBreakpoint() > 1
  const [open, setOpen] = useState(false)
  // Its fields take a tablet as long to draw as the list, and most people never open them.
  const [opened, setOpened] = useState(false)
  const panel = useId()
  const shown = words.filter(({ key }) => key !== 'search' && !(isWide && OF_BAR.has(key)))
  const first = (
    <>
      {centers.length > 1 && (
        <Select
          size="md"
          {...(isWide ? { 'aria-label': t('center') } : { label: t('center') })}
          placeholder={t('allCenters')}
          clearable
          clearButtonProps={{ 'aria-label': t('common:action.clear') }}
          value={filter.center}
          onChange={(center) => onChange({ center })}
          data={centers.map(({ id, centerName }) => ({ value: id, label: centerName }))}
        />
      )}
      <Select
        size="md"
        {...(isWide ? { 'aria-label': t('state.label') } : { label: t('state.label') })}
        placeholder={t('state.all')}
        clearable
        clearButtonProps={{ 'aria-label': t('common:action.clear') }}
        value={filter.state}
        onChange={(value) => onChange({ state: listStates.find((one) => one === value) ?? null })}
        data={listStates.map((value) => ({ value, label: t(`state.${value}`) }))}
      />
    </>
  )
  return (
    <search className={classes.bar}>
      <div className={classes.row}>
        <TextInput
          size="md"
          inputMode="search"
          value={search}
          onChange={(event) => onSearch(event.currentTarget.value)}
          placeholder={t('search')}
          aria-label={t('search')}
          leftSection={<IconSearch size={18} aria-hidden="true" />}
          className={classes.search ?? ''}
        />
        {isWide && first}
        <Button
          size="md"
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={18} aria-hidden="true" />}
          aria-expanded={open}
          aria-controls={panel}
          onClick={() => {
            setOpened(true)
            setOpen(!open)
          }}
        >
          {shown.length === 0 ? t('filter.open') : t('filter.openWith', { count: shown.length })}
        </Button>
      </div>
      <Collapse expanded={open} id={panel} transitionDuration={120}>
        {opened && (
          <div className={classes.panel}>
            {!isWide && first}
            <Select
              size="md"
              label={t('fact.sex')}
              placeholder={t('filter.all')}
              clearable
              clearButtonProps={{ 'aria-label': t('common:action.clear') }}
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
        )}
      </Collapse>
      {!open && shown.length > 0 && (
        <ul className={classes.words} aria-label={t('filter.inForce')}>
          {shown.map(({ key, text }) => (
            <li key={key}>
              <Button
                size="md"
                variant="light"
                rightSection={<IconX size={16} aria-hidden="true" />}
                aria-label={t('filter.remove', { filter: text })}
                onClick={() => key !== 'search' && onChange({ [key]: null })}
              >
                {text}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </search>
  )
}

type PageFilterProps = Pick<FilterBarProps, 'projectId' | 'filter' | 'onChange' | 'permissions'>

/** Those with data on a page, and of them those with rows in a table of it. */
function PageFilter({ projectId, filter, onChange, permissions }: PageFilterProps) {
  const { t } = useTranslation(['patients', 'common'])
  const casebook = useVersion(projectId)
  const version = casebook.state === 'ready' ? casebook.value : null
  const language = useLanguage()
  const pages = pagesToChoose(version, language)
  const tables = tablesToChoose(version, filter.page, { permissions, language })
  return (
    <>
      <Select
        size="md"
        searchable
        disabled={pages.length === 0}
        label={t('filter.page')}
        placeholder={t('filter.all')}
        clearable
        clearButtonProps={{ 'aria-label': t('common:action.clear') }}
        value={filter.page}
        onChange={(page) => onChange({ page })}
        data={[...pages]}
      />
      {tables.length > 0 && (
        <Select
          size="md"
          label={t('filter.table')}
          placeholder={t('filter.all')}
          clearable
          clearButtonProps={{ 'aria-label': t('common:action.clear') }}
          value={filter.table}
          onChange={(table) => onChange({ table })}
          data={[...tables]}
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

/** A day that counts once it is whole; what is typed until then stays on the screen. */
function DayFilter({ label, value, error = null, onChange }: DayFilterProps) {
  const { t } = useTranslation('patients')
  const [typed, setTyped] = useState<{ readonly text: string; readonly day: string | null }>({ text: '', day: null })
  const [left, setLeft] = useState(false)
  // Whatever else sets the filter or takes it away stands before what was typed.
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
