import type { AuditKind, AuditLine } from '#core/api/calls/sync.ts'
import { fail } from '#core/api/errors.ts'
import { queryRightsOf } from '#core/access/queryRights.ts'
import { seesReview } from '#core/access/reviewRights.ts'
import { reviewsQueries } from '#core/review/query.ts'
import { WHOLE_ROW } from '#core/review/queryThread.ts'
import { MASK } from '#core/form/definition/mask.ts'
import type { JsonValue } from '#core/json.ts'
import { rowsOf, stateOf } from '#core/sync/merge.ts'
import { NO_REASON } from '#core/sync/reasons.ts'
import { centerParameter, isTheirs, ownParameter, passParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { FIELD_VERSION, FORMER_VERSION, formerName, nameNow, namesOfField } from '#server/areas/audit/fieldNames.ts'
import type { PlaceIn } from '#server/areas/audit/fieldNames.ts'
import { isMasked } from '#server/areas/entry/reading/mask.ts'
import { requirePatient } from '#server/areas/entry/reading/read.ts'
import { pageMasks } from '#server/areas/entry/reading/pageMasks.ts'
import { IDENTIFYING } from '#server/areas/patient/change.ts'
import { prepare } from '#server/database/prepare.ts'
import type { Parameter } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'

export interface AuditFilter {
  readonly patientId?: string | undefined
  readonly entryId?: string | undefined
  readonly pageId?: string | undefined
  readonly prop?: string | undefined
  readonly userId?: string | undefined
  readonly kind?: AuditKind | undefined
  /** Only changes that needed a reason and have none. */
  readonly unexplained?: '1' | undefined
  /** Bounds of the time of receipt, the upper one not included. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Limits the list to one field: its name in each version, and its row; null for a field of the page. */
  readonly field?: { readonly places: readonly PlaceIn[]; readonly rid: string | null }
}

/** Actions of each kind, as patterns of LIKE. */
const ACTIONS: Readonly<Record<AuditKind, readonly string[]>> = {
  values: ['item.%', 'row.%', 'entry.empty', 'draft.%'],
  pages: ['entry.%'],
  conflicts: ['conflict.%'],
  patient: ['patient.%', 'message.%'],
  visits: ['visit.%', 'folder.%'],
  files: ['attach%', 'file.%', 'region.%', 'query.file%'],
  double: ['double.%', 'gap.%'],
  queries: ['query.%'],
  operations: ['operation.%', 'inbox.%'],
}

/** What the list is limited to: the reader, the filter, and the centers and patients. */
export interface Question {
  readonly member: Membership
  readonly filter: AuditFilter
  readonly within: { readonly centers: readonly string[] | null; readonly own: ReturnType<typeof ownParameter> }
}

/**
 * Limits rows to the reader's project, centers, pass and data scope. A row without center and patient is common to
 * the project. Rows from before a pass was required (`auditActions`) have the pass of their entry. A difference
 * between the passes is for readers who compare them, and a question that nobody has decided to ask for reviewers, even
 * while it is held. What is verified is not for who enters.
 */
export function visible(parameter: Parameter<Question>): string {
  const centers = parameter(({ within }) => within.centers)
  const pass = parameter(({ member }) => passParameter(member))
  const own = parameter(({ within }) => within.own)
  const patientId = parameter(({ filter }) => filter.patientId ?? null)
  const entryId = parameter(({ filter }) => filter.entryId ?? null)
  const prop = parameter(({ filter }) => filter.prop ?? null)
  const userId = parameter(({ filter }) => filter.userId ?? null)
  const actions = parameter(({ filter }) => (filter.kind === undefined ? null : ACTIONS[filter.kind]))
  const reason = parameter(({ filter }) => (filter.unexplained === undefined ? null : NO_REASON))
  const from = parameter(({ filter }) => filter.from ?? null)
  const to = parameter(({ filter }) => filter.to ?? null)
  const pageId = parameter(({ filter }) => filter.pageId ?? null)
  const reviews = parameter(({ member }) => reviewsQueries(queryRightsOf(member.permissions)))
  const checks = parameter(({ member: { permissions } }) => seesReview(permissions))
  return `
  a.project_id = ${parameter(({ member }) => member.projectId)}
  AND (${centers}::uuid[] IS NULL OR a.center_id = ANY (${centers})
    OR (a.center_id IS NULL AND a.patient_id IS NULL AND a.entry_id IS NULL AND a.action NOT LIKE 'operation.%' AND a.action NOT LIKE 'inbox.%'))
  AND (${pass}::smallint IS NULL OR a.action NOT LIKE 'gap.%' AND CASE
    WHEN a.pass IS NOT NULL THEN a.pass = ${pass}
    WHEN a.entry_id IS NOT NULL THEN EXISTS (SELECT FROM entry within WHERE within.id = a.entry_id AND within.pass = ${pass})
    ELSE true END)
  AND (${reviews}::boolean OR a.call NOT LIKE 'query.%' OR NOT EXISTS (
    SELECT FROM operation o LEFT JOIN query q ON q.id = o.entity_id WHERE o.key = a.op_key
      AND CASE WHEN q.id IS NULL THEN o.body->>'isCandidate' = 'true' ELSE q.asked_at IS NULL END))
  AND (${reviews}::boolean OR a.action NOT LIKE 'query.file%' OR NOT EXISTS (
    SELECT FROM audit_value v JOIN attachment f ON f.id = (v.new_value->>'id')::uuid LEFT JOIN query q ON q.id = f.query_id
    WHERE v.audit_id = a.id AND q.asked_at IS NULL))
  AND (${reviews}::boolean OR a.action NOT IN ('query.gone', 'query.migrate') OR NOT EXISTS (
    SELECT FROM audit_value o WHERE o.audit_id = a.id AND (o.old_value->>'state' = 'candidate' OR o.new_value->>'asked' = 'false')))
  AND (${checks}::boolean OR a.action NOT LIKE 'review.%')
  AND (${own}::uuid[] IS NULL OR a.patient_id IS NULL
    OR EXISTS (SELECT 1 FROM patient p WHERE p.id = a.patient_id AND ${isTheirs('p', own)}))
  AND (${patientId}::uuid IS NULL OR a.patient_id = ${patientId})
  AND (${entryId}::uuid IS NULL OR a.entry_id = ${entryId})
  AND (${prop}::text IS NULL OR a.prop = ${prop})
  AND (${userId}::uuid IS NULL OR a.user_id = ${userId})
  AND (${actions}::text[] IS NULL OR a.action LIKE ANY (${actions}))
  AND (${reason}::text IS NULL OR a.reason_code = ${reason})
  AND (${from}::timestamptz IS NULL OR a.received_at >= ${from})
  AND (${to}::timestamptz IS NULL OR a.received_at < ${to})
  AND (${pageId}::uuid IS NULL OR EXISTS (SELECT 1 FROM entry of WHERE of.id = a.entry_id AND of.page_id = ${pageId}))`
}

/**
 * All rows about one field of an entry, under any of its names. In a table that includes rows about its table row,
 * and for a table field all its contents.
 */
function ofField(parameter: Parameter<Question>): string {
  const places = parameter(({ filter }) => JSON.stringify(filter.field?.places ?? []))
  const rid = parameter(({ filter }) => filter.field?.rid ?? null)
  return `
  AND (a.prop IS NOT NULL OR a.table_prop IS NOT NULL)
  AND EXISTS (
    SELECT 1 FROM jsonb_to_recordset(${places}) AS named ("versionId" uuid, "table" text, code text)
    WHERE named."versionId" IS NOT DISTINCT FROM ${FIELD_VERSION}
      AND CASE WHEN named."table" IS NULL
        THEN (a.prop = named.code AND a.table_prop IS NULL) OR a.table_prop = named.code
        ELSE a.table_prop = named."table" AND a.rid = ${rid} AND (a.prop = named.code OR a.prop IS NULL OR a.prop = '_deleted') END)`
}

/** Totals are counted up to here. */
const MAX_COUNT = 10_000

/** A row as it is stored, not yet masked. */
export type StoredLine = Omit<AuditLine, 'place' | 'rowNo' | 'now' | 'fieldVersionId' | 'former'> & {
  readonly fieldVersionId: string | null
  readonly formerVersionId: string | null
  readonly entryVersionId: string | null
  readonly folderId: string | null
  readonly folderRepeat: string
  readonly pageId: string | null
  readonly pageRepeat: string
}

/** Where a row stands in its project's trail. */
export interface AuditPlace {
  readonly seq: number
  readonly ord: number
}

interface Asked {
  readonly current: number
  readonly size: number
  readonly before: AuditPlace | null
}

interface AuditPage {
  readonly rows: readonly AuditLine[]
  readonly total: number
  readonly totalIsLeast: boolean
}

/**
 * One page of the trail within the reader's centers, newest first, and how many rows there are. After `before` the
 * pages count from that row.
 */
export function listAudit(
  transaction: Queryable,
  member: Membership,
  filter: AuditFilter,
  asked: Asked,
): Promise<AuditPage> {
  const within = { centers: centerParameter(member), own: ownParameter(member) }
  return list(transaction, { member, filter, within }, asked)
}

/**
 * The history of one field. A reader who may see the value now sees all of its history, from every author and place.
 *
 * @throws ApiFailure not_found for an entry whose patient or pass the reader may not see
 */
export async function listField(
  transaction: Queryable,
  member: Membership,
  field: {
    readonly entryId: string
    readonly prop: string
    readonly table: string | null
    readonly rid: string | null
    readonly versionId: string | null
  },
  asked: Asked,
): Promise<AuditPage> {
  const { entryId, prop, table, rid, versionId } = field
  const { rows } = await transaction.query<{ patientId: string; folderId: string; pageId: string; versionId: string }>({
    name: 'audit_entry',
    text: 'SELECT patient_id AS "patientId", folder_id AS "folderId", page_id AS "pageId", version_id AS "versionId" FROM entry WHERE id = $1 AND project_id = $2 AND ($3::smallint IS NULL OR pass = $3)',
    values: [entryId, member.projectId, passParameter(member)],
  })
  const [entry] = rows
  if (entry === undefined) throw fail('not_found')
  await requirePatient(transaction, member, entry.patientId)
  const places = await namesOfField(
    transaction,
    member.projectId,
    { ...entry, id: entryId },
    { versionId, table, code: prop },
  )
  const filter = { entryId, field: { places, rid } }
  return list(transaction, { member, filter, within: { centers: null, own: null } }, asked)
}

type PageQuestion = Question & Asked

/** Rows of the trail as `presentLines` takes them, as `a`. */
export const AUDIT_LINE = `
  SELECT
    a.id, a.seq, a.ord, a.action, a.call, a.op_key AS "opKey", a.center_id AS "centerId", a.patient_id AS "patientId",
    a.entry_id AS "entryId", a.table_prop AS "table", a.rid, a.prop, a.version_id AS "versionId", a.pass,
    v.old_value AS "oldValue", v.new_value AS "newValue", a.reason_code AS "reasonCode", v.reason_text AS "reasonText",
    a.user_id AS "userId", a.user_name AS "userName", a.role, a.carried_by AS "carriedBy", a.device_id AS "deviceId",
    a.occurred_at AS "occurredAt", a.occurred_offset_minutes AS "occurredOffsetMinutes", a.clock_drift_ms AS "clockDriftMs",
    a.received_at AS "receivedAt", a.app_version AS "appVersion", v.audit_id IS NULL AS redacted, ${FIELD_VERSION} AS "fieldVersionId", ${FORMER_VERSION} AS "formerVersionId",
    e.version_id AS "entryVersionId",
    e.folder_id AS "folderId", e.folder_repeat AS "folderRepeat", e.page_id AS "pageId", e.page_repeat AS "pageRepeat"
  FROM audit a LEFT JOIN audit_value v ON v.audit_id = a.id LEFT JOIN entry e ON e.id = a.entry_id`

/** Pages of a trail, from the newest row or from a given row on, and how many rows there are. */
function trail(of: 'list' | 'field') {
  const lines = (parameter: Parameter<Question>): string =>
    `${visible(parameter)}${of === 'field' ? ofField(parameter) : ''}`
  // Each case has its own text: with `OR … IS NULL` the database could not start at the given place.
  const page = (name: string, place: (parameter: Parameter<PageQuestion>) => string) =>
    prepare<PageQuestion>(
      name,
      (parameter) => `
      ${AUDIT_LINE}
      WHERE ${lines(parameter)} ${place(parameter)}
      ORDER BY a.seq DESC, a.ord DESC
      LIMIT ${parameter(({ size }) => size)} OFFSET ${parameter(({ current, size }) => (current - 1) * size)}`,
    )
  return {
    newest: page(`audit_${of}`, () => ''),
    before: page(
      `audit_${of}_before`,
      (parameter) =>
        `AND (a.seq, a.ord) < (${parameter(({ before }) => before?.seq)}, ${parameter(({ before }) => before?.ord)})`,
    ),
    count: prepare<Question>(
      `audit_${of}_count`,
      (parameter) =>
        `SELECT count(*) AS total FROM (SELECT 1 FROM audit a WHERE ${lines(parameter)} LIMIT ${MAX_COUNT + 1}) AS counted`,
    ),
  }
}

const LIST = trail('list')
const FIELD = trail('field')

async function list(
  transaction: Queryable,
  { member, filter, within }: Question,
  { current, size, before }: Asked,
): Promise<AuditPage> {
  const statements = filter.field === undefined ? LIST : FIELD
  const pageStatement = before === null ? statements.newest : statements.before
  const page = await transaction.query<StoredLine>(pageStatement({ member, filter, within, current, size, before }))
  const count = await transaction.query<{ total: number }>(statements.count({ member, filter, within }))
  const total = count.rows[0]?.total ?? 0
  const rows = await presentLines(transaction, member, page.rows)
  return { rows, total: Math.min(total, MAX_COUNT), totalIsLeast: total > MAX_COUNT }
}

/** Rows as a reader sees them: masked, with the place where each stands and what its field is called since. */
export async function presentLines(
  transaction: Queryable,
  member: Membership,
  stored: readonly StoredLine[],
): Promise<readonly AuditLine[]> {
  const masks = await pageMasks(
    transaction,
    member.projectId,
    member.sensitive ? [] : stored.flatMap(({ pageId }) => pageId ?? []),
  )
  const numbers = await rowNumbers(transaction, stored)
  const lines: AuditLine[] = []
  for (const { folderId, folderRepeat, pageId, pageRepeat, entryVersionId, formerVersionId, ...known } of stored) {
    const place = folderId === null || pageId === null ? null : { folderId, folderRepeat, pageId, pageRepeat }
    const now =
      place === null || entryVersionId === null
        ? undefined
        : await nameNow(transaction, member.projectId, known, { ...place, versionId: entryVersionId })
    const former =
      place === null ? undefined : await formerName(transaction, member.projectId, { ...known, formerVersionId }, place)
    const line = {
      ...known,
      ...(now === undefined ? {} : { now }),
      ...(former === undefined ? {} : { former }),
      place,
      rowNo: numbers.get(`${known.entryId}.${known.rid}`) ?? null,
    }
    lines.push(
      member.sensitive || !identifies(line, pageId === null ? undefined : masks.get(pageId)) ? line : maskLine(line),
    )
  }
  return lines
}

/** The reason for a value may name the value, so it is masked too. */
function maskLine(line: AuditLine): AuditLine {
  const { prop, oldValue, newValue, reasonText } = line
  return {
    ...line,
    oldValue: mask(oldValue),
    newValue: mask(newValue),
    reasonText: prop === null || reasonText === null ? reasonText : MASK,
  }
}

/** Whether a line's values may tell who the patient is. */
function identifies({ action, prop, table, place, now }: AuditLine, masked: ReadonlySet<string> | undefined): boolean {
  // This one row holds the whole content of a page.
  if (action === 'entry.empty') return masked !== undefined && masked.size > 0
  // The text of a message may be guessed from its hash.
  if (action === 'message.create') return true
  // While its page waits, nobody knows what a file shows.
  if (place === null && action.startsWith('attachment.')) return true
  if (prop === null) return false
  // Of a page that is not begun, nobody knows here what its field is.
  if (place === null && action.startsWith('query.')) return true
  if (place === null) return action.startsWith('patient.') && (prop === 'identity' || IDENTIFYING.has(prop))
  if (masked === undefined) return false
  if (prop === WHOLE_ROW && table !== null) return isMasked(masked, null, table)
  // Under the code of its time, or under the field's code since.
  return isMasked(masked, table, prop) || (typeof now?.prop === 'string' && isMasked(masked, now.table, now.prop))
}

/** The numbers of table rows among the present ones, from 1, by entry and row. */
async function rowNumbers(transaction: Queryable, stored: readonly StoredLine[]): Promise<ReadonlyMap<string, number>> {
  const entries = [
    ...new Set(stored.flatMap(({ entryId, rid }) => (entryId === null || rid === null ? [] : [entryId]))),
  ]
  if (entries.length === 0) return new Map()
  const { rows } = await transaction.query<{ id: string; values: Readonly<Record<string, JsonValue>> }>({
    name: 'audit_rows',
    text: 'SELECT id, "values" FROM entry WHERE id = ANY ($1)',
    values: [entries],
  })
  return new Map(
    rows.flatMap(({ id, values }) =>
      Object.values(values).flatMap((value) =>
        (rowsOf(value) ?? [])
          .filter((row) => !stateOf(row).deleted)
          .map(({ _rid }, at): [string, number] => [`${id}.${typeof _rid === 'string' ? _rid : ''}`, at + 1]),
      ),
    ),
  )
}

function mask(value: AuditLine['oldValue']): AuditLine['oldValue'] {
  return value === null ? null : MASK
}
