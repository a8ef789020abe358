import { useTranslation } from 'react-i18next'
import { MISSING_FIELD, entryPath } from '#src/paths/screenPaths.ts'
import type { PatientView } from '#src/data/shapes/types.ts'
import { FactList } from '#src/ui/FactList.tsx'
import { StatusShape } from '#src/ui/badges/StatusBadge.tsx'
import { VisitShape } from '#src/ui/badges/VisitBadge.tsx'
import { useStateWords } from '#src/ui/badges/pageState.ts'
import { useLinkClicks } from '#src/ui/useLinkClicks.ts'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import type { PatientFact, VisitFact } from './patientFact.ts'
import classes from './patients.module.css'

interface PatientPanelProps {
  readonly projectId: string
  readonly patient: PatientView
  /** Undefined until it is read. */
  readonly fact: PatientFact | undefined
}

/** What the list knows of a patient: facts, visits, and the pages on which something is missing. */
export function PatientPanel({ projectId, patient, fact }: PatientPanelProps) {
  const { t } = useTranslation(['patients', 'status', 'common'])
  const label = usePatientLabel()
  const none = t('common:none')
  const next = fact?.next ?? null
  return (
    <>
      <FactList
        facts={[
          [t('fact.no'), label(patient)],
          [t('fact.initials'), patient.initials ?? none],
          [t('fact.sex'), patient.sex === null ? none : t(`sex.${patient.sex}`)],
          [t('fact.enrolledOn'), patient.enrolledOn ?? none],
          [t('center'), patient.centerName],
          [
            t('columns.state'),
            patient.sync === 'received' ? (
              none
            ) : (
              <StatusShape status={patient.sync}>{t(`status:${patient.sync}`)}</StatusShape>
            ),
          ],
          [
            t('columns.next'),
            next === null ? (
              none
            ) : (
              <>
                {next.name} · {next.plannedDate}{' '}
                <span className={classes.left} data-visit={next.status}>
                  {next.leftWords}
                </span>
              </>
            ),
          ],
        ]}
      />
      {fact !== undefined && <Visits projectId={projectId} visits={fact.visits} />}
    </>
  )
}

interface VisitsProps {
  readonly projectId: string
  readonly visits: readonly VisitFact[]
}

/** The visits of a patient, each with its state, and a way to each page on which something is missing. */
function Visits({ projectId, visits }: VisitsProps) {
  const { t } = useTranslation(['patients', 'visits', 'status'])
  const names = useNames()
  const words = useStateWords()
  const followLink = useLinkClicks()
  if (visits.length === 0) return null
  return (
    // Clicks go to the links inside, which the keyboard reaches as links.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <section aria-label={t('columns.visits')} className={classes.visits} onClick={followLink}>
      <h3 className={classes.heading}>{t('columns.visits')}</h3>
      <ul>
        {visits.map(({ folder, state, status, submitted, asked, pages }) => {
          const isVisit = state.status === 'notStarted' && status !== null
          return (
            <li key={folder.id}>
              <span className={classes.visitLine}>
                {isVisit ? <VisitShape status={status} /> : <StatusShape status={state.status} share={state.share} />}
                <span className={classes.visitName}>{names.visit(folder)}</span>
                <span className={classes.quiet}>{isVisit ? t(`visits:status.${status}`) : words(state)}</span>
                <span className={classes.share}>
                  {submitted}/{asked}
                </span>
              </span>
              <ul className={classes.pages}>
                {pages.map(({ entryId, target, progress, status: page }) => {
                  const row = folder.pages.find(({ id }) => id === target.pageId)
                  const missing = page === 'init' ? 0 : (progress?.missing ?? 0)
                  return (
                    row !== undefined &&
                    missing > 0 && (
                      <li key={entryId}>
                        <a href={entryPath(projectId, target.patientId, entryId, MISSING_FIELD)}>{names.page(row)}</a>
                        <StatusShape status="missing">{t('status:missing', { count: missing })}</StatusShape>
                      </li>
                    )
                  )
                })}
              </ul>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
