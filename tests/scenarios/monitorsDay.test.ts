import { beforeAll, describe, expect, test } from 'vitest'
import { querySorts } from '#core/api/calls/review/query.ts'
import type { QueryState } from '#core/review/query.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { runReviewPlans } from '#server/jobs/reviewPlan.ts'
import type { QueryFilter } from '#src/data/shapes/queryTypes.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import * as casebook from '#tests/scenarios/support/monitored/casebook.ts'
import { tellPages, tellThread, tellTrail } from '#tests/scenarios/support/monitored/evidence.ts'
import * as figures from '#tests/scenarios/support/monitored/figures.ts'
import * as looks from '#tests/scenarios/support/monitored/looks.ts'
import { Team, addPeople } from '#tests/scenarios/support/monitored/people.ts'
import type { Name } from '#tests/scenarios/support/monitored/people.ts'
import { playAll, walk } from '#tests/scenarios/support/monitored/play.ts'
import { REMOVED, SECRET, SIZES, enterEverybody } from '#tests/scenarios/support/monitored/population.ts'
import * as script from '#tests/scenarios/support/monitored/script.ts'
import * as told from '#tests/scenarios/support/monitored/told.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'

/**
 * A day of a study of three centers and 300 patients, from rules that ask to the report of the monitoring visit, and
 * what every list and count says of it in the end: all figures were made by hand.
 */

const server = serverForAllTests()
const pages = casebook.namesOfPages(SIZES)
const COORDINATORS = ['lin', 'wu', 'south', 'xu'] as const
const TABLETS_OF_NORTH = ['lin', 'wu'] as const
let team: Team

beforeAll(async () => {
  await casebook.releaseCasebook(server.world)
  await enterEverybody(server.world, await addPeople(server))
  team = await Team.atWork(server)
  await team.signIn()
  const removed = casebook.patientId(REMOVED.center, REMOVED.no)
  await team.tablet('south').device.removePatient(team.projectId, removed, { code: 'other', text: '重复录入' })
  await syncAll('south')
}, 120_000)

async function syncAll(...whom: readonly Name[]): Promise<void> {
  await playAll(
    team,
    whom.map((who) => ({ who, syncs: true })),
  )
}

/** What is listed in a text. */
function partsOf(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim())
}

describe('the day', () => {
  test('begins with what rules ask about what arrives', async () => {
    expect(await looks.countForAll(team)).toEqual(figures.AFTER_ARRIVAL)
  })

  test('goes on with what people ask, and what they only propose to ask', async () => {
    await playAll(team, script.MORNING)
    await syncAll(...COORDINATORS)
    expect(await looks.countForAll(team)).toEqual(figures.AFTER_MORNING)
    expect(await looks.countFound(team, 'qian', { overdue: '1' })).toBe(1)
    // Not about another center, and not about what they may not see.
    expect(await looks.refusalOfQuestion(team, 'zheng', newId(), 'E1 VS pulse')).toBe('not_found')
    expect(await looks.refusalOfQuestion(team, 'zheng', newId(), 'N2 DM name')).toBe('forbidden')
  })

  test('has plans, of which it is told beforehand what they ask for', async () => {
    expect(await looks.readCoverage(team, 'qian', script.SDV_PLAN)).toEqual(figures.COVERAGE)
    expect(await looks.readCoverage(team, 'sun', script.SDV_PLAN)).toEqual(figures.COVERAGE)
    for (const [track, plan] of Object.entries({ sdv: script.SDV_PLAN, dmr: script.DMR_PLAN })) {
      const body = { projectId: team.projectId, track: track as 'sdv' | 'dmr', plan, note: '按监查计划' }
      await team.ask('qian', 'review.planSwitch', { body })
    }
    await runReviewPlans(server.world.services)
    expect(await looks.readProgress(team, 'qian', 'sdv')).toEqual(figures.SDV_AT_THE_START)
  })

  test('is verified page by page, while two tablets are away', async () => {
    for (const who of TABLETS_OF_NORTH) team.tablet(who).goOffline()
    expect(await walk(team, pages, script.SDV_WALK)).toEqual(partsOf(figures.SDV_WALKED))
    expect(await walk(team, pages, script.DMR_WALK)).toEqual(partsOf(figures.DMR_WALKED))
    await playAll(team, script.MEANWHILE)
  })

  test('brings answers and corrections of two tablets that were away', async () => {
    await playAll(team, script.OFFLINE)
    for (const who of TABLETS_OF_NORTH) team.tablet(who).comeBack()
    await playAll(team, script.BACK)
    // What the monitor saw before the correction came is not verified by it.
    expect(await looks.verifyStale(team, 'zheng', 'N8 VS sbp', 120)).toEqual(['value'])
  })

  test('ends with what is asked again, closed and verified again', async () => {
    await playAll(team, script.AFTERNOON)
    await syncAll(...COORDINATORS)
    for (const who of COORDINATORS) expect(await team.tablet(who).unsent()).toBe(0)
  })
})

