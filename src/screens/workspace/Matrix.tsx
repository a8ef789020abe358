import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useMemo, useRef, useState } from 'react'
import type { CSSProperties, KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { isMadeByHand } from '#core/study/pageDemand.ts'
import { isOutsideWindow } from '#core/study/schedule.ts'
import type { VisitStatus } from '#core/study/schedule.ts'
import type { FolderRow } from '#core/sync/rows.ts'
import { casebookAddress } from '#src/app/addresses.ts'
import type { PageMark, PatientView } from '#src/data/types.ts'
import { StatusShape } from '#src/ui/StatusMark.tsx'
import { VisitShape } from '#src/ui/VisitMark.tsx'
import { stateOfPages, useStateWords } from '#src/ui/pageState.ts'
import type { PageState } from '#src/ui/pageState.ts'
import { usePatientLabel } from '#src/ui/patientLabel.ts'
import { useLinkClicks } from '#src/ui/useLinkClicks.ts'
import { useNames } from '#src/ui/useNames.ts'

import { VisitSheet } from './VisitSheet.tsx'
import type { Visit } from './VisitSheet.tsx'
import classes from './matrix.module.css'
import { stepFrom } from './matrixKeys.ts'
import { useWindowMarks, useWindowStates } from './useWindow.ts'

const ROW_HEIGHT = 52
const OVERSCAN = 4

interface MatrixProps {
  readonly projectId: string
  readonly folders: readonly FolderRow[]
  readonly patients: readonly PatientView[]
  /** Marks of the first patients, which came with them. */
  readonly started: ReadonlyMap<string, readonly PageMark[]>
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
  // The compiler leaves this component alone: what the library gives changes under its hands.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({ count: patients.length, getScrollElement: () => frame.current, estimateSize: () => ROW_HEIGHT, overscan: OVERSCAN })
  const items = virtual.getVirtualItems()
  const marks = useWindowMarks(projectId, patients, items.at(0)?.index ?? 0, items.at(-1)?.index ?? OVERSCAN)
  const states = useWindowStates(projectId, patients, items.at(0)?.index ?? 0, items.at(-1)?.index ?? OVERSCAN)
  const current = { row: Math.min(active.row, patients.length - 1), column: Math.min(active.column, folders.length) }

  const move = (event: KeyboardEvent) => {
    const next = stepFrom(current, event, { rows: patients.length, columns: folders.length + 1 })
    if (next === null) return
    event.preventDefault()
    setActive(next)
    virtual.scrollToIndex(next.row, { align: 'auto' })
    // The row may only now be drawn.
    requestAnimationFrame(() => {
      requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>(`[data-cell="${next.row}/${next.column}"]`)?.focus())
    })
  }
  return (
    <>
      <div ref={frame} className={classes.frame}>
        {/* The arrow keys go from cell to cell, as in a grid. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role */}
        <table role="grid"
          className={classes.grid}
          aria-label={t('matrix.title')}
          aria-rowcount={patients.length + 1}
          onKeyDown={move}
          onClick={followLink}
          style={{ '--visits': folders.length } as CSSProperties}
        >
          <thead className={classes.head}>
            <tr aria-rowindex={1}>
              <th scope="col" className={classes.corner}>
                {t('matrix.patient')}
              </th>
              {folders.map((folder) => (
                <th key={folder.id} scope="col" title={names.visit(folder)}>
                  <span className={classes.visitName}>{names.visit(folder)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Space height={items.at(0)?.start ?? 0} columns={folders.length + 1} />
            {items.map(({ index }) => {
              const patient = patients[index]
              if (patient === undefined) return null
              return (
                <MatrixRow
                  key={patient.id}
                  projectId={projectId}
                  patient={patient}
                  folders={folders}
                  pages={marks.get(patient.id) ?? started.get(patient.id) ?? null}
                  states={states.get(patient.id) ?? null}
                  hidesOutside={hidesOutside}
                  index={index}
                  activeColumn={current.row === index ? current.column : null}
                  words={words}
                  onOpen={setOpened}
                />
              )
            })}
            <Space height={virtual.getTotalSize() - (items.at(-1)?.end ?? 0)} columns={folders.length + 1} />
          </tbody>
        </table>
      </div>
      {opened !== null && (
        <VisitSheet projectId={projectId} visit={opened} pages={marks.get(opened.patient.id) ?? started.get(opened.patient.id) ?? []} onClose={() => setOpened(null)} />
      )}
    </>
  )
}

/** Stands for the rows that are not drawn. */
function Space({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden="true">
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- nothing is in it */}
      <td colSpan={columns} className={classes.space} style={{ height }} />
    </tr>
  )
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
  /** Where the visits stand, by folder; null until it is read. */
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
    <tr className={classes.row} aria-rowindex={index + 2}>
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- its link has the text */}
      <th scope="row" className={classes.patient}>
        <a href={casebookAddress(projectId, patient.id)} tabIndex={activeColumn === 0 ? 0 : -1} data-cell={`${index}/0`}>
          <strong className={classes.no}>{name}</strong>
          <span className={classes.initials} title={patient.initials ?? ''}>{patient.initials ?? ''}</span>
        </a>
      </th>
      {folders.map((folder, at) => {
        const ofVisit = pages?.filter(({ target }) => target.folderId === folder.id) ?? null
        return (
          // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- its button has the label
          <td key={folder.id} className={classes.cell}>
            <VisitButton
              name={`${name} ${words.folder(folder)}`}
              pages={ofVisit}
              expected={askedOf(folder)}
              visit={states?.get(folder.id) ?? null}
              hidesOutside={hidesOutside}
              cell={`${index}/${at + 1}`}
              active={activeColumn === at + 1}
              words={words}
              onOpen={() => onOpen({ patient, folder })}
            />
          </td>
        )
      })}
    </tr>
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
  /** Where the visit itself stands; null where that is not known. */
  readonly visit: VisitStatus | null
  readonly hidesOutside: boolean
  readonly cell: string
  readonly active: boolean
  readonly words: Words
  readonly onOpen: () => void
}

/** One visit: the state that matters most, and how many of its pages are submitted. No hooks: hundreds of them come with a scroll. */
function VisitButton({ name, pages, expected, visit, hidesOutside, cell, active, words, onOpen }: VisitButtonProps) {
  const state = stateOfPages(pages ?? [], expected)
  const done = pages?.filter(({ status }) => status === 'other').length ?? 0
  const total = Math.max(expected, pages?.length ?? 0)
  // Of a visit in which nothing was entered it counts where it stands: due, overdue, missed.
  const shown = visit !== null && TELLING.has(visit) && state.status === 'notStarted' ? visit : null
  const isHidden = hidesOutside && visit !== null && state.status === 'notStarted' && isOutsideWindow({ status: visit, begun: false })
  const said = shown === null ? words.states(state) : words.visit(shown)
  return (
    <button
      type="button"
      tabIndex={active ? 0 : -1}
      data-cell={cell}
      onClick={onOpen}
      aria-haspopup="dialog"
      aria-label={`${name}: ${said}, ${words.submitted({ done, total })}`}
      title={said}
    >
      {pages !== null && !isHidden && (shown === null ? <StatusShape status={state.status} share={state.share} /> : <VisitShape status={shown} />)}
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
