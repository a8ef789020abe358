import { Button } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { NothingDue } from '#src/ui/illustrations/NothingDue.tsx'

import classes from './work.module.css'

/** Something to do: whose it is, its place and its state. */
export interface WorkItem {
  readonly id: string
  readonly to: string
  readonly subject: string
  /** From the outside in; what is not known is left out. */
  readonly place: readonly (string | null | undefined)[]
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

/** Things to do, one a line: `0103 · 张** · 访视2 · 生命体征`, and what is wanted there. */
export function WorkLines({ items, total, emptyText }: WorkLinesProps) {
  const { t } = useTranslation('workspace')
  const [drawn, setDrawn] = useState(AT_ONCE)
  if (items.length === 0) {
    return (
      <div className={classes.none}>
        <NothingDue />
        <p>{emptyText}</p>
      </div>
    )
  }
  const left = items.length - drawn
  return (
    <>
      <ul className={classes.list}>
        {items.slice(0, drawn).map(({ id, to, subject, place, mark }) => (
          <li key={id}>
            <Link to={to} className={classes.line}>
              <span className={classes.text}>
                <strong>{subject}</strong>
                {place.filter(Boolean).map((part) => ` · ${part}`)}
              </span>
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
        <p className={classes.beyond}>{t('work.beyond', { shown: items.length, total })}</p>
      )}
    </>
  )
}
