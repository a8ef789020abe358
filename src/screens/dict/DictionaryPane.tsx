import { Button, Group } from '@mantine/core'
import { IconFileSpreadsheet, IconLink, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DictRow } from '#core/api/calls/projectDict.ts'
import { projectListUrl } from '#core/form/definition/projectLists.ts'
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
  /** All entries of the dictionary. */
  readonly entries: readonly DictRow[]
  /** The entry whose children are shown; null for the first level. */
  readonly at: string | null
  readonly mayEdit: boolean
  readonly onChoose: (id: string | null) => void
}

/** The dialog that is open, and its subject. */
type Open =
  | { readonly kind: 'add'; readonly below: DictRow }
  | { readonly kind: 'edit' | 'remove'; readonly row: DictRow }
  | { readonly kind: 'usages' | 'sheet' }

/** One level of a dictionary, and the acts on it. */
export function DictionaryPane({ projectId, root, entries, at, mayEdit, onChoose }: DictionaryPaneProps) {
  const { t } = useTranslation('dict')
  const nameOf = useEntryName()
  const [open, setOpen] = useState<Open | null>(null)
  const way = at === null ? [] : (wayTo(entries, at) ?? [])
  const here = way.at(-1) ?? root
  const shown = way.length === 0 ? entries : (here.children ?? [])
  const title = [root, ...way].map(nameOf).join(' / ')
  return (
    <>
      <div className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        <LevelActions here={here} mayEdit={mayEdit} onOpen={setOpen} />
      </div>
      <p className={classes.facts}>
        <span>{t('count', { count: root.entryCount ?? entries.length })}</span>
        <span>
          {t('address')} <code>{projectListUrl(root.code)}</code>
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
      {open !== null && (
        <OpenDialog
          projectId={projectId}
          root={root}
          open={open}
          onRemoved={({ id }) => (id === here.id ? onChoose(way.at(-2)?.id ?? null) : undefined)}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}

interface LevelActionsProps {
  readonly here: DictRow
  readonly mayEdit: boolean
  readonly onOpen: (dialog: Open) => void
}

/** The acts on the level that is shown. */
function LevelActions({ here, mayEdit, onOpen }: LevelActionsProps) {
  const { t } = useTranslation('dict')
  const name = useEntryName()(here)
  return (
    <Group gap="xs">
      {mayEdit && (
        <>
          <ServerButton
            size="md"
            leftSection={<IconPlus size={18} aria-hidden="true" />}
            onClick={() => onOpen({ kind: 'add', below: here })}
          >
            {t('addEntry')}
          </ServerButton>
          <ServerButton
            size="md"
            variant="default"
            leftSection={<IconFileSpreadsheet size={18} aria-hidden="true" />}
            onClick={() => onOpen({ kind: 'sheet' })}
          >
            {t('template')}
          </ServerButton>
          <ServerButton
            size="md"
            variant="default"
            leftSection={<IconPencil size={18} aria-hidden="true" />}
            aria-label={t('editOf', { name })}
            onClick={() => onOpen({ kind: 'edit', row: here })}
          >
            {t('edit')}
          </ServerButton>
          <ServerButton
            size="md"
            variant="default"
            leftSection={<IconTrash size={18} aria-hidden="true" />}
            aria-label={t('removeOf', { name })}
            onClick={() => onOpen({ kind: 'remove', row: here })}
          >
            {t('remove')}
          </ServerButton>
        </>
      )}
      <Button
        size="md"
        variant="default"
        leftSection={<IconLink size={18} aria-hidden="true" />}
        onClick={() => onOpen({ kind: 'usages' })}
      >
        {t('usages')}
      </Button>
    </Group>
  )
}

interface OpenDialogProps {
  readonly projectId: string
  readonly root: DictRow
  readonly open: Open
  readonly onRemoved: (row: DictRow) => void
  readonly onClose: () => void
}

/** The dialog that was asked for. */
function OpenDialog({ projectId, root, open, onRemoved, onClose }: OpenDialogProps) {
  switch (open.kind) {
    case 'add':
      return <EntryDialog projectId={projectId} parentId={open.below.id} entry={null} onClose={onClose} />
    case 'edit':
      return open.row.parentId === null ? (
        <DictionaryDialog projectId={projectId} dictionary={open.row} onSaved={() => undefined} onClose={onClose} />
      ) : (
        <EntryDialog projectId={projectId} parentId={null} entry={open.row} onClose={onClose} />
      )
    case 'remove':
      return (
        <RemoveDialog projectId={projectId} row={open.row} onRemoved={() => onRemoved(open.row)} onClose={onClose} />
      )
    case 'usages':
      return <UsageDialog projectId={projectId} row={root} onClose={onClose} />
    case 'sheet':
      return <SheetDialog projectId={projectId} dictionary={root} onClose={onClose} />
  }
}
