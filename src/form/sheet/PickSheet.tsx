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

/** Records of one page of the list, and of what a search finds (specification §9). */
const PAGE = 40
const FOUND = 10

interface PickSheetProps extends SheetBodyProps {
  /** Changes another field of the form: those of the same group take their values from the record that is picked. */
  readonly onChange: (address: string, change: (state: FormState) => unknown) => void
}

/**
 * Records to pick from, with what each of them says: page by page, with a search over all of it. Enter takes the first.
 */
export function PickSheet({ cell, change, onChange, onClose }: PickSheetProps) {
  const environment = useFormEnvironment()
  const { t, state } = environment
  const { field, value } = cell
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(0)
  const records = recordsOf(cell, environment)
  const wanted = search.trim().toLowerCase()
  const found = wanted === '' ? records : records.filter(({ words }) => words.toLowerCase().includes(wanted))
  const size = wanted === '' ? PAGE : FOUND
  const pages = Math.max(1, Math.ceil(found.length / size))
  const shown = found.slice(page * size, (page + 1) * size)
  const several = field.multiple || field.type === 'checkbox'
  const chosen = new Set(isList(value) ? value : value === null ? [] : [value])

  const look = (text: string) => {
    setSearch(text)
    setPage(0)
  }
  const pick = (record: PickRecord) => {
    const isOn = chosen.has(record.value)
    const one = isOn ? null : record.taken
    change((form) => form.setValue(cell.key, several ? toggledIn(chosen, record.value) : one))
    if (!isOn) {
      const place = addressOf(cell.key)
      for (const { prop, to } of takenByGroup(cell, record, environment)) {
        const address = addressKey({ ...place, code: prop })
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
        onChange={(event) => !isComposing(event.nativeEvent) && look(event.currentTarget.value)}
        onCompositionEnd={(event) => look(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
          event.preventDefault()
          const [first] = shown
          if (wanted !== '' && first !== undefined) pick(first)
        }}
      />
      {wanted !== '' && <output className={classes.hint}>{t('pick.found', { count: found.length })}</output>}
      <div className={classes.options} role={several ? 'group' : 'radiogroup'} aria-label={t('choose')}>
        {shown.map((record) => (
          <button
            key={record.key}
            type="button"
            className={classes.choice}
            role={several ? 'checkbox' : 'radio'}
            aria-checked={chosen.has(record.value)}
            onClick={() => pick(record)}
          >
            <span className={classes.record}>
              <span>{record.label}</span>
              {record.details !== '' && <span className={classes.unit}>{record.details}</span>}
            </span>
          </button>
        ))}
        {records.length === 0 && <p className={classes.hint}>{t('pick.none')}</p>}
        {records.length > 0 && shown.length === 0 && <p className={classes.hint}>{t('noMatch')}</p>}
      </div>
      {pages > 1 && (
        <Group justify="space-between" mt="sm">
          <Button variant="default" size="md" disabled={page === 0} onClick={() => setPage(page - 1)}>
            {t('pick.previous')}
          </Button>
          <span>{t('pick.page', { page: page + 1, pages })}</span>
          <Button variant="default" size="md" disabled={page + 1 >= pages} onClick={() => setPage(page + 1)}>
            {t('pick.next')}
          </Button>
        </Group>
      )}
      {several && (
        <Button fullWidth size="md" mt="sm" onClick={onClose}>
          {t('save')}
        </Button>
      )}
    </>
  )
}

function toggledIn(chosen: ReadonlySet<unknown>, value: string): readonly unknown[] {
  const next = new Set(chosen)
  if (!next.delete(value)) next.add(value)
  return [...next]
}
