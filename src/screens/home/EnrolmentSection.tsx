import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { studyName } from '#core/study/studyName.ts'
import { useEnrolment } from '#src/data/hooks/enrolment.ts'
import type { Enrolment } from '#src/data/shapes/enrolmentTypes.ts'
import type { Loadable } from '#src/data/shapes/types.ts'
import { useSession } from '#src/session/useSession.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { shortStudyName } from '#src/ui/words/studyName.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'
import { laterPart } from '#src/parts/laterPart.tsx'

import classes from './home.module.css'

/** Comes with its scales when it is first drawn. */
const EnrolmentChart = laterPart(async () => (await import('./EnrolmentChart.tsx')).EnrolmentChart)

/** Placeholders: about as high as the chart. */
const LINES = 4

type NamedProject = Pick<ProjectRow, 'id' | 'projectName'>

/** The curve of the project that was chosen; of the first, where none was. */
export interface ChosenCurve {
  readonly project: NamedProject | null
  readonly choose: (projectId: string | null) => void
  readonly enrolment: Loadable<Enrolment>
  /** Asks the server, where not all patients are here. */
  readonly ask: () => void
}

/**
 * The enrolment of one of the user's projects.
 *
 * @param isDue whether it is time to read: the projects and what waits in them come first
 */
export function useChosenCurve(projects: readonly NamedProject[], isDue: boolean): ChosenCurve {
  const [chosen, choose] = useState<string | null>(null)
  const [asked, setAsked] = useState<string | null>(null)
  const project = projects.find(({ id }) => id === chosen) ?? projects[0] ?? null
  const enrolment = useEnrolment(isDue ? (project?.id ?? null) : null, project !== null && asked === project.id)
  return { project, choose, enrolment, ask: () => setAsked(project?.id ?? null) }
}

interface EnrolmentSectionProps {
  readonly projects: readonly NamedProject[]
  readonly curve: ChosenCurve
}

/** The enrolment curve of one of the user's projects. */
export function EnrolmentSection({ projects, curve }: EnrolmentSectionProps) {
  const { t } = useTranslation('home')
  const language = useLanguage()
  const { project } = curve
  if (project === null) return null
  return (
    <section aria-labelledby="home-enrolment" className={classes.section}>
      <div className={classes.sectionHead}>
        <h2 id="home-enrolment" className={classes.heading}>
          {t('curve.heading')}
        </h2>
        {projects.length > 1 && (
          <Select
            size="md"
            value={project.id}
            onChange={curve.choose}
            allowDeselect={false}
            aria-label={t('curve.project')}
            data={projects.map(({ id, projectName }) => ({ value: id, label: studyName(projectName, language) }))}
            w="min(100%, 420px)"
          />
        )}
      </div>
      <div className={classes.chart}>
        <Curve key={project.id} project={project} curve={curve} />
      </div>
    </section>
  )
}

interface CurveProps {
  readonly project: NamedProject
  readonly curve: ChosenCurve
}

/** The curve; or, where not all patients are here, why there is none and how to get it. Nothing is drawn of a part. */
function Curve({ project, curve: { enrolment, ask } }: CurveProps) {
  const { t } = useTranslation('home')
  const language = useLanguage()
  const { reachable } = useSession()
  if (enrolment.state === 'failed' && enrolment.error.code === 'not_kept') {
    return (
      <div className={classes.noChart}>
        <p>{t(reachable === false ? 'curve.offline' : 'curve.notHere')}</p>
        {reachable !== false && (
          <Button size="md" variant="default" onClick={ask}>
            {t('curve.ask')}
          </Button>
        )}
      </div>
    )
  }
  return (
    <Loaded of={enrolment} rows={LINES}>
      {(value) =>
        value.days.length === 0 ? (
          <p className={classes.noChart}>{t('curve.nobody')}</p>
        ) : (
          <EnrolmentChart
            project={shortStudyName(studyName(project.projectName, language))}
            enrolment={value}
            meanwhile={
              <div className={classes.chartRoom}>
                <Loaded of={{ state: 'loading' }} rows={LINES}>
                  {() => null}
                </Loaded>
              </div>
            }
          />
        )
      }
    </Loaded>
  )
}
