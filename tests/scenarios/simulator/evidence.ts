import type { QueryAct, QueryState } from '#core/review/query.ts'
import type { ReasonPlace } from '#core/sync/reasons.ts'
import type { JsonValue } from '#core/json.ts'
import { canonicalJson } from '#core/json.ts'
import type { EntryChange, ItemChange, JournalStep, RowChange } from '#core/sync/entryChange.ts'
import type { LeftOperation, Remains } from './remains.ts'
import type { Ward } from './run.ts'
import { POISON } from './simTablet.ts'
import type { WardTablet } from './wards.ts'

/**
 * Everything that is there at the end of a history: on the server, read past the server's own code, and on the tablets.
 */

export interface StoredEntry {
  readonly id: string
  readonly pass: 1 | 2
  readonly patientId: string
  readonly status: string
  readonly versionId: string
  readonly folderId: string
  readonly pageId: string
  readonly folderRepeat: string
  readonly pageRepeat: string
  readonly control: 'open' | 'frozen' | 'locked'
  readonly rev: number
  readonly values: Readonly<Record<string, JsonValue>>
  readonly missing: Readonly<Record<string, JsonValue>>
  readonly retired: Readonly<Record<string, { readonly value: JsonValue; readonly missing: JsonValue }>>
  readonly hidden: readonly string[]
  readonly deleted: boolean
  /** Hash of what was submitted last. */
  readonly submitted: string | null
  /** Changes that needed a reason and have none. */
  readonly unexplained: readonly ReasonPlace[]
}

export interface StoredPatient {
  readonly id: string
  readonly no: string | null
  readonly initials: string | null
  readonly sex: string | null
  readonly name: string | null
  readonly mobile: string | null
  readonly rev: number
  readonly deleted: boolean
}

export interface StoredVisit {
  readonly id: string
  readonly actualDate: string | null
  readonly outcome: string | null
  readonly outcomeReason: string | null
  readonly removed: boolean
}

export interface StoredQuery {
  readonly id: string
  readonly no: number
  readonly patientId: string
  readonly pass: 1 | 2 | null
  readonly state: QueryState
  readonly wasAsked: boolean
  readonly acts: number
  readonly assignee: string | null
}

/** One act in the thread of a query. */
export interface StoredTurn {
  readonly key: string
  readonly queryId: string
  readonly sort: number
  readonly act: QueryAct | 'raise'
  readonly effect: string
  readonly state: QueryState
  readonly text: string | null
  readonly by: string | null
  readonly assignee: string | null
}

export interface StoredFile {
  readonly id: string
  readonly entryId: string
  readonly state: string
  readonly hash: string
}

export interface StoredConflict {
  readonly id: string
  readonly entryId: string
  readonly table: string | null
  readonly rid: string | null
  readonly code: string
  readonly server: JsonValue
  readonly mine: JsonValue
  readonly mineBy: string
  readonly opKey: string
  readonly state: 'open' | 'resolved'
}

export interface StoredOperation {
  readonly key: string
  readonly author: string
  readonly call: string
  readonly entityId: string
  readonly deviceId: string | null
  readonly deviceSeq: number | null
  readonly outcome: 'applied' | 'conflict' | 'held' | 'inbox'
  readonly body: JsonValue
}

export interface AuditRow {
  readonly seq: number
  readonly action: string
  readonly opKey: string | null
  readonly patientId: string | null
  readonly entryId: string | null
  /** The version under which the entry stands by then. */
  readonly versionId: string | null
  readonly table: string | null
  readonly rid: string | null
  readonly prop: string | null
  readonly userId: string | null
  /** Code of why it was done; null without one. */
  readonly reason: string | null
  readonly old: JsonValue
  readonly new: JsonValue
}

export interface Evidence {
  readonly entries: ReadonlyMap<string, StoredEntry>
  readonly patients: ReadonlyMap<string, StoredPatient>
  readonly visits: readonly StoredVisit[]
  readonly queries: ReadonlyMap<string, StoredQuery>
  /** Of each query in their order. */
  readonly turns: readonly StoredTurn[]
  readonly files: ReadonlyMap<string, StoredFile>
  readonly conflicts: readonly StoredConflict[]
  readonly operations: readonly StoredOperation[]
  readonly audit: readonly AuditRow[]
  readonly remains: ReadonlyMap<WardTablet, Remains>
  /** What is still to be sent on any tablet. */
  readonly waiting: readonly (LeftOperation & { readonly tablet: WardTablet })[]
  /** Keys of operations that wait for a decision, or for their project to go on. */
  readonly inbox: ReadonlySet<string>
  /** Steps of typing that were never put into an operation. */
  readonly drafts: readonly JournalStep[]
}