describe('in the evening, queries', () => {
  test('are counted for each person, with what waits for them', async () => {
    expect(await looks.countForAll(team)).toEqual(figures.IN_THE_EVENING)
    for (const who of looks.EVERYBODY)
      expect(await looks.countFound(team, who, { waits: '1' })).toBe(figures.IN_THE_EVENING[who].waits)
  })

  test('are what notices tell people of', async () => {
    for (const who of looks.EVERYBODY)
      expect([who, await looks.countNotices(team, who)]).toEqual([who, figures.NOTICES[who]])
  })

  test('are listed by state and center', async () => {
    for (const center of looks.CENTERS)
      for (const [state, count] of Object.entries(figures.BY_CENTER[center])) {
        const filter = { centerId: team.center(center), state: [state as QueryState] }
        expect([center, state, await looks.countFound(team, 'qian', filter)]).toEqual([center, state, count])
      }
  })

  test('are found by what they are about, by whom and in which words', async () => {
    for (const [who, filter, count] of figures.FOUND) {
      const found = await looks.countFound(team, who, filter as unknown as Partial<QueryFilter>)
      expect([who, filter, found]).toEqual([who, filter, count])
    }
  })

  test('come page by page, each once', async () => {
    const numbers: number[] = []
    for (const current of [1, 2, 3, 4, 5]) {
      const list = valueOf(await team.lookAnew('qian').queries(team.projectId, { sort: 'patient', current, size: 20 }))
      numbers.push(...list.queries.map(({ query }) => query.no))
    }
    expect([numbers.length, new Set(numbers).size]).toEqual([86, 86])
  })

  test('come in the same order on a tablet as from the server, by whatever they are sorted', async () => {
    for (const sort of querySorts) expect([sort, await looks.countFound(team, 'lin', { sort })]).toEqual([sort, 44])
  })

  test('have the thread of the script, for who enters, who monitors and who manages the data', async () => {
    for (const [about, thread] of Object.entries(told.THREADS))
      for (const who of ['lin', 'wu', 'zheng', 'qian'] as const)
        expect([about, ...tellThread(await team.query(who, about))]).toEqual([about, ...thread])
    for (const [about, thread] of Object.entries(told.CANDIDATES)) {
      for (const who of ['zheng', 'qian'] as const) expect(tellThread(await team.query(who, about))).toEqual(thread)
      const ofSite = about.startsWith('N') ? 'lin' : 'south'
      expect(await team.queriesOf(ofSite, casebook.placeOf(about).patientId)).toEqual([])
    }
  })
})

