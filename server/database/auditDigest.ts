import { hash, randomBytes } from 'node:crypto'
import { CANONICAL_VERSION, canonicalJson } from '#core/json.ts'
import type { JsonValue } from '#core/json.ts'
import { newId } from '#core/ids.ts'
import { isPlaced } from '#server/database/auditActions.ts'
import { arrayText, jsonArrayText } from '#server/database/arrays.ts'
import { columns } from '#server/database/prepare.ts'
import type { Parameter } from '#server/database/prepare.ts'

/**
 * Audit rows as they are hashed: the content of each hash, and the form in which the rows reach the statement that
 * writes them.
 */

/** Who acted, when and on what: the same for all audit rows of a transaction. */
export interface Stamp {
  readonly userId: string | null
  readonly userName: string
  readonly role: string | null
  readonly carriedBy: string | null
  readonly deviceId: string | null
  readonly occurredAt: string
  readonly occurredOffsetMinutes: number | null
  readonly clockDriftMs: number | null
  readonly receivedAt: string
  readonly appVersion: string | null
  readonly ip: string | null
  readonly call: string | null
  readonly opKey: string | null
}

/**
 * One thing that happened. `action` is one of `auditActions`, such as `item.update`, `patient.enrol`,
 * `version.release`, `user.login`.
 */
export interface NewAuditRow {
  readonly action: string
  readonly centerId?: string | null
  readonly patientId?: string | null
  readonly entryId?: string | null
  readonly table?: string | null
  readonly rid?: string | null
  readonly prop?: string | null
  readonly versionId?: string | null
  readonly pass?: number | null
  readonly old?: JsonValue
  readonly new?: JsonValue
  readonly reasonCode?: string | null
  readonly reasonText?: string | null
  /** When this step happened, where that differs from the stamp's time. */
  readonly occurredAt?: string
}

/** The audit rows of one link of the chain. */
export interface DigestedLink {
  /** Over the rows in their order. */
  readonly digest: string
  readonly stamp: Stamp
  readonly receivedAt: string
  readonly rows: readonly DigestedRow[]
}

interface DigestedRow {
  readonly id: string
  readonly draft: NewAuditRow
  readonly occurredAt: string
  readonly salt: string
  readonly valueHash: string
  readonly rowHash: string
}

const SALT_BYTES = 16
const ID_BYTES = 16

/**
 * Digests the audit rows of one transaction.
 *
 * @param projectId null in the system's chain
 */
export function digestRows(projectId: string | null, stamp: Stamp, drafts: readonly NewAuditRow[]): DigestedLink {
  const receivedAt = storedInstant(stamp.receivedAt)
  const stampedAt = storedInstant(stamp.occurredAt)
  const textOf = rowText(projectId, stamp, receivedAt)
  // One random draw for all salts: a draw for each costs more than the hash that it goes into.
  const drawn = randomBytes((ID_BYTES + SALT_BYTES) * drafts.length)
  const salts = drawn.toString('hex', ID_BYTES * drafts.length)
  const rows = drafts.map((draft, ord): DigestedRow => {
    if (!isPlaced(draft)) throw new Error(`an audit row does not say where it stands: ${draft.action}`)
    const salt = salts.slice(ord * SALT_BYTES * 2, (ord + 1) * SALT_BYTES * 2)
    const id = newId(drawn.subarray(ord * ID_BYTES, (ord + 1) * ID_BYTES))
    const occurredAt = draft.occurredAt === undefined ? stampedAt : storedInstant(draft.occurredAt)
    const values = { old_value: draft.old ?? null, new_value: draft.new ?? null, reason_text: draft.reasonText ?? null }
    const hashed = valueHash(salt, values)
    return {
      id,
      draft,
      occurredAt,
      salt,
      valueHash: hashed,
      rowHash: sha256(textOf(draft, { id, ord, occurredAt, valueHash: hashed })),
    }
  })
  return { digest: sha256(rows.map((row) => row.rowHash).join('')), stamp, receivedAt, rows }
}

/**
 * `canonicalJson` of an audit row's columns, for many rows of one stamp: what they share is written once. The keys
 * stand in canonical order. The verification of a chain uses the general way (`rowHash`) and finds any difference.
 */
