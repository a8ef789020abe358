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

/** A query that ends by itself. */
export interface Ended {
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

/** A page whose checks have run. */
export interface Judged {
  readonly entryId: string
  readonly judgement: Judgement
  /** Whether the entry is deleted after the save. */
  readonly deleted: boolean
  /** Whether checks ask: of a page that was never submitted, nobody has said yet that it is complete. */
  readonly asks: boolean
}

export const NO_QUERIES: RuleQueries = { asked: [], ended: [] }

/** Works out what a save asks and ends. Where nothing was ever asked and no check fails, nothing is read. */
export async function planRuleQueries(
  transaction: Queryable,
  judged: Judged & {
    /** Whether anything was asked about the entry before. */
    readonly hasQueries: boolean
  },
): Promise<RuleQueries> {
  return queriesOver(judged.hasQueries ? await queriesOfEntry(transaction, judged.entryId) : [], judged)
}

/** What checks ask and end over what was asked before. */
export function queriesOver(known: readonly EntryQuery[], { entryId, judgement, deleted, asks }: Judged): RuleQueries {
  const failing = deleted ? [] : questionsOf(judgement)
  if (known.length === 0 && (failing.length === 0 || !asks)) return NO_QUERIES
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

/**
 * The end of a query by itself; nothing where it is over, or where the cause does not end it.
 *
 * @param data what its page holds; null where the page was not begun
 */
export function endOne(query: EntryQuery, cause: QueryCause, data: EntryData | null): readonly Ended[] {
  const state = queryAfterCause(query, cause)
  const place = itemOf(query)
  // A row as a whole has no value of its own.
  const content = place === null || place.code === WHOLE_ROW || data === null ? null : contentAt(data, place)
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
  // Another field may have had this code in an earlier version: what was asked about it has kept its id.
  const taken = new Set(known.map(({ id }) => id))
  const idOf = (nth: number) => ruleQueryId(entryId, question, question.rule, nth)
  let nth = before.length
  while (taken.has(idOf(nth))) nth += 1
  return [{ ...question, id: idOf(nth), content }]
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

/** Where and when queries end by themselves. */
interface Ending {
  readonly place: EntryPlace
  /** When the save was made, and when the server took it in. */
  readonly actedAt: string
  readonly receivedAt: string
  /** Why, where it was no save. */
  readonly reasonCode?: string
}

interface Written extends Ending {
  readonly projectId: string
  readonly target: EntryTarget
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
  {
    projectId,
    receivedAt: at,
    author,
  }: Pick<AnyAct, 'projectId' | 'receivedAt'> & {
    readonly author: Pick<AnyAct['author'], 'userId'>
  },
  patientId: string,
  { changes }: BookedQueries,
): Promise<void> {
  if (changes.length === 0) return
  // Those that have ended wait for nobody.
  const queryIds = changes.map(({ rowId }) => rowId)
  await noteQueries(transaction, { projectId, patientId, queryIds, by: author.userId, isByRule: true, at })
}

/** Writes the end of queries of a page. */
export async function endQueries(
  transaction: Queryable,
  ended: readonly Ended[],
  where: Ending,
): Promise<BookedQueries> {
  const audit: NewAuditRow[] = []
  for (const { query, cause, state, content } of ended) {
    await moveQuery(transaction, { id: query.id, state, at: where.receivedAt })
    await addTurn(transaction, { ...turnOf(where, query.id, query.acts), act: cause, state, content })
    audit.push(rowOf(where, query, `query.${cause}`, { state: query.state }, { state, content }))
  }
  const seen = ended.filter(({ query }) => query.wasAsked)
  return { audit, changes: seen.map(({ query }) => changeOf(where, query.id)) }
}

/** Writes what a save asks and ends. It takes the project's row: only the commit may follow. */
async function writeRuleQueries(
  transaction: Queryable,
  { asked, ended }: RuleQueries,
  where: Written,
): Promise<BookedQueries> {
  const over = await endQueries(transaction, ended, where)
  const audit = [...over.audit]
  const changes = [...over.changes]
  for (const { id, rule, text, content, ...item } of asked) {
    const no = await insertQuery(transaction, {
      id,
      projectId: where.projectId,
      place: { ...where.target, ...item },
      versionId: where.place.versionId,
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
    audit.push(rowOf(where, item, 'query.ask', undefined, { no, state: 'open', rule, text, content }))
    changes.push(changeOf(where, id))
  }
  return { audit, changes }
}

function changeOf({ place: { centerId, pass } }: Ending, rowId: string): NewChange {
  return { kind: 'query', rowId, centerId, pass }
}

/** What is the same in each act that nobody has made. */
function turnOf({ actedAt, receivedAt }: Ending, queryId: string, acts: number) {
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
  { place, reasonCode }: Ending,
  { table, rid, code }: Pick<EntryQuery, 'table' | 'rid' | 'code'>,
  action: string,
  old: JsonValue | undefined,
  to: JsonValue,
): NewAuditRow {
  const why = reasonCode === undefined ? {} : { reasonCode }
  return { ...place, action, table, rid, prop: code, ...(old === undefined ? {} : { old }), new: to, ...why }
}
