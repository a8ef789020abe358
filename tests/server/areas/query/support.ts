import type { QueryOf } from '#core/api/call.ts'
import type { QueryCounts, QueryDeed, QueryLine, QueryRaise, QueryResult } from '#core/api/calls/review/query.ts'
import type { QueryRow } from '#core/api/sync/rows.ts'
import type { CallOf } from '#core/api/table.ts'
import { newId } from '#core/ids.ts'
import type { QueryAct, QuerySource, QueryState } from '#core/review/query.ts'
import { WORDLESS } from '#core/review/queryThread.ts'
import type { QueryPlace } from '#core/review/queryThread.ts'
import type { Person, Said, World } from '#tests/server/support/world.ts'
import { call, questionOn, vitals } from '#tests/server/support/world.ts'
import { entryId } from '#core/derivedIds.ts'

/** What people do with queries, as their screens ask the server for it. */

/** A query, as far as somebody who acts on it names it. */
export type Named = Pick<QueryRow, 'id' | 'patientId'>

/** Asks about the weight of a patient, or about what is said. */
export async function ask(
  world: World,
  who: Person,
  patientId: string,
  more: Partial<QueryRaise> = {},
  said: Pick<Said<'query.raise'>, 'key' | 'crfId' | 'pass'> = {},
): Promise<QueryRow> {
  const { query } = await raise(world, who, questionOn(world, patientId, more), said)
  if (query === null) throw new Error('the question waits')
  return query
}

export function raise(
  world: World,
  who: Person,
  body: QueryRaise,
  said: Pick<Said<'query.raise'>, 'key' | 'crfId' | 'pass'> = {},
): Promise<QueryResult> {
  return call(world, who, 'query.raise', { body, ...said })
}

/** Does something with a query, in words where something has to be said. */
export function act(
  world: World,
  who: Person,
  { id, patientId }: Named,
  deed: QueryAct,
  more: Partial<QueryDeed> & Pick<Said<'query.act'>, 'key' | 'pass'> = {},
): Promise<QueryResult> {
  const { key, pass, ...said } = more
  const text = WORDLESS.has(deed) ? null : `${deed}: 已看`
  const given = deed === 'assign' ? { assignee: null } : {}
  const body = { id, projectId: world.study.projectId, patientId, act: deed, text, category: null, ...given, ...said }
  return call(world, who, 'query.act', {
    body,
    ...(key === undefined ? {} : { key }),
    ...(pass === undefined ? {} : { pass }),
  })
}

type Filter = Partial<QueryOf<CallOf<'query.list'>>>

/** The queries that a person is shown, by number unless they ask for another order. */
export async function shown(world: World, who: Person, filter: Filter = {}): Promise<readonly QueryLine[]> {
  return (await page(world, who, filter)).records
}

export function page(world: World, who: Person, filter: Filter = {}) {
  const query = { projectId: world.study.projectId, current: 1, size: 2000, sort: 'no' as const, ...filter }
  return call(world, who, 'query.list', { query })
}

export function counts(world: World, who: Person): Promise<QueryCounts> {
  return call(world, who, 'query.counts', { query: { projectId: world.study.projectId } })
}

/** A query that a rule has asked, or that one has proposed to ask; put there by hand, as no rule does it yet. */
export async function askedByRule(
  { database, study }: World,
  patientId: string,
  more: { readonly place?: Partial<QueryPlace>; readonly state?: QueryState } = {},
): Promise<Named> {
  const target = vitals({ study }, patientId)
  const place = { ...target, table: null, rid: null, code: 'weight', ...more.place }
  const { state = 'open' } = more
  const id = newId()
  const source: QuerySource = 'system'
  await database.ownerPool.query(
    `WITH numbered AS (UPDATE project SET query_count = query_count + 1 WHERE id = $2 RETURNING query_count)
     INSERT INTO query (id, project_id, no, patient_id, folder_id, folder_repeat, page_id, page_repeat, pass, entry_id, table_prop, rid, prop, version_id, source, state, asked_at, state_at, text, updated_at)
     SELECT $1, $2, query_count, $3, $4, '0', $5, '0', 1, $6, $7, $8, $9, $10, $11, $12, CASE WHEN $12 = 'open' THEN now() END, now(), '超出范围: 13900001111', now() FROM numbered`,
    [
      id,
      study.projectId,
      patientId,
      target.folderId,
      target.pageId,
      entryId(target),
      place.table,
      place.rid,
      place.code,
      study.versionId,
      source,
      state,
    ],
  )
  await database.ownerPool.query(
    `INSERT INTO query_act (key, query_id, sort, act, effect, state, text, content, acted_at, received_at)
     VALUES ($1, $2, 1, 'raise', 'applied', $3, '超出范围: 13900001111', '{"value": "13900001111", "missing": null}', now(), now())`,
    [newId(), id, state],
  )
  return { id, patientId }
}

/** What the audit trail of a patient says of queries, oldest first. */
export async function trail(
  { database }: World,
  patientId: string,
): Promise<readonly { readonly action: string; readonly who: string; readonly old: unknown; readonly to: unknown }[]> {
  const { rows } = await database.ownerPool.query<{ action: string; who: string; old: unknown; to: unknown }>(
    `SELECT a.action, a.user_name AS who, v.old_value AS old, v.new_value AS "to" FROM audit a JOIN audit_value v ON v.audit_id = a.id
     WHERE a.patient_id = $1 AND a.action LIKE 'query.%' ORDER BY a.seq, a.ord`,
    [patientId],
  )
  return rows
}

export function numbersOf(lines: readonly QueryLine[]): readonly number[] {
  return lines.map(({ query }) => query.no)
}
