import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { PageTodo, PageTodoWhy } from '#core/study/visits/pagesToDo.ts'
import { MISSING_FIELD, entryPath } from '#src/paths/screenPaths.ts'
import type { Casebook, CasebookPage } from '#src/data/shapes/types.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import classes from './casebook.module.css'
import { pageOf } from './visitOrder.ts'

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
    const page = pageOf(todo, pages)
    return page === undefined ? [] : [{ todo, page }]
  })
  if (lines.length === 0) return null
  const shown = isAll ? lines : lines.slice(0, SHOWN)
  const byVisit = Map.groupBy(shown, ({ todo }) => `${todo.folderId} ${todo.folderRepeat}`)
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
      <ul className={classes.todoVisits}>
        {[...byVisit].map(([key, ofVisit]) => (
          <li key={key}>
            <p className={classes.todoVisit}>{ofVisit[0] && names.visit(ofVisit[0].page)}</p>
            <ul className={classes.todoLines}>
              {ofVisit.map((line) => (
                <TodoLine key={line.page.entryId} projectId={book.project.id} {...line} />
              ))}
            </ul>
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

interface TodoLineProps {
  readonly projectId: string
  readonly todo: PageTodo
  readonly page: CasebookPage
}

function TodoLine({ projectId, todo, page }: TodoLineProps) {
  const names = useNames()
  const { t } = useTranslation('visits')
  const field = todo.why === 'missing' ? MISSING_FIELD : null
  return (
    <li>
      <Link to={entryPath(projectId, page.target.patientId, page.entryId, field)}>
        <span>{names.page(page)}</span>
        <span className={classes.why} data-why={todo.why}>
          {todo.why === 'missing' ? t('todo.missing', { count: todo.missing }) : t(`todo.${todo.why}`)}
        </span>
      </Link>
    </li>
  )
}