function rowText(projectId: string | null, stamp: Stamp, receivedAt: string) {
  const text = (value: string | number | null | undefined): string => JSON.stringify(value ?? null)
  const byStamp = {
    app: `,"app_version":${text(stamp.appVersion)},"call":${text(stamp.call)},"carried_by":${text(stamp.carriedBy)},"center_id":`,
    device: `,"clock_drift_ms":${text(stamp.clockDriftMs)},"device_id":${text(stamp.deviceId)},"entry_id":`,
    from: `,"ip":${text(stamp.ip)},"occurred_at":`,
    key: `,"occurred_offset_minutes":${text(stamp.occurredOffsetMinutes)},"op_key":${text(stamp.opKey)},"ord":`,
    project: `,"project_id":${text(projectId)},"prop":`,
    received: `,"received_at":${text(receivedAt)},"rid":`,
    role: `,"role":${text(stamp.role)},"table_prop":`,
    user: `,"user_id":${text(stamp.userId)},"user_name":${text(stamp.userName)},"value_hash":"`,
  }
  return (
    draft: NewAuditRow,
    own: { readonly id: string; readonly ord: number; readonly occurredAt: string; readonly valueHash: string },
  ): string =>
    `{"action":${text(draft.action)}${byStamp.app}${text(draft.centerId)}${byStamp.device}${text(draft.entryId)}` +
    `,"format":${CANONICAL_VERSION},"id":"${own.id}"${byStamp.from}"${own.occurredAt}"${byStamp.key}${own.ord}` +
    `,"pass":${text(draft.pass)},"patient_id":${text(draft.patientId)}${byStamp.project}${text(draft.prop)}` +
    `,"reason_code":${text(draft.reasonCode)}${byStamp.received}${text(draft.rid)}${byStamp.role}${text(draft.table)}` +
    `${byStamp.user}${own.valueHash}","version_id":${text(draft.versionId)}}`
}

/** The instant as the database will return it: a row must have the same hash when it is computed again. */
function storedInstant(instant: string): string {
  return new Date(instant).toISOString()
}

/** Hash of an audit row's values under its salt. */
export function valueHash(
  salt: string,
  values: { readonly old_value: JsonValue; readonly new_value: JsonValue; readonly reason_text: string | null },
): string {
  const { old_value: before, new_value: after, reason_text: reason } = values
  return sha256(
    `${salt}{"new_value":${canonicalJson(after)},"old_value":${canonicalJson(before)},"reason_text":${JSON.stringify(reason)}}`,
  )
}

/**
 * Hash of an audit row without its values. Its seq is not part of the hash, because the chain's link gives the place.
 */
export function rowHash(row: Readonly<Record<string, JsonValue>>): string {
  return sha256(canonicalJson(row))
}

/** SHA-256 of UTF-8 text, lower-case hex. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}

/** Audit rows on their way into the database, and the stamp of each link. */
export interface AuditLines {
  readonly links: readonly DigestedLink[]
  /** The audit rows of all links, each with the number of its link, from 1, and its place in that link. */
  readonly rows: readonly (DigestedRow & { readonly link: number; readonly ord: number })[]
}

/** What `auditInsert` writes for the links of one statement. */
export function auditLines(links: readonly DigestedLink[]): AuditLines {
  return {
    links,
    rows: links.flatMap((link, at) => link.rows.map((row, ord) => ({ ...row, link: at + 1, ord }))),
  }
}

interface WithAudit {
  readonly audit: AuditLines
}

const links = (read: (link: DigestedLink) => string | number | null) => {
  return ({ audit }: WithAudit): string => arrayText(audit.links.map(read))
}
const rows = (read: (row: AuditLines['rows'][number]) => string | number | null | undefined) => {
  return ({ audit }: WithAudit): string => arrayText(audit.rows.map((row) => read(row) ?? null))
}

/**
 * Common table expressions that write a statement's `audit`, for the links in `place (link, id, seq)`: project and
 * change number.
 */
