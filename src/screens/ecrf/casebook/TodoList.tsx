import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { PageTodo } from '#core/study/visits/pagesToDo.ts'
import { MISSING_FIELD, entryPath } from '#src/paths/screenPaths.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import { Panel } from '#src/ui/PageFrame.tsx'
import { useNames } from '#src/ui/words/useNames.ts'

import classes from './visits.module.css'

/** How many lines are shown; the rest is only counted. */
const SHOWN = 5

/** What somebody still has to do for this patient and why, in the order of the visits. */
export function TodoList({ book }: { readonly book: Casebook }) {
  const names = useNames()
  const { t } = useTranslation('visits')
  const pages = book.folders.flatMap((folder) => folder.pages)
  const lines = book.todo.flatMap((todo) => {
    const page = pages.find(({ target }) => isSame(target, todo))
    return page === undefined ? [] : [{ todo, page }]
  })
  if (lines.length === 0) return null
  return (
    <Panel title={t('todo.title')}>
      <ul className={classes.todo}>
        {lines.slice(0, SHOWN).map(({ todo, page }) => (
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
      {lines.length > SHOWN && <p className={classes.facts}>{t('todo.more', { count: lines.length - SHOWN })}</p>}
    </Panel>
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
