import type { ReviewDeed, ReviewItem, ReviewResult } from '#core/api/calls/review/check.ts'
import { addressKey } from '#core/form/definition/address.ts'
import { entryId } from '#core/derivedIds.ts'
import type { AnswerCategory } from '#core/review/queryThread.ts'
import { WHOLE_ROW } from '#core/review/queryThread.ts'
import type { QueryAct } from '#core/review/query.ts'
import type { ReviewAct, ReviewTrack } from '#core/review/verification.ts'
import { contentAt } from '#core/sync/merge.ts'
import type { ChangeReason, EntryTarget, ItemContent } from '#core/sync/entryChange.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'

import { VERSION, placeOf, targetOf } from './casebook.ts'
import type { CenterCode } from './casebook.ts'
import type { Name, Team } from './people.ts'

/** What people do in the script, done as their screens do it. */

/** One line of the script. A query is named by what it is about: nothing is asked about twice. */
export type Step =
  | {
      readonly who: Name
      readonly asks: string
      readonly says: string
      readonly as?: 'candidate'
      readonly dueOn?: string
    }
  | {
      readonly who: Name
      readonly does: QueryAct
      readonly about: string
      readonly says?: string
      readonly kind?: AnswerCategory
    }
  | { readonly who: Name; readonly corrects: string; readonly to: string; readonly why: ChangeReason['code'] }
  | { readonly who: Name; readonly deletes: string; readonly why: ChangeReason['code'] }
  | {
      readonly who: Name
      readonly does: ReviewAct
      readonly of: string
      readonly note: string | null
      readonly in: ReviewTrack
    }
  | { readonly who: Name; readonly syncs: true }

export async function playAll(team: Team, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await play(team, step)
}

async function play(team: Team, step: Step): Promise<void> {
  team.lookAnew(step.who)
  if ('syncs' in step) await syncOf(team, step.who)
  else if ('asks' in step) await ask(team, step)
  else if ('about' in step) await act(team, step)
  else if ('corrects' in step) await correct(team, step)
  else if ('deletes' in step) await deleteRow(team, step)
  else expectTaken(step.of, await mark(team, step))
}

async function syncOf(team: Team, who: Name): Promise<void> {
  const { error } = await team.tablet(who).sync()
  if (error !== null) throw new Error(error.code)
}

async function ask(team: Team, step: Extract<Step, { asks: string }>): Promise<void> {
  const place = placeOf(step.asks)
  const seen = await contentOn(team, step.who, step.asks)
  const question = { place, text: step.says, isCandidate: step.as === 'candidate', isUrgent: step.dueOn !== undefined }
  const done = await team.tablet(step.who).device.raiseQuery(team.projectId, VERSION, {
    ...question,
    dueOn: step.dueOn ?? null,
    ...(seen === null ? {} : { seen }),
  })
  if (!done.ok) throw new Error(`${step.who} asks about ${step.asks}: ${done.error.code}`)
}

async function act(team: Team, step: Extract<Step, { about: string }>): Promise<void> {
  const { query } = await team.query(step.who, step.about)
  const seen = await contentOn(team, step.who, step.about)
  const done = await team.tablet(step.who).device.actOnQuery(team.projectId, query, {
    act: step.does,
    text: step.says ?? null,
    category: step.kind ?? null,
    ...(seen === null ? {} : { seen }),
  })
  if (!done.ok) throw new Error(`${step.who} ${step.does} ${step.about}: ${done.error.code}`)
}

async function correct(team: Team, { who, corrects, to, why }: Extract<Step, { corrects: string }>): Promise<void> {
  const { table, rid, code } = placeOf(corrects)
  const target = targetOf(corrects)
  const page = await team.tablet(who).open(target.patientId, target)
  page.type(addressKey({ table, rid, code: code ?? '' }), to)
  await page.leave()
  await team.tablet(who).giveReasons(target.patientId, { code: why, text: '' }, target)
}

async function deleteRow(team: Team, { who, deletes, why }: Extract<Step, { deletes: string }>): Promise<void> {
  const { table, rid } = placeOf(deletes)
  const target = targetOf(deletes)
  const page = await team.tablet(who).open(target.patientId, target)
  page.setRowDeleted(table ?? '', rid ?? '', true)
  await page.leave()
  await team.tablet(who).giveReasons(target.patientId, { code: why, text: '' }, target)
}

