import { beforeAll, describe, expect, test } from 'vitest'
import type { QueryFigures } from '#src/data/shapes/queryTypes.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { runReviewPlans } from '#server/jobs/reviewPlan.ts'
import { namesOfPages, patientId, releaseCasebook } from '#tests/scenarios/support/monitored/casebook.ts'
import type { CenterCode } from '#tests/scenarios/support/monitored/casebook.ts'
import * as figures from '#tests/scenarios/support/monitored/figures.ts'
import { addPeople, PEOPLE, Team } from '#tests/scenarios/support/monitored/people.ts'
import type { Name } from '#tests/scenarios/support/monitored/people.ts'
import { playAll, walk } from '#tests/scenarios/support/monitored/play.ts'
import { REMOVED, SIZES, enterEverybody } from '#tests/scenarios/support/monitored/population.ts'
import * as script from '#tests/scenarios/support/monitored/script.ts'

/**
 * A day of a study of three centers and 300 patients, from rules that ask to the report of the monitoring visit, and
 * what every list and count says of it in the end: all figures were made by hand.
 */

const server = serverForAllTests()
const names = namesOfPages(SIZES)
const EVERYBODY = Object.keys(PEOPLE) as Name[]
let team: Team
const clock = (what: string) => console.log(what, Math.round(performance.now()))

beforeAll(async () => {
  clock('start')
  await releaseCasebook(server.world)
  const sites = await addPeople(server)
  await enterEverybody(server.world, sites)
  clock('entered')
  team = await Team.atWork(server)
  await team.signIn()
  clock('signed in')
  const { device } = team.tablet('south')
  const removed = patientId(REMOVED.center, REMOVED.no)
  await device.removePatient(team.projectId, removed, { code: 'other', text: '重复录入' })
  await playAll(team, [{ who: 'south', syncs: true }])
  clock('removed')
}, 120_000)

async function badges(): Promise<Readonly<Record<string, QueryFigures>>> {
  const told = new Map<Name, QueryFigures>()
  for (const who of EVERYBODY) {
    const shown = valueOf(await team.screenOf(who).queryFigures(team.projectId))
    const counted = await team.ask(who, 'query.counts', { query: { projectId: team.projectId } })
    expect(shown).toEqual(counted)
    told.set(who, shown)
  }
  return Object.fromEntries(told)
}

const progress = async (who: Name, track: 'sdv' | 'dmr') => {
  const told = await team.ask(who, 'review.progress', { query: { projectId: team.projectId, track } })
  return Object.fromEntries(
    told.map(({ centerId, centerName: _, ...rest }) => [
      (['N', 'S', 'E'] as CenterCode[]).find((code) => team.center(code) === centerId),
      rest,
    ]),
  )
}

describe('the day', () => {
  test('begins with what rules ask', async () => {
    expect(await badges()).toEqual(figures.AFTER_ARRIVAL)
  })

  test('goes on with what people ask', async () => {
    await playAll(team, script.MORNING)
    for (const who of ['lin', 'wu', 'south', 'xu'] as const) await playAll(team, [{ who, syncs: true }])
    expect(await badges()).toEqual(figures.AFTER_MORNING)
    clock('morning')
  })

  test('plan', async () => {
    for (const who of ['sun', 'qian'] as const) {
      const told = await team.ask(who, 'review.planCoverage', {
        body: { projectId: team.projectId, track: 'sdv', plan: script.SDV_PLAN },
      })
      const { centers, ...all } = told
      expect(all).toEqual(figures.COVERAGE.all)
    }
    await team.ask('qian', 'review.planSwitch', {
      body: { projectId: team.projectId, track: 'sdv', plan: script.SDV_PLAN, note: '按监查计划' },
    })
    await team.ask('qian', 'review.planSwitch', {
      body: { projectId: team.projectId, track: 'dmr', plan: script.DMR_PLAN, note: '按数据管理计划' },
    })
    await runReviewPlans(server.world.services)
    expect(await progress('qian', 'sdv')).toEqual(figures.SDV_AT_THE_START)
    clock('planned')
  })

  test('is verified while tablets are away', async () => {
    for (const who of ['lin', 'wu'] as const) team.tablet(who).goOffline()
    expect(await walk(team, names, script.SDV_WALK)).toEqual(figures.SDV_WALKED)
    expect(await walk(team, names, script.DMR_WALK)).toEqual(figures.DMR_WALKED)
    await playAll(team, script.MEANWHILE)
    clock('walked')
    await playAll(team, script.OFFLINE)
    for (const who of ['lin', 'wu'] as const) team.tablet(who).comeBack()
    await playAll(team, script.BACK)
    clock('back')
    await playAll(team, script.AFTERNOON)
    for (const who of ['lin', 'wu', 'south', 'xu'] as const) await playAll(team, [{ who, syncs: true }])
    clock('afternoon')
  })
  test('evening', async () => {
    expect(await badges()).toEqual(figures.IN_THE_EVENING)
    expect(await progress('qian', 'sdv')).toEqual(figures.SDV_PROGRESS)
    expect(await progress('qian', 'dmr')).toEqual(figures.DMR_PROGRESS)
  })
})
