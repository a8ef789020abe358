import { memo, useMemo, useRef, useState } from 'react'
import type { CSSProperties, KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { isMadeByHand } from '#core/study/pageDemand.ts'
import { isOutsideWindow } from '#core/study/schedule.ts'
import type { VisitStatus } from '#core/study/schedule.ts'
import type { FolderRow } from '#core/sync/rows.ts'
import { casebookAddress } from '#src/app/addresses.ts'
import type { MatrixStart } from '#src/data/source.ts'
import type { PageMark, PatientView } from '#src/data/types.ts'
import { StatusShape } from '#src/ui/StatusMark.tsx'
import { VisitShape } from '#src/ui/VisitMark.tsx'
import { stateOfPages, useStateWords } from '#src/ui/pageState.ts'
import type { PageState } from '#src/ui/pageState.ts'
import { usePatientLabel } from '#src/ui/patientLabel.ts'
import { useAfterDrawing } from '#src/ui/useAfterDrawing.ts'
import { useDrawnRows } from '#src/ui/useDrawnRows.ts'
import { useLinkClicks } from '#src/ui/useLinkClicks.ts'
import { useNames } from '#src/ui/useNames.ts'
import { useSideways } from '#src/ui/useSideways.ts'

import { VisitSheet } from './VisitSheet.tsx'
import type { Visit } from './VisitSheet.tsx'
import classes from './matrix.module.css'
import { stepFrom } from './matrixKeys.ts'
import { useWindow } from './useWindow.ts'

/** A table of the browser's lays out all of its rows anew for each that comes: these are rows and cells by their roles, each row laid out by itself. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

const ROW_HEIGHT = 52
const HEAD_HEIGHT = 44
/** Rows beyond those in view that are there before the thumb is. */
const AHEAD = 6
/** Cells that come with a step of a scroll: of a study with many visits fewer rows come at once. */
const CELLS_AT_ONCE = 16

const NOBODY: readonly PatientView[] = []

interface MatrixProps {
  readonly projectId: string
  readonly folders: readonly FolderRow[]
  readonly patients: readonly PatientView[]
  /** How far the first patients are, which came with them. */
  readonly started: Pick<MatrixStart, 'marks' | 'states'>
  /** Whether visits that are outside of their window, and not begun, are left out of sight. */
  readonly hidesOutside: boolean
}

/** Patients down, visits across, one mark a cell; the header and the first column stay. Only what is in view is drawn and read. */
export function Matrix({ projectId, folders, patients, started, hidesOutside }: MatrixProps) {
  const names = useNames()
  const { t } = useTranslation('workspace')
  const words = useWords()
  const followLink = useLinkClicks()
  const frame = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState<Visit | null>(null)
  const [active, setActive] = useState({ row: 0, column: 0 })
  const { drawn, show } = useDrawnRows({
    count: patients.length,
    height: ROW_HEIGHT,
    ahead: AHEAD,
    step: Math.min(2, Math.max(1, Math.floor(CELLS_AT_ONCE / (folders.length + 1)))),
    view: () => (frame.current === null ? null : { top: frame.current.scrollTop, height: frame.current.clientHeight - HEAD_HEIGHT }),
  })
  const isSideways = useSideways(frame, folders)
  // The first of them came with their marks.
  const isDrawn = useAfterDrawing(true)
  const { marks, states } = useWindow(projectId, isDrawn ? patients : NOBODY, drawn)
  const current = { row: Math.min(active.row, patients.length - 1), column: Math.min(active.column, folders.length) }

  const move = (event: KeyboardEvent) => {
    const next = stepFrom(current, event, { rows: patients.length, columns: folders.length + 1 })
    if (next === null) return
    event.preventDefault()
    setActive(next)
    if (frame.current !== null) bringIntoView(frame.current, next.row)
    show(next.row)
    // The row may only now be drawn.
    requestAnimationFrame(() => {
      requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>(`[data-cell="${next.row}/${next.column}"]`)?.focus())
    })
  }
  return (
    <>
      <div ref={frame} className={classes.frame} data-sideways={isSideways || undefined}>
        {/* The arrow keys go from cell to cell, as in a grid. */}
        <div
          role="grid"
          tabIndex={-1}
          className={classes.grid}
          aria-label={t('matrix.title')}
          aria-rowcount={patients.length + 1}
          onKeyDown={move}
          onClick={followLink}
          style={{ '--visits': Math.max(1, folders.length) } as CSSProperties}
        >
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
          <div role="rowgroup" style={{ height: patients.length * ROW_HEIGHT, paddingTop: drawn.first * ROW_HEIGHT }}>
            {patients.slice(drawn.first, drawn.last).map((patient, at) => {
              const index = drawn.first + at
              return (
                <MatrixRow
                  key={patient.id}
                  projectId={projectId}
                  patient={patient}
                  folders={folders}
                  pages={marks.get(patient.id) ?? started.marks.get(patient.id) ?? null}
                  states={states.get(patient.id) ?? started.states.get(patient.id) ?? null}
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
        <VisitSheet projectId={projectId} visit={opened} pages={marks.get(opened.patient.id) ?? started.marks.get(opened.patient.id) ?? []} onClose={() => setOpened(null)} />
      )}
    </>
  )
}

/** Scrolls a row to below the header, or to the lower edge, where it is not in sight. */
function bringIntoView(frame: HTMLElement, row: number): void {
  const lowest = (row + 1) * ROW_HEIGHT + HEAD_HEIGHT - frame.clientHeight
  const highest = row * ROW_HEIGHT
  if (frame.scrollTop > highest) frame.scrollTop = highest
  else if (frame.scrollTop < lowest) frame.scrollTop = lowest
}

interface Share {
  readonly done: number
  readonly total: number
}

/** What is said for few things again and again is looked up once for each. */
function remembered<Thing>(say: (thing: Thing) => string, keyOf: (thing: Thing) => string): (thing: Thing) => string {
  const said = new Map<string, string>()
  return (thing) => {
    const key = keyOf(thing)
    const words = said.get(key) ?? say(thing)
    said.set(key, words)
    return words
  }
}

/** The words of the matrix, looked up once for all its cells. */
interface Words {
  readonly patient: (patient: PatientView) => string
  readonly states: (state: PageState) => string
  readonly submitted: (share: Share) => string
  readonly visit: (status: VisitStatus) => string
  readonly folder: (folder: FolderRow) => string
}

function useWords(): Words {
  const names = useNames()
  const { t, i18n } = useTranslation(['workspace', 'visits'])
  const patient = usePatientLabel()
  const states = useStateWords()
  return useMemo(
    () => ({
      patient,
      states: remembered(states, ({ all, missing }) => `${all.join()} ${missing}`),
      submitted: remembered(({ done, total }: Share) => t('matrix.submittedOf', { done, total }), ({ done, total }) => `${done}/${total}`),
      visit: remembered((status: VisitStatus) => t(`visits:status.${status}`), (status) => status),
      folder: names.visit,
    }),
    // The functions are made anew with every drawing; what they say changes with the language alone.
    // oxlint-disable-next-line react/exhaustive-deps
    [i18n.language],
  )
}

interface MatrixRowProps {
  readonly projectId: string
  readonly patient: PatientView
  readonly folders: readonly FolderRow[]
  /** Null until they are read. */
  readonly pages: readonly PageMark[] | null
  /** Where the visits stand, by folder; null until that is read. */
  readonly states: ReadonlyMap<string, VisitStatus> | null
  readonly hidesOutside: boolean
  readonly index: number
  /** The column that the keyboard is in; null where it is in another row. */
  readonly activeColumn: number | null
  readonly words: Words
  readonly onOpen: (visit: Visit) => void
}

/** Drawn anew only when it shows something else: scrolling moves it, and no more. */
const MatrixRow = memo(function MatrixRow({ projectId, patient, folders, pages, states, hidesOutside, index, activeColumn, words, onOpen }: MatrixRowProps) {
  const name = words.patient(patient)
  return (
    <div role="row" className={classes.row} aria-rowindex={index + 2}>
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- its link has the text */}
      <div role="rowheader" className={classes.patient}>
        <a href={casebookAddress(projectId, patient.id)} tabIndex={activeColumn === 0 ? 0 : -1} data-cell={`${index}/0`}>
          <strong className={classes.no}>{name}</strong>
          <span className={classes.initials} title={patient.initials ?? ''}>{patient.initials ?? ''}</span>
        </a>
      </div>
      {folders.map((folder, at) => {
        const ofVisit = pages?.filter(({ target }) => target.folderId === folder.id) ?? null
        return (
          // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- its button has the label
          <div role="gridcell" key={folder.id} className={classes.cell}>
            <VisitButton
              name={`${name} ${words.folder(folder)}`}
              pages={ofVisit}
              expected={askedOf(folder)}
              visit={states === null ? 'unread' : (states.get(folder.id) ?? null)}
              hidesOutside={hidesOutside}
              cell={`${index}/${at + 1}`}
              active={activeColumn === at + 1}
              words={words}
              onOpen={() => onOpen({ patient, folder })}
            />
          </div>
        )
      })}
    </div>
  )
}, isSameRow)

const TELLING: ReadonlySet<VisitStatus> = new Set(['due', 'overdue', 'missed', 'skipped', 'stopped', 'notApplicable', 'early', 'late', 'inWindow'])

const asked = new WeakMap<FolderRow, number>()

/** How many of its pages somebody is asked for. */
function askedOf(folder: FolderRow): number {
  const known = asked.get(folder) ?? folder.pages.filter(({ option }) => !isMadeByHand(option)).length
  asked.set(folder, known)
  return known
}

interface VisitButtonProps {
  readonly name: string
  /** Null until they are read. */
  readonly pages: readonly PageMark[] | null
  readonly expected: number
  /** Where the visit itself stands; null where there is nothing to say of it. */
  readonly visit: VisitStatus | null | 'unread'
  readonly hidesOutside: boolean
  readonly cell: string
  readonly active: boolean
  readonly words: Words
  readonly onOpen: () => void
}

/**
 * One visit: the state that matters most, and how many of its pages are submitted. Nothing is said until it is known: one that was missed
 * must not be shown as not begun before. No hooks: hundreds of them come with a scroll.
 */
function VisitButton({ name, pages, expected, visit, hidesOutside, cell, active, words, onOpen }: VisitButtonProps) {
  const state = stateOfPages(pages ?? [], expected)
  const done = pages?.filter(({ status }) => status === 'other').length ?? 0
  const total = Math.max(expected, pages?.length ?? 0)
  // Of a visit in which nothing was entered it counts where it stands: due, overdue, missed.
  const isKnown = pages !== null && (state.status !== 'notStarted' || visit !== 'unread')
  const standing = state.status !== 'notStarted' || visit === 'unread' ? null : visit
  const shown = standing !== null && TELLING.has(standing) ? standing : null
  const isHidden = hidesOutside && standing !== null && isOutsideWindow({ status: standing, begun: false })
  const said = shown === null ? words.states(state) : words.visit(shown)
  return (
    <button
      type="button"
      tabIndex={active ? 0 : -1}
      data-cell={cell}
      onClick={onOpen}
      aria-haspopup="dialog"
      aria-label={isKnown ? `${name}: ${said}, ${words.submitted({ done, total })}` : name}
      {...(isKnown ? { title: said } : {})}
    >
      {isKnown && !isHidden && (shown === null ? <StatusShape status={state.status} share={state.share} /> : <VisitShape status={shown} />)}
      {done > 0 && (
        <span className={classes.share}>
          {done}/{total}
        </span>
      )}
    </button>
  )
}

function isSameRow(a: MatrixRowProps, b: MatrixRowProps): boolean {
  return (
    a.pages === b.pages &&
    a.states === b.states &&
    a.hidesOutside === b.hidesOutside &&
    a.index === b.index &&
    a.activeColumn === b.activeColumn &&
    a.folders === b.folders &&
    a.words === b.words &&
    a.patient.id === b.patient.id &&
    a.patient.no === b.patient.no &&
    a.patient.initials === b.patient.initials
  )
}
