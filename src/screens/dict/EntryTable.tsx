import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DictRow } from '#core/api/calls/projectDict.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import { Pages } from '#src/ui/lists/Pages.tsx'

import { EntryActs } from './EntryActs.tsx'
import classes from './dict.module.css'

interface EntryTableProps {
  readonly caption: string
  readonly entries: readonly DictRow[]
  readonly mayEdit: boolean
  readonly onInto: (row: DictRow) => void
  readonly onAddBelow: (row: DictRow) => void
  readonly onEdit: (row: DictRow) => void
  readonly onRemove: (row: DictRow) => void
}

const PAGE_SIZE = 50

/** The entries of one level, each with its acts. */
export function EntryTable({ caption, entries, mayEdit, onInto, onAddBelow, onEdit, onRemove }: EntryTableProps) {
  const { t } = useTranslation('dict')
  const [asked, setAsked] = useState(1)
  const pages = Math.ceil(entries.length / PAGE_SIZE)
  const current = Math.min(asked, pages)
  return (
    <>
      <DataTable
        caption={caption}
        rows={entries.slice((current - 1) * PAGE_SIZE, current * PAGE_SIZE)}
        rowKey={({ id }) => id}
        columns={[
          { key: 'key', title: t('columns.key'), short: true, cell: ({ dictKey }) => dictKey },
          { key: 'label', title: t('columns.label'), cell: ({ dictValue }) => dictValue },
          { key: 'english', title: t('columns.english'), cell: ({ labelEn }) => labelEn ?? '' },
          {
            key: 'below',
            title: t('columns.below'),
            align: 'right',
            cell: (row) =>
              row.children === undefined ? (
                ''
              ) : (
                <Button
                  size="md"
                  variant="subtle"
                  aria-label={t('belowOf', { name: row.dictValue, count: row.children.length })}
                  onClick={() => onInto(row)}
                >
                  {row.children.length}
                </Button>
              ),
          },
          {
            key: 'state',
            title: t('columns.state'),
            short: true,
            cell: ({ isDisabled }) =>
              isDisabled ? <span className={classes.off}>{t('state.disabled')}</span> : t('state.used'),
          },
          ...(mayEdit
            ? [
                {
                  key: 'action',
                  title: t('columns.action'),
                  pinned: true as const,
                  cell: (row: DictRow) => (
                    <EntryActs
                      name={row.dictValue}
                      onAddBelow={() => onAddBelow(row)}
                      onEdit={() => onEdit(row)}
                      onRemove={() => onRemove(row)}
                    />
                  ),
                },
              ]
            : []),
        ]}
      />
      <Pages pages={pages} total={entries.length} current={current} onChange={setAsked} />
    </>
  )
}
