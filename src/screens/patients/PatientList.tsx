import { IconExternalLink } from '@tabler/icons-react'
import { memo, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { casebookPath } from '#src/paths/screenPaths.ts'
import { useBreakpoint } from '#src/frame/breakpoints.ts'
import type { PatientView } from '#src/data/shapes/types.ts'
import { StatusShape } from '#src/ui/badges/StatusBadge.tsx'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'
import { useDrawnRows } from '#src/ui/lists/useDrawnRows.ts'
import { useLinkClicks } from '#src/ui/useLinkClicks.ts'
import { useRowKeys } from '#src/ui/lists/useRowKeys.ts'

import classes from './patients.module.css'

interface PatientListProps {
  readonly projectId: string
  readonly patients: readonly PatientView[]
  readonly total: number
  readonly showCenter: boolean
}

/** Height of a line, in the root's font size (patients.module.css): it grows with the reader's text size. */
const LINE_REM = 3.75
/** How many lines are drawn beyond the screen, before the thumb gets there, and how many are drawn at once. */
const LINES = { ahead: 12, step: 3 }

function lineHeight(): number {
  const size = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  return LINE_REM * (Number.isFinite(size) ? size : 16)
}

/** Patients, one line each, large enough for a thumb. Only those near the screen are drawn. */
export function PatientList({ total, ...of }: PatientListProps) {
  const { t } = useTranslation(['patients', 'shell'])
  return (
    <>
      <Lines {...of} title={t('title')} words={useWords()} />
      <p className={classes.total}>{t('shell:page.total', { total })}</p>
    </>
  )
}

interface LinesProps extends Omit<PatientListProps, 'total'> {
  readonly title: string
  readonly words: Words
}

/**
 * The part that renders while the user scrolls. The words are looked up above it: what each step allocates causes one
 * long garbage collection in the middle of the scroll.
 */
function Lines({ projectId, patients, showCenter, title, words }: LinesProps) {
  // No link to a new tab on a tablet: it is only in the way. A new tab needs the password first, because the keys are
  // in the memory of each tab.
  const inTabs = useBreakpoint() > 1
  const followLink = useLinkClicks()
  const list = useRef<HTMLUListElement>(null)
  const [height] = useState(lineHeight)
  const { drawn } = useDrawnRows({
    ...LINES,
    count: patients.length,
    height,
    view: () =>
      list.current === null ? null : { top: -list.current.getBoundingClientRect().top, height: window.innerHeight },
  })
  const rows = patients.slice(drawn.first, drawn.last)
  const { keys, onFocus } = useRowKeys(rows.map(({ id }) => id))
  return (
    // Clicks go to the links of the lines, which the keyboard reaches as links.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <ul
      ref={list}
      onClick={followLink}
      onFocus={onFocus}
      className={classes.list}
      aria-label={title}
      style={{ minHeight: patients.length * height, paddingTop: drawn.first * height }}
    >
      {rows.map((patient, at) => (
        // Its place changes with every new patient; its content does not.
        <li
          key={keys.get(patient.id)}
          data-row={patient.id}
          aria-setsize={patients.length}
          aria-posinset={drawn.first + at + 1}
        >
          <PatientLine projectId={projectId} patient={patient} showCenter={showCenter} inTabs={inTabs} words={words} />
        </li>
      ))}
    </ul>
  )
}

/** The words of the list, looked up once for all its lines. */
interface Words {
  readonly patient: (patient: PatientView) => string
  readonly sex: (sex: 'F' | 'M') => string
  readonly sync: (sync: PatientView['sync']) => string
  readonly unnumbered: string
  readonly inTab: string
}

function useWords(): Words {
  const { t, i18n } = useTranslation(['patients', 'status'])
  const patient = usePatientLabel()
  const sexes = { F: t('sex.F'), M: t('sex.M') }
  return useMemo(
    () => ({
      patient,
      sex: (sex) => sexes[sex],
      sync: (sync) => t(`status:${sync}`),
      unnumbered: t('unnumberedHint'),
      inTab: t('inTab'),
    }),
    // Every drawing makes new functions, but what they return changes only with the language.
    // oxlint-disable-next-line react/exhaustive-deps
    [i18n.language],
  )
}

interface PatientLineProps {
  readonly projectId: string
  readonly patient: PatientView
  readonly showCenter: boolean
  /** Whether a line also offers to open the patient in a new tab. */
  readonly inTabs: boolean
  readonly words: Words
}

/** Draws again only when its content has changed, because every reading of the list may make new patient objects. */
const PatientLine = memo(function PatientLine({ projectId, patient, showCenter, inTabs, words }: PatientLineProps) {
  const address = casebookPath(projectId, patient.id)
  return (
    <>
      <a
        href={address}
        className={classes.line}
        data-arrow={inTabs ? undefined : patient.sync === 'received' ? 'alone' : 'beside'}
      >
        <span
          id={`no-${patient.id}`}
          className={classes.no}
          {...(patient.no === null ? { title: words.unnumbered } : {})}
        >
          {words.patient(patient)}
        </span>
        <span className={classes.initials}>{patient.initials ?? ''}</span>
        <span className={classes.sex}>{patient.sex === null ? '' : words.sex(patient.sex)}</span>
        <span className={classes.date}>{patient.enrolledOn ?? ''}</span>
        {showCenter && <span className={classes.center}>{patient.centerName}</span>}
        {/* Nothing is said of a patient whose data are received. Of patients who are not kept here, this device knows
            no more. */}
        {patient.sync !== 'received' && (
          <span className={classes.sync}>
            <StatusShape status={patient.sync}>{words.sync(patient.sync)}</StatusShape>
          </span>
        )}
      </a>
      {inTabs && (
        <a
          href={address}
          target="_blank"
          rel="noopener"
          className={classes.tab}
          aria-label={words.inTab}
          aria-describedby={`no-${patient.id}`}
          title={words.inTab}
        >
          <IconExternalLink size={18} aria-hidden="true" />
        </a>
      )}
    </>
  )
}, showsTheSame)

const SHOWN = ['id', 'no', 'mark4', 'initials', 'sex', 'enrolledOn', 'centerName', 'sync'] as const
const AROUND = ['projectId', 'showCenter', 'inTabs', 'words'] as const

function showsTheSame(a: PatientLineProps, b: PatientLineProps): boolean {
  return (
    AROUND.every((name) => a[name] === b[name]) &&
    (a.patient === b.patient || SHOWN.every((field) => a.patient[field] === b.patient[field]))
  )
}
