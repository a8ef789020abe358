import type { MessageKind, MessageReason, PatientMessage } from '#core/api/patientMessage.ts'
import { MAIL_ADDRESS } from '#server/areas/message/settings.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import type { Membership } from '#server/access.ts'
import { arrayText } from '#server/database/arrays.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Messages to patients in SQL. An address is never copied: it is read from the patient when it is needed. */

/** A patient as far as one who writes to them is concerned. */
export interface Recipient {
  readonly id: string
  readonly centerId: string
  readonly mobile: string | null
  readonly email: string | null
}

/** Those of the patients that the member may see, without those who were removed. */
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

/**
 * Where a message of this kind goes; null where the patient has no such address, or something else stands in its place.
 */
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

/** Keeps what is to be said to several patients. */
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

/** Most messages that a patient's list shows. */
const MOST_SHOWN = 500

/** Messages to a patient, the latest first, with who wrote each. */
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

/** A message in somebody's hands, with where it goes. */
export interface ClaimedMessage {
  readonly id: string
  readonly projectId: string
  readonly patientId: string
  readonly centerId: string
  readonly kind: MessageKind
  readonly content: string
  /** This time included. */
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
 * Takes the message that has been due longest, so that nobody else sends it; null where none is due. Messages of a
 * project that is paused wait.
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

/** Stands for who took a message that waited in a backup: who knows whether it was sent since. */
const RESTORED = 'to_timestamp(0)'

/** Says of messages that wait in a database that went back in time that they may have been sent since. */
export async function distrustWaiting(transaction: Queryable): Promise<void> {
  // A backup may be older than messages are.
  const { rows } = await transaction.query<{ known: boolean }>(
    `SELECT to_regclass('patient_message') IS NOT NULL AS known`,
  )
  if (rows[0]?.known === true)
    await transaction.query(`UPDATE patient_message SET claimed_at = ${RESTORED} WHERE state = 'waiting'`)
}

/**
 * A message whose sender is gone, locked; or one of a database that went back in time. Null where there is none.
 *
 * @param before claims that are older are nobody's any more
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

/** Ends a message. @returns whether it was still in the hands of who took it then (`claimedAt`) */
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

/** Puts a message back, to be tried again later. @returns whether it was still in the hands of who took it then */
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