describe('in the evening, what is verified', () => {
  test('is counted by center, in both tracks', async () => {
    expect(await looks.readProgress(team, 'qian', 'sdv')).toEqual(figures.SDV_PROGRESS)
    expect(await looks.readProgress(team, 'sun', 'dmr')).toEqual(figures.DMR_PROGRESS)
    const { N, S } = figures.SDV_PROGRESS
    expect(await looks.readProgress(team, 'zheng', 'sdv')).toEqual({ N, S })
    expect(await looks.readCoverage(team, 'qian', script.SDV_PLAN)).toEqual(figures.COVERAGE_IN_THE_EVENING)
  })

  test('is listed by state, with what is asked about each page', async () => {
    expect(await looks.countListed(team, 'zheng', 'sdv')).toEqual(figures.SDV_LIST)
    expect(await looks.countListed(team, 'zheng', 'sdv', 'N')).toEqual(figures.SDV_LIST_NORTH)
    expect(await looks.countListed(team, 'qian', 'dmr')).toEqual(figures.DMR_LIST)
    const { records: changed } = await looks.listReview(team, 'zheng', 'sdv', 'changed')
    expect(changed.map((line) => pages.get(line.entryId))).toEqual(['N1 CM', 'N9 FU', 'N10 VS'])
    const { records: all } = await looks.listReview(team, 'zheng', 'sdv', 'all')
    expect(all.reduce((sum, { queries }) => sum + queries, 0)).toBe(figures.ASKED_ON_LISTED_PAGES)
  })

  test('is told of the pages of a patient', async () => {
    for (const [patient, expected] of Object.entries(figures.BY_PATIENT))
      expect([patient, await looks.readPagesOf(team, 'qian', pages, patient)]).toEqual([patient, expected])
  })

  test('is in the report of the monitoring visit, with what was asked and is left', async () => {
    const north = await looks.readReport(team, 'zheng', { centerId: team.center('N') })
    expect(tellPages(north)).toEqual(told.PAGES_OF_NORTH)
    expect(north).toMatchObject({ centerName: '北院', ...figures.REPORT_OF_NORTH })
    expect(north.open).toHaveLength(35)
    for (const who of ['qian', 'sun'] as const) {
      const all = await looks.readReport(team, who)
      expect(all).toMatchObject(figures.REPORT_OF_ALL)
      expect([all.pages.length, all.open.length]).toEqual([36, 71])
    }
  })
})

describe('the audit trail', () => {
  test('tells each step once', async () => {
    const rows = await server.rows<{ action: string; count: number }>(
      `SELECT action, count(*)::integer AS count FROM audit
       WHERE action LIKE 'query.%' OR action LIKE 'review.%' GROUP BY action`,
    )
    expect(Object.fromEntries(rows.map(({ action, count }) => [action, count]))).toEqual(figures.TOLD_BY_AUDIT)
  })

  test('tells the whole of a patient, and of others what people did: who, what, old, new and why', async () => {
    expect(await tellTrail(team, 'zheng', 'N10')).toEqual(told.TRAIL_OF_N10)
    expect(await tellTrail(team, 'sun', 'N10')).toEqual(told.TRAIL_OF_N10)
    for (const [patient, expected] of Object.entries(told.TRAILS)) {
      const trail = await tellTrail(team, 'zheng', patient)
      expect([patient, ...trail.slice(-expected.length)]).toEqual([patient, ...expected])
      const earlier = trail.slice(0, -expected.length).filter((line) => !line.includes('query.ask'))
      expect(earlier.filter((line) => /query|review|correct/.test(line))).toEqual([])
    }
  })

  test('tells a site what was asked and answered about a field, and nothing of what was verified', async () => {
    const { records } = await team.ask('lin', 'audit.field', {
      params: { id: entryId(casebook.targetOf('N10 VS')) },
      query: { projectId: team.projectId, prop: 'sbp', current: 1, size: 100 },
    })
    expect(records.map(({ action }) => action).toReversed()).toEqual(told.STEPS_OF_FIELD)
  })

  test('holds, each link of it', async () => {
    const report = await team.ask('sun', 'audit.verify', { query: { projectId: team.projectId } })
    expect(report).toMatchObject({ holds: true, firstBroken: null, problem: null })
  })
})

