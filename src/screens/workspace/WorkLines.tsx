import { Button } from '@mantine/core'
import { IconChevronRight, IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'

import classes from './work.module.css'

/** Something to do: its place and its state. */
export interface WorkItem {
  readonly id: string
  readonly to: string
  /** The heading above the item; items in a row that share it stand under one heading. */
  readonly group?: string
  readonly text: string
  readonly mark: ReactNode
}

interface WorkLinesProps {
  readonly items: readonly WorkItem[]
  /** How many items there are, where `items` does not hold all of them. */
  readonly total: number
  readonly emptyText: string
}

/** How many lines are drawn at first, and how many more each time somebody asks. */
const AT_ONCE = 12

/** Things to do, one a line. */
export function WorkLines({ items, total, emptyText }: WorkLinesProps) {
  const { t } = useTranslation('workspace')
  const [drawn, setDrawn] = useState(AT_ONCE)
  if (items.length === 0) {
    return (
      <p className={classes.empty}>
        <IconCircleCheck size={20} aria-hidden="true" />
        {emptyText}
      </p>
    )
  }
  const left = items.length - drawn
  return (
    <>
      <ul className={classes.list}>
        {items.slice(0, drawn).map(({ id, to, text, mark, group }, at) => (
          <li key={id}>
            {group !== undefined && group !== items[at - 1]?.group && <h3 className={classes.group}>{group}</h3>}
            <Link to={to} className={classes.line}>
              <span className={classes.text}>{text}</span>
              {mark}
              <IconChevronRight size={18} className={classes.arrow} aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
      {left > 0 && (
        <Button variant="subtle" h="var(--zl-control)" fullWidth onClick={() => setDrawn(drawn + 4 * AT_ONCE)}>
          {t('work.more', { count: left })}
        </Button>
      )}
      {left <= 0 && total > items.length && (
        <p className={classes.empty}>{t('work.beyond', { shown: items.length, total })}</p>
      )}
    </>
  )
}
