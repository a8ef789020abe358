import { IconChevronRight, IconFile, IconPoint } from '@tabler/icons-react'
import { memo } from 'react'

import classes from './tree.module.css'
import type { TreeLine } from './treeLines.ts'

interface TreeLineRowProps extends Pick<TreeLine, 'level' | 'name' | 'code' | 'selected' | 'expanded'> {
  readonly at: number
  readonly focusable: boolean
}

/** A line of the tree. Draws again only when it changes: a study has hundreds. */
export const TreeLineRow = memo(function TreeLineRow({
  at,
  level,
  name,
  code,
  selected,
  expanded,
  focusable,
}: TreeLineRowProps) {
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-selected={selected}
      aria-expanded={expanded ?? undefined}
      tabIndex={focusable ? 0 : -1}
      className={classes.line}
      data-level={level}
      data-at={at}
    >
      {level === 1 ? (
        <span className={classes.fold} data-fold={expanded !== null || undefined}>
          {expanded !== null && <IconChevronRight size={16} aria-hidden="true" />}
        </span>
      ) : level === 2 ? (
        <IconFile size={18} className={classes.icon} aria-hidden="true" />
      ) : (
        <IconPoint size={14} className={classes.icon} aria-hidden="true" />
      )}
      <span className={classes.name}>{name}</span>
      <span className={classes.code} title={code}>
        {code}
      </span>
    </div>
  )
})

/** The index of the line on which an event happened; −1 where there is none. */
export function lineAt({ target }: React.SyntheticEvent): number {
  return Number((target instanceof Element ? target.closest<HTMLElement>('[data-at]') : null)?.dataset['at'] ?? -1)
}
