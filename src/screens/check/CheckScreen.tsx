import { SegmentedControl, Tabs } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOutletContext, useSearchParams } from 'react-router-dom'
import type { PlanVersion } from '#core/api/calls/review/check.ts'
import { mayPlanReview, reviewRightsOf, seesReview } from '#core/access/reviewRights.ts'
import { reviewTracks, tracksOf } from '#core/review/verification.ts'
import type { ReviewTrack } from '#core/review/verification.ts'
import { useServerQuery } from '#src/data/server.ts'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { NoAccess } from '#src/frame/shell/NoAccess.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'

import classes from './check.module.css'
import { checkParts, partIn, trackIn, withPart, withTrack } from './checkAddress.ts'
import type { CheckPart } from './checkAddress.ts'
import { ReviewList } from './list/ReviewList.tsx'
import { PlanPart } from './plan/PlanPart.tsx'
import { ProgressPart } from './progress/ProgressPart.tsx'
import { ReportPart } from './report/ReportPart.tsx'
import { useOnlineOnly } from '#src/frame/useOnlineOnly.ts'

/**
 * Checking in a project, for who verifies against the source or reviews the data, and for who plans it: the pages
 * to check, how far each center is, the plan, and reports of monitoring visits.
 */
export function CheckScreen() {
  const { project } = useOutletContext<WorkspacePlace>()
  const held = new Set(project.permissions)
  return seesReview(held) ? <Check project={project} tracks={tracksOf(reviewRightsOf(held))} /> : <NoAccess />
}

interface CheckProps extends WorkspacePlace {
  /** Those in which the reader checks; none for who only plans. */
  readonly tracks: readonly ReviewTrack[]
}

function Check({ project, tracks }: CheckProps) {
  const { t } = useTranslation('review')
  const [address, setAddress] = useSearchParams()
  const parts = tracks.length === 0 ? WITHOUT_LIST : checkParts
  const part = partIn(address, parts)
  const mayPlan = mayPlanReview(new Set(project.permissions))
  // Who plans does so for both tracks, and sees how far both are; the pages to check are those of their own.
  const offered = mayPlan && (part === 'plan' || part === 'progress') ? reviewTracks : tracks
  const track = trackIn(address, startingWith(tracks, offered))
  const choose = (next: string | null) => {
    const known = parts.find((one) => one === next) ?? part
    setAddress((before) => withPart(before, known))
  }
  return (
    <PageFrame
      title={t('list.title')}
      wide
      printsOwnHead={part === 'report'}
      actions={<TrackChoice offered={part === 'report' ? [] : offered} track={track} />}
    >
      <Tabs value={part} onChange={choose} keepMounted={false} classNames={{ list: classes.tabs ?? '' }}>
        <Tabs.List aria-label={t('list.parts.title')} data-print="no">
          {parts.map((one) => (
            <Tabs.Tab key={one} value={one} className={classes.tab}>
              {t(`list.parts.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={part} className={classes.part}>
          <Part {...{ project, part, track, tracks, mayPlan }} />
        </Tabs.Panel>
      </Tabs>
    </PageFrame>
  )
}

const WITHOUT_LIST = checkParts.filter((part) => part !== 'list')

/** All of the tracks, the reader's own first: that is where an address without a track leads. */
function startingWith(own: readonly ReviewTrack[], all: readonly ReviewTrack[]): readonly ReviewTrack[] {
  return [...own, ...all.filter((track) => !own.includes(track))]
}

interface PartProps extends CheckProps {
  readonly part: CheckPart
  readonly track: ReviewTrack
  readonly mayPlan: boolean
}

function Part({ project: { id: projectId }, part, track, tracks, mayPlan }: PartProps) {
  const plans = useOnlineOnly(
    useServerQuery('review.plans', { query: { projectId, track }, projectId }, '', whileItRuns),
  )
  switch (part) {
    case 'list':
      return <ReviewList key={track} {...{ projectId, track, mayPlan, plans }} />
    case 'progress':
      return <ProgressPart {...{ projectId, track }} hasList={tracks.includes(track)} />
    case 'plan':
      return <PlanPart key={track} {...{ projectId, track, mayPlan, plans }} />
    case 'report':
      return <ReportPart projectId={projectId} tracks={tracks} />
  }
}

/** How often the plans are read again while what the new one asks for is counted, in ms. */
const RUNNING_MS = 2000

function whileItRuns(plans: readonly PlanVersion[]): number | null {
  return plans.some(({ progress }) => progress !== null) ? RUNNING_MS : null
}

interface TrackChoiceProps {
  readonly offered: readonly ReviewTrack[]
  readonly track: ReviewTrack
}

/** Which kind of check is looked at. Who has one kind reads which it is. */
function TrackChoice({ offered, track }: TrackChoiceProps) {
  const { t } = useTranslation('review')
  const [, setAddress] = useSearchParams()
  if (offered.length === 0) return null
  if (offered.length === 1) return <span className={classes.track}>{t(`track.${track}`)}</span>
  return (
    <SegmentedControl
      size="md"
      aria-label={t('page.tracks')}
      value={track}
      onChange={(next) => setAddress((before) => withTrack(before, next), { replace: true })}
      data={reviewTracks.map((value) => ({ value, label: t(`track.${value}`) }))}
    />
  )
}