export function auditInsert<Input extends WithAudit>(parameter: Parameter<Input>): string {
  const linkOfRow = rows(({ link }) => link)
  const idOfRow = rows(({ id }) => id)
  const stamp = columns<Input>(parameter, {
    call: ['text[]', links((link) => link.stamp.call)],
    op_key: ['uuid[]', links((link) => link.stamp.opKey)],
    user_id: ['uuid[]', links((link) => link.stamp.userId)],
    user_name: ['text[]', links((link) => link.stamp.userName)],
    role: ['text[]', links((link) => link.stamp.role)],
    carried_by: ['uuid[]', links((link) => link.stamp.carriedBy)],
    device_id: ['uuid[]', links((link) => link.stamp.deviceId)],
    occurred_offset_minutes: ['integer[]', links((link) => link.stamp.occurredOffsetMinutes)],
    clock_drift_ms: ['double precision[]', links((link) => link.stamp.clockDriftMs)],
    received_at: ['timestamptz[]', links((link) => link.receivedAt)],
    app_version: ['text[]', links((link) => link.stamp.appVersion)],
    ip: ['text[]', links((link) => link.stamp.ip)],
  })
  const row = columns<Input>(parameter, {
    link: ['integer[]', linkOfRow],
    ord: ['integer[]', rows(({ ord }) => ord)],
    id: ['uuid[]', idOfRow],
    action: ['text[]', rows(({ draft }) => draft.action)],
    center_id: ['uuid[]', rows(({ draft }) => draft.centerId)],
    patient_id: ['uuid[]', rows(({ draft }) => draft.patientId)],
    entry_id: ['uuid[]', rows(({ draft }) => draft.entryId)],
    table_prop: ['text[]', rows(({ draft }) => draft.table)],
    rid: ['text[]', rows(({ draft }) => draft.rid)],
    prop: ['text[]', rows(({ draft }) => draft.prop)],
    version_id: ['uuid[]', rows(({ draft }) => draft.versionId)],
    pass: ['smallint[]', rows(({ draft }) => draft.pass)],
    reason_code: ['text[]', rows(({ draft }) => draft.reasonCode)],
    occurred_at: ['timestamptz[]', rows(({ occurredAt }) => occurredAt)],
    value_hash: ['text[]', rows((row) => row.valueHash)],
    row_hash: ['text[]', rows((row) => row.rowHash)],
  })
  const value = columns<Input>(parameter, {
    link: ['integer[]', linkOfRow],
    id: ['uuid[]', idOfRow],
    salt: ['text[]', rows(({ salt }) => salt)],
    old_value: ['jsonb[]', ({ audit }) => jsonArrayText(audit.rows.map(({ draft }) => draft.old))],
    new_value: ['jsonb[]', ({ audit }) => jsonArrayText(audit.rows.map(({ draft }) => draft.new))],
    reason_text: ['text[]', rows(({ draft }) => draft.reasonText)],
  })
  return `
      stamp AS (
        SELECT * FROM unnest(${stamp.places}) WITH ORDINALITY AS s (${stamp.names}, link)
      ), audited AS (
        INSERT INTO audit (
          id, project_id, seq, ord, format, action, call, op_key, center_id, patient_id, entry_id, table_prop, rid, prop,
          version_id, pass, reason_code, user_id, user_name, role, carried_by, device_id, occurred_at,
          occurred_offset_minutes, clock_drift_ms, received_at, app_version, ip, value_hash, row_hash)
        SELECT
          a.id, place.id, place.seq, a.ord, ${CANONICAL_VERSION}, a.action, s.call, s.op_key, a.center_id, a.patient_id, a.entry_id,
          a.table_prop, a.rid, a.prop, a.version_id, a.pass, a.reason_code, s.user_id, s.user_name, s.role, s.carried_by,
          s.device_id, a.occurred_at, s.occurred_offset_minutes, s.clock_drift_ms, s.received_at, s.app_version, s.ip,
          a.value_hash, a.row_hash
        FROM place JOIN stamp s ON s.link = place.link
          JOIN unnest(${row.places}) AS a (${row.names}) ON a.link = place.link
      ), valued AS (
        INSERT INTO audit_value (audit_id, salt, old_value, new_value, reason_text)
        SELECT v.id, v.salt, v.old_value, v.new_value, v.reason_text
        FROM place JOIN unnest(${value.places}) AS v (${value.names}) ON v.link = place.link
      )`
}