describe('nobody is told', () => {
  const { patientId: ofNorth } = casebook.placeOf('N10')
  const entry = entryId(casebook.targetOf('N10 VS'))

  test('who enters in the east, of the north', async () => {
    expect(await looks.countFound(team, 'xu', { centerId: team.center('N') })).toBe(0)
    expect(await looks.countFound(team, 'xu', { patientId: ofNorth })).toBe(0)
    expect(await looks.refusalOfAct(team, 'xu', 'answer', 'N10 VS sbp')).toBe('not_found')
    const query = { projectId: team.projectId, prop: 'sbp', current: 1, size: 10 }
    expect(await team.refusal('xu', 'audit.field', { params: { id: entry }, query })).toBe('not_found')
    expect(team.told('xu').filter((text) => text.includes(ofNorth) || text.includes(entry))).toEqual([])
  })

  test('who monitors the two others, of the east', async () => {
    const { projectId } = team
    const { patientId } = casebook.placeOf('E1')
    const centerId = team.center('E')
    expect(await looks.countFound(team, 'zheng', { centerId })).toBe(0)
    expect(await tellTrail(team, 'zheng', 'E1')).toEqual([])
    expect((await looks.listReview(team, 'zheng', 'sdv', 'all', 'E')).total).toBe(0)
    expect(await team.refusal('zheng', 'review.patient', { query: { projectId, patientId } })).toBe('not_found')
    const query = { projectId, from: '2026-01-01', to: '2026-12-31', centerId }
    expect(await team.refusal('zheng', 'review.report', { query })).toBe('not_found')
    expect(await looks.refusalOfAct(team, 'zheng', 'close', 'E2 VS pulse')).toBe('not_found')
    expect(team.told('zheng').filter((text) => text.includes(patientId) || text.includes('E03-0'))).toEqual([])
  })

  test('who enters, of what is verified; and who manages the project only what reports say of it', async () => {
    const { projectId } = team
    for (const who of COORDINATORS) {
      const query = { projectId, track: 'sdv' as const }
      expect(await team.refusal(who, 'review.progress', { query })).toBe('forbidden')
      expect(await team.refusal(who, 'review.next', { query })).toBe('forbidden')
      expect(await team.refusal(who, 'review.entry', { query: { projectId, entryId: entry } })).toBe('forbidden')
      expect(await team.refusal(who, 'review.patient', { query: { projectId, patientId: ofNorth } })).toBe('forbidden')
      const audit = { projectId, patientId: ofNorth, current: 1, size: 10 }
      expect(await team.refusal(who, 'audit.list', { query: audit })).toBe('forbidden')
    }
    expect(await team.refusal('sun', 'review.next', { query: { projectId, track: 'sdv' } })).toBe('forbidden')
    // Nor of a question that nobody has decided to ask.
    expect((await tellTrail(team, 'sun', 'N13')).filter((line) => line.includes('query'))).toEqual([])
  })

  test('who may not see it, of what identifies a patient', async () => {
    const { query } = await team.query('zheng', 'N1 DM name')
    expect(query.thread.map(({ text, content }) => [text, content?.value])).toEqual([
      ['***', '***'],
      ['***', '***'],
    ])
    for (const who of ['zheng', 'qian', 'sun'] as const)
      expect(team.told(who).filter((text) => text.includes(SECRET))).toEqual([])
    // The site was told: the word would have been found.
    expect(team.told('lin').filter((text) => text.includes(SECRET))).not.toEqual([])
  })
})

test('another plan asks for everything of everybody: no mark is lost, and the former plan is kept', async () => {
  const { projectId } = team
  const plan = { ...script.SDV_PLAN, critical: [], sharePercent: 100, folders: null, centers: [] }
  await team.ask('sun', 'review.planSwitch', { body: { projectId, track: 'sdv', plan, note: '全部核查' } })
  await runReviewPlans(server.world.services)
  expect(await looks.readProgress(team, 'zheng', 'sdv')).toMatchObject(figures.EVERYTHING_PLANNED)
  expect(await looks.readProgress(team, 'qian', 'dmr')).toEqual(figures.DMR_PROGRESS)
  const versions = await team.ask('zheng', 'review.plans', { query: { projectId, track: 'sdv' } })
  expect(versions).toMatchObject([
    { no: 2, isActive: true, plan, note: '全部核查', byName: 'sun (测试)', progress: null },
    { no: 1, isActive: false, plan: script.SDV_PLAN, note: '按监查计划', byName: 'qian (测试)' },
  ])
})
