import { Button } from '@mantine/core'
import { IconFile, IconFolder, IconPoint, IconTrash } from '@tabler/icons-react'
import { memo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Design } from '#core/design/design.ts'
import classes from '#src/screens/design/design.module.css'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'
import type { Selection } from '#src/screens/design/selection.ts'

import { AddButtons } from './AddButtons.tsx'
import type { Removal } from './RemoveDialog.tsx'
import { RemoveDialog } from './RemoveDialog.tsx'
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
 * The tree of visits and pages, with the fields of the open page. Arrow keys go up and down, with Alt they move, Delete
 * removes.
 */
export function DesignTree({ editor, projectId, crfId, design, selection, canEdit }: DesignTreeProps) {
  const { t } = useTranslation('design')
  const lines = useLines({ editor, design, selection, canEdit })
  const [removal, setRemoval] = useState<Removal | null>(null)
  const { root, focusSelected, onClick, onKeyDown } = useTreeKeys(editor, lines, setRemoval)
  const chosen = lines.find(({ selected }) => selected)
  const current = Math.max(
    0,
    lines.findIndex(({ selected }) => selected),
  )
  const folder = design.folders.find(({ id }) => id === selection?.folderId) ?? design.folders.at(-1)
  return (
    <section className={classes.tree} aria-label={t('tree.title')}>
      <h2 className={classes.paneTitle}>{t('tree.title')}</h2>
      {lines.length === 0 && <p className={classes.hint}>{t('tree.empty')}</p>}
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
            editor.edit(removal.edit)
            setRemoval(null)
            focusSelected()
          }}
          onClose={() => setRemoval(null)}
        />
      )}
      {chosen !== undefined && chosen.level !== 3 && chosen.remove !== null && (
        <RemoveButton level={chosen.level} onPress={() => chosen.remove?.(setRemoval)} />
      )}
      {canEdit && (
        <AddButtons
          editor={editor}
          projectId={projectId}
          folderId={folder?.id ?? null}
          selection={selection}
          hasOthers={folder !== undefined && [...design.pages.keys()].some((id) => !folder.pageIds.includes(id))}
        />
      )}
    </section>
  )
}

/** What presses and keys do in the tree, and where the focus goes afterwards. */
function useTreeKeys(editor: DesignEditor, lines: readonly TreeLine[], ask: (removal: Removal) => void) {
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
  const onClick = (event: React.MouseEvent) => {
    const line = lines[lineAt(event)]
    if (line !== undefined) editor.select(line.to)
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
    } else if (event.key === 'Home') focusLine(0)
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
    <div className={classes.adds}>
      <Button
        size="xs"
        h={36}
        variant="subtle"
        color="red.9"
        leftSection={<IconTrash size={16} aria-hidden="true" />}
        onClick={onPress}
      >
        {t(level === 1 ? 'tree.removeVisit' : 'tree.removePage')}
      </Button>
    </div>
  )
}

interface LineProps extends Pick<TreeLine, 'level' | 'name' | 'code' | 'selected'> {
  readonly at: number
  readonly focusable: boolean
}

/** A line of the tree. Draws again only when it changes: a study has hundreds. */
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

/** The index of the line on which an event happened; −1 where there is none. */
function lineAt({ target }: React.SyntheticEvent): number {
  return Number((target instanceof Element ? target.closest<HTMLElement>('[data-at]') : null)?.dataset['at'] ?? -1)
}
