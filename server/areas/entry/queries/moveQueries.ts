import { isTable } from '#core/form/definition/page.ts'
import type { PageModel } from '#core/form/definition/page.ts'
import { nowAt } from '#core/study/migration/migrateChange.ts'
import { columnPlan, itemFate } from '#core/study/migration/migrateEntry.ts'
import type { FieldPlan, PagePlan } from '#core/study/migration/migrationPlan.ts'
import { WHOLE_ROW } from '#core/review/queryThread.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import type { EntryPlace } from '#server/areas/entry/book.ts'
import { fieldAt } from '#server/areas/entry/reading/pages.ts'
import { stepName } from '#server/areas/entry/versions/migrate.ts'
import { pageSteps, wasThereBefore } from '#server/areas/entry/versions/migrationSteps.ts'
import type { PageStep } from '#server/areas/entry/versions/migrationSteps.ts'
import { versionEngine } from '#server/areas/entry/versions/versionEngine.ts'
import type { PageIds, VersionEngine, VersionName } from '#server/areas/entry/versions/versionEngine.ts'
import type { NewChange } from '#server/database/commit.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { endOne, endQueries, NOTHING_BOOKED } from './ruleQueries.ts'
import type { BookedQueries } from './ruleQueries.ts'
import { placeQueries } from './store.ts'
import type { PageQuery } from './store.ts'

/**
 * Queries follow their fields to a later release (docs/adr/0028-migration.md). What was asked about a field, a table or
 * a page that the release does not have, ends with that as its cause.
 */

/** A later version, as far as queries follow their fields to it. */
export interface LaterVersion {
  /** The page there; null where the version does not have it, undefined where it cannot be read. */
  readonly page: (place: PageIds) => PageModel | null | undefined
  /** Whether the release before it had the page. What is asked about one that is gone already may be answered. */
  readonly wasThere: (place: PageIds) => Promise<boolean>
  readonly steps: (fromId: string, place: PageIds) => Promise<readonly PageStep[]>
}

/** A query that has another place in the later version, or whose field is written otherwise there. */
export interface FollowingQuery {
  readonly query: PageQuery
  readonly to: ItemPlace
  readonly lastContent: ItemContent | null
  readonly steps: readonly PageStep[]
}

/** What becomes of queries in a later version; all others stay as they are. */
export interface QueryFates {
  readonly moved: readonly FollowingQuery[]
  readonly gone: readonly PageQuery[]
}

/** A release, for queries of its project. */
export async function releaseFor(
  transaction: Queryable,
  projectId: string,
  release: VersionName,
): Promise<LaterVersion> {
  const engine = await versionEngine(transaction, release)
  return {
    page: (place) => pageIn(engine, place),
    wasThere: (place) => wasThereBefore(transaction, release.versionId, place),
    steps: (fromId, place) => pageSteps(transaction, projectId, fromId, release.versionId, place),
  }
}

/** A page of a version; null where the version does not have it, undefined where it cannot be read. */
export function pageIn(engine: VersionEngine, place: PageIds): PageModel | null | undefined {
  const found = engine.page(place)
  if (found.ok) return found.compiled.page
  return 'unreadable' in found && found.unreadable === null ? null : undefined
}

/** Works out what becomes of queries in a later version. Nothing is written. */
export async function fatesOf(queries: readonly PageQuery[], later: LaterVersion): Promise<QueryFates> {
  const moved: FollowingQuery[] = []
  const gone: PageQuery[] = []
  for (const query of queries) {
    const page = later.page(query)
    if (page === undefined) continue
    if (page === null && (await later.wasThere(query))) gone.push(query)
    if (page === null || query.code === null) continue
    const from: ItemPlace = { table: query.table, rid: query.rid, code: query.code }
    const steps = await later.steps(query.versionId, query)
    if (steps.length === 0) continue
    const to = placeInLater(steps, page, from)
    if (to === null) {
      gone.push(query)
      continue
    }
    const { lastContent: held, rule } = query
    // What a check has asked is not asked again about the same value, however that is written now.
    const isRewritten = rule !== null && writesOtherwise(steps, from)
    const lastContent = held !== null && isRewritten ? contentInLater(steps, from, held) : held
    if (isRewritten || !isAt(from, to)) moved.push({ query, to, lastContent, steps })
  }
  return { moved, gone }
}

/** The place of a field or a row after all steps; null where the later page has none for it. */
export function placeInLater(steps: readonly PageStep[], page: PageModel, from: ItemPlace): ItemPlace | null {
  let now = from
  for (const { plan } of steps) {
    if (isRetired(plan, now)) return null
    now = nowAt(plan, now)
  }
  return hasQueryPlace(page, now) ? now : null
}

