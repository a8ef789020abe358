import { useRef, useState } from 'react'
import type { CSSProperties, KeyboardEvent, ReactNode, RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { FolderRow } from '#core/api/sync/rows.ts'
import { useQueriesByVisit } from '#src/data/hooks/queries.ts'
import type { MatrixStart } from '#src/data/shapes/listTypes.ts'
import type { PatientView } from '#src/data/shapes/types.ts'
import { useAfterDrawing } from '#src/ui/lists/useAfterDrawing.ts'
import { useDrawnRows } from '#src/ui/lists/useDrawnRows.ts'
import { useLinkClicks } from '#src/ui/useLinkClicks.ts'
import { useNames } from '#src/ui/words/useNames.ts'
import { useRowKeys } from '#src/ui/lists/useRowKeys.ts'
import { useSideways } from '#src/ui/lists/useSideways.ts'

import { MatrixRow, useMatrixWords } from './MatrixRow.tsx'
import type { MatrixWords } from './MatrixRow.tsx'
import { VisitSheet } from './VisitSheet.tsx'
import type { Visit } from './VisitSheet.tsx'
import classes from './matrix.module.css'
import { stepFrom } from './matrixKeys.ts'
import type { GridCell } from './matrixKeys.ts'
import { useLineHeight } from './useLineHeight.ts'
import { useWindow } from './useWindow.ts'

/**
 * A browser's own table lays out all of its rows again for each new row. Here rows and cells are elements with roles,
 * so each row is laid out by itself.
 */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

/** Rows that are drawn beyond those in view, before the thumb gets there. */
const AHEAD = 6
/** Cells that are drawn with one step of a scroll: in a study with many visits, fewer rows are drawn at once. */
const CELLS_AT_ONCE = 16

const NOBODY: readonly PatientView[] = []

interface MatrixProps {
  readonly projectId: string
  readonly folders: readonly FolderRow[]
  readonly patients: readonly PatientView[]
  /** The marks and states of the first patients, which were read together with them. */
  readonly started: Pick<MatrixStart, 'marks' | 'states'>
  /** Whether the user has to do with queries. */
  readonly hasQueries: boolean
  /** Whether visits that have not begun and are outside of their window are hidden. */
  readonly hidesOutside: boolean
}

/**
 * Patients down, visits across, one mark in each cell; header and first column stay in sight. Only what is in view is
 * drawn and read.
 */
export function Matrix(props: MatrixProps) {
  const { folders } = props
  const names = useNames()
  const { t } = useTranslation('workspace')
  const head = (
    <div role="row" className={classes.head} aria-rowindex={1}>
      <div role="columnheader" className={classes.corner}>
        {t('matrix.patient')}
      </div>
      {folders.map((folder) => (
        <div key={folder.id} role="columnheader" title={names.visit(folder)}>
          <span className={classes.visitName}>{names.visit(folder)}</span>
        </div>
      ))}
    </div>
  )
  return <Grid {...props} title={t('matrix.title')} head={head} words={useMatrixWords()} />
}

interface GridProps extends MatrixProps {
  readonly title: string
  readonly head: ReactNode
  readonly words: MatrixWords
}

/**
 * The part that renders while the user scrolls. The words are looked up above it: what each step allocates causes one
 * long garbage collection in the middle of the scroll.
 */
function Grid({ projectId, folders, patients, started, hasQueries, hidesOutside, title, head, words }: GridProps) {
  const followLink = useLinkClicks()
  const height = useLineHeight()
  const frame = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState<Visit | null>(null)
  const { drawn, show } = useDrawnRows({
    count: patients.length,
    height,
    ahead: AHEAD,
    step: Math.min(2, Math.max(1, Math.floor(CELLS_AT_ONCE / (folders.length + 1)))),
    view: () =>
      frame.current === null ? null : { top: frame.current.scrollTop, height: frame.current.clientHeight - height },
  })
  const rows = patients.slice(drawn.first, drawn.last)
  const { keys, onFocus } = useRowKeys(rows.map(({ id }) => id))
  const isSideways = useSideways(frame, folders)
  // The first patients came with their marks.
  const isDrawn = useAfterDrawing(true)
  const queries = useQueriesByVisit(projectId, isDrawn && hasQueries)
  const { marks, states } = useWindow(projectId, isDrawn ? patients : NOBODY, drawn)
  const { current, onKeyDown } = useCurrentCell(
    frame,
    { rows: patients.length, columns: folders.length + 1, height },
    show,
  )
  return (
    <>
      <div ref={frame} className={classes.frame} data-sideways={isSideways || undefined}>
        {/* The arrow keys go from cell to cell, as in a grid. */}
        <div
          role="grid"
          tabIndex={-1}
          className={classes.grid}
          aria-label={title}
          aria-rowcount={patients.length + 1}
          onKeyDown={onKeyDown}
          onClick={followLink}
          onFocus={onFocus}
          style={{ '--visits': Math.max(1, folders.length) } as CSSProperties}
        >
          {head}
          <div role="rowgroup" style={{ height: patients.length * height, paddingTop: drawn.first * height }}>
            {rows.map((patient, at) => {
              const index = drawn.first + at
              return (
                <MatrixRow
                  key={keys.get(patient.id)}
                  projectId={projectId}
                  patient={patient}
                  folders={folders}
                  pages={marks.get(patient.id) ?? started.marks.get(patient.id) ?? null}
                  states={states.get(patient.id) ?? started.states.get(patient.id) ?? null}
                  queries={queries.get(patient.id) ?? null}
                  hidesOutside={hidesOutside}
                  index={index}
                  activeColumn={current.row === index ? current.column : null}
                  words={words}
                  onOpen={setOpened}
                />
              )
            })}
          </div>
        </div>
      </div>
      {opened !== null && (
        <VisitSheet
          projectId={projectId}
          visit={opened}
          pages={marks.get(opened.patient.id) ?? started.marks.get(opened.patient.id) ?? []}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}

/** The cell that the keyboard is in, and where the keys lead from it. */
function useCurrentCell(
  frame: RefObject<HTMLElement | null>,
  { rows, columns, height }: { readonly rows: number; readonly columns: number; readonly height: number },
  show: (row: number) => void,
): { readonly current: GridCell; readonly onKeyDown: (event: KeyboardEvent) => void } {
  const [active, setActive] = useState<GridCell>({ row: 0, column: 0 })
  // The list may have become shorter since the cell was chosen.
  const current = { row: Math.min(active.row, rows - 1), column: Math.min(active.column, columns - 1) }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = stepFrom(current, event, { rows, columns })
    if (next === null) return
    event.preventDefault()
    setActive(next)
    if (frame.current !== null) bringIntoView(frame.current, next.row, height)
    show(next.row)
    // The row may be drawn only after this render.
    requestAnimationFrame(() => {
      requestAnimationFrame(() =>
        frame.current?.querySelector<HTMLElement>(`[data-cell="${next.row}/${next.column}"]`)?.focus(),
      )
    })
  }
  return { current, onKeyDown }
}

/** Scrolls a row that is not in sight to just below the header, or to the lower edge. */
function bringIntoView(frame: HTMLElement, row: number, height: number): void {
  const head = frame.querySelector<HTMLElement>('[role=row]')?.offsetHeight ?? height
  const lowest = head + (row + 1) * height - frame.clientHeight
  const highest = row * height
  if (frame.scrollTop > highest) frame.scrollTop = highest
  else if (frame.scrollTop < lowest) frame.scrollTop = lowest
}
