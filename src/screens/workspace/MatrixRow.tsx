import { memo, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { isMadeByHand } from '#core/study/visits/pageDemand.ts'
import { isOutsideWindow } from '#core/study/visits/schedule.ts'
import type { VisitStatus } from '#core/study/visits/schedule.ts'
import type { VisitQueries } from '#core/api/calls/review/query.ts'
import type { FolderRow } from '#core/api/sync/rows.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import { casebookPath } from '#src/paths/screenPaths.ts'
import type { PatientQueries } from '#src/data/shapes/queryTypes.ts'
import type { PageMark, PatientView } from '#src/data/shapes/types.ts'
import { stateOfPages, useStateWords } from '#src/ui/badges/pageState.ts'
import type { PageState } from '#src/ui/badges/pageState.ts'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'
import { rememberWords } from '#src/ui/words/rememberWords.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { CellMark } from './CellMark.tsx'
import type { Visit } from './VisitSheet.tsx'
import classes from './matrix.module.css'

/** Rows and cells by their roles: Matrix.tsx says why. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

interface Share {
  readonly done: number
  readonly total: number
}

/** The words of the matrix, looked up once for all its cells. */
export interface MatrixWords {
  readonly patient: (patient: PatientView) => string
  readonly states: (state: PageState) => string
  readonly submitted: (share: Share) => string
  readonly visit: (status: VisitStatus) => string
  readonly queries: (count: number) => string
  readonly folder: (folder: FolderRow) => string
  /** The signs between a visit, its state and its pages. */
  readonly colon: string
  readonly comma: string
}

export function useMatrixWords(): MatrixWords {
  const names = useNames()
  const { t, i18n } = useTranslation(['workspace', 'visits', 'form'])
  const patient = usePatientLabel()
  const states = useStateWords()
  return useMemo(
    () => ({
      patient,
      states: rememberWords(states, ({ all, missing }) => `${all.join()} ${missing}`),
      submitted: rememberWords(
        ({ done, total }: Share) => t('matrix.submittedOf', { done, total }),
        ({ done, total }) => `${done}/${total}`,
      ),
      visit: rememberWords(
        (status: VisitStatus) => t(`visits:status.${status}`),
        (status) => status,
      ),
      queries: rememberWords((count: number) => t('matrix.queries', { count }), String),
      folder: names.visit,
      colon: t('form:colon'),
      comma: t('matrix.comma'),
    }),
    // Every drawing makes new functions, but what they return changes only with the language.
    // oxlint-disable-next-line react/exhaustive-deps
    [i18n.language],
  )
}

interface MatrixRowProps {
  readonly projectId: string
  readonly patient: PatientView
  readonly folders: readonly FolderRow[]
  /** Null until the marks are read. */
  readonly pages: readonly PageMark[] | null
  /** The status of the visits, by folder; null until it is read. */
  readonly states: ReadonlyMap<string, VisitStatus> | null
  /** How many queries wait to be settled, by visit; null where none is known of. */
  readonly queries: PatientQueries | null
  readonly hidesOutside: boolean
  readonly index: number
  /** The column with the keyboard's cell; null where that cell is in another row. */
  readonly activeColumn: number | null
  readonly words: MatrixWords
  readonly onOpen: (visit: Visit) => void
}

/** Draws again only when its content changes: a scroll only moves the row. */
export const MatrixRow = memo(function MatrixRow({
  projectId,
  patient,
  folders,
  pages,
  states,
  queries,
  hidesOutside,
  index,
  activeColumn,
  words,
  onOpen,
}: MatrixRowProps) {
  const name = words.patient(patient)
  return (
    <div role="row" data-row={patient.id} className={classes.row} aria-rowindex={index + 2}>
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- its link has the text */}
      <div role="rowheader" className={classes.patient}>
        <a href={casebookPath(projectId, patient.id)} tabIndex={activeColumn === 0 ? 0 : -1} data-cell={`${index}/0`}>
          <strong className={classes.no}>{name}</strong>
          <span className={classes.initials} title={patient.initials ?? ''}>
            {patient.initials ?? ''}
          </span>
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
              queries={queries?.find(({ folderId }) => folderId === folder.id) ?? null}
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

const TELLING: ReadonlySet<VisitStatus> = new Set([
  'due',
  'overdue',
  'missed',
  'skipped',
  'stopped',
  'notApplicable',
  'early',
  'late',
  'inWindow',
])

const asked = new WeakMap<FolderRow, number>()

/** How many pages of the folder every patient is asked for. */
function askedOf(folder: FolderRow): number {
  const known = asked.get(folder) ?? folder.pages.filter(({ option }) => !isMadeByHand(option)).length
  asked.set(folder, known)
  return known
}

interface VisitButtonProps {
  readonly name: string
  /** Null until the marks are read. */
  readonly pages: readonly PageMark[] | null
  readonly expected: number
  /** The visit's own status; null where there is nothing to say about it. */
  readonly visit: VisitStatus | null | 'unread'
  /** How many of its queries wait to be settled; null where none does. */
  readonly queries: VisitQueries | null
  readonly hidesOutside: boolean
  readonly cell: string
  readonly active: boolean
  readonly words: MatrixWords
  readonly onOpen: () => void
}

/**
 * One visit: its most important state, and how many of its pages are submitted. It says nothing until both are known,
 * so that a missed visit is never shown as not started. No hooks, because a scroll draws hundreds of these.
 */
function VisitButton({
  name,
  pages,
  expected,
  visit,
  queries,
  hidesOutside,
  cell,
  active,
  words,
  onOpen,
}: VisitButtonProps) {
  const state = stateOfPages(pages ?? [], expected)
  const done = pages?.filter(({ status }) => status === SUBMITTED).length ?? 0
  const total = Math.max(expected, pages?.length ?? 0)
  // Where nothing was entered, the visit's own status counts: due, overdue, missed.
  const isKnown = pages !== null && (state.status !== 'notStarted' || visit !== 'unread')
  const standing = state.status !== 'notStarted' || visit === 'unread' ? null : visit
  const shown = standing !== null && TELLING.has(standing) ? standing : null
  const isHidden = hidesOutside && standing !== null && isOutsideWindow({ status: standing, begun: false })
  const said = shown === null ? words.states(state) : words.visit(shown)
  const asked = queries === null ? '' : `${words.comma}${words.queries(queries.unsettled)}`
  return (
    <button
      type="button"
      tabIndex={active ? 0 : -1}
      data-cell={cell}
      onClick={onOpen}
      aria-haspopup="dialog"
      aria-label={
        isKnown ? `${name}${words.colon}${said}${words.comma}${words.submitted({ done, total })}${asked}` : name
      }
      {...(isKnown ? { title: said } : {})}
    >
      {isKnown && !isHidden && <CellMark state={state} visit={shown} submitted={done} />}
      {queries !== null && <QueryCount {...queries} />}
    </button>
  )
}

/**
 * How many queries wait to be settled, red where one waits for who looks. The figure is drawn by the style: beside that
 * of a ring it would be read as one number with it. Its words are in the cell's label.
 */
function QueryCount({ unsettled, waits }: Pick<VisitQueries, 'unsettled' | 'waits'>) {
  return (
    <span
      className={classes.queries}
      data-count={unsettled > 99 ? '99+' : unsettled}
      data-waits={waits > 0 || undefined}
    />
  )
}

function isSameRow(a: MatrixRowProps, b: MatrixRowProps): boolean {
  return (
    a.pages === b.pages &&
    a.states === b.states &&
    a.queries === b.queries &&
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
