import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconFoldDown, IconFoldUp, IconSearch, IconTrash } from '@tabler/icons-react'
import { useDeferredValue, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Design } from '#core/design/design.ts'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'
import type { Selection } from '#src/screens/design/selection.ts'

import { AddButtons } from './AddButtons.tsx'
import type { FoldedVisits } from './foldedVisits.ts'
import { useFoldedVisits } from './foldedVisits.ts'
import type { Removal } from './RemoveDialog.tsx'
import { RemoveDialog } from './RemoveDialog.tsx'
import classes from './tree.module.css'
import { TreeLineRow, lineAt } from './TreeLineRow.tsx'
import type { TreeLine } from './treeLines.ts'
import { useLines } from './treeLines.ts'

interface DesignTreeProps {
  readonly editor: DesignEditor
  readonly projectId: string
  readonly crfId: string
  readonly design: Design
  readonly selection: Selection
  readonly canEdit: boolean
}

/**
 * The tree of visits and pages, with the fields of the open page, and a search through all of it. Arrow keys go up and
 * down, with Alt they move, left and right fold, Delete removes.
 */
export function DesignTree({ editor, projectId, crfId, design, selection, canEdit }: DesignTreeProps) {
  const { t } = useTranslation('design')
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim().toLowerCase())
  const folded = useFoldedVisits(crfId, selection)
  const { lines, unlisted } = useLines({ editor, design, selection, canEdit, search, isFolded: folded.isFolded })
  const [removal, setRemoval] = useState<Removal | null>(null)
  const { root, focusSelected, onClick, onKeyDown } = useTreeKeys(editor, lines, folded, setRemoval)
  const current = Math.max(
    0,
    lines.findIndex(({ selected }) => selected),
  )
  return (
    <section className={classes.tree} aria-label={t('tree.title')}>
      {design.folders.length > 0 && (
        <TreeTools design={design} folded={folded} typed={typed} onType={setTyped} canFold={search === ''} />
      )}
      <div className={classes.scroll}>
        {design.folders.length === 0 && <p className={classes.hint}>{t('tree.empty')}</p>}
        {/* The tree listens for all of its lines, because they are many. */}
        {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus */}
        <div
          ref={root}
          role="tree"
          aria-label={t('tree.title')}
          className={classes.lines}
          onClick={onClick}
          onKeyDown={onKeyDown}
        >
          {lines.map(({ id, level, name, code, selected, expanded }, at) => (
            <TreeLineRow
              key={id}
              at={at}
              level={level}
              name={name}
              code={code}
              selected={selected}
              expanded={expanded}
              focusable={at === current}
            />
          ))}
        </div>
        {search !== '' && <SearchFound text={typed.trim()} isNone={lines.length === 0} unlisted={unlisted} />}
      </div>
      {removal !== null && (
        <RemoveDialog
          projectId={projectId}
          crfId={crfId}
          design={design}
          removal={removal}
          onRemove={() => {
            editor.edit(removal.edit)
            setRemoval(null)
            focusSelected()
          }}
          onClose={() => setRemoval(null)}
        />
      )}
      {canEdit && (
        <TreeFoot
          {...{ editor, projectId, design, selection }}
          chosen={lines.find(({ selected }) => selected)}
          onAsk={setRemoval}
        />
      )}
    </section>
  )
}

interface SearchFoundProps {
  readonly text: string
  readonly isNone: boolean
  readonly unlisted: number
}

/** Says that a search has found nothing, or more than is listed. */
function SearchFound({ text, isNone, unlisted }: SearchFoundProps) {
  const { t } = useTranslation('design')
  return (
    <output className={classes.hint}>
      {isNone && t('tree.noneFound', { text })}
      {unlisted > 0 && t('tree.moreFound', { count: unlisted })}
    </output>
  )
}

interface TreeFootProps extends Pick<DesignTreeProps, 'editor' | 'projectId' | 'design' | 'selection'> {
  readonly chosen: TreeLine | undefined
  readonly onAsk: (removal: Removal) => void
}

/** The acts on the tree, always in sight below it. */
function TreeFoot({ editor, projectId, design, selection, chosen, onAsk }: TreeFootProps) {
  const folder = design.folders.find(({ id }) => id === selection?.folderId) ?? design.folders.at(-1)
  return (
    <div className={classes.foot}>
      <AddButtons
        editor={editor}
        projectId={projectId}
        folderId={folder?.id ?? null}
        selection={selection}
        hasOthers={folder !== undefined && [...design.pages.keys()].some((id) => !folder.pageIds.includes(id))}
      />
      {chosen !== undefined && chosen.level !== 3 && chosen.remove !== null && (
        <RemoveButton level={chosen.level} onPress={() => chosen.remove?.(onAsk)} />
      )}
    </div>
  )
}

