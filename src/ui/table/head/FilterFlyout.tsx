import { IconCheck, IconChevronLeft, IconFilterPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { DayField } from './DayField.tsx'
import { Flyout } from './Flyout.tsx'
import type { FilterChange, TableFilter } from '../contract.ts'
import flyout from './flyout.module.css'

/** From so many choices on there is a box to find one. */
const MANY = 8

interface FilterFlyoutProps {
  readonly filters: readonly TableFilter[]
  readonly onFilter: (change: FilterChange) => void
  readonly onOpened: (() => void) | undefined
}

/** "+ filter": first by what, then which. */
export function FilterFlyout({ filters, onFilter, onOpened }: FilterFlyoutProps) {
  const { t } = useTranslation('table')
  const [chosen, setChosen] = useState<string | null>(null)
  const filter = filters.find(({ key }) => key === chosen)
  return (
    <Flyout
      button={
        <>
          <IconFilterPlus size={18} aria-hidden="true" />
          {t('filter.add')}
        </>
      }
      label={t('filter.add')}
      onOpened={() => {
        setChosen(null)
        onOpened?.()
      }}
    >
      {(close) =>
        filter === undefined ? (
          <ul className={flyout.list}>
            {filters.map((one) => (
              <li key={one.key}>
                <FilterItem filter={one} onFilter={onFilter} onChoose={() => setChosen(one.key)} />
              </li>
            ))}
          </ul>
        ) : (
          <>
            <button type="button" className={flyout.item} onClick={() => setChosen(null)}>
              <IconChevronLeft size={18} aria-hidden="true" />
              {filter.title}
            </button>
            <FilterValue key={filter.key} filter={filter} onFilter={onFilter} onDone={close} />
          </>
        )
      }
    </Flyout>
  )
}

interface FilterItemProps {
  readonly filter: TableFilter
  readonly onFilter: (change: FilterChange) => void
  readonly onChoose: () => void
}

function FilterItem({ filter, onFilter, onChoose }: FilterItemProps) {
  const { key, title, value, text, barred = null } = filter
  if (filter.kind === 'switch')
    return (
      <label className={flyout.item}>
        <input
          type="checkbox"
          checked={value === 'true'}
          onChange={(event) => onFilter({ [key]: event.currentTarget.checked ? 'true' : null })}
        />
        {title}
      </label>
    )
  return (
    <button type="button" className={flyout.item} disabled={barred !== null} onClick={onChoose}>
      {title}
      <span className={flyout.value}>{barred ?? (value === null ? '' : text)}</span>
    </button>
  )
}

interface FilterValueProps {
  readonly filter: TableFilter
  readonly onFilter: (change: FilterChange) => void
  /** Called once a choice is made. */
  readonly onDone: () => void
}

/** The values of one filter: a list to choose from, or a box for a day. */
export function FilterValue({ filter, onFilter, onDone }: FilterValueProps) {
  const { t } = useTranslation('table')
  const [search, setSearch] = useState('')
  const { key, title, value } = filter
  if (filter.kind === 'switch') return null
  if (filter.kind === 'day')
    return (
      <div className={flyout.field}>
        <DayField
          label={title}
          value={value}
          error={filter.error ?? null}
          onChange={(day) => onFilter({ [key]: day })}
        />
      </div>
    )
  const wanted = search.trim().toLowerCase()
  const shown = filter.choices.filter(({ label }) => label.toLowerCase().includes(wanted))
  return (
    <>
      {filter.choices.length > MANY && (
        <div className={flyout.field}>
          <input
            type="search"
            className={flyout.input}
            aria-label={t('filter.find')}
            placeholder={t('filter.find')}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        </div>
      )}
      <ul className={flyout.list} aria-label={title}>
        {shown.map((choice) => (
          <li key={choice.value}>
            <button
              type="button"
              className={flyout.item}
              aria-pressed={choice.value === value}
              onClick={() => {
                onFilter({ [key]: choice.value })
                onDone()
              }}
            >
              {choice.label}
              {choice.value === value && <IconCheck className={flyout.value} size={16} aria-hidden="true" />}
            </button>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className={flyout.title}>{t('filter.none')}</p>}
    </>
  )
}