/** Whether a page has the field that a query is about; for a row as a whole, its table. */
export function hasQueryPlace(page: PageModel, { table, code }: Pick<ItemPlace, 'table' | 'code'>): boolean {
  if (code !== WHOLE_ROW) return fieldAt(page, table, code) !== null
  const field = fieldAt(page, null, table ?? '')
  return field !== null && isTable(field)
}

/** What a field held, as the later version writes it. What that field cannot hold stays in its own words. */
export function contentInLater(steps: readonly PageStep[], from: ItemPlace, held: ItemContent): ItemContent {
  let place = from
  let content = held
  for (const { plan } of steps) {
    const own = planAt(plan, place)
    const fate = own === undefined ? null : itemFate(own, content)
    if (fate?.kind === 'stands') content = fate.content
    place = nowAt(plan, place)
  }
  return content
}

/** Whether any step writes the values of a field otherwise. */
function writesOtherwise(steps: readonly PageStep[], from: ItemPlace): boolean {
  let place = from
  return steps.some(({ plan }) => {
    const own = planAt(plan, place)
    place = nowAt(plan, place)
    return own?.kind === 'converted'
  })
}

function planAt(plan: PagePlan, { table, code }: ItemPlace): FieldPlan | undefined {
  return table === null ? plan.bySource.get(code) : columnPlan(plan.bySource.get(table), code)
}

/** A plan names fields that hold data; one that only stands on the page has no fate of its own. */
function isRetired(plan: PagePlan, { table, code }: ItemPlace): boolean {
  const outer = plan.bySource.get(table ?? code)
  return outer?.kind === 'retired' || (table !== null && columnPlan(outer, code)?.kind === 'retired')
}

interface Move {
  readonly centerId: string
  readonly versionId: string
  readonly at: string
  /** The data of a page before the steps, as far as it has been begun. */
  readonly dataBefore: (entryId: string) => EntryData | null
}

/** What was written: of moved queries nobody is told, of ended ones whoever they waited for. */
export interface MovedQueries {
  readonly audit: readonly NewAuditRow[]
  readonly changes: readonly NewChange[]
  readonly ended: BookedQueries
}

export const NO_QUERIES_MOVED: MovedQueries = { audit: [], changes: [], ended: NOTHING_BOOKED }

/** Writes what becomes of queries in a later release. */
export async function moveQueries(
  transaction: Queryable,
  { moved, gone }: QueryFates,
  { centerId, versionId, at, dataBefore }: Move,
): Promise<MovedQueries> {
  await placeQueries(
    transaction,
    versionId,
    moved.map(({ query, to, lastContent }) => ({ id: query.id, table: to.table, code: to.code, lastContent })),
  )
  const ended: BookedQueries[] = []
  for (const query of gone) {
    const over = endOne(query, 'gone', dataBefore(query.entryId))
    const place = entryPlaceOf(query, centerId, query.versionId)
    ended.push(await endQueries(transaction, over, { place, actedAt: at, receivedAt: at, reasonCode: MIGRATION }))
  }
  return {
    audit: moved.flatMap((one) => moveRow(one, centerId, versionId)),
    changes: moved.flatMap(({ query: { id, pass, wasAsked } }) =>
      wasAsked ? [{ kind: 'query' as const, rowId: id, centerId, pass }] : [],
    ),
    ended: { audit: ended.flatMap(({ audit }) => audit), changes: ended.flatMap(({ changes }) => changes) },
  }
}

/** The reason of what a migration does to queries. */
export const MIGRATION = 'migration'

function entryPlaceOf({ patientId, entryId, pass }: PageQuery, centerId: string, versionId: string): EntryPlace {
  return { centerId, patientId, entryId, versionId, pass }
}

/** Nothing where the field has its code as before: only its values are written otherwise. */
function moveRow({ query, to, steps }: FollowingQuery, centerId: string, versionId: string): readonly NewAuditRow[] {
  const { table, rid, code, wasAsked } = query
  const [first, last] = [steps[0]?.step, steps.at(-1)?.step]
  if (first === undefined || last === undefined || (table === to.table && code === to.code)) return []
  const name = (of: { readonly table: string | null; readonly code: string | null }) =>
    [of.table, of.code].filter((part) => part !== null).join('.')
  return [
    {
      ...entryPlaceOf(query, centerId, versionId),
      action: 'query.migrate',
      table: to.table,
      rid,
      prop: to.code,
      old: { table, code },
      new: { table: to.table, code: to.code, asked: wasAsked },
      reasonCode: MIGRATION,
      reasonText: `${stepName({ fromNo: first.fromNo, toNo: last.toNo })}: ${name(query)} → ${name(to)}`,
    },
  ]
}

function isAt(a: ItemPlace, b: ItemPlace): boolean {
  return a.table === b.table && a.code === b.code
}