/** What a field holds on somebody's screen; null for what is no field, and where it is not on the screen. */
async function contentOn(team: Team, who: Name, about: string): Promise<ItemContent | null> {
  const { table, rid, code, pageId } = placeOf(about)
  if (pageId === null || code === null || code === WHOLE_ROW) return null
  return contentAt(await dataOn(team, who, targetOf(about)), { table, rid, code })
}

async function dataOn(team: Team, who: Name, target: EntryTarget) {
  return valueOf(await team.tablet(who).device.entry(team.projectId, target)).data
}

/** Does something with one field as it stands on the screen. */
function mark(team: Team, { who, does, of, note, in: track }: Extract<Step, { of: string }>) {
  const { table, rid, code } = placeOf(of)
  return markItems(team, who, targetOf(of), { track, act: does, note, items: [{ table, rid, code: code ?? '' }] })
}

interface Marking extends Pick<ReviewDeed, 'track' | 'act' | 'note'> {
  readonly items: readonly Pick<ReviewDeed['items'][number], 'table' | 'rid' | 'code'>[]
}

async function markItems(team: Team, who: Name, target: EntryTarget, { items, ...said }: Marking) {
  const data = await dataOn(team, who, target)
  const body = {
    ...said,
    projectId: team.projectId,
    entryId: entryId(target),
    method: said.track === 'sdv' && said.act === 'verify' ? ('onSite' as const) : null,
    items: items.map(({ table, rid, code }) => {
      const seen = contentAt(data, { table, rid, code })
      if (seen === null) throw new Error(`${code} is not on the screen`)
      return { table, rid, code, seen }
    }),
  }
  return team.ask(who, 'review.act', { body })
}

function expectTaken(of: string, { refused }: ReviewResult): void {
  const [first] = refused
  if (first !== undefined) throw new Error(`${of}: ${first.code} ${first.why}`)
}

/** Fields as a person goes through them. */
const IN_ORDER = ['sex', 'age', 'sbp', 'dbp', 'pulse', 'why', 'drug', 'dose']

function asOnPage(one: ReviewItem, other: ReviewItem): number {
  if (one.rid !== other.rid) return (one.rid ?? '') < (other.rid ?? '') ? -1 : 1
  return IN_ORDER.indexOf(one.code) - IN_ORDER.indexOf(other.code)
}

/** How pages are checked one after the other. */
export interface Walk {
  readonly who: Name
  readonly track: ReviewTrack
  readonly center: CenterCode
  /** The first page after which the walk ends. */
  readonly last: string
  /** Fields that are exempt instead of verified, with the reason. */
  readonly exempt?: Readonly<Record<string, string>>
}

/**
 * Goes from page to page as the list leads, and verifies on each all that is due. Gives the pages with how many fields
 * were marked: `N1 VS 3`.
 */
export async function walk(
  team: Team,
  names: ReadonlyMap<string, string>,
  { who, track, center, last, exempt = {} }: Walk,
): Promise<readonly string[]> {
  const visited: string[] = []
  team.lookAnew(who)
  let after: string | null = null
  for (;;) {
    const query = { projectId: team.projectId, track, centerId: team.center(center) }
    const line: { readonly entryId: string } | null = await team.ask(who, 'review.next', {
      query: after === null ? query : { ...query, after },
    })
    if (line === null) return visited
    after = line.entryId
    const page = names.get(line.entryId) ?? 'unknown'
    const { [track]: told } = await team.ask(who, 'review.entry', {
      query: { projectId: team.projectId, entryId: line.entryId },
    })
    const due = told.items.filter((item) => item.due && item.state === null).toSorted(asOnPage)
    const note = exempt[page]
    const target = targetOf(page)
    expectTaken(
      page,
      note === undefined
        ? await markItems(team, who, target, { track, act: 'verify', note: null, items: due })
        : await markItems(team, who, target, { track, act: 'exempt', note, items: due }),
    )
    visited.push(`${page} ${due.length}`)
    if (page === last) return visited
  }
}
