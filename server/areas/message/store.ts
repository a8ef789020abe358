import type { MessageKind, MessageReason, PatientMessage } from '#core/api/patientMessage.ts'
import { MAIL_ADDRESS } from '#server/areas/message/settings.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import type { Membership } from '#server/access.ts'
import { arrayText } from '#server/database/arrays.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Messages to patients in SQL. An address is never copied: it is read from the patient when it is needed. */

/** The facts of a patient that matter for writing to them. */
export interface Recipient {
  readonly id: string
  readonly centerId: string
  readonly mobile: string | null
  readonly email: string | null
}

/** Those of the patients whom the member may see, without removed ones. */
export async function findRecipients(
  connection: Queryable,
  member: Membership,
  ids: readonly string[],
): Promise<readonly Recipient[]> {
  const { rows } = await connection.query<Recipient>({
    name: 'message_recipients',
    text: `
      SELECT p.id, p.center_id AS "centerId", p.mobile, p.email FROM patient p
      WHERE ${PATIENT_VISIBLE} AND NOT p.deleted AND p.id = ANY ($4) ORDER BY p.id`,
    values: [...visibleTo(member), ids],
  })
  return rows
}

/** The address for a message of this kind; null where the patient has none, or where the field holds something else. */
export function addressFor(kind: MessageKind, { mobile, email }: Pick<Recipient, 'mobile' | 'email'>): string | null {
  const address = (kind === 'note' ? mobile : email)?.trim() ?? ''
  const isOne = kind === 'note' ? /^\+?\d[\d ()-]{4,38}\d$/.test(address) : MAIL_ADDRESS.test(address)
  return isOne ? address : null
}

export interface NewMessage {
  readonly id: string
  readonly patientId: string
  readonly state: 'waiting' | 'no_address'
}

/** Stores a message for each of several patients. */
export async function addMessages(
  transaction: Queryable,
  messages: readonly NewMessage[],
  {
    projectId,
    kind,
    content,
    by,
    at,
  }: {
    readonly projectId: string
    readonly kind: MessageKind
    readonly content: string
    readonly by: string
    readonly at: string
  },
): Promise<void> {
  await transaction.query({
    name: 'message_add',
    text: `
      INSERT INTO patient_message (id, project_id, patient_id, kind, content, state, created_by, created_at, next_try_at, ended_at)
      SELECT m.id, $4, m.patient_id, $5, $6, m.state, $7, $8, $8, CASE WHEN m.state = 'waiting' THEN NULL ELSE $8::timestamptz END
      FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS m (id, patient_id, state)`,
    values: [
      arrayText(messages.map(({ id }) => id)),
      arrayText(messages.map(({ patientId }) => patientId)),
      arrayText(messages.map(({ state }) => state)),
      projectId,
      kind,
      content,
      by,
      at,
    ],
  })
}

/** Most messages in a patient's list. */
const MOST_SHOWN = 500

/** Messages to a patient, the latest first, with the author of each. */
export async function listMessages(
  connection: Queryable,
  patientId: string,
): Promise<readonly (PatientMessage & { readonly by: string })[]> {
  const { rows } = await connection.query<PatientMessage & { readonly by: string }>({
    name: 'message_list',
    text: `
      SELECT
        m.id, m.kind, m.content, m.state, m.why, m.tries, m.created_by AS by, u.real_name AS "byName", m.created_at AS at,
        CASE WHEN m.state = 'waiting' THEN m.next_try_at END AS "nextTryAt", m.ended_at AS "endedAt"
      FROM patient_message m JOIN app_user u ON u.id = m.created_by
      WHERE m.patient_id = $1 ORDER BY m.created_at DESC, m.id DESC LIMIT ${MOST_SHOWN}`,
    values: [patientId],
  })
  return rows
}

/** A message that one sender has claimed, with its address. */
export interface ClaimedMessage {
  readonly id: string
  readonly projectId: string
  readonly patientId: string
  readonly centerId: string
  readonly kind: MessageKind
  readonly content: string
  /** Number of attempts, this one included. */
  readonly tries: number
  readonly claimedAt: string
  readonly mobile: string | null
  readonly email: string | null
  readonly removed: boolean
}

