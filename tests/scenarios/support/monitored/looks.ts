import { expect } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import type { ReviewPlan } from '#core/review/reviewPlan.ts'
import type { ReviewTrack } from '#core/review/verification.ts'
import type { QueryFigures, QueryFilter } from '#src/data/shapes/queryTypes.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'

import { VERSION, placeOf, targetOf } from './casebook.ts'
import type { CenterCode } from './casebook.ts'
import { PEOPLE } from './people.ts'
import type { Name, Team } from './people.ts'

/** What people look at: badges, lists, progress, reports. What a device shows is held against the server's answer. */

export const EVERYBODY = Object.keys(PEOPLE) as readonly Name[]
export const CENTERS = ['N', 'S', 'E'] as const

/** What the badge and the heads of lists count for everybody. */
export async function countForAll(team: Team): Promise<Readonly<Record<string, QueryFigures>>> {
  const counts: [string, QueryFigures][] = []
  for (const who of EVERYBODY) {
    const shown = valueOf(await team.lookAnew(who).queryFigures(team.projectId))
    expect(await team.ask(who, 'query.counts', { query: { projectId: team.projectId } })).toEqual(shown)
    counts.push([who, shown])
  }
  return Object.fromEntries(counts)
}

/** How many queries a list has. */
export async function countFound(team: Team, who: Name, filter: Partial<QueryFilter>): Promise<number> {
  const asked: QueryFilter = { sort: 'no', current: 1, size: 500, ...filter }
  const list = valueOf(await team.lookAnew(who).queries(team.projectId, asked))
  const { state, source, ...rest } = asked
  const { records, total } = await team.ask(who, 'query.list', {
    query: {
      ...rest,
      projectId: team.projectId,
      ...(state === undefined ? {} : { state: state.join(',') }),
      ...(source === undefined ? {} : { source: source.join(',') }),
    },
  })
  expect(total).toBe(list.total)
  expect(records.map(({ query }) => query.id)).toEqual(list.queries.map(({ query }) => query.id))
  return list.total
}

/** How many notices of queries wait, and of how many queries they tell. */
export async function countNotices(team: Team, who: Name): Promise<readonly [number, number]> {
  const { records } = await team.ask(who, 'notice.list', { query: { status: '0', current: 1, size: 100 } })
  const about = records.filter(({ kind }) => kind === 'query_site' || kind === 'query_review')
  return [about.length, about.reduce((sum, { count = 0 }) => sum + count, 0)]
}

interface OfCenter {
  readonly centerId: string
  readonly centerName: string
}

type Figures = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** By center, what is told of each, without its name. */
function byCenter(team: Team, all: readonly OfCenter[]): Figures {
  return Object.fromEntries(
    all.map((one): [string, Readonly<Record<string, unknown>>] => {
      const figures = Object.entries(one).filter(([part]) => part !== 'centerId' && part !== 'centerName')
      return [CENTERS.find((code) => team.center(code) === one.centerId) ?? 'unknown', Object.fromEntries(figures)]
    }),
  )
}

export async function readProgress(team: Team, who: Name, track: ReviewTrack): Promise<Figures> {
  return byCenter(team, await team.ask(who, 'review.progress', { query: { projectId: team.projectId, track } }))
}

/** What a plan of source verification asks for: in all centers, and in each. */
export async function readCoverage(team: Team, who: Name, plan: ReviewPlan): Promise<Figures> {
  const body = { projectId: team.projectId, track: 'sdv' as const, plan }
  const { centers, ...all } = await team.ask(who, 'review.planCoverage', { body })
  return { all, ...byCenter(team, centers) }
}

export const LIST_STATES = ['all', 'notReady', 'complete', 'changed', 'toDo'] as const

/** Pages that are to be checked, of one center or of all that are seen. */
export function listReview(
  team: Team,
  who: Name,
  track: ReviewTrack,
  state: (typeof LIST_STATES)[number],
  center?: CenterCode,
) {
  const of = center === undefined ? {} : { centerId: team.center(center) }
  const query = { projectId: team.projectId, track, state, current: 1, size: 1000, ...of }
  return team.ask(who, 'review.list', { query })
}

/** How many pages are in each state. */
export async function countListed(team: Team, who: Name, track: ReviewTrack, center?: CenterCode) {
  const totals: [string, number][] = []
  for (const state of LIST_STATES) totals.push([state, (await listReview(team, who, track, state, center)).total])
  return Object.fromEntries(totals)
}

/** How far the pages of a patient are checked: `ready 2 2 0 2 0 0`, see `BY_PATIENT`. */
export async function readPagesOf(team: Team, who: Name, pages: ReadonlyMap<string, string>, patient: string) {
  const { patientId } = placeOf(patient)
  const lines = await team.ask(who, 'review.patient', { query: { projectId: team.projectId, patientId } })
  return Object.fromEntries(
    lines.map(({ entryId: id, ready, sdv, dmr }): [string, string] => [
      pages.get(id)?.split(' ')[1] ?? 'unknown',
      [ready ? 'ready' : 'saved', sdv.due, sdv.done, sdv.changed, dmr.due, dmr.done, dmr.changed].join(' '),
    ]),
  )
}

const DAY_MS = 86_400_000

/** The report of the days around now, so that it is the same wherever and whenever it is asked for. */
export function readReport(team: Team, who: Name, of: { readonly centerId?: string } = {}) {
  const day = (later: number) => new Date(Date.now() + later * DAY_MS).toISOString().slice(0, 10)
  return team.ask(who, 'review.report', { query: { projectId: team.projectId, from: day(-2), to: day(2), ...of } })
}

/** Why a question is refused; null where it is not. */
export function refusalOfQuestion(team: Team, who: Name, id: string, about: string): Promise<string | null> {
  const question = { text: '请核对', isCandidate: false, isUrgent: false, dueOn: null }
  const body = { id, projectId: team.projectId, place: placeOf(about), ...question }
  return team.refusal(who, 'query.raise', { body, crfId: VERSION })
}

/** Why an act on the query about a place is refused, by somebody who has learnt of its id. */
export async function refusalOfAct(
  team: Team,
  who: Name,
  act: 'answer' | 'close',
  about: string,
): Promise<string | null> {
  const { id, patientId } = (await team.query('qian', about)).query
  const text = act === 'answer' ? '已看' : null
  const body = { id, projectId: team.projectId, patientId, act, text, category: null }
  return team.refusal(who, 'query.act', { body, crfId: VERSION })
}

/** Verifies a field as an older screen shows it. Gives why it is left as it is. */
export async function verifyStale(team: Team, who: Name, about: string, value: number): Promise<readonly string[]> {
  const { table, rid, code } = placeOf(about)
  const items = [{ table, rid, code: code ?? '', seen: { value, missing: null } }]
  const said = { track: 'sdv', act: 'verify', method: null, note: null } as const
  const body = { ...said, projectId: team.projectId, entryId: entryId(targetOf(about)), items }
  return (await team.ask(who, 'review.act', { body })).refused.map(({ why }) => why)
}
