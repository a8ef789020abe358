import { addressKey, addressOf } from '#core/form/definition/address.ts'
import { queryTurnKey, ruleQueryId } from '#core/derivedIds.ts'
import type { JsonValue } from '#core/json.ts'
import { queryAfterCause } from '#core/review/query.ts'
import type { QueryCause, QueryState } from '#core/review/query.ts'
import { WHOLE_ROW } from '#core/review/queryThread.ts'
import type { EntryTarget, ItemContent } from '#core/sync/entryChange.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { contentAt, rowsOf, sameContent, stateOf } from '#core/sync/merge.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import type { EntryPlace } from '#server/areas/entry/book.ts'
import type { Judgement } from '#server/areas/entry/judgement/judge.ts'
import type { StoredEntry } from '#server/areas/entry/store.ts'
import { noteQueries } from '#server/areas/notice/queries.ts'
import type { NewChange } from '#server/database/commit.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { AnyAct } from '#server/operations/act.ts'

import { addTurn, insertQuery, moveQuery, queriesOfEntry } from './store.ts'
import type { EntryQuery } from './store.ts'

/**
 * What checks of severity `query` ask when a save makes them fail, and what a save ends: what a check asked and is
 * satisfied now, and what was asked about a field or a row that is gone. The screen has shown it before, and nobody's
 * submit waits for it.
 */

/** A check that fails, in the place that it is about. */
interface Question extends ItemPlace {
  readonly rule: string
  readonly text: string
}

interface Asked extends Question {
  readonly id: string
  readonly content: ItemContent | null
}

interface Ended {
  readonly query: EntryQuery
  readonly cause: QueryCause
  readonly state: QueryState
  readonly content: ItemContent | null
}

/** What a save asks and ends, ready to be written. */
export interface RuleQueries {
  readonly asked: readonly Asked[]
  readonly ended: readonly Ended[]
}

interface Judged {
  readonly entryId: string
  readonly judgement: Judgement
  /** Whether the entry is deleted after the save. */
  readonly deleted: boolean
  /** Whether anything was asked about the entry before. */
  readonly hasQueries: boolean
  /** Whether checks ask: of a page that was never submitted, nobody has said yet that it is complete. */
  readonly asks: boolean
}

export const NO_QUERIES: RuleQueries = { asked: [], ended: [] }

/** Works out what a save asks and ends. Where nothing was ever asked and no check fails, nothing is read. */
export async function planRuleQueries(
  transaction: Queryable,
  { entryId, judgement, deleted, hasQueries, asks }: Judged,
): Promise<RuleQueries> {
  const failing = deleted ? [] : questionsOf(judgement)
  if (!hasQueries && (failing.length === 0 || !asks)) return NO_QUERIES
  const known = hasQueries ? await queriesOfEntry(transaction, entryId) : []
  const { data } = judgement
  const isGone = goneFrom(judgement, deleted)
  const ended = known.flatMap((query): readonly Ended[] => {
    const place = itemOf(query)
    if (deleted || (place !== null && isGone(place))) return endOne(query, 'gone', data)
    return query.rule === null || fails(query, failing) ? [] : endOne(query, 'passes', data)
  })
  const asked = asks ? failing.flatMap((question) => askOnce(entryId, question, known, data)) : []
  return { asked, ended }
}

/** What ends where an entry is deleted: all that was asked about it. */
export async function planAllGone(
  transaction: Queryable,
  { id, hasQueries, values, missing }: Pick<StoredEntry, 'id' | 'hasQueries' | 'values' | 'missing'>,
): Promise<RuleQueries> {
  const known = hasQueries ? await queriesOfEntry(transaction, id) : []
  return { asked: [], ended: known.flatMap((query) => endOne(query, 'gone', { values, missing })) }
}

/** The end of a query by itself; nothing where it is over, or where the cause does not end it. */
function endOne(query: EntryQuery, cause: QueryCause, data: EntryData): readonly Ended[] {
  const state = queryAfterCause(query, cause)
  const place = itemOf(query)
  // A row as a whole has no value of its own.
  const content = place === null || place.code === WHOLE_ROW ? null : contentAt(data, place)
  return state === null ? [] : [{ query, cause, state, content }]
}

/** Whether a save asks or ends anything. */
export function isQuiet({ asked, ended }: RuleQueries): boolean {
  return asked.length + ended.length === 0
}

/** The checks of severity `query` that fail on the fields that are shown. */
function questionsOf({ evaluation }: Judgement): readonly Question[] {
  return evaluation.issues.flatMap(({ key, issues }) =>
    issues.flatMap((issue): readonly Question[] =>
      issue.code === 'check' && issue.severity === 'query'
        ? [{ ...addressOf(key), rule: issue.id, text: issue.message.zh }]
        : [],
    ),
  )
}

/**
 * The question, unless it is asked already, or somebody has closed it over the very value that the field holds. A value
 * that still fails after a change is asked about once more.
 */
function askOnce(entryId: string, question: Question, known: readonly EntryQuery[], data: EntryData): readonly Asked[] {
  const before = known.filter(({ rule, ...place }) => rule === question.rule && isAt(place, question))
  const last = before.at(-1)
  const content = contentAt(data, question)
  const isAsked = last !== undefined && (last.state === 'open' || last.state === 'answered')
  const isSettled =
    last !== undefined &&
    last.lastAct !== 'passes' &&
    last.lastAct !== 'gone' &&
    last.lastContent !== null &&
    content !== null &&
    sameContent(last.lastContent, content)
  if (isAsked || isSettled) return []
  return [{ ...question, id: ruleQueryId(entryId, question, question.rule, before.length), content }]
}

