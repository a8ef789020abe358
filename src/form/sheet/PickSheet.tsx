import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { addressKey, addressOf } from '#core/form/definition/address.ts'
import { isList } from '#core/form/definition/value.ts'
import type { FormState } from '#core/form/engine/engine.ts'

import classes from '../form.module.css'
import { useFormEnvironment } from '../formContext.ts'
import { isComposing } from '../formEvents.ts'
import type { PickRecord } from '../picking.ts'
import { recordsOf, takenByGroup } from '../picking.ts'
import type { SheetBodyProps } from './MissingSheet.tsx'

/** How many records of the list, or of a search, one page shows (specification §9). */
const PAGE = 40
const FOUND = 10

interface PickSheetProps extends SheetBodyProps {
  /** Changes another field of the form: fields of the same group take their values from the picked record. */
  readonly onChange: (address: string, change: (state: FormState) => unknown) => void
}

/**
 * Records to pick from, each with its values: page by page, with a search over all of them. Enter takes the first
 * record.
 */
export function PickSheet({ cell, change, onChange, onClose }: PickSheetProps) {
  const environment = useFormEnvironment()
  const { t, state } = environment
  const { field, value } = cell
  const records = recordsOf(cell, environment)
  const { isSearched, found, shown, page, pages, search, setPage } = useSearch(records)
  const several = field.multiple || field.type === 'checkbox'
  const chosen = new Set(isList(value) ? value : value === null ? [] : [value])

  const pick = (record: PickRecord) => {
    const isOn = chosen.has(record.value)
    const one = isOn ? null : record.taken
    change((form) => form.setValue(cell.key, several ? toggledIn(chosen, record.value) : one))
    if (!isOn) {
      const place = addressOf(cell.key)
      for (const { code, to } of takenByGroup(cell, record, environment)) {
        const address = addressKey({ ...place, code })
        if (state.getCell(address)?.readOnly === false) onChange(address, (form) => form.setValue(address, to))
      }
    }
    if (!several) onClose()
  }
  return (
    <>
      <TextInput
        aria-label={t('pick.search')}
        placeholder={t('pick.search')}
        size="md"
        autoComplete="off"
        data-autofocus
        onChange={(event) => !isComposing(event.nativeEvent) && search(event.currentTarget.value)}
        onCompositionEnd={(event) => search(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
          event.preventDefault()
          const [first] = shown
          if (isSearched && first !== undefined) pick(first)
        }}
      />
      {isSearched && <output className={classes.hint}>{t('pick.found', { count: found.length })}</output>}
      <div className={classes.options} role={several ? 'group' : 'radiogroup'} aria-label={t('choose')}>
        {shown.map((record) => (
          <RecordButton
            key={record.key}
            record={record}
            role={several ? 'checkbox' : 'radio'}
            isChosen={chosen.has(record.value)}
            onPick={() => pick(record)}
          />
        ))}
        {records.length === 0 && <p className={classes.hint}>{t('pick.none')}</p>}
        {records.length > 0 && shown.length === 0 && <p className={classes.hint}>{t('noMatch')}</p>}
      </div>
      {pages > 1 && <PageTurner page={page} pages={pages} onTurn={setPage} />}
      {several && (
        <Button fullWidth size="md" mt="sm" onClick={onClose}>
          {t('save')}
        </Button>
      )}
    </>
  )
}

/**
 * The records that a search finds, or all records without a search, page by page. A new search begins with the first
 * page.
 */
function useSearch(records: readonly PickRecord[]) {
  const [text, setText] = useState('')
  const [page, setPage] = useState(0)
  const wanted = text.trim().toLowerCase()
  const isSearched = wanted !== ''
  const found = isSearched ? records.filter(({ words }) => words.toLowerCase().includes(wanted)) : records
  const size = isSearched ? FOUND : PAGE
  return {
    isSearched,
    found,
    shown: found.slice(page * size, (page + 1) * size),
    page,
    pages: Math.max(1, Math.ceil(found.length / size)),
    search: (to: string) => {
      setText(to)
      setPage(0)
    },
    setPage,
  }
}

interface RecordButtonProps {
  readonly record: PickRecord
  readonly role: 'checkbox' | 'radio'
  readonly isChosen: boolean
  readonly onPick: () => void
}

function RecordButton({ record, role, isChosen, onPick }: RecordButtonProps) {
  return (
    <button type="button" className={classes.choice} role={role} aria-checked={isChosen} onClick={onPick}>
      <span className={classes.record}>
        <span>{record.label}</span>
        {record.details !== '' && <span className={classes.unit}>{record.details}</span>}
      </span>
    </button>
  )
}

interface PageTurnerProps {
  /** From 0. */
  readonly page: number
  readonly pages: number
  readonly onTurn: (page: number) => void
}

function PageTurner({ page, pages, onTurn }: PageTurnerProps) {
  const { t } = useFormEnvironment()
  return (
    <Group justify="space-between" mt="sm">
      <Button variant="default" size="md" disabled={page === 0} onClick={() => onTurn(page - 1)}>
        {t('pick.previous')}
      </Button>
      <span>{t('pick.page', { page: page + 1, pages })}</span>
      <Button variant="default" size="md" disabled={page + 1 >= pages} onClick={() => onTurn(page + 1)}>
        {t('pick.next')}
      </Button>
    </Group>
  )
}

function toggledIn(chosen: ReadonlySet<unknown>, value: string): readonly unknown[] {
  const next = new Set(chosen)
  if (!next.delete(value)) next.add(value)
  return [...next]
}
