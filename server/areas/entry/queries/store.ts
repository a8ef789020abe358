import type { FileReference } from '#core/files/reference.ts'
import type { QueryAct, QuerySource, QueryState } from '#core/review/query.ts'
import { WHOLE_ROW } from '#core/review/queryThread.ts'
import { entryOfQuery } from '#core/review/queryThread.ts'
import type { QueryPlace, QueryTurn } from '#core/review/queryThread.ts'
import { contentAt } from '#core/sync/merge.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { EntryTarget, ItemContent } from '#core/sync/entryChange.ts'
import { columns, prepare } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Queries in SQL, for whoever writes them. The writer holds the lock of the patient. */

export interface StoredQuery {
  readonly id: string
  readonly patientId: string
  readonly entryId: string | null
  readonly pass: 1 | 2 | null
  readonly versionId: string | null
  readonly table: string | null
  readonly rid: string | null
  readonly code: string | null
  readonly source: QuerySource
  readonly state: QueryState
  readonly wasAsked: boolean
  readonly raisedBy: string | null
  readonly acts: number
  /** To whom it was given, whatever they are by now. */
  readonly assignee: string | null
}

export async function findQuery(transaction: Queryable, projectId: string, id: string): Promise<StoredQuery | null> {
  const { rows } = await transaction.query<StoredQuery>({
    name: 'query_find',
    text: `
      SELECT
        id, patient_id AS "patientId", entry_id AS "entryId", pass, version_id AS "versionId", table_prop AS "table", rid, prop AS code,
        source, state, asked_at IS NOT NULL AS "wasAsked", raised_by AS "raisedBy", acts, assignee
      FROM query WHERE id = $1 AND project_id = $2`,
    values: [id, projectId],
  })
  return rows[0] ?? null
}

/** Whether the id belongs to a query of any project. */
export async function isQuery(transaction: Queryable, id: string): Promise<boolean> {
  return (
    (await transaction.query({ name: 'query_there', text: 'SELECT FROM query WHERE id = $1', values: [id] }))
      .rowCount === 1
  )
}

/** The releases under which a page and its patient stand, as far as they have been brought to any. */
export async function versionsAt(transaction: Queryable, place: QueryPlace): Promise<readonly string[]> {
  const { rows } = await transaction.query<{ versionId: string }>({
    name: 'query_versions',
    text: `
      SELECT migrated_to AS "versionId" FROM patient WHERE id = $1 AND migrated_to IS NOT NULL
      UNION SELECT version_id FROM entry WHERE id = $2`,
    values: [place.patientId, entryOfQuery(place)],
  })
  return rows.map(({ versionId }) => versionId)
}

/** The page that a query stands on; null for one about a visit or a patient. */
export function targetOf({
  patientId,
  folderId,
  folderRepeat,
  pageId,
  pageRepeat,
  parentEntryId,
  pass,
}: QueryPlace): EntryTarget | null {
  return folderId === null || folderRepeat === null || pageId === null || pageRepeat === null || pass === null
    ? null
    : { patientId, folderId, folderRepeat, pageId, pageRepeat, parentEntryId, pass }
}

/**
 * The next number of a query in its project. It takes the project's row, as the commit that must follow does: nothing
 * may be locked after it.
 */
async function takeNumber(transaction: Queryable, projectId: string): Promise<number> {
  const { rows } = await transaction.query<{ no: number }>({
    name: 'query_number',
    text: 'UPDATE project SET query_count = query_count + 1 WHERE id = $1 RETURNING query_count AS no',
    values: [projectId],
  })
  return rows[0]?.no ?? 0
}

export interface NewQuery {
  readonly id: string
  readonly projectId: string
  readonly place: QueryPlace
  readonly versionId: string | null
  readonly source: QuerySource
  /** The check that asks; null for what a person asks. */
  readonly rule: string | null
  readonly state: 'candidate' | 'open'
  readonly text: string
  readonly isUrgent: boolean
  readonly dueOn: string | null
  readonly raisedBy: string | null
  readonly at: string
}

type NumberedQuery = NewQuery & { readonly no: number }

