import { Button, Progress } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { PlanVersion } from '#core/api/calls/review/check.ts'
import type { CenterRow, VersionRow } from '#core/api/sync/rows.ts'
import type { ReviewTrack } from '#core/review/verification.ts'
import { useCenters, useVersion } from '#src/data/hooks/projects.ts'
import type { Loadable } from '#src/data/shapes/types.ts'
import { useSession } from '#src/session/useSession.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'
import { figure } from '#src/ui/words/format.ts'

import classes from '../check.module.css'
import { PlanEditor } from './PlanEditor.tsx'
import { PlanFacts } from './PlanFacts.tsx'
import { useDraft } from './draftStore.ts'
import { draftOf, newDraft } from './planDraft.ts'
import { usePlanWords } from './usePlanFacts.ts'

interface PlanPartProps {
  readonly projectId: string
  readonly track: ReviewTrack
  readonly mayPlan: boolean
  readonly plans: Loadable<readonly PlanVersion[]>
}

/** The plan of a track: what holds, what held before, and for who may, the next version. */
export function PlanPart({ projectId, track, mayPlan, plans }: PlanPartProps) {
  const { current } = useSession()
  const centers = useCenters(projectId)
  const version = useVersion(projectId)
  const userId = current.state === 'open' ? current.user.userId : ''
  const [draft, setDraft] = useDraft(`${userId} ${projectId} ${track}`)
  const around = {
    centers: centers.state === 'ready' ? centers.value : NONE,
    version: version.state === 'ready' ? version.value : null,
  }
  if (draft !== null && mayPlan)
    return <PlanEditor key={track} {...{ projectId, track, draft, setDraft }} {...around} />
  return (
    <Loaded of={plans} rows={6}>
      {(versions) => (
        <Plans
          versions={versions}
          {...around}
          onMake={
            mayPlan
              ? () => {
                  const active = versions.find(({ isActive }) => isActive)
                  setDraft(active === undefined ? newDraft() : draftOf(active.plan))
                }
              : null
          }
        />
      )}
    </Loaded>
  )
}

const NONE: readonly CenterRow[] = []

interface PlansProps {
  readonly versions: readonly PlanVersion[]
  readonly centers: readonly CenterRow[]
  readonly version: VersionRow | null
  /** Null for who may not. */
  readonly onMake: (() => void) | null
}

function Plans({ versions, centers, version, onMake }: PlansProps) {
  const { t } = useTranslation('review')
  const wordsOf = usePlanWords(version, centers)
  const active = versions.find(({ isActive }) => isActive)
  const former = versions.filter((one) => one !== active)
  if (active === undefined)
    return (
      <EmptyState
        icon={<IconListCheck size={44} stroke={1.4} />}
        title={t('list.noPlan.title')}
        text={t(onMake === null ? 'list.noPlan.ask' : 'plan.empty')}
        {...(onMake === null
          ? {}
          : {
              action: (
                <Button size="md" onClick={onMake}>
                  {t('list.noPlan.toMake')}
                </Button>
              ),
            })}
      />
    )
  return (
    <>
      <Panel
        title={t('plan.active', { no: active.no })}
        actions={
          onMake !== null && (
            <Button size="md" variant="default" onClick={onMake}>
              {t('plan.change')}
            </Button>
          )
        }
      >
        {active.progress !== null && <Running {...active.progress} />}
        <PlanFacts version={active} words={wordsOf(active.plan)} />
      </Panel>
      {former.length > 0 && (
        <details className={classes.former}>
          <summary>{t('plan.former', { count: former.length })}</summary>
          {former.map((one) => (
            <Panel key={one.id} title={t('plan.version', { no: one.no })}>
              <PlanFacts version={one} words={wordsOf(one.plan)} />
            </Panel>
          ))}
        </details>
      )}
    </>
  )
}

/** The job that counts for every page what a new plan asks of it. */
export function Running({ done, total }: NonNullable<PlanVersion['progress']>) {
  const { t } = useTranslation('review')
  return (
    <div className={classes.running}>
      <span>{t('plan.running')}</span>
      <Progress
        className={classes.runningBar}
        value={total === 0 ? 0 : (100 * done) / total}
        aria-label={t('plan.running')}
        transitionDuration={120}
      />
      {/* The figure changes every second, so it is not read out each time. */}
      <span className={classes.percent}>{t('plan.ran', { done: figure(done, 0), total: figure(total, 0) })}</span>
    </div>
  )
}
