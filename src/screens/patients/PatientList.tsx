import { IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { casebookAddress } from '#src/app/addresses.ts'
import type { PatientList as Patients } from '#src/data/source.ts'
import { StatusMark } from '#src/ui/StatusMark.tsx'
import { usePatientLabel } from '#src/ui/patientLabel.ts'

import classes from './patients.module.css'

interface PatientListProps {
  readonly projectId: string
  readonly list: Patients
  readonly showCenter: boolean
}

/** Patients, one line each, large enough for a thumb. */
export function PatientList({ projectId, list, showCenter }: PatientListProps) {
  const { t } = useTranslation(['patients', 'common'])
  const label = usePatientLabel()
  return (
    <>
      <ul className={classes.list} aria-label={t('title')}>
        {list.patients.map((patient) => {
          const name = label(patient)
          return (
            <li key={patient.id}>
              <Link to={casebookAddress(projectId, patient.id)} className={classes.line}>
                <span className={classes.no} {...(patient.no === null ? { title: t('unnumberedHint') } : {})}>
                  {name}
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
        })}
      </ul>
      <p className={classes.total}>{t('common:page.total', { total: list.total })}</p>
    </>
  )
}