interface TreeToolsProps {
  readonly design: Design
  readonly folded: FoldedVisits
  readonly typed: string
  readonly onType: (text: string) => void
  readonly canFold: boolean
}

/** The search, and the button that folds or unfolds all visits. */
function TreeTools({ design, folded, typed, onType, canFold }: TreeToolsProps) {
  const { t } = useTranslation('design')
  const ids = design.folders.map(({ id }) => id)
  const areFolded = ids.every(folded.isFolded)
  const name = t(areFolded ? 'tree.unfoldAll' : 'tree.foldAll')
  const Icon = areFolded ? IconFoldDown : IconFoldUp
  return (
    <div className={classes.tools}>
      <TextInput
        type="search"
        className={classes.search}
        aria-label={t('tree.search')}
        placeholder={t('tree.searchHint')}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        value={typed}
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onType('')
        }}
      />
      {ids.length > 1 && (
        <ActionIcon
          className={classes.foldAll}
          variant="subtle"
          color="gray"
          aria-label={name}
          title={name}
          disabled={!canFold}
          onClick={() => folded.foldOnly(areFolded ? [] : ids)}
        >
          <Icon size={18} aria-hidden="true" />
        </ActionIcon>
      )}
    </div>
  )
}

/** What presses and keys do in the tree, and where the focus goes afterwards. */
function useTreeKeys(
  editor: DesignEditor,
  lines: readonly TreeLine[],
  { fold }: FoldedVisits,
  ask: (removal: Removal) => void,
) {
  const root = useRef<HTMLDivElement>(null)
  const focusLine = (at: number) => root.current?.querySelectorAll<HTMLElement>('[role="treeitem"]')[at]?.focus()
  const focusSelected = () =>
    requestAnimationFrame(() => {
      const tree = root.current
      const line =
        tree?.querySelector<HTMLElement>('[aria-selected="true"]') ??
        tree?.querySelector<HTMLElement>('[role="treeitem"]')
      line?.focus()
    })
  const foldLine = ({ to, expanded }: TreeLine, isFolded: boolean): boolean => {
    if (to === null || expanded !== isFolded) return false
    fold(to.folderId, isFolded)
    return true
  }
  const onClick = (event: React.MouseEvent) => {
    const line = lines[lineAt(event)]
    if (line === undefined) return
    const onMark = event.target instanceof Element && event.target.closest('[data-fold]') !== null
    if (!onMark || !foldLine(line, line.expanded === true)) editor.select(line.to)
  }
  /** Left folds or goes to what the line is in; right unfolds. */
  const goSideways = (at: number, line: TreeLine, key: string) => {
    if (foldLine(line, key === 'ArrowLeft')) return
    const above = lines.findLastIndex(({ level }, index) => index < at && level < line.level)
    if (key === 'ArrowLeft' && above >= 0) focusLine(above)
    if (key === 'ArrowRight' && (lines[at + 1]?.level ?? 0) > line.level) focusLine(at + 1)
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const at = lineAt(event)
    const line = lines[at]
    if (line === undefined) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && event.altKey) line.move?.(step)
    else if (step !== 0) {
      const next = lines[at + step]
      if (next === undefined) return
      editor.select(next.to)
      // Runs after the tree is drawn again, because the page that was reached then shows its fields.
      focusSelected()
    } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') goSideways(at, line, event.key)
    else if (event.key === 'Home') focusLine(0)
    else if (event.key === 'End') focusLine(lines.length - 1)
    else if (event.key === 'Delete' && line.remove !== null) {
      line.remove(ask)
      if (line.level === 3) focusSelected()
    } else if (event.key === 'Enter' || event.key === ' ') editor.select(line.to)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return { root, focusSelected, onClick, onKeyDown }
}

/** Removes the selected visit or page, after a question. */
function RemoveButton({ level, onPress }: { readonly level: 1 | 2; readonly onPress: () => void }) {
  const { t } = useTranslation('design')
  return (
    <Button
      size="xs"
      variant="subtle"
      color="red.9"
      className={classes.act}
      leftSection={<IconTrash size={16} aria-hidden="true" />}
      onClick={onPress}
    >
      {t(level === 1 ? 'tree.removeVisit' : 'tree.removePage')}
    </Button>
  )
}
