import { Checkbox, TextInput } from '@mantine/core'
import { IconChevronRight, IconSearch } from '@tabler/icons-react'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'

import classes from '../export.module.css'
import { fieldKey, searchPages } from './fieldPages.ts'
import type { ShownField, ShownPage } from './fieldPages.ts'

interface FieldChooserProps {
  readonly label: string
  readonly pages: readonly ShownPage[]
  readonly chosen: ReadonlySet<string>
  readonly onChange: (chosen: ReadonlySet<string>) => void
}

/** Picks fields page by page, all of a page at once, or by a search. */
export function FieldChooser({ label, pages, chosen, onChange }: FieldChooserProps) {
  const { t } = useTranslation('dataExport')
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const shown = searchPages(pages, search)
  const change = (fields: readonly ShownField[], isOn: boolean) => {
    const next = new Set(chosen)
    for (const field of fields)
      if (isOn) next.add(fieldKey(field))
      else next.delete(fieldKey(field))
    onChange(next)
  }
  return (
    <div className={classes.picker}>
      <TextInput
        size="md"
        type="search"
        aria-label={`${label}: ${t('pages.search')}`}
        placeholder={t('pages.search')}
        leftSection={<IconSearch size={18} aria-hidden="true" />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <ul className={classes.pages} aria-label={label}>
        {shown.map((page) => (
          <PageLine
            key={page.pageId}
            page={page}
            total={pages.find(({ pageId }) => pageId === page.pageId)?.fields ?? page.fields}
            chosen={chosen}
            isOpen={search.trim() !== '' || open.has(page.pageId)}
            onOpen={() => setOpen(toggle(open, page.pageId))}
            onChange={change}
          />
        ))}
      </ul>
      {shown.length === 0 && <output className={classes.hint}>{t('pages.none', { text: typed.trim() })}</output>}
    </div>
  )
}

function toggle(open: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(open)
  if (!next.delete(id)) next.add(id)
  return next
}

interface PageLineProps {
  readonly page: ShownPage
  /** All of its fields, whatever the search leaves. */
  readonly total: readonly ShownField[]
  readonly chosen: ReadonlySet<string>
  readonly isOpen: boolean
  readonly onOpen: () => void
  readonly onChange: (fields: readonly ShownField[], isOn: boolean) => void
}

function PageLine({ page, total, chosen, isOpen, onOpen, onChange }: PageLineProps) {
  const { t } = useTranslation('dataExport')
  const count = total.filter((field) => chosen.has(fieldKey(field))).length
  const isAll = count === total.length
  return (
    <li>
      <div className={classes.pageLine}>
        <Checkbox
          size="sm"
          aria-label={t('pages.whole', { page: page.name })}
          checked={isAll}
          indeterminate={count > 0 && !isAll}
          onChange={() => onChange(total, !isAll)}
        />
        <button type="button" className={classes.pageButton} aria-expanded={isOpen} onClick={onOpen}>
          <IconChevronRight size={16} aria-hidden="true" />
          <span>{page.name}</span>
          <span className={classes.count}>{t('pages.count', { count, total: total.length })}</span>
        </button>
      </div>
      {isOpen && (
        <>
          {page.visits !== '' && <p className={classes.visits}>{t('pages.visits', { visits: page.visits })}</p>}
          <ul className={classes.fields}>
            {page.fields.map((field) => (
              <li key={fieldKey(field)}>
                <Checkbox
                  size="sm"
                  label={field.label}
                  description={field.fact.identifies ? `${field.code} · ${t('pages.identifies')}` : field.code}
                  checked={chosen.has(fieldKey(field))}
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
