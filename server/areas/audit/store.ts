import { MASK } from '#core/form/mask.ts'
import type { AuditLine } from '#core/api/calls.sync.ts'
import { centerParameter, passParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { fieldKey } from '#server/areas/entry/mask.ts'
import { pageMasks } from '#server/areas/entry/rows.ts'
import { IDENTIFYING } from '#server/areas/patient/change.ts'
import type { Queryable } from '#server/database/transaction.ts'

export interface AuditFilter {
  readonly patientId: string | null
  readonly entryId: string | null
  readonly prop: string | null
  readonly userId: string | null
}

/** Within the reader's project, centers, pass and data scope; what belongs to no center is common to the project. */
const VISIBLE = `
  a.project_id = $1
  AND ($2::uuid[] IS NULL OR a.center_id IS NULL OR a.center_id = ANY ($2))
  AND ($3::smallint IS NULL OR a.pass IS NULL OR a.pass = $3)
  AND ($4::uuid IS NULL OR a.patient_id IS NULL
    OR EXISTS (SELECT 1 FROM patient p WHERE p.id = a.patient_id AND p.created_by = $4))
  AND ($5::uuid IS NULL OR a.patient_id = $5)
  AND ($6::uuid IS NULL OR a.entry_id = $6)
  AND ($7::text IS NULL OR a.prop = $7)
  AND ($8::uuid IS NULL OR a.user_id = $8)`

/** Totals are counted up to here. */
const MAX_COUNT = 10_000

type Stored = AuditLine & { readonly tableProp: string | null; readonly pageId: string | null }

/** Where a row stands in its project's trail. */
export interface AuditPlace {
  readonly seq: number
  readonly ord: number
}

/** One page of the trail, newest first, and how many rows there are. After `before` the pages count from that row. */
export async function listAudit(
  transaction: Queryable,
  member: Membership,
  filter: AuditFilter,
  { current, size, before }: { readonly current: number; readonly size: number; readonly before: AuditPlace | null },
): Promise<{ readonly rows: readonly AuditLine[]; readonly total: number; readonly totalIsLeast: boolean }> {
  const where = [
    member.projectId,
    centerParameter(member),
    passParameter(member),
    member.dataScope === 'self' ? member.userId : null,
    filter.patientId,
    filter.entryId,
    filter.prop,
    filter.userId,
  ]
  const page = await transaction.query<Stored>({
    // A text of its own: with `OR $11 IS NULL` the database could not start at the place.
    name: before === null ? 'audit_list' : 'audit_list_before',
    text: `
      SELECT
        a.id, a.seq, a.ord, a.action, a.call, a.op_key AS "opKey", a.center_id AS "centerId", a.patient_id AS "patientId",
        a.entry_id AS "entryId", a.table_prop AS "tableProp", a.rid, a.prop, a.version_id AS "versionId", a.pass,
        v.old_value AS "oldValue", v.new_value AS "newValue", a.reason_code AS "reasonCode", v.reason_text AS "reasonText",
        a.user_id AS "userId", a.user_name AS "userName", a.role, a.carried_by AS "carriedBy", a.device_id AS "deviceId",
        a.occurred_at AS "occurredAt", a.occurred_offset_minutes AS "occurredOffsetMinutes", a.clock_drift_ms AS "clockDriftMs",
        a.received_at AS "receivedAt", a.app_version AS "appVersion", v.audit_id IS NULL AS redacted, e.page_id AS "pageId"
      FROM audit a LEFT JOIN audit_value v ON v.audit_id = a.id LEFT JOIN entry e ON e.id = a.entry_id
      WHERE ${VISIBLE} ${before === null ? '' : 'AND (a.seq, a.ord) < ($11, $12)'}
      ORDER BY a.seq DESC, a.ord DESC LIMIT $9 OFFSET $10`,
    values: [...where, size, (current - 1) * size, ...(before === null ? [] : [before.seq, before.ord])],
  })
  const count = await transaction.query<{ total: number }>({
    name: 'audit_count',
    text: `SELECT count(*) AS total FROM (SELECT 1 FROM audit a WHERE ${VISIBLE} LIMIT ${MAX_COUNT + 1}) AS counted`,
    values: where,
  })
  const total = count.rows[0]?.total ?? 0
  const rows = await present(transaction, member, page.rows)
  return { rows, total: Math.min(total, MAX_COUNT), totalIsLeast: total > MAX_COUNT }
}

async function present(transaction: Queryable, member: Membership, stored: readonly Stored[]): Promise<readonly AuditLine[]> {
  const masked = member.sensitive ? [] : stored.flatMap(({ pageId }) => pageId ?? [])
  const masks = await pageMasks(transaction, member.projectId, masked)
  return stored.map(({ tableProp, pageId, ...line }) => {
    if (member.sensitive || line.prop === null) return line
    const identifies =
      pageId === null
        ? line.action.startsWith('patient.') && (line.prop === 'identity' || IDENTIFYING.has(line.prop))
        : masks.get(pageId)?.has(fieldKey(tableProp, line.prop)) === true
    return identifies ? { ...line, oldValue: mask(line.oldValue), newValue: mask(line.newValue) } : line
  })
}

function mask(value: AuditLine['oldValue']): AuditLine['oldValue'] {
  return value === null ? null : MASK
}
