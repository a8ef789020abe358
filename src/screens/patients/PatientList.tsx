import { IconChevronRight } from '@tabler/icons-react'
import { memo, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { casebookAddress } from '#src/app/addresses.ts'
import type { PatientList as Patients } from '#src/data/source.ts'
import type { PatientView } from '#src/data/types.ts'
import { StatusMark } from '#src/ui/StatusMark.tsx'
import { usePatientLabel } from '#src/ui/patientLabel.ts'

import classes from './patients.module.css'

interface PatientListProps {
  readonly projectId: string
  readonly list: Patients
  readonly showCenter: boolean
}

/** Lines that are drawn before anybody scrolls, and with each time that the end comes into view: a list of hundreds must not block the screen. */
const LINES_AT_ONCE = 40

/** Patients, one line each, large enough for a thumb. */
export function PatientList({ projectId, list, showCenter }: PatientListProps) {
  const { t } = useTranslation(['patients', 'shell'])
  const [drawn, setDrawn] = useState(LINES_AT_ONCE)
  const end = useRef<HTMLLIElement>(null)
  const more = drawn < list.patients.length

  useEffect(() => {
    if (end.current === null) return
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) setDrawn((lines) => lines + LINES_AT_ONCE)
      },
      // The next lines are there before the thumb is.
      { rootMargin: '800px' },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [drawn, more])

  return (
    <>
      <ul className={classes.list} aria-label={t('title')}>
        {list.patients.slice(0, drawn).map((patient) => (
          <PatientLine key={patient.id} projectId={projectId} patient={patient} showCenter={showCenter} />
        ))}
        {more && <li ref={end} aria-hidden="true" />}
      </ul>
      <p className={classes.total}>{t('shell:page.total', { total: list.total })}</p>
    </>
  )
}

interface PatientLineProps {
  readonly projectId: string
  readonly patient: PatientView
  readonly showCenter: boolean
}

/** Drawn anew only when what it shows has changed: every reading of the list makes its patients anew. */
const PatientLine = memo(function PatientLine({ projectId, patient, showCenter }: PatientLineProps) {
  const { t } = useTranslation('patients')
  const label = usePatientLabel()
  return (
    <li>
      <Link to={casebookAddress(projectId, patient.id)} className={classes.line}>
        <span className={classes.no} {...(patient.no === null ? { title: t('unnumberedHint') } : {})}>
          {label(patient)}
        </span>
        <span className={classes.initials}>{patient.initials ?? ''}</span>
        <span className={classes.sex}>{patient.sex === null ? '' : t(`sex.${patient.sex}`)}</span>
        <span className={classes.date}>{patient.enrolledOn ?? ''}</span>
        {showCenter && <span className={classes.center}>{patient.centerName}</span>}
        <span className={classes.sync}>
          <StatusMark status={patient.sync} />
        </span>
        <IconChevronRight size={20} className={classes.arrow} aria-hidden="true" />
      </Link>
    </li>
  )
}, showsTheSame)

const SHOWN = ['id', 'no', 'mark4', 'initials', 'sex', 'enrolledOn', 'centerName', 'sync'] as const

function showsTheSame(a: PatientLineProps, b: PatientLineProps): boolean {
  return a.projectId === b.projectId && a.showCenter === b.showCenter && SHOWN.every((field) => a.patient[field] === b.patient[field])
}
