import { IconSearch } from '@tabler/icons-react'
import type { ReactNode, RefObject } from 'react'
import { useTranslation } from 'react-i18next'

import { ColumnsFlyout } from './ColumnsFlyout.tsx'
import { FilterChips } from './FilterChips.tsx'
import { FilterFlyout } from './FilterFlyout.tsx'
import { TakeFlyout } from './TakeFlyout.tsx'
import { ViewsFlyout } from './ViewsFlyout.tsx'
import type { FilterChange, TableColumn, TableFilter, TableMemory, TableSearch } from '../contract.ts'
import classes from './head.module.css'
import type { RowMode } from '../useRowMode.ts'

interface TableHeadProps<Row, Fact> {
  readonly search: TableSearch | undefined
  readonly searchBox: RefObject<HTMLInputElement | null>
  readonly filters: readonly TableFilter[]
  readonly onFilter: (change: FilterChange) => void
  readonly onFilters: (() => void) | undefined
  readonly columns: readonly TableColumn<Row, Fact>[]
  readonly mode: RowMode
  readonly memory: TableMemory
  /** What is said of the number of rows; null while it is not known. */
  readonly count: string | null
  readonly onCopy: (() => void) | null
  readonly onFile: (() => void) | null
  readonly actions: ReactNode
}

/** The head of a table: what to look for, the filters in force, how many rows, views, columns, ways out. */
export function TableHead<Row, Fact>(props: TableHeadProps<Row, Fact>) {
  const { search, searchBox, filters, onFilter, onFilters, columns, mode, memory, count, actions } = props
  const { t } = useTranslation('table')
  const { notes, note } = memory
  return (
    <search className={classes.head}>
      {search !== undefined && (
        <label className={classes.search}>
          <IconSearch size={18} aria-hidden="true" />
          <input
            ref={searchBox}
            type="search"
            value={search.value}
            onChange={(event) => search.onChange(event.currentTarget.value)}
            placeholder={search.label}
            aria-label={search.label}
            autoComplete="off"
            spellCheck={false}
            {...(mode === 'desk' ? { title: t('keys.find') } : {})}
          />
        </label>
      )}
      {filters.length > 0 && (
        <>
          <FilterChips filters={filters} onFilter={onFilter} onOpened={onFilters} />
          <FilterFlyout filters={filters} onFilter={onFilter} onOpened={onFilters} />
        </>
      )}
      <div className={classes.tools}>
        <output className={classes.count}>{count}</output>
        <ViewsFlyout filters={filters} onFilter={onFilter} notes={notes} note={note} />
        <ColumnsFlyout columns={columns} layout={notes.layout} mode={mode} onLayout={(layout) => note({ layout })} />
        <TakeFlyout onCopy={props.onCopy} onFile={props.onFile} hasKeys={mode === 'desk'} />
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
    </search>
  )
}
