import { Button, Menu } from '@mantine/core'
import {
  IconBooks,
  IconFile,
  IconFolder,
  IconFolderPlus,
  IconFilePlus,
  IconPoint,
  IconTrash,
} from '@tabler/icons-react'
import { memo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Design, DesignFolder } from '#core/design/design.ts'
import { columnsOf } from '#core/design/design.ts'
import { freeCode } from '#core/design/fields.ts'
import { pageNameIn, visitNameIn } from '#core/form/definition/inLanguage.ts'
import { newId } from '#core/ids.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import type { Removal } from './RemoveDialog.tsx'
import { RemoveDialog } from './RemoveDialog.tsx'
import { SaveTemplateDialog } from './SaveTemplateDialog.tsx'
import { TemplatesDialog } from './TemplatesDialog.tsx'
import { labelIn } from './columns.ts'
import type { DesignSession } from './designSession.ts'
import classes from './design.module.css'
import type { Selection } from './selection.ts'
import { openPage } from './selection.ts'

interface DesignTreeProps {
  readonly session: DesignSession
  readonly projectId: string
  readonly crfId: string
  readonly design: Design
  readonly selection: Selection
  readonly canEdit: boolean
}

interface TreeLine {
  readonly id: string
  readonly level: 1 | 2 | 3
  readonly name: string
  readonly code: string
  readonly to: Selection
  readonly selected: boolean
  /** Of a visit or page: how it is moved among its like; null where it cannot be. */
  readonly move: ((by: 1 | -1) => void) | null
  readonly remove: ((ask: (removal: Removal) => void) => void) | null
}

/**
 * Visits, the pages in them, and of the open page its fields. Arrow keys go up and down, Alt with them moves, Delete
 * removes.
 */
export function DesignTree({ session, projectId, crfId, design, selection, canEdit }: DesignTreeProps) {
  const { t } = useTranslation('design')
  const lines = useLines({ session, design, selection, canEdit })
  const [removal, setRemoval] = useState<Removal | null>(null)
  const root = useRef<HTMLDivElement>(null)
  const chosen = lines.find(({ selected }) => selected)
  const current = Math.max(
    0,
    lines.findIndex(({ selected }) => selected),
  )
  const focusLine = (at: number) => root.current?.querySelectorAll<HTMLElement>('[role="treeitem"]')[at]?.focus()
  const focusSelected = () =>
    requestAnimationFrame(() =>
      root.current?.querySelector<HTMLElement>('[aria-selected="true"], [role="treeitem"]')?.focus(),
    )
  const onClick = (event: React.MouseEvent) => {
    const line = lines[placeOf(event)]
    if (line !== undefined) session.select(line.to)
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const at = placeOf(event)
    const line = lines[at]
    if (line === undefined) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && event.altKey) line.move?.(step)
    else if (step !== 0) {
      const next = lines[at + step]
      if (next === undefined) return
      session.select(next.to)
      // After the tree is drawn anew: the page that was come to shows its fields.
      focusSelected()
    } else if (event.key === 'Home') focusLine(0)
    else if (event.key === 'End') focusLine(lines.length - 1)
    else if (event.key === 'Delete' && line.remove !== null) {
      line.remove(setRemoval)
      if (line.level === 3) focusSelected()
    } else if (event.key === 'Enter' || event.key === ' ') session.select(line.to)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const folder = design.folders.find(({ id }) => id === selection?.folderId) ?? design.folders.at(-1)
  const folderId = folder?.id ?? null
  return (
    <section className={classes.tree} aria-label={t('tree.title')}>
      <h2 className={classes.paneTitle}>{t('tree.title')}</h2>
      {lines.length === 0 && <p className={classes.hint}>{t('tree.empty')}</p>}
      {/* Its lines are what is pressed; they are many, and tell it here. */}
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus */}
      <div
        ref={root}
        role="tree"
        aria-label={t('tree.title')}
        className={classes.lines}
        onClick={onClick}
        onKeyDown={onKeyDown}
      >
        {lines.map(({ id, level, name, code, selected }, at) => (
          <Line key={id} at={at} level={level} name={name} code={code} selected={selected} focusable={at === current} />
        ))}
      </div>
      {removal !== null && (
        <RemoveDialog
          projectId={projectId}
          crfId={crfId}
          design={design}
          removal={removal}
          onRemove={() => {
            session.edit(removal.edit)
            setRemoval(null)
            focusSelected()
          }}
          onClose={() => setRemoval(null)}
        />
      )}
      {chosen !== undefined && chosen.level < 3 && chosen.remove !== null && (
        <div className={classes.adds}>
          <Button
            size="xs"
            h={36}
            variant="subtle"
            color="red.9"
            leftSection={<IconTrash size={16} aria-hidden="true" />}
            onClick={() => chosen.remove?.(setRemoval)}
          >
            {t(chosen.level === 1 ? 'tree.removeVisit' : 'tree.removePage')}
          </Button>
        </div>
      )}
      {canEdit && (
        <AddButtons
          session={session}
          projectId={projectId}
          folderId={folderId}
          selection={selection}
          hasOthers={folder !== undefined && [...design.pages.keys()].some((id) => !folder.pageIds.includes(id))}
        />
      )}
    </section>
  )
}