export async function gather({ server, study, tablets }: Ward): Promise<Evidence> {
  const of = <Row extends object>(text: string): Promise<readonly Row[]> => server.rows<Row>(text, [study.projectId])
  const [entries, patients, visits, queries, turns, files, conflicts, operations, audit, inbox] = await Promise.all([
    of<StoredEntry>(
      `SELECT id, pass, patient_id AS "patientId", status, version_id AS "versionId", folder_id AS "folderId", page_id AS "pageId",
         folder_repeat AS "folderRepeat", page_repeat AS "pageRepeat", control, rev, "values", missing, retired, hidden, deleted, submitted_hash AS submitted, unexplained
       FROM entry WHERE project_id = $1`,
    ),
    of<StoredPatient>('SELECT id, no, initials, sex, name, mobile, rev, deleted FROM patient WHERE project_id = $1'),
    of<StoredVisit>(
      `SELECT v.id, v.actual_date::text AS "actualDate", v.outcome, v.outcome_reason AS "outcomeReason", v.removed
       FROM visit v WHERE v.project_id = $1`,
    ),
    of<StoredQuery>(
      `SELECT id, no, patient_id AS "patientId", pass, state, asked_at IS NOT NULL AS "wasAsked", acts, assignee FROM query WHERE project_id = $1`,
    ),
    of<StoredTurn>(
      `SELECT a.key, a.query_id AS "queryId", a.sort, a.act, a.effect, a.state, a.text, a.by_user AS by, a.assignee
       FROM query_act a JOIN query q ON q.id = a.query_id WHERE q.project_id = $1 ORDER BY a.query_id, a.sort`,
    ),
    of<StoredFile>('SELECT id, entry_id AS "entryId", state, hash FROM attachment WHERE project_id = $1'),
    of<StoredConflict>(
      `SELECT id, entry_id AS "entryId", table_prop AS "table", rid, prop AS code, server, mine, mine_by AS "mineBy", op_key AS "opKey", state
       FROM conflict WHERE project_id = $1`,
    ),
    of<StoredOperation>(
      `SELECT key, author, call, entity_id AS "entityId", device_id AS "deviceId", device_seq AS "deviceSeq", outcome, body
       FROM operation WHERE project_id = $1 ORDER BY seq`,
    ),
    of<AuditRow>(
      `SELECT a.seq, a.action, a.op_key AS "opKey", a.patient_id AS "patientId", a.entry_id AS "entryId", a.version_id AS "versionId", a.table_prop AS "table", a.rid, a.prop,
         a.user_id AS "userId", a.reason_code AS reason, v.old_value AS old, v.new_value AS new
       FROM audit a LEFT JOIN audit_value v ON v.audit_id = a.id WHERE a.project_id = $1 ORDER BY a.seq, a.ord`,
    ),
    of<{ key: string }>('SELECT op_key AS key FROM inbox WHERE project_id = $1'),
  ])
  const remains = new Map<WardTablet, Remains>()
  for (const tablet of tablets) remains.set(tablet, await tablet.remains())
  return {
    entries: new Map(entries.map((entry) => [entry.id, entry])),
    patients: new Map(patients.map((patient) => [patient.id, patient])),
    visits,
    queries: new Map(queries.map((query) => [query.id, query])),
    turns,
    files: new Map(files.map((file) => [file.id, file])),
    conflicts,
    operations,
    audit,
    remains,
    waiting: [...remains].flatMap(([tablet, { waiting }]) => waiting.map((left) => ({ tablet, ...left }))),
    inbox: new Set(inbox.map(({ key }) => key)),
    drafts: [...remains.values()].flatMap(({ typed }) => typed),
  }
}

/** A value as text: two that say the same are the same text, and all ways of being empty are one. */
export function textOf(value: unknown): string {
  const empty = value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  return empty ? 'null' : canonicalJson(value as JsonValue)
}

/** What an item holds, as text. */
export function contentText(content: unknown): string {
  const { value = null, missing = null } = (content ?? {}) as { readonly value?: unknown; readonly missing?: unknown }
  return `${textOf(value)} ${textOf(missing)}`
}

/** The change of an entry that an operation's body is; empty for other calls. */
export function changeOf(body: unknown): {
  readonly items: readonly ItemChange[]
  readonly rows: readonly RowChange[]
  readonly journal: readonly JournalStep[]
} {
  const { items = [], rows = [], journal = [] } = (body ?? {}) as Partial<EntryChange>
  return { items, rows, journal }
}

/** Whether an operation's body is one that no server takes, or was joined with one. */
export function isPoison(body: unknown): boolean {
  return changeOf(body).items.some(({ code }) => code === POISON)
}

/** Rows of an entry's table. */
export function rowsOf(entry: StoredEntry): readonly Readonly<Record<string, unknown>>[] {
  const rows = entry.values['drugs']
  return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : []
}

/** Where an item lies, as a key. */
export function placeKey(entryId: string, table: string | null, rid: string | null, code: string): string {
  return [entryId, table ?? '', rid ?? '', code].join('|')
}
