import { Checkbox, TextInput } from '@mantine/core'
import { IconChevronRight, IconSearch } from '@tabler/icons-react'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PlannedField } from '#core/review/reviewPlan.ts'

import classes from './plan.module.css'
import { plannedKey } from './plannablePages.ts'
import type { PlannableField, PlannablePage } from './plannablePages.ts'

interface FieldPickerProps {
  readonly pages: readonly PlannablePage[]
  readonly chosen: readonly PlannedField[]
  readonly onChange: (chosen: readonly PlannedField[]) => void
}

/** A page with the fields of it that a search leaves. */
interface ShownPage {
  readonly page: PlannablePage
  readonly fields: readonly PlannableField[]
}

/** Picks fields from the pages of a version: page by page, all of a page at once, or by a search. */
export function FieldPicker({ pages, chosen, onChange }: FieldPickerProps) {
  const { t } = useTranslation('review')
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim().toLowerCase())
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const keys = new Set(chosen.map(plannedKey))
  const change = (fields: readonly PlannedField[], isOn: boolean) => {
    const touched = new Set(fields.map(plannedKey))
    const others = chosen.filter((field) => !touched.has(plannedKey(field)))
    onChange(isOn ? [...others, ...fields.map(({ pageId, table, code }) => ({ pageId, table, code }))] : others)
  }
  const shown = shownPages(pages, search)
  return (
    <div className={classes.picker}>
      <TextInput
        size="md"
        type="search"
        aria-label={t('plan.pick.search')}
        placeholder={t('plan.pick.search')}
        leftSection={<IconSearch size={18} aria-hidden="true" />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <ul className={classes.pages} aria-label={t('plan.critical')}>
        {shown.map(({ page, fields }) => (
          <PageOfFields
            key={page.id}
            page={page}
            fields={fields}
            keys={keys}
            isOpen={search !== '' || open.has(page.id)}
            onOpen={() => setOpen(toggle(open, page.id))}
            onChange={change}
          />
        ))}
      </ul>
      {shown.length === 0 && <output className={classes.none}>{t('plan.pick.none', { text: typed.trim() })}</output>}
    </div>
  )
}

function shownPages(pages: readonly PlannablePage[], search: string): readonly ShownPage[] {
  const has = (...words: readonly string[]) => words.some((word) => word.toLowerCase().includes(search))
  return pages.flatMap((page) => {
    const fields = has(page.name) ? page.fields : page.fields.filter(({ label, code }) => has(label, code))
    return fields.length === 0 ? [] : [{ page, fields }]
  })
}

function toggle(open: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(open)
  if (!next.delete(id)) next.add(id)
  return next
}

interface PageOfFieldsProps extends ShownPage {
  readonly keys: ReadonlySet<string>
  readonly isOpen: boolean
  readonly onOpen: () => void
  readonly onChange: (fields: readonly PlannedField[], isOn: boolean) => void
}

function PageOfFields({ page, fields, keys, isOpen, onOpen, onChange }: PageOfFieldsProps) {
  const { t } = useTranslation('review')
  const count = page.fields.filter((field) => keys.has(plannedKey(field))).length
  const isAll = count === page.fields.length
  return (
    <li>
      <div className={classes.pageLine}>
        <Checkbox
          size="sm"
          aria-label={t('plan.pick.wholePage', { page: page.name })}
          checked={isAll}
          indeterminate={count > 0 && !isAll}
          onChange={() => onChange(page.fields, !isAll)}
        />
        <button type="button" className={classes.pageButton} aria-expanded={isOpen} onClick={onOpen}>
          <IconChevronRight size={16} aria-hidden="true" />
          <span>{page.name}</span>
          <span className={classes.count}>{t('plan.pick.count', { count, total: page.fields.length })}</span>
        </button>
      </div>
      {isOpen && (
        <ul className={classes.fields}>
          {fields.map((field) => (
            <li key={plannedKey(field)}>
              <Checkbox
                size="sm"
                label={field.label}
                checked={keys.has(plannedKey(field))}
                onChange={(event) => onChange([field], event.currentTarget.checked)}
              />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