interface LineProps extends Pick<TreeLine, 'level' | 'name' | 'code' | 'selected'> {
  readonly at: number
  readonly focusable: boolean
}

/** A line of the tree, drawn anew only where it says something else: a study has hundreds. */
const Line = memo(function Line({ at, level, name, code, selected, focusable }: LineProps) {
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-selected={selected}
      tabIndex={focusable ? 0 : -1}
      className={classes.line}
      data-level={level}
      data-at={at}
    >
      {level === 1 ? (
        <IconFolder size={18} aria-hidden="true" />
      ) : level === 2 ? (
        <IconFile size={18} aria-hidden="true" />
      ) : (
        <IconPoint size={14} aria-hidden="true" />
      )}
      <span className={classes.lineName}>{name}</span>
      <span className={classes.lineCode} title={code}>
        {code}
      </span>
    </div>
  )
})

/** The place of the line that an event is on; −1 where it is on none. */
function placeOf({ target }: React.SyntheticEvent): number {
  return Number((target instanceof Element ? target.closest<HTMLElement>('[data-at]') : null)?.dataset['at'] ?? -1)
}

type LinesProps = Omit<DesignTreeProps, 'projectId' | 'crfId'>

function useLines({ session, design, selection, canEdit }: LinesProps): readonly TreeLine[] {
  const language = useLanguage()
  const open = openPage(selection)
  return design.folders.flatMap((folder, at): readonly TreeLine[] => [
    {
      id: folder.id,
      level: 1,
      name: visitNameIn(language, folder),
      code: folder.folderCode,
      to: { of: 'folder', folderId: folder.id },
      selected: selection?.of === 'folder' && selection.folderId === folder.id,
      move: canEdit
        ? (by) => session.edit({ kind: 'folder-move', folderId: folder.id, at: by > 0 ? at + 2 : at - 1 })
        : null,
      remove: canEdit
        ? (ask) => ask({ name: visitNameIn(language, folder), edit: { kind: 'folder-remove', folderId: folder.id } })
        : null,
    },
    ...folder.pageIds.flatMap((pageId, order) =>
      pageLines(
        { session, design, selection, canEdit },
        { folder, pageId, order, isOpen: open?.pageId === pageId && open.folderId === folder.id, language },
      ),
    ),
  ])
}

function pageLines(
  { session, design, selection, canEdit }: LinesProps,
  {
    folder,
    pageId,
    order,
    isOpen,
    language,
  }: {
    readonly folder: DesignFolder
    readonly pageId: string
    readonly order: number
    readonly isOpen: boolean
    readonly language: 'zh' | 'en'
  },
): readonly TreeLine[] {
  const page = design.pages.get(pageId)
  if (page === undefined) return []
  const folderId = folder.id
  const place = `${folderId} ${pageId}`
  const fields =
    !isOpen || page.form === null
      ? []
      : [...columnsOf(page.form)].map(({ table, column }): TreeLine => ({
          id: `${place} ${table?.prop ?? ''} ${column.prop}`,
          level: 3,
          name: labelIn(column, language) || column.prop,
          code: column.prop,
          to: { of: 'fields', folderId, pageId, table: table?.prop ?? null, props: [column.prop] },
          selected:
            selection?.of === 'fields' &&
            selection.table === (table?.prop ?? null) &&
            selection.props.includes(column.prop),
          move: null,
          remove: canEdit
            ? () => session.edit({ kind: 'fields-remove', pageId, table: table?.prop ?? null, props: [column.prop] })
            : null,
        }))
  return [
    {
      id: place,
      level: 2,
      name: pageNameIn(language, page),
      code: page.pageCode,
      to: { of: 'page', folderId, pageId },
      selected: isOpen && (selection?.of === 'page' || selection?.of === 'section'),
      move: canEdit
        ? (by) =>
            session.edit({ kind: 'page-move', pageId, folderId, to: folderId, at: by > 0 ? order + 2 : order - 1 })
        : null,
      remove: canEdit
        ? (ask) => ask({ name: pageNameIn(language, page), edit: { kind: 'page-remove', pageId, folderId } })
        : null,
    },
    ...fields,
  ]
}

