import { Button, Collapse, TextInput } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconSearch, IconX } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CenterRow, ProjectRow } from '#core/api/sync/rows.ts'
import { useBreakpoint } from '#src/frame/breakpoints.ts'

import { ChoiceFilter } from './ChoiceFilter.tsx'
import { FilterPanel } from './FilterPanel.tsx'
import classes from './filterBar.module.css'
import { listStates } from './filter.ts'
import type { ListFilter } from './filter.ts'
import type { FilterWord } from './filterWords.ts'

interface FilterBarProps {
  readonly projectId: string
  readonly filter: ListFilter
  readonly onChange: (changes: Partial<ListFilter>) => void
  readonly search: string
  readonly onSearch: (text: string) => void
  /** The active filters, in words. */
  readonly words: readonly FilterWord[]
  readonly centers: readonly CenterRow[]
  readonly permissions: ProjectRow['permissions']
}

/** Filters in the bar on a wide screen. All others are behind a button; on a tablet that is all but the search. */
const OF_BAR: ReadonlySet<FilterWord['key']> = new Set(['search', 'center', 'state'])

/** Narrows down the list of patients. Active filters are always visible, and each can be removed by itself. */
export function FilterBar(props: FilterBarProps) {
  const { projectId, filter, onChange, search, onSearch, words, permissions } = props
  const { t } = useTranslation('patients')
  const isWide = useBreakpoint() > 1
  const [open, setOpen] = useState(false)
  // The panel's fields take a tablet as long to draw as the list, and most people never open them.
  const [opened, setOpened] = useState(false)
  const panel = useId()
  const shown = words.filter(({ key }) => key !== 'search' && !(isWide && OF_BAR.has(key)))
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
        {isWide && <FirstFilters {...props} isWide />}
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
          <FilterPanel projectId={projectId} filter={filter} onChange={onChange} permissions={permissions} open={open}>
            {!isWide && <FirstFilters {...props} isWide={false} />}
          </FilterPanel>
        )}
      </Collapse>
      {!open && shown.length > 0 && <WordsInForce words={shown} onChange={onChange} />}
    </search>
  )
}

interface FirstFiltersProps extends Pick<FilterBarProps, 'filter' | 'onChange' | 'centers'> {
  /** A wide bar has no room for a label above the field. */
  readonly isWide: boolean
}

/** The filters by center and by state, which most people use. */
function FirstFilters({ filter, onChange, centers, isWide }: FirstFiltersProps) {
  const { t } = useTranslation('patients')
  return (
    <>
      {centers.length > 1 && (
        <ChoiceFilter
          label={t('center')}
          bare={isWide}
          all={t('allCenters')}
          value={filter.center}
          onChange={(center) => onChange({ center })}
          data={centers.map(({ id, centerName }) => ({ value: id, label: centerName }))}
        />
      )}
      <ChoiceFilter
        label={t('state.label')}
        bare={isWide}
        all={t('state.all')}
        value={filter.state}
        onChange={(value) => onChange({ state: listStates.find((one) => one === value) ?? null })}
        data={listStates.map((value) => ({ value, label: t(`state.${value}`) }))}
      />
    </>
  )
}

/** Active filters that are not visible in the bar; a tap removes one. */
function WordsInForce({ words, onChange }: Pick<FilterBarProps, 'words' | 'onChange'>) {
  const { t } = useTranslation('patients')
  return (
    <ul className={classes.words} aria-label={t('filter.inForce')}>
      {words.map(({ key, text }) => (
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
  )
}
