import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { PageTodo, PageTodoWhy } from '#core/study/visits/pagesToDo.ts'
import { MISSING_FIELD, entryPath } from '#src/paths/screenPaths.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import classes from './casebook.module.css'

/** How many lines are shown until somebody asks for all. */
const SHOWN = 6

const WHYS: readonly PageTodoWhy[] = ['conflict', 'overdue', 'missing', 'process', 'notStarted']

/** What somebody still has to do for this patient and why, counted, and line by line in the order of the visits. */
export function TodoList({ book }: { readonly book: Casebook }) {
  const names = useNames()
  const { t } = useTranslation(['visits', 'casebook'])
  const [isAll, setAll] = useState(false)
  const pages = book.folders.flatMap((folder) => folder.pages)
  const lines = book.todo.flatMap((todo) => {
    const page = pages.find(({ target }) => isSame(target, todo))
    return page === undefined ? [] : [{ todo, page }]
  })
  if (lines.length === 0) return null
  return (
    <section className={classes.panel} aria-label={t('todo.title')}>
      <div className={classes.panelHead}>
        <h2 className={classes.panelTitle}>{t('todo.title')}</h2>
        <ul className={classes.counts}>
          {WHYS.map((why) => {
            const count = lines.filter(({ todo }) => todo.why === why).length
            return (
              count > 0 && (
                <li key={why} className={classes.why} data-why={why}>
                  {t(`casebook:todo.${why}`, { count })}
                </li>
              )
            )
          })}
        </ul>
      </div>
      <ul className={classes.todoLines}>
        {(isAll ? lines : lines.slice(0, SHOWN)).map(({ todo, page }) => (
          <li key={page.entryId}>
            <Link
              to={entryPath(
                book.project.id,
                book.patient.id,
                page.entryId,
                todo.why === 'missing' ? MISSING_FIELD : null,
              )}
            >
              <span>{names.place(page)}</span>
              <span className={classes.why} data-why={todo.why}>
                {todo.why === 'missing' ? t('todo.missing', { count: todo.missing }) : t(`todo.${todo.why}`)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {lines.length > SHOWN && (
        <Button
          variant="subtle"
          size="compact-md"
          h="var(--zl-control)"
          fullWidth
          aria-expanded={isAll}
          onClick={() => setAll(!isAll)}
        >
          {isAll ? t('casebook:todo.fewer', { count: SHOWN }) : t('casebook:todo.all', { count: lines.length })}
        </Button>
      )}
    </section>
  )
}

function isSame(target: Omit<PageTodo, 'why' | 'missing'>, todo: PageTodo): boolean {
  return (
    target.folderId === todo.folderId &&
    target.folderRepeat === todo.folderRepeat &&
    target.pageId === todo.pageId &&
    target.pageRepeat === todo.pageRepeat
  )
}
