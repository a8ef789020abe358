import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { FilterValue } from './FilterFlyout.tsx'
import { Flyout } from './Flyout.tsx'
import type { FilterChange, TableFilter } from '../contract.ts'
import classes from './head.module.css'

interface FilterChipsProps {
  readonly filters: readonly TableFilter[]
  readonly onFilter: (change: FilterChange) => void
  readonly onOpened: (() => void) | undefined
}

/** The filters in force: a tap on one changes it, its cross takes it away. */
export function FilterChips({ filters, onFilter, onOpened }: FilterChipsProps) {
  const { t } = useTranslation('table')
  const inForce = filters.filter(({ value }) => value !== null)
  if (inForce.length === 0) return null
  return (
    <>
      <ul className={classes.chips} aria-label={t('filter.inForce')}>
        {inForce.map((filter) => (
          <li key={filter.key} className={classes.chip} data-wrong={(filter.error ?? null) !== null || undefined}>
            {filter.kind === 'switch' ? (
              <span className={classes.chipText}>{filter.text}</span>
            ) : (
              <Flyout
                className={classes.chipText}
                button={filter.text}
                label={t('filter.change', { filter: filter.text ?? filter.title })}
                {...(onOpened === undefined ? {} : { onOpened })}
              >
                {(close) => <FilterValue filter={filter} onFilter={onFilter} onDone={close} />}
              </Flyout>
            )}
            <button
              type="button"
              className={classes.chipCross}
              aria-label={t('filter.remove', { filter: filter.text ?? filter.title })}
              onClick={() => onFilter({ [filter.key]: null })}
            >
              <IconX size={14} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      {inForce.length > 1 && (
        <button
          type="button"
          className={classes.clear}
          onClick={() => onFilter(Object.fromEntries(inForce.map(({ key }) => [key, null])))}
        >
          {t('filter.clear')}
        </button>
      )}
    </>
  )
}
