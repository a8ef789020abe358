import { holdsData } from '#core/form/definition/page.ts'
import type { PageModel } from '#core/form/definition/page.ts'
import { countReview, plannedIn, reviewItems } from '#core/review/reviewPlan.ts'
import type { PlannedField, ReviewPlan } from '#core/review/reviewPlan.ts'
import type { MarkState, ReviewCounts, ReviewTrack } from '#core/review/verification.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import { isCalculatedOn } from '#server/areas/entry/judgement/judge.ts'
import { fieldKey, isMasked } from '#server/areas/entry/reading/mask.ts'
import { releasedMasks } from '#server/areas/entry/reading/pageMasks.ts'
import { Released } from '#server/areas/entry/versions/released.ts'
import { versionEngine } from '#server/areas/entry/versions/versionEngine.ts'
import type { Queryable } from '#server/database/transaction.ts'

import type { ReviewFacts } from './facts.ts'

/** Which fields of an entry can be verified, which of them a plan asks for, and how far they are checked. */

/** A plan, with its critical fields by page: a plan may name thousands. */
export interface ReadyPlan {
  readonly plan: ReviewPlan
  readonly critical: ReadonlyMap<string, readonly PlannedField[]>
}

export function readyPlan(plan: ReviewPlan): ReadyPlan {
  return { plan, critical: Map.groupBy(plan.critical, ({ pageId }) => pageId) }
}

/** Most plans and pages that are kept ready. Neither a plan nor a released page ever changes. */
const MAX_KEPT = 500
const plans = new Released<ReadyPlan>(MAX_KEPT)
const reviewed = new Released<ReadonlySet<string>>(MAX_KEPT)

/** A plan by its id; null without one. */
export async function planById(transaction: Queryable, id: string | null): Promise<ReadyPlan | null> {
  if (id === null) return null
  const known = plans.get(id)
  if (known !== undefined) return known
  const { rows } = await transaction.query<{ plan: ReviewPlan }>({
    name: 'review_plan_read',
    text: 'SELECT plan FROM review_plan WHERE id = $1',
    values: [id],
  })
  const row = rows[0]
  if (row === undefined) return null
  const plan = readyPlan(row.plan)
  plans.keep(id, plan)
  return plan
}

type Where = Pick<ReviewFacts, 'projectId' | 'folderId' | 'pageId' | 'versionId' | 'profile' | 'newest'>

/** Keys (`fieldKey`) of the fields of an entry that a person enters and that every reviewer may see. */
async function reviewedFields(transaction: Queryable, where: Where): Promise<ReadonlySet<string>> {
  const { projectId, folderId, pageId, versionId, newest } = where
  const key = [newest, versionId, folderId, pageId].join('/')
  const known = reviewed.get(key)
  if (known !== undefined) return known
  const page = (await versionEngine(transaction, where)).page(where)
  // What cannot be read, nobody can look at.
  if (!page.ok) return new Set()
  const masks = (await releasedMasks(transaction, projectId, [pageId])).get(pageId) ?? new Set<string>()
  const isCalculated = isCalculatedOn(page.compiled)
  const keys = new Set(
    fieldsOf(page.compiled.page).flatMap(({ table, code }) =>
      isCalculated(table, code) || isMasked(masks, table, code) ? [] : [fieldKey(table, code)],
    ),
  )
  if (where.profile === 'formal') reviewed.keep(key, keys)
  return keys
}

function fieldsOf(page: PageModel): readonly Pick<ItemPlace, 'table' | 'code'>[] {
  return page.fields.flatMap((field) => [
    ...(holdsData(field) ? [{ table: null, code: field.code }] : []),
    ...field.children.flatMap((child) =>
      holdsData(child) && !child.nested ? [{ table: field.code, code: child.code }] : [],
    ),
  ])
}

/** The items of an entry that can be verified. */
export async function reviewableItems(transaction: Queryable, facts: ReviewFacts): Promise<readonly ItemPlace[]> {
  if (facts.deleted) return []
  const fields = await reviewedFields(transaction, facts)
  return reviewItems(facts, facts.hidden, ({ table, code }) => fields.has(fieldKey(table, code)))
}

/** Those of the items that a plan asks for. */
function dueOf(
  { plan, critical }: ReadyPlan,
  { patientId, centerId, rank, folderId, pageId }: ReviewFacts,
  items: readonly ItemPlace[],
): readonly ItemPlace[] {
  const ofPage = { ...plan, critical: [...(critical.get(pageId) ?? [])] }
  return items.filter(plannedIn(ofPage, { id: patientId, centerId, rank }, { folderId, pageId }))
}

/** How far an entry is checked in a track. */
export interface TrackReview {
  readonly due: readonly ItemPlace[]
  readonly counts: ReviewCounts
}

/** How far an entry is checked in a track under a plan. */
export function trackReview(
  track: ReviewTrack,
  facts: ReviewFacts,
  plan: ReadyPlan | null,
  items: readonly ItemPlace[],
): TrackReview {
  const due = plan === null ? [] : dueOf(plan, facts, items)
  const states = statesOf(track, facts)
  return { due, counts: countReview(due, (place) => states.get(itemKey(place)) ?? null) }
}

/** The states of the marks of an entry in a track, by `itemKey`. */
export function statesOf(track: ReviewTrack, { marks }: Pick<ReviewFacts, 'marks'>): ReadonlyMap<string, MarkState> {
  return new Map(marks.flatMap((mark) => (mark.track === track ? [[itemKey(mark), mark.state] as const] : [])))
}

/** Names an item of an entry. */
export function itemKey({ table, rid, code }: ItemPlace): string {
  return `${table ?? ''}/${rid ?? ''}/${code}`
}

/** How far an entry is checked in both tracks, under the plans that hold. */
export async function entryReviewOf(
  transaction: Queryable,
  facts: ReviewFacts,
): Promise<Readonly<Record<ReviewTrack, TrackReview>>> {
  const [sdv, dmr] = [await planById(transaction, facts.sdv), await planById(transaction, facts.dmr)]
  const items = sdv === null && dmr === null ? [] : await reviewableItems(transaction, facts)
  return { sdv: trackReview('sdv', facts, sdv, items), dmr: trackReview('dmr', facts, dmr, items) }
}
