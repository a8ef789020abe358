import { fail } from '#core/api/errors.ts'
import { isSettled } from '#core/review/query.ts'
import { dataReadBy } from '#server/areas/entry/judgement/crossing.ts'
import { fatesOf } from '#server/areas/entry/queries/moveQueries.ts'
import type { LaterVersion, QueryFates } from '#server/areas/entry/queries/moveQueries.ts'
import { endOne, queriesOver } from '#server/areas/entry/queries/ruleQueries.ts'
import type { RuleQueries } from '#server/areas/entry/queries/ruleQueries.ts'
import { earlierQueriesOf } from '#server/areas/entry/queries/store.ts'
import type { EntryQuery, PageQuery } from '#server/areas/entry/queries/store.ts'
import type { EntryOfPatient } from '#server/areas/entry/store.ts'
import type { PageStep } from '#server/areas/entry/versions/migrationSteps.ts'
import type { VersionEngine, VersionName } from '#server/areas/entry/versions/versionEngine.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { reportQueries } from './migrationReport.ts'
import type { PagePart } from './migrationReport.ts'
import { asksQueries, settle, wasSubmitted } from './settle.ts'
import type { Turning, TurnPages } from './settle.ts'

/** How many queries a release would raise and end, by the same rules as its migration. Nothing is written. */

/** The version that is to be released. */
export interface Candidate extends LaterVersion, VersionName {
  readonly versionNo: number
  readonly engine: VersionEngine
}

/** An entry as it is, and as it would come to the version. */
export interface Moved {
  readonly before: EntryOfPatient
  readonly stored: EntryOfPatient
  readonly steps: readonly PageStep[]
}

type Foresight = (
  patient: { readonly id: string; readonly deleted: boolean },
  moved: readonly Moved[],
) => Promise<PagePart>

/** Counts the queries of some patients, one after the other. */
export async function foreseeQueries(
  transaction: Queryable,
  candidate: Candidate,
  patientIds: readonly string[],
  at: string,
): Promise<Foresight> {
  const all = Map.groupBy(
    await earlierQueriesOf(transaction, patientIds, candidate.versionNo),
    ({ patientId }) => patientId,
  )
  const pages = pagesOf(transaction, candidate)
  return async (patient, moved) => {
    const own = all.get(patient.id) ?? []
    const fates = await fatesOf(own, candidate)
    const gone = fates.gone.filter((query) => endOne(query, 'gone', null).length > 0)
    const known = Map.groupBy(afterFates(own, fates), ({ entryId }) => entryId)
    // Where no check asks and nothing was asked, no rule has to run for what would be asked.
    const isQuiet = own.length === 0 && !moved.some(({ before }) => asksOn(candidate, before))
    const turning = isQuiet ? [] : moved.flatMap((one) => turningOf(candidate, patient.id, one))
    const settled = await settle(pages, turning, at)
    const planned: { readonly queries: RuleQueries }[] = []
    for (const one of settled.pages) {
      const { before } = one
      const asked = known.get(before.id) ?? []
      if (asked.length === 0 && !asksOn(candidate, before)) continue
      const judgement = await settled.judge(one)
      if (judgement === null) continue
      const asks = !patient.deleted && wasSubmitted(before)
      planned.push({ queries: queriesOver(asked, { entryId: before.id, judgement, deleted: false, asks }) })
    }
    return reportQueries(planned, gone.length)
  }
}

/** The queries that go on, where they would stand then. */
function afterFates(
  own: readonly PageQuery[],
  { moved, gone }: QueryFates,
): readonly (EntryQuery & { readonly entryId: string })[] {
  const places = new Map(moved.map(({ query, to, lastContent }) => [query.id, { ...to, lastContent }]))
  const over = new Set(gone.map(({ id }) => id))
  // As a save finds them: what checks have ever asked, and of people what is not over.
  return own.flatMap((query) => {
    const isOver = over.has(query.id)
    if (query.rule === null && (isOver || isSettled(query.state))) return []
    return [{ ...query, ...places.get(query.id), ...(isOver ? ENDED : {}) }]
  })
}

const ENDED = { state: 'closed', lastAct: 'gone' } as const

function asksOn({ page }: Candidate, place: EntryOfPatient): boolean {
  const model = page(place)
  return model !== null && model !== undefined && asksQueries(model)
}

function turningOf({ page, versionId, profile }: Candidate, patientId: string, one: Moved): readonly Turning[] {
  const { before, stored, steps } = one
  const { folderId, pageId } = before
  const model = page(before)
  if (model === null || model === undefined) return []
  const { values, hidden, progress } = stored
  const under = { versionId, profile, folderId, pageId }
  return [{ early: false, patientId, before, page: under, steps, stored, values, hidden, progress }]
}

function pagesOf(transaction: Queryable, { engine }: Candidate): TurnPages {
  return {
    compiled: (page) => {
      const found = engine.page(page)
      if (!found.ok) throw fail('page_unreadable')
      return Promise.resolve(found.compiled)
    },
    readOthers: (page, reader, unwritten) => dataReadBy(transaction, engine, page, reader, unwritten),
  }
}