const INSERT = prepare<NumberedQuery>('query_insert', (parameter) => {
  const at = (query: NumberedQuery) => query.at
  const query = columns<NumberedQuery>(parameter, {
    id: ({ id }) => id,
    project_id: ({ projectId }) => projectId,
    no: ({ no }) => no,
    patient_id: ({ place }) => place.patientId,
    folder_id: ({ place }) => place.folderId,
    folder_repeat: ({ place }) => place.folderRepeat,
    page_id: ({ place }) => place.pageId,
    page_repeat: ({ place }) => place.pageRepeat,
    parent_entry_id: ({ place }) => place.parentEntryId,
    pass: ({ place }) => place.pass,
    entry_id: ({ place }) => entryOfQuery(place),
    table_prop: ({ place }) => place.table,
    rid: ({ place }) => place.rid,
    prop: ({ place }) => place.code,
    version_id: ({ versionId }) => versionId,
    source: ({ source }) => source,
    rule: ({ rule }) => rule,
    state: ({ state }) => state,
    asked_at: ({ state, at: now }) => (state === 'open' ? now : null),
    state_at: at,
    text: ({ text }) => text,
    urgent: ({ isUrgent }) => isUrgent,
    due_on: ({ dueOn }) => dueOn,
    raised_by: ({ raisedBy }) => raisedBy,
    updated_at: at,
  })
  return `INSERT INTO query (${query.names}) VALUES (${query.places})`
})

/** Writes a query, and gives it its number. */
export async function insertQuery(transaction: Queryable, query: NewQuery): Promise<number> {
  const no = await takeNumber(transaction, query.projectId)
  await transaction.query(INSERT({ ...query, no }))
  return no
}

interface Moved {
  readonly id: string
  readonly state: QueryState
  readonly at: string
  /** To whom it is given from now on; absent where that stays as it is. */
  readonly assignee?: string | null
}

/**
 * The result of an act for its query. An answer to an answered or a cancelled query, a comment, or what came too late
 * leaves the state as it is, and since when it is so.
 */
export async function moveQuery(transaction: Queryable, { id, state, at, assignee }: Moved): Promise<void> {
  await transaction.query({
    name: 'query_move',
    text: `
      UPDATE query SET
        state = $2, acts = acts + 1, updated_at = $3, last_content = NULL, state_at = CASE WHEN state <> $2 THEN $3 ELSE state_at END,
        asked_at = CASE WHEN $2 = 'open' THEN coalesce(asked_at, $3) ELSE asked_at END,
        assignee = CASE WHEN $4::boolean THEN $5::uuid ELSE assignee END
      WHERE id = $1`,
    values: [id, state, at, assignee !== undefined, assignee ?? null],
  })
}

export interface NewTurn extends Omit<QueryTurn, 'byName' | 'at' | 'act' | 'files' | 'assigneeName'> {
  readonly act: 'raise' | QueryAct | 'passes' | 'gone'
  readonly queryId: string
  readonly sort: number
  readonly actedAt: string
  /** What a person brings with it. */
  readonly files?: readonly FileReference[]
}

const ADD_TURN = prepare<NewTurn>('query_act_add', (parameter) => {
  const turn = columns<NewTurn>(parameter, {
    key: ({ key }) => key,
    query_id: ({ queryId }) => queryId,
    sort: ({ sort }) => sort,
    act: ({ act }) => act,
    effect: ({ effect }) => effect,
    state: ({ state }) => state,
    text: ({ text }) => text,
    category: ({ category }) => category,
    content: ({ content }) => (content === null ? null : JSON.stringify(content)),
    assignee: ({ assignee = null }) => assignee,
    by_user: ({ by }) => by,
    role: ({ role }) => role,
    acted_at: ({ actedAt }) => actedAt,
    received_at: ({ receivedAt }) => receivedAt,
    files: ({ files = [] }) => JSON.stringify(files),
  })
  return `INSERT INTO query_act (${turn.names}) VALUES (${turn.places})`
})

export async function addTurn(transaction: Queryable, turn: NewTurn): Promise<void> {
  await transaction.query(ADD_TURN(turn))
}

/** What the field of a query holds now; null where it is about no field but a whole row, or its row is not there. */
export async function contentNow(
  transaction: Queryable,
  projectId: string,
  { entryId: id, table, rid, code }: Pick<StoredQuery, 'entryId' | 'table' | 'rid' | 'code'>,
): Promise<ItemContent | null> {
  if (id === null || code === null || code === WHOLE_ROW) return null
  const { rows } = await transaction.query<EntryData>({
    name: 'query_content',
    text: 'SELECT "values", missing FROM entry WHERE id = $1 AND project_id = $2',
    values: [id, projectId],
  })
  const data = rows[0]
  return data === undefined ? null : contentAt(data, { table, rid, code })
}

