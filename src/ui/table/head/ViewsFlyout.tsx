import { Button } from '@mantine/core'
import { IconBookmark, IconCheck, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { newId } from '#core/ids.ts'

import { Flyout } from './Flyout.tsx'
import type { FilterChange, TableFilter, TableLayout, TableNotes, TableView } from '../contract.ts'
import flyout from './flyout.module.css'
import classes from './head.module.css'
import { changeTo, filtersInForce, isShowing } from './views.ts'

interface ViewsFlyoutProps {
  readonly filters: readonly TableFilter[]
  readonly onFilter: (change: FilterChange) => void
  readonly notes: TableNotes
  readonly note: (change: Partial<TableNotes>) => void
}

const EVERYTHING: Pick<TableView, 'filters' | 'columns' | 'sort'> = { filters: {}, columns: {}, sort: null }
const LONGEST_NAME = 40

/** The views that the reader saved, and a box to save the one on the screen. */
export function ViewsFlyout({ filters, onFilter, notes, note }: ViewsFlyoutProps) {
  const { t } = useTranslation('table')
  const { layout, views } = notes
  const shown = views.find((view) => isShowing(view, { filters, layout }))
  const show = (view: Pick<TableView, 'filters' | 'columns' | 'sort'>) => {
    note({ layout: { ...layout, columns: view.columns, sort: view.sort } })
    onFilter(changeTo(filters, view.filters))
  }
  return (
    <Flyout
      align="end"
      isActive={shown !== undefined}
      label={shown === undefined ? t('views.title') : t('views.shown', { name: shown.name })}
      title={t('views.title')}
      button={
        <>
          <IconBookmark size={18} aria-hidden="true" />
          <span className={classes.word}>{shown?.name ?? t('views.title')}</span>
        </>
      }
    >
      {(close) => (
        <>
          <ul className={flyout.list}>
            <ViewItem
              name={t('views.all')}
              isShown={isShowing({ ...EVERYTHING, id: '', name: '' }, { filters, layout })}
              onShow={() => {
                show(EVERYTHING)
                close()
              }}
            />
            {views.map((view) => (
              <ViewItem
                key={view.id}
                name={view.name}
                isShown={view === shown}
                onShow={() => {
                  show(view)
                  close()
                }}
                onRemove={() => note({ views: views.filter(({ id }) => id !== view.id) })}
              />
            ))}
          </ul>
          <SaveView
            taken={views.map(({ name }) => name)}
            onSave={(name) => {
              note({ views: [...views.filter((view) => view.name !== name), viewOf(name, filters, layout)] })
              close()
            }}
          />
        </>
      )}
    </Flyout>
  )
}

function viewOf(name: string, filters: readonly TableFilter[], { columns, sort }: TableLayout): TableView {
  return { id: newId(), name, filters: filtersInForce(filters), columns, sort }
}

interface ViewItemProps {
  readonly name: string
  readonly isShown: boolean
  readonly onShow: () => void
  readonly onRemove?: () => void
}

function ViewItem({ name, isShown, onShow, onRemove }: ViewItemProps) {
  const { t } = useTranslation('table')
  return (
    <li className={flyout.line}>
      <button type="button" className={flyout.item} aria-pressed={isShown} onClick={onShow}>
        {name}
        {isShown && <IconCheck className={flyout.value} size={16} aria-hidden="true" />}
      </button>
      {onRemove !== undefined && (
        <button type="button" className={flyout.remove} aria-label={t('views.remove', { name })} onClick={onRemove}>
          <IconTrash size={16} aria-hidden="true" />
        </button>
      )}
    </li>
  )
}

interface SaveViewProps {
  readonly taken: readonly string[]
  readonly onSave: (name: string) => void
}

function SaveView({ taken, onSave }: SaveViewProps) {
  const { t } = useTranslation('table')
  const [name, setName] = useState('')
  const trimmed = name.trim()
  return (
    <form
      className={flyout.part}
      onSubmit={(event) => {
        event.preventDefault()
        if (trimmed !== '') onSave(trimmed)
      }}
    >
      <div className={flyout.row}>
        <input
          className={flyout.input}
          aria-label={t('views.name')}
          placeholder={t('views.name')}
          maxLength={LONGEST_NAME}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button size="md" type="submit" disabled={trimmed === ''}>
          {t(taken.includes(trimmed) ? 'views.replace' : 'views.save')}
        </Button>
      </div>
      <p className={flyout.note}>{t('views.hint')}</p>
    </form>
  )
}
