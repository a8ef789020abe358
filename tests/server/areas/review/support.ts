import type { BodyOf, QueryOf } from '#core/api/call.ts'
import type { EntryReview, ReviewDeed, ReviewResult } from '#core/api/calls/review/check.ts'
import type { CallOf } from '#core/api/table.ts'
import { entryId } from '#core/derivedIds.ts'
import type { JsonValue } from '#core/json.ts'
import type { ReviewPlan } from '#core/review/reviewPlan.ts'
import type { ReviewAct } from '#core/review/verification.ts'
import type { EntryTarget, ItemContent } from '#core/sync/entryChange.ts'
import { runReviewPlans } from '#server/jobs/reviewPlan.ts'
import type { Person, Said, World } from '#tests/server/support/world.ts'
import { call, change, enrol, item, save, vitals } from '#tests/server/support/world.ts'

/** What people do who check values, as their screens ask the server for it. */

/** A plan that asks for everything of everybody. */
export const EVERYTHING: ReviewPlan = {
  critical: [],
  sharePercent: 100,
  firstOfCenter: 0,
  folders: null,
  centers: [],
  seed: 'seed',
}

/** Switches a plan on, and lets the job work it out. */
export async function plan(
  world: World,
  who: Person,
  more: Partial<ReviewPlan> = {},
  track: 'sdv' | 'dmr' = 'sdv',
): ReturnType<typeof switchPlan> {
  const version = await switchPlan(world, who, more, track)
  await runReviewPlans(world.services)
  return version
}

export function switchPlan(
  world: World,
  who: Person,
  more: Partial<ReviewPlan> = {},
  track: 'sdv' | 'dmr' = 'sdv',
  said: Pick<Said<'review.planSwitch'>, 'key'> = {},
) {
  const body = { projectId: world.study.projectId, track, plan: { ...EVERYTHING, ...more }, note: '按监查计划' }
  return call(world, who, 'review.planSwitch', { body, ...said })
}

/** A patient whose vital signs are submitted. */
export async function submitted(
  world: World,
  items: Readonly<Record<string, JsonValue>> = { height: 170, weight: 65, smokes: '0' },
  { who = world.people.lin, center = world.study.north }: { readonly who?: Person; readonly center?: string } = {},
): Promise<EntryTarget> {
  const target = vitals(world, await enrol(world, who, center))
  await save(world, who, change(target, items), { as: 'entry.submit' })
  return target
}

/** Corrects a submitted value, with its reason. */
export async function correct(
  world: World,
  target: EntryTarget,
  code: string,
  from: JsonValue,
  to: JsonValue,
  who: Person = world.people.lin,
): Promise<void> {
  const reason = { code: 'transcription', text: '' } as const
  await save(world, who, change(target, { [code]: item(code, from, to, { reason }) }))
}

type Seen = Readonly<Record<string, JsonValue | ItemContent>>

/** Does something with fields of a page, as they stand on the screen. */
export function act(
  world: World,
  who: Person,
  target: EntryTarget,
  deed: ReviewAct,
  seen: Seen,
  more: Partial<BodyOf<CallOf<'review.act'>>> & Pick<Said<'review.act'>, 'key'> = {},
): Promise<ReviewResult> {
  const { key, ...said } = more
  const items = Object.entries(seen).map(([code, content]): ReviewDeed['items'][number] => ({
    table: null,
    rid: null,
    code,
    seen: isContent(content) ? content : { value: content, missing: null },
  }))
  const body = {
    projectId: world.study.projectId,
    entryId: entryId(target),
    track: 'sdv' as const,
    act: deed,
    method: null,
    note: deed === 'verify' ? null : '原始记录缺失',
    items,
    ...said,
  }
  return call(world, who, 'review.act', { body, ...(key === undefined ? {} : { key }) })
}

function isContent(value: JsonValue | ItemContent): value is ItemContent {
  return typeof value === 'object' && value !== null && 'missing' in value
}

export function review(world: World, who: Person, target: EntryTarget): Promise<EntryReview> {
  return call(world, who, 'review.entry', {
    query: { projectId: world.study.projectId, entryId: entryId(target) },
  })
}

/** The states of fields in a track, by code; a field in a row by `table.code`. */
export async function states(
  world: World,
  who: Person,
  target: EntryTarget,
  track: 'sdv' | 'dmr' = 'sdv',
): Promise<Readonly<Record<string, string | null>>> {
  const { [track]: told } = await review(world, who, target)
  return Object.fromEntries(
    told.items.map(({ table, code, state }) => [table === null ? code : `${table}.${code}`, state]),
  )
}

type Filter = Partial<QueryOf<CallOf<'review.list'>>>

/** What a person is to check. */
export function listed(world: World, who: Person, filter: Filter = {}) {
  const query = {
    projectId: world.study.projectId,
    track: 'sdv' as const,
    state: 'toDo' as const,
    current: 1,
    size: 1000,
    ...filter,
  }
  return call(world, who, 'review.list', { query })
}

/** What the audit trail of a patient says of checking, oldest first. */
export async function trail({ database }: World, patientId: string) {
  const { rows } = await database.ownerPool.query<{
    action: string
    prop: string
    who: string
    old: JsonValue
    to: Readonly<Record<string, JsonValue>>
  }>(
    `SELECT a.action, a.prop, a.user_name AS who, v.old_value AS old, v.new_value AS "to" FROM audit a JOIN audit_value v ON v.audit_id = a.id
     WHERE a.patient_id = $1 AND a.action LIKE 'review.%' ORDER BY a.seq, a.ord`,
    [patientId],
  )
  return rows
}

/** What is stored of the checking of pages, by page and track. */
export async function stored({ database }: World): Promise<Readonly<Record<string, readonly number[]>>> {
  const { rows } = await database.ownerPool.query<{
    id: string
    track: string
    due: number
    done: number
    changed: number
  }>('SELECT entry_id AS id, track, due, done, changed FROM review_count WHERE due > 0 ORDER BY 1, 2')
  return Object.fromEntries(rows.map(({ id, track, due, done, changed }) => [`${id} ${track}`, [due, done, changed]]))
}
