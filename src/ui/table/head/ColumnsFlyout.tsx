import { IconColumns3 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { Flyout } from './Flyout.tsx'
import type { TableColumn, TableLayout } from '../contract.ts'
import flyout from './flyout.module.css'
import classes from './head.module.css'
import { shownColumns, withColumn } from '../shownColumns.ts'
import type { RowMode } from '../useRowMode.ts'

interface ColumnsFlyoutProps<Row, Fact> {
  readonly columns: readonly TableColumn<Row, Fact>[]
  readonly layout: TableLayout
  readonly mode: RowMode
  readonly onLayout: (layout: TableLayout) => void
}

/** The columns of the list: which are shown, how many are not. */
export function ColumnsFlyout<Row, Fact>({ columns, layout, mode, onLayout }: ColumnsFlyoutProps<Row, Fact>) {
  const { t } = useTranslation('table')
  const shown = new Set(shownColumns(columns, layout, mode).map(({ key }) => key))
  const isOwn = Object.keys(layout.columns).length > 0 || Object.keys(layout.widths).length > 0
  return (
    <Flyout
      align="end"
      isActive={Object.keys(layout.columns).length > 0}
      label={t('columns.open', { shown: shown.size, all: columns.length })}
      title={t('columns.open', { shown: shown.size, all: columns.length })}
      button={
        <>
          <IconColumns3 size={18} aria-hidden="true" />
          <span className={classes.word}>{t('columns.title')}</span>{' '}
          {shown.size < columns.length && (
            <span className={classes.figure}>
              {shown.size}/{columns.length}
            </span>
          )}
        </>
      }
    >
      {() => (
        <>
          <ul className={flyout.list}>
            {columns.map((column) => (
              <li key={column.key}>
                <label className={flyout.item}>
                  <input
                    type="checkbox"
                    checked={shown.has(column.key)}
                    disabled={column.place === 'key'}
                    onChange={(event) => onLayout(withColumn(layout, column, event.currentTarget.checked, mode))}
                  />
                  {column.title}
                </label>
              </li>
            ))}
          </ul>
          {isOwn && (
            <button
              type="button"
              className={flyout.item}
              onClick={() => onLayout({ ...layout, columns: {}, widths: {} })}
            >
              {t('columns.reset')}
            </button>
          )}
        </>
      )}
    </Flyout>
  )
}
