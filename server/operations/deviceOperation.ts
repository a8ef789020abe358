import { fail } from '#core/api/errors.ts'
import type { ApiError, FieldError } from '#core/api/errors.ts'
import type { JsonValue } from '#core/json.ts'
import type { Language } from '#core/language.ts'
import type { LostPlace } from '#core/sync/protocol/lostPlace.ts'
import { operation } from '#core/sync/protocol/operation.ts'
import type { Operation } from '#core/sync/protocol/operation.ts'
import { OLDEST_OPERATION } from '#core/sync/protocol/protocol.ts'
import type { WireError } from '#core/wire/wireError.ts'
import { withConnection } from '#server/database/transaction.ts'
import { refuseUncleanText } from '#server/http/cleanText.ts'
import type { Actor } from '#server/http/handler.ts'
import { fieldErrors } from '#server/http/input.ts'
import type { Services } from '#server/services.ts'

import { readBody } from './act.ts'
import type { AnyAct } from './act.ts'
import { isProven } from './keys.ts'

/** Operations of a tablet, brought in a push or in a file. */

/** The person who brings operations. */
export interface Sender {
  readonly actor: Actor
  readonly language: Language
  readonly ip: string
}

/**
 * Checks the form of an operation, and not yet who its author is.
 *
 * @throws ApiFailure invalid, client_too_old
 */
export function parseOperation(raw: JsonValue): Operation {
  refuseUncleanText(raw, 'op')
  const parsed = operation.safeParse(raw, { reportInput: true })
  if (!parsed.success) throw fail('invalid', { fields: fieldErrors(parsed.error, ['op']) })
  if (parsed.data.protocol < OLDEST_OPERATION) throw fail('client_too_old')
  return parsed.data
}

/**
 * The operation as its author's act.
 *
 * @param device the device that the operation names as its own: whether it is blocked, and what it remembers of a
 *   forgotten history, namely the number that was given and the lost place of the operation
 * @throws ApiFailure proof_wrong, invalid
 */
export async function actOf(
  services: Services,
  sender: Sender,
  op: Operation,
  device: { readonly blocked: boolean; readonly numberHint: string | null; readonly lostPlace: LostPlace | null },
): Promise<AnyAct> {
  if (!isProven(services.secrets, op)) throw fail('proof_wrong')
  const author = op.author === sender.actor.userId ? sender.actor : await findAuthor(services, sender, op)
  if (author === null) throw fail('proof_wrong')
  const content = readBody(op.call, op.body)
  if (!content.ok) throw fail('invalid', { fields: content.error })
  return {
    ...content.value,
    key: op.key,
    projectId: op.projectId,
    crfVersionId: op.crfVersionId,
    pass: op.pass,
    entityId: op.entityId,
    centerId: op.centerId,
    after: op.after,
    author,
    carriedBy: author === sender.actor ? null : sender.actor.userId,
    admission: device.blocked ? 'device_blocked' : 'usual',
    numberHint: device.numberHint,
    lostPlace: device.lostPlace,
    acted: { ...op.acted, deviceId: op.deviceId, appVersion: op.appVersion },
    deviceSeq: op.seq,
    protocol: op.protocol,
    receivedAt: services.now(),
    language: sender.language,
    ip: sender.ip,
  }
}

/**
 * The author of an operation that somebody else carries. A disabled account is found too: its earlier work is taken in
 * for a decision.
 */
async function findAuthor(services: Services, sender: Sender, op: Operation): Promise<Actor | null> {
  const { rows } = await withConnection(services.pool, (connection) =>
    connection.query<Omit<Actor, 'sessionId' | 'deviceId'>>({
      name: 'push_author',
      text: `
        SELECT id AS "userId", account, real_name AS "realName", is_admin AS "isAdmin", is_demo AS "isDemo" FROM app_user WHERE id = $1`,
      values: [op.author],
    }),
  )
  return rows[0] === undefined
    ? null
    : { ...rows[0], sessionId: sender.actor.sessionId, deviceId: sender.actor.deviceId }
}

/** An error as it is stored for one operation: without words. */
export function wireError(error: ApiError): WireError {
  const { code, fields, problems, retryAfterSeconds } = error
  return {
    code,
    ...(fields === undefined ? {} : { fields: fields.map(wireField) }),
    ...(problems === undefined ? {} : { problems: [...problems] }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
}

function wireField({ path, code, params }: FieldError) {
  return params === undefined ? { path, code } : { path, code, params: { ...params } }
}
