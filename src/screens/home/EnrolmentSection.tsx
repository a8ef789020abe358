import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { useEnrolment } from '#src/data/hooks/enrolment.ts'
import { useSession } from '#src/session/useSession.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { shortStudyName } from '#src/ui/words/studyName.ts'
import { laterPart } from '#src/parts/laterPart.tsx'

import classes from './home.module.css'

/** Comes with its scales when it is first drawn. */
const EnrolmentChart = laterPart(async () => (await import('./EnrolmentChart.tsx')).EnrolmentChart)

/** Placeholders: about as high as the chart. */
const LINES = 4

interface EnrolmentSectionProps {
  readonly projects: readonly Pick<ProjectRow, 'id' | 'projectName'>[]
  /** Whether it is time to read: the projects and what waits in them come first. */
  readonly isDue: boolean
}

/** The enrolment curve of one of the user's projects. */
export function EnrolmentSection({ projects, isDue }: EnrolmentSectionProps) {
  const { t } = useTranslation('home')
  const [chosen, setChosen] = useState<string | null>(null)
  const project = projects.find(({ id }) => id === chosen) ?? projects[0]
  if (project === undefined) return null
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
            onChange={setChosen}
            allowDeselect={false}
            aria-label={t('curve.project')}
            data={projects.map(({ id, projectName }) => ({ value: id, label: projectName }))}
            w="min(100%, 420px)"
          />
        )}
      </div>
      <div className={classes.chart}>
        <Curve key={project.id} project={project} isDue={isDue} />
      </div>
    </section>
  )
}

interface CurveProps {
  readonly project: Pick<ProjectRow, 'id' | 'projectName'>
  readonly isDue: boolean
}

/** The curve; or, where not all patients are here, why there is none and how to get it. Nothing is drawn of a part. */
function Curve({ project, isDue }: CurveProps) {
  const { t } = useTranslation('home')
  const { reachable } = useSession()
  const [asks, setAsks] = useState(false)
  const enrolment = useEnrolment(isDue ? project.id : null, asks)
  if (enrolment.state === 'failed' && enrolment.error.code === 'not_kept') {
    return (
      <div className={classes.noChart}>
        <p>{t(reachable === false ? 'curve.offline' : 'curve.notHere')}</p>
        {reachable !== false && (
          <Button size="md" variant="default" onClick={() => setAsks(true)}>
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
            project={shortStudyName(project.projectName)}
            enrolment={value}
            meanwhile={
              <Loaded of={{ state: 'loading' }} rows={LINES}>
                {() => null}
              </Loaded>
            }
          />
        )
      }
    </Loaded>
  )
}
