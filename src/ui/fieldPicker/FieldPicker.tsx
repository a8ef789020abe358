import { Checkbox, TextInput } from '@mantine/core'
import { IconChevronRight, IconSearch } from '@tabler/icons-react'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'

import classes from './fieldPicker.module.css'
import { searchPages } from './searchPages.ts'
import type { PickedPage } from './searchPages.ts'

interface FieldPickerProps {
  /** What the fields are picked for. */
  readonly label: string
  readonly pages: readonly PickedPage[]
  /** Keys of fields. */
  readonly chosen: ReadonlySet<string>
  readonly onChange: (chosen: ReadonlySet<string>) => void
}

/** Picks fields from the pages of a study: page by page, all of a page at once, or by a search. */
export function FieldPicker({ label, pages, chosen, onChange }: FieldPickerProps) {
  const { t } = useTranslation('fieldPicker')
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const shown = searchPages(pages, search)
  const change = (fields: PickedPage['fields'], isOn: boolean) => {
    const next = new Set(chosen)
    for (const { key } of fields)
      if (isOn) next.add(key)
      else next.delete(key)
    onChange(next)
  }
  return (
    <div className={classes.picker}>
      <TextInput
        size="md"
        type="search"
        aria-label={`${label}: ${t('search')}`}
        placeholder={t('search')}
        leftSection={<IconSearch size={18} aria-hidden="true" />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <ul className={classes.pages} aria-label={label}>
        {shown.map((page) => (
          <PageLine
            key={page.id}
            page={page}
            all={pages.find(({ id }) => id === page.id)?.fields ?? page.fields}
            chosen={chosen}
            isOpen={search.trim() !== '' || open.has(page.id)}
            onOpen={() => setOpen(toggle(open, page.id))}
            onChange={change}
          />
        ))}
      </ul>
      {shown.length === 0 && <output className={classes.note}>{t('none', { text: typed.trim() })}</output>}
    </div>
  )
}

function toggle(open: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(open)
  if (!next.delete(id)) next.add(id)
  return next
}

interface PageLineProps {
  readonly page: PickedPage
  /** All of its fields, whatever the search leaves. */
  readonly all: PickedPage['fields']
  readonly chosen: ReadonlySet<string>
  readonly isOpen: boolean
  readonly onOpen: () => void
  readonly onChange: (fields: PickedPage['fields'], isOn: boolean) => void
}

function PageLine({ page, all, chosen, isOpen, onOpen, onChange }: PageLineProps) {
  const { t } = useTranslation('fieldPicker')
  const count = all.filter(({ key }) => chosen.has(key)).length
  const isAll = count === all.length
  return (
    <li>
      <div className={classes.pageLine}>
        <Checkbox
          size="sm"
          aria-label={t('wholePage', { page: page.name })}
          checked={isAll}
          indeterminate={count > 0 && !isAll}
          onChange={() => onChange(all, !isAll)}
        />
        <button type="button" className={classes.pageButton} aria-expanded={isOpen} onClick={onOpen}>
          <IconChevronRight size={16} aria-hidden="true" />
          <span>{page.name}</span>
          <span className={classes.count}>{t('count', { count, total: all.length })}</span>
        </button>
      </div>
      {isOpen && (
        <>
          {page.note !== undefined && <p className={classes.pageNote}>{page.note}</p>}
          <ul className={classes.fields}>
            {page.fields.map((field) => (
              <li key={field.key}>
                <Checkbox
                  size="sm"
                  label={field.label}
                  description={field.note}
                  checked={chosen.has(field.key)}
                  onChange={(event) => onChange([field], event.currentTarget.checked)}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </li>
  )
}
