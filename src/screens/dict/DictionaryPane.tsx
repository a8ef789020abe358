import { Button, Group } from '@mantine/core'
import { IconFileSpreadsheet, IconLink, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DictRow } from '#core/api/calls/projectDict.ts'
import { projectListAddress } from '#core/form/definition/projectLists.ts'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'

import { DictionaryDialog } from './DictionaryDialog.tsx'
import { EntryDialog } from './EntryDialog.tsx'
import { EntryTable } from './EntryTable.tsx'
import { RemoveDialog } from './RemoveDialog.tsx'
import { SheetDialog } from './SheetDialog.tsx'
import { UsageDialog } from './UsageDialog.tsx'
import classes from './dict.module.css'
import { wayTo } from './dictTree.ts'
import { useEntryName } from './entryWords.ts'

interface DictionaryPaneProps {
  readonly projectId: string
  readonly root: DictRow
  /** Of the whole dictionary. */
  readonly entries: readonly DictRow[]
  /** The entry whose lower ones are shown; null for the first level. */
  readonly at: string | null
  readonly mayEdit: boolean
  readonly onChoose: (id: string | null) => void
}

/** The dialog that is open, and what it is about. */
type Open =
  | { readonly kind: 'add'; readonly below: DictRow }
  | { readonly kind: 'edit' | 'remove'; readonly row: DictRow }
  | { readonly kind: 'usages' | 'sheet' }

/** One level of a dictionary, and what can be done with it. */
export function DictionaryPane({ projectId, root, entries, at, mayEdit, onChoose }: DictionaryPaneProps) {
  const { t } = useTranslation('dict')
  const nameOf = useEntryName()
  const [open, setOpen] = useState<Open | null>(null)
  const way = at === null ? [] : (wayTo(entries, at) ?? [])
  const here = way.at(-1) ?? root
  const shown = way.length === 0 ? entries : (here.children ?? [])
  const title = [root, ...way].map(nameOf).join(' / ')
  const close = () => setOpen(null)
  const addButton = (
    <ServerButton
      size="md"
      leftSection={<IconPlus size={18} aria-hidden="true" />}
      onClick={() => setOpen({ kind: 'add', below: here })}
    >
      {t('addEntry')}
    </ServerButton>
  )
  return (
    <>
      <div className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        <Group gap="xs">
          {mayEdit && (
            <>
              {addButton}
              <ServerButton
                size="md"
                variant="default"
                leftSection={<IconFileSpreadsheet size={18} aria-hidden="true" />}
                onClick={() => setOpen({ kind: 'sheet' })}
              >
                {t('template')}
              </ServerButton>
              <ServerButton
                size="md"
                variant="default"
                leftSection={<IconPencil size={18} aria-hidden="true" />}
                aria-label={t('editOf', { name: nameOf(here) })}
                onClick={() => setOpen({ kind: 'edit', row: here })}
              >
                {t('edit')}
              </ServerButton>
              <ServerButton
                size="md"
                variant="default"
                leftSection={<IconTrash size={18} aria-hidden="true" />}
                aria-label={t('removeOf', { name: nameOf(here) })}
                onClick={() => setOpen({ kind: 'remove', row: here })}
              >
                {t('remove')}
              </ServerButton>
            </>
          )}
          <Button
            size="md"
            variant="default"
            leftSection={<IconLink size={18} aria-hidden="true" />}
            onClick={() => setOpen({ kind: 'usages' })}
          >
            {t('usages')}
          </Button>
        </Group>
      </div>
      <p className={classes.facts}>
        <span>{t('count', { count: root.entryCount ?? entries.length })}</span>
        <span>
          {t('address')} <code>{projectListAddress(root.code)}</code>
        </span>
      </p>
      {shown.length === 0 ? (
        <EmptyState title={t('noEntries.title')} text={mayEdit ? t('noEntries.text') : t('noEntries.readText')} />
      ) : (
        <EntryTable
          key={here.id}
          caption={t('entriesOf', { name: nameOf(here) })}
          entries={shown}
          mayEdit={mayEdit}
          onInto={({ id }) => onChoose(id)}
          onAddBelow={(row) => setOpen({ kind: 'add', below: row })}
          onEdit={(row) => setOpen({ kind: 'edit', row })}
          onRemove={(row) => setOpen({ kind: 'remove', row })}
        />
      )}
      {open?.kind === 'add' && (
        <EntryDialog projectId={projectId} parentId={open.below.id} entry={null} onClose={close} />
      )}
      {open?.kind === 'edit' &&
        (open.row.parentId === null ? (
          <DictionaryDialog projectId={projectId} dictionary={open.row} onSaved={() => undefined} onClose={close} />
        ) : (
          <EntryDialog projectId={projectId} parentId={null} entry={open.row} onClose={close} />
        ))}
      {open?.kind === 'remove' && (
        <RemoveDialog
          projectId={projectId}
          row={open.row}
          onRemoved={() => (open.row.id === here.id ? onChoose(way.at(-2)?.id ?? null) : undefined)}
          onClose={close}
        />
      )}
      {open?.kind === 'usages' && <UsageDialog projectId={projectId} row={root} onClose={close} />}
      {open?.kind === 'sheet' && <SheetDialog projectId={projectId} dictionary={root} onClose={close} />}
    </>
  )
}
