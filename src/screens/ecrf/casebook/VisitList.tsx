import { Button } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Casebook, CasebookFolder } from '#src/data/shapes/types.ts'

import { HiddenVisits } from './HiddenVisits.tsx'
import { VisitPages } from './VisitPages.tsx'
import classes from './casebook.module.css'
import type { VisibleVisits } from './useVisibleVisits.ts'
import type { VisitFolds } from './useVisitFolds.ts'
import { isApart } from './visitOrder.ts'

interface VisitListProps {
  readonly book: Casebook
  readonly visible: VisibleVisits
  readonly folds: VisitFolds
}

/** The visits with their pages: those of the plan, and below them what nobody planned and the logs. */
export function VisitList({ book, visible, folds }: VisitListProps) {
  const { t } = useTranslation('casebook')
  const planned = visible.folders.filter(({ visit }) => !isApart(visit))
  const apart = visible.folders.filter(({ visit }) => isApart(visit))
  return (
    <section className={classes.visits} aria-label={t('visits.title')}>
      <div className={classes.listHead}>
        <h2 className={classes.listTitle}>{t('visits.title')}</h2>
        <HiddenVisits of={visible} />
        {visible.folders.length > 1 && (
          <Button
            variant="subtle"
            size="compact-md"
            h="var(--zl-control)"
            onClick={() => folds.setAll(!folds.isAllOpen)}
          >
            {t(folds.isAllOpen ? 'visits.foldAll' : 'visits.openAll')}
          </Button>
        )}
      </div>
      <Columns book={book} folders={planned} folds={folds} />
      {apart.length > 0 && (
        <>
          {planned.length > 0 && <h2 className={classes.listTitle}>{t('visits.apart')}</h2>}
          <Columns book={book} folders={apart} folds={folds} />
        </>
      )}
    </section>
  )
}

interface ColumnsProps {
  readonly book: Casebook
  readonly folders: readonly CasebookFolder[]
  readonly folds: VisitFolds
}

/** The visits in two columns, where both fit. Which visit stands in which does not change while one is opened. */
function Columns({ book, folders, folds }: ColumnsProps) {
  const [lastLeft] = useState(() => evenSplit(folders, folds))
  const at = folders.findIndex(({ visit }) => visit.id === lastLeft) + 1
  const past = folders.filter(({ visit }) => folds.past.has(visit.id))
  const draw = (some: readonly CasebookFolder[]): ReactNode =>
    some.map((folder) => (
      <VisitPages
        key={folder.visit.id}
        book={book}
        folder={folder}
        isOpen={folds.isOpen(folder.visit.id)}
        onToggle={() => folds.toggle(folder.visit.id)}
      />
    ))
  const drawColumn = (column: readonly CasebookFolder[], before: ReactNode = null): ReactNode =>
    column.length === 0 ? null : (
      <div className={classes.column}>
        {before}
        {draw(column.filter(({ visit }) => folds.isPastOpen || !folds.past.has(visit.id)))}
      </div>
    )
  return (
    <div className={classes.columns}>
      {drawColumn(folders.slice(0, at), past.length > 0 && <Past count={past.length} folds={folds} />)}
      {drawColumn(folders.slice(at))}
    </div>
  )
}

/** The line that stands for the visits that are done. */
function Past({ count, folds }: { readonly count: number; readonly folds: VisitFolds }) {
  const { t } = useTranslation('casebook')
  return (
    <button
      type="button"
      className={classes.past}
      data-print="no"
      aria-expanded={folds.isPastOpen}
      onClick={folds.togglePast}
    >
      <IconChevronRight size={18} className={classes.chevron} aria-hidden="true" />
      {t('visits.past', { count })}
    </button>
  )
}

/** The last visit of the left column: both are about as long when the casebook is opened. */
function evenSplit(folders: readonly CasebookFolder[], folds: VisitFolds): string | null {
  const lines = folders.map(({ visit, pages }) =>
    folds.past.has(visit.id) ? 0 : folds.isOpen(visit.id) ? 2 + pages.length : 1.4,
  )
  const total = lines.reduce((sum, one) => sum + one, 0)
  let best: { readonly id: string; readonly off: number } | null = null
  let left = 0
  for (const [at, { visit }] of folders.entries()) {
    left += lines[at] ?? 0
    const off = Math.abs(total - 2 * left)
    if (best === null || off < best.off) best = { id: visit.id, off }
  }
  return best?.id ?? null
}