interface AddButtonsProps extends Pick<DesignTreeProps, 'session' | 'projectId' | 'selection'> {
  /** The visit that pages are added to. */
  readonly folderId: string | null
  /** Whether there are pages that this visit does not have. */
  readonly hasOthers: boolean
}

const AddButtons = memo(function AddButtons({ session, projectId, folderId, selection, hasOthers }: AddButtonsProps) {
  const { t } = useTranslation('design')
  const [dialog, setDialog] = useState<'templates' | 'save' | null>(null)
  const addFolder = () => {
    const { design } = session.view()
    const id = newId()
    const folderCode = freeCode('V1', new Set(design.folders.map((one) => one.folderCode)))
    const at = design.folders.findIndex((one) => one.id === selection?.folderId)
    session.edit({
      kind: 'folder-add',
      folder: { id, folderName: t('tree.folderName'), folderNameEn: null, folderCode, schedule: null, pageIds: [] },
      at: at < 0 ? design.folders.length : at + 1,
    })
    session.select({ of: 'folder', folderId: id })
  }
  const addPage = () => {
    const { design } = session.view()
    const folder = design.folders.find(({ id }) => id === folderId)
    if (folder === undefined) return
    const pageId = newId()
    const pageCode = freeCode('page1', new Set([...design.pages.values()].map((one) => one.pageCode)))
    const form = {
      rest: { labelPosition: 'top', labelSuffix: '', gutter: 0 },
      sections: [{ key: '', rest: {}, columns: [] }],
    }
    session.edit({
      kind: 'page-add',
      page: {
        id: pageId,
        pageName: t('tree.pageName'),
        pageNameEn: null,
        pageCode,
        repeatable: false,
        form,
        stored: null,
      },
      folderId: folder.id,
      at: folder.pageIds.length,
    })
    session.select({ of: 'page', folderId: folder.id, pageId })
  }
  return (
    <div className={classes.adds}>
      <Button
        size="xs"
        h={36}
        variant="light"
        leftSection={<IconFolderPlus size={16} aria-hidden="true" />}
        onClick={addFolder}
      >
        {t('tree.addFolder')}
      </Button>
      {folderId !== null && (
        <Button
          size="xs"
          h={36}
          variant="light"
          leftSection={<IconFilePlus size={16} aria-hidden="true" />}
          onClick={addPage}
        >
          {t('tree.addPage')}
        </Button>
      )}
      {folderId !== null && hasOthers && <PlaceMenu session={session} folderId={folderId} />}
      <Button
        size="xs"
        h={36}
        variant="default"
        leftSection={<IconBooks size={16} aria-hidden="true" />}
        onClick={() => setDialog('templates')}
      >
        {t('templates.open')}
      </Button>
      {selection !== null && (
        <Button size="xs" h={36} variant="default" onClick={() => setDialog('save')}>
          {t('templates.save')}
        </Button>
      )}
      {dialog === 'templates' && (
        <TemplatesDialog session={session} folderId={folderId} onClose={() => setDialog(null)} />
      )}
      {dialog === 'save' && selection !== null && (
        <SaveTemplateDialog
          projectId={projectId}
          design={session.view().design}
          place={{ folderId: selection.folderId, pageId: selection.of === 'folder' ? null : selection.pageId }}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  )
})

/** Pages of other visits, to be done in this one too. */
function PlaceMenu({ session, folderId }: { readonly session: DesignSession; readonly folderId: string }) {
  const { t } = useTranslation('design')
  const language = useLanguage()
  const [opened, setOpened] = useState(false)
  const { design } = session.view()
  const folder = design.folders.find(({ id }) => id === folderId)
  const others =
    !opened || folder === undefined ? [] : [...design.pages.values()].filter(({ id }) => !folder.pageIds.includes(id))
  const place = (pageId: string) => {
    session.edit({ kind: 'page-place', pageId, folderId, at: folder?.pageIds.length ?? 0 })
    session.select({ of: 'page', folderId, pageId })
  }
  return (
    <Menu position="bottom-start" opened={opened} onChange={setOpened}>
      <Menu.Target>
        <Button size="xs" h={36} variant="default">
          {t('tree.placeHere')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {others.map((page) => (
          <Menu.Item key={page.id} onClick={() => place(page.id)}>
            {pageNameIn(language, page)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