function fails(query: EntryQuery, failing: readonly Question[]): boolean {
  return failing.some((one) => one.rule === query.rule && isAt(query, one))
}

function isAt({ table, rid, code }: Pick<EntryQuery, 'table' | 'rid' | 'code'>, place: ItemPlace): boolean {
  return table === place.table && rid === place.rid && code === place.code
}

/** The field or row that a query is about; null for the page as a whole. */
function itemOf({ table, rid, code }: EntryQuery): ItemPlace | null {
  return code === null ? null : { table, rid, code }
}

/** Whether a field or a row is hidden by a rule, or deleted, with its table or its page. */
function goneFrom({ hidden, data }: Judgement, deleted: boolean): (place: ItemPlace) => boolean {
  const away = new Set(hidden)
  return ({ table, rid, code }) => {
    if (deleted) return true
    if (table === null || rid === null) return away.has(code)
    const row = rowsOf(data.values[table])?.find((one) => one['_rid'] === rid)
    if (away.has(table) || row === undefined || stateOf(row).deleted) return true
    return code !== WHOLE_ROW && away.has(addressKey({ table, rid, code }))
  }
}

/** What is booked of it. */
export interface BookedQueries {
  readonly audit: readonly NewAuditRow[]
  readonly changes: readonly NewChange[]
}

export const NOTHING_BOOKED: BookedQueries = { audit: [], changes: [] }

interface Written {
  readonly projectId: string
  readonly target: EntryTarget
  readonly place: EntryPlace
  /** When the save was made, and when the server took it in. */
  readonly actedAt: string
  readonly receivedAt: string
}

/** What a page asks and ends. */
export interface PageQueries extends Pick<Written, 'target' | 'place'> {
  readonly queries: RuleQueries
}

/**
 * Writes what several pages ask and end: the written one, and those whose checks read it. Of a page that was judged
 * more than once, the last is what holds.
 */
export async function writePagesQueries(
  transaction: Queryable,
  pages: readonly PageQueries[],
  when: Omit<Written, 'target' | 'place'>,
): Promise<BookedQueries> {
  const booked: BookedQueries[] = []
  for (const { target, place, queries } of new Map(pages.map((page) => [page.place.entryId, page])).values())
    if (!isQuiet(queries)) booked.push(await writeRuleQueries(transaction, queries, { ...when, target, place }))
  return { audit: booked.flatMap(({ audit }) => audit), changes: booked.flatMap(({ changes }) => changes) }
}

/** Tells people of what a save asked and ended. After the commit, which holds the project's row. */
export async function noteRuleQueries(
  transaction: Queryable,
  { projectId, receivedAt: at, author }: Pick<AnyAct, 'projectId' | 'receivedAt' | 'author'>,
  patientId: string,
  { changes }: BookedQueries,
): Promise<void> {
  if (changes.length === 0) return
  // Those that have ended wait for nobody.
  const queryIds = changes.map(({ rowId }) => rowId)
  await noteQueries(transaction, { projectId, patientId, queryIds, by: author.userId, isByRule: true, at })
}

/** Writes what a save asks and ends. It takes the project's row: only the commit may follow. */
async function writeRuleQueries(
  transaction: Queryable,
  { asked, ended }: RuleQueries,
  where: Written,
): Promise<BookedQueries> {
  const audit: NewAuditRow[] = []
  const changes: NewChange[] = []
  const { place } = where
  const change = (rowId: string): NewChange => ({ kind: 'query', rowId, centerId: place.centerId, pass: place.pass })
  for (const { query, cause, state, content } of ended) {
    await moveQuery(transaction, { id: query.id, state, at: where.receivedAt })
    await addTurn(transaction, { ...turnOf(where, query.id, query.acts), act: cause, state, content })
    audit.push(rowOf(place, query, `query.${cause}`, { state: query.state }, { state, content }))
    if (query.wasAsked) changes.push(change(query.id))
  }
  for (const { id, rule, text, content, ...item } of asked) {
    const no = await insertQuery(transaction, {
      id,
      projectId: where.projectId,
      place: { ...where.target, ...item },
      versionId: place.versionId,
      source: 'system',
      rule,
      state: 'open',
      text,
      isUrgent: false,
      dueOn: null,
      raisedBy: null,
      at: where.receivedAt,
    })
    await addTurn(transaction, { ...turnOf(where, id, 0), act: 'raise', state: 'open', text, content })
    audit.push(rowOf(place, item, 'query.ask', undefined, { no, state: 'open', rule, text, content }))
    changes.push(change(id))
  }
  return { audit, changes }
}

/** What is the same in each act that nobody has made. */
function turnOf({ actedAt, receivedAt }: Written, queryId: string, acts: number) {
  return {
    key: queryTurnKey(queryId, acts),
    queryId,
    sort: acts + 1,
    effect: 'applied',
    text: null,
    category: null,
    by: null,
    role: null,
    actedAt,
    receivedAt,
  } as const
}

function rowOf(
  place: EntryPlace,
  { table, rid, code }: Pick<EntryQuery, 'table' | 'rid' | 'code'>,
  action: string,
  old: JsonValue | undefined,
  to: JsonValue,
): NewAuditRow {
  return { ...place, action, table, rid, prop: code, ...(old === undefined ? {} : { old }), new: to }
}
