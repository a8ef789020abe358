import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { IconChevronRight, IconExternalLink } from '@tabler/icons-react'
import { memo, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { casebookAddress } from '#src/app/addresses.ts'
import { useBreakpoint } from '#src/app/breakpoints.ts'
import type { PatientView } from '#src/data/types.ts'
import { StatusShape } from '#src/ui/StatusMark.tsx'
import { usePatientLabel } from '#src/ui/patientLabel.ts'
import { useLinkClicks } from '#src/ui/useLinkClicks.ts'

import classes from './patients.module.css'

interface PatientListProps {
  readonly projectId: string
  readonly patients: readonly PatientView[]
  readonly total: number
  readonly showCenter: boolean
}

const LINE_HEIGHT = 60
/** Lines beyond the screen that are there before the thumb is. */
const OVERSCAN = 12

/** Patients, one line each, large enough for a thumb. Only those near the screen are drawn. */
export function PatientList({ projectId, patients, total, showCenter }: PatientListProps) {
  const { t } = useTranslation(['patients', 'shell'])
  const words = useWords()
  // On a tablet a tab of its own only stands in the way: it is opened with the password, for keys are in the memory of each tab.
  const inTabs = useBreakpoint() > 1
  const followLink = useLinkClicks()
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  // Where the list begins in the page: what stands above it comes and goes.
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [patients])
  // The compiler leaves this component alone: what the library gives changes under its hands.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useWindowVirtualizer({
    count: patients.length,
    estimateSize: () => LINE_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: top,
    getItemKey: (at) => patients[at]?.id ?? at,
  })
  const items = virtual.getVirtualItems()
  const start = (items.at(0)?.start ?? top) - top
  return (
    <>
      {/* What is clicked are its links, which the keyboard reaches as such. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events */}
      <ul ref={list} onClick={followLink} className={classes.list} aria-label={t('title')} style={{ minHeight: virtual.getTotalSize(), paddingTop: start }}>
        {items.map(({ index, key }) => {
          const patient = patients[index]
          if (patient === undefined) return null
          return (
            <li key={key} ref={virtual.measureElement} data-index={index} aria-setsize={patients.length} aria-posinset={index + 1}>
              <PatientLine projectId={projectId} patient={patient} showCenter={showCenter} inTabs={inTabs} words={words} />
            </li>
          )
        })}
      </ul>
      <p className={classes.total}>{t('shell:page.total', { total })}</p>
    </>
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
  return useMemo(
    () => ({
      patient,
      sex: (sex) => t(`sex.${sex}`),
      sync: (sync) => t(`status:${sync}`),
      unnumbered: t('unnumberedHint'),
      inTab: t('inTab'),
    }),
    // The functions are made anew with every drawing; what they say changes with the language alone.
    // oxlint-disable-next-line react/exhaustive-deps
    [i18n.language],
  )
}

interface PatientLineProps {
  readonly projectId: string
  readonly patient: PatientView
  readonly showCenter: boolean
  /** Whether each can also be opened in a tab of its own. */
  readonly inTabs: boolean
  readonly words: Words
}

/** Drawn anew only when what it shows has changed: every reading of the list makes its patients anew. */
const PatientLine = memo(function PatientLine({ projectId, patient, showCenter, inTabs, words }: PatientLineProps) {
  const address = casebookAddress(projectId, patient.id)
  return (
    <>
      <a href={address} className={classes.line}>
        <span id={`no-${patient.id}`} className={classes.no} {...(patient.no === null ? { title: words.unnumbered } : {})}>
          {words.patient(patient)}
        </span>
        <span className={classes.initials}>{patient.initials ?? ''}</span>
        <span className={classes.sex}>{patient.sex === null ? '' : words.sex(patient.sex)}</span>
        <span className={classes.date}>{patient.enrolledOn ?? ''}</span>
        {showCenter && <span className={classes.center}>{patient.centerName}</span>}
        <span className={classes.sync}>
          {/* Of what is received there is nothing to say; and of patients who are not kept here this device knows no more than that. */}
          {patient.sync !== 'received' && <StatusShape status={patient.sync}>{words.sync(patient.sync)}</StatusShape>}
        </span>
        {!inTabs && <IconChevronRight size={20} className={classes.arrow} aria-hidden="true" />}
      </a>
      {inTabs && (
        <a href={address} target="_blank" rel="noopener" className={classes.tab} aria-label={words.inTab} aria-describedby={`no-${patient.id}`} title={words.inTab}>
          <IconExternalLink size={18} aria-hidden="true" />
        </a>
      )}
    </>
  )
}, showsTheSame)

const SHOWN = ['id', 'no', 'mark4', 'initials', 'sex', 'enrolledOn', 'centerName', 'sync'] as const

function showsTheSame(a: PatientLineProps, b: PatientLineProps): boolean {
  return a.projectId === b.projectId && a.showCenter === b.showCenter && a.inTabs === b.inTabs && a.words === b.words && SHOWN.every((field) => a.patient[field] === b.patient[field])
}