/** A query of an entry, as far as a save of the entry may end it, or must not ask it again. */
export interface EntryQuery extends Pick<
  StoredQuery,
  'id' | 'table' | 'rid' | 'code' | 'source' | 'state' | 'wasAsked' | 'acts'
> {
  readonly rule: string | null
  /** What happened last, and what the field held then. */
  readonly lastAct: QueryTurn['act']
  readonly lastContent: ItemContent | null
}

const ENTRY_QUERY = `
  q.id, q.table_prop AS "table", q.rid, q.prop AS code, q.source, q.state, q.asked_at IS NOT NULL AS "wasAsked", q.acts,
  q.rule, last.act AS "lastAct", coalesce(q.last_content, last.content) AS "lastContent"`

const LAST_ACT = `CROSS JOIN LATERAL (
  SELECT a.act, a.content FROM query_act a WHERE a.query_id = q.id ORDER BY a.sort DESC LIMIT 1) last`

/** Queries of an entry that are not over, and all that checks have ever asked there. */
export async function queriesOfEntry(transaction: Queryable, entry: string): Promise<readonly EntryQuery[]> {
  const { rows } = await transaction.query<EntryQuery>({
    name: 'query_of_entry',
    text: `
      SELECT ${ENTRY_QUERY} FROM query q ${LAST_ACT}
      WHERE q.entry_id = $1 AND (q.rule IS NOT NULL OR q.state IN ('candidate', 'open', 'answered'))
      ORDER BY q.no`,
    values: [entry],
  })
  return rows
}

/** A query of a page, with the version in whose words its place is. */
export interface PageQuery extends EntryQuery {
  readonly patientId: string
  readonly entryId: string
  readonly pass: 1 | 2
  readonly folderId: string
  readonly pageId: string
  readonly versionId: string
}

const PAGE_QUERY = `
  SELECT
    ${ENTRY_QUERY}, q.patient_id AS "patientId", q.entry_id AS "entryId", q.pass, q.folder_id AS "folderId", q.page_id AS "pageId",
    q.version_id AS "versionId"
  FROM query q JOIN crf_version v ON v.id = q.version_id ${LAST_ACT}`

/** Queries of pages of some patients, whose places are in the words of versions before the one with this number. */
export async function earlierQueriesOf(
  transaction: Queryable,
  patientIds: readonly string[],
  versionNo: number,
): Promise<readonly PageQuery[]> {
  const { rows } = await transaction.query<PageQuery>({
    name: 'query_earlier_of_patients',
    text: `${PAGE_QUERY} WHERE q.patient_id = ANY ($1) AND q.entry_id IS NOT NULL AND v.version_no < $2 ORDER BY q.no`,
    values: [patientIds, versionNo],
  })
  return rows
}

/** The same of one page, whether or not it was begun. */
export async function earlierQueriesOn(
  transaction: Queryable,
  entry: string,
  versionNo: number,
): Promise<readonly PageQuery[]> {
  const { rows } = await transaction.query<PageQuery>({
    name: 'query_earlier_of_entry',
    text: `${PAGE_QUERY} WHERE q.entry_id = $1 AND v.version_no < $2 ORDER BY q.no`,
    values: [entry, versionNo],
  })
  return rows
}

/** Puts queries where their fields are in a later version. What was said in them stays as it is. */
export async function placeQueries(
  transaction: Queryable,
  versionId: string,
  queries: readonly (Pick<EntryQuery, 'id' | 'table' | 'code'> & { readonly lastContent: ItemContent | null })[],
): Promise<void> {
  if (queries.length === 0) return
  await transaction.query({
    name: 'query_place',
    text: `
      UPDATE query q SET version_id = $1, table_prop = n."table", prop = n.code, last_content = n."lastContent"
      FROM jsonb_to_recordset($2) AS n (id uuid, "table" text, code text, "lastContent" jsonb)
      WHERE q.id = n.id`,
    values: [
      versionId,
      JSON.stringify(queries.map(({ id, table, code, lastContent }) => ({ id, table, code, lastContent }))),
    ],
  })
}