const CLAIMED = `
  m.id, m.project_id AS "projectId", m.patient_id AS "patientId", p.center_id AS "centerId", m.kind, m.content, m.tries, m.claimed_at AS "claimedAt",
  p.mobile, p.email, p.deleted AS removed`

/**
 * Claims the message that has been due longest, so that no other sender takes it; null where none is due. Messages of
 * a paused project wait.
 *
 * @param kinds ways that are set up
 */
export async function claimMessage(
  transaction: Queryable,
  { kinds, now }: { readonly kinds: readonly MessageKind[]; readonly now: string },
): Promise<ClaimedMessage | null> {
  const { rows } = await transaction.query<ClaimedMessage>({
    name: 'message_claim',
    text: `
      WITH due AS (
        SELECT m.id FROM patient_message m JOIN project j ON j.id = m.project_id
        WHERE m.state = 'waiting' AND m.claimed_at IS NULL AND m.next_try_at <= $2 AND m.kind = ANY ($1) AND j.status = 'process' AND NOT j.deleted
        ORDER BY m.next_try_at, m.id LIMIT 1 FOR UPDATE OF m SKIP LOCKED
      )
      UPDATE patient_message m SET claimed_at = $2, tries = m.tries + 1 FROM due, patient p WHERE m.id = due.id AND p.id = m.patient_id
      RETURNING ${CLAIMED}`,
    values: [kinds, now],
  })
  return rows[0] ?? null
}

/** Stands as the sender of a message that waited in a backup: nobody knows whether it was sent since. */
const RESTORED = 'to_timestamp(0)'

/** Marks messages that wait in a database that went back in time: they may have been sent since. */
export async function distrustWaiting(transaction: Queryable): Promise<void> {
  // A backup may be older than the table of messages.
  const { rows } = await transaction.query<{ known: boolean }>(
    `SELECT to_regclass('patient_message') IS NOT NULL AS known`,
  )
  if (rows[0]?.known === true)
    await transaction.query(`UPDATE patient_message SET claimed_at = ${RESTORED} WHERE state = 'waiting'`)
}

/**
 * A message whose sender is gone, locked; or one of a database that went back in time. Null where there is none.
 *
 * @param before claims from before this instant have expired
 */
export async function findLost(
  transaction: Queryable,
  before: string,
): Promise<(ClaimedMessage & { readonly restored: boolean }) | null> {
  const { rows } = await transaction.query<ClaimedMessage & { readonly restored: boolean }>({
    name: 'message_lost',
    text: `
      SELECT ${CLAIMED}, m.claimed_at = ${RESTORED} AS restored
      FROM patient_message m JOIN patient p ON p.id = m.patient_id JOIN project j ON j.id = m.project_id
      WHERE m.state = 'waiting' AND NOT j.deleted AND m.claimed_at < $1
      ORDER BY m.next_try_at, m.id LIMIT 1 FOR UPDATE OF m SKIP LOCKED`,
    values: [before],
  })
  return rows[0] ?? null
}

/**
 * Ends a message.
 *
 * @returns whether the sender that claimed it then (`claimedAt`) still had it
 */
export async function endMessage(
  transaction: Queryable,
  { id, claimedAt }: Pick<ClaimedMessage, 'id' | 'claimedAt'>,
  end: { readonly state: 'sent' | 'failed' | 'no_address'; readonly why: MessageReason | null; readonly at: string },
): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'message_end',
    text: `
      UPDATE patient_message SET state = $3, why = $4, ended_at = $5, claimed_at = NULL
      WHERE id = $1 AND state = 'waiting' AND claimed_at = $2`,
    values: [id, claimedAt, end.state, end.why, end.at],
  })
  return rowCount === 1
}

/**
 * Puts a message back, to be tried again later.
 *
 * @returns whether the sender that claimed it then still had it
 */
export async function putBack(
  connection: Queryable,
  { id, claimedAt }: Pick<ClaimedMessage, 'id' | 'claimedAt'>,
  { why, nextTryAt }: { readonly why: MessageReason; readonly nextTryAt: string },
): Promise<boolean> {
  const { rowCount } = await connection.query({
    name: 'message_put_back',
    text: `
      UPDATE patient_message SET why = $3, next_try_at = $4, claimed_at = NULL
      WHERE id = $1 AND state = 'waiting' AND claimed_at = $2`,
    values: [id, claimedAt, why, nextTryAt],
  })
  return rowCount === 1
}
