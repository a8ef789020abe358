import { fail } from '#core/api/errors.ts'
import type { ApiError, FieldError } from '#core/api/errors.ts'
import type { Language } from '#core/api/messages.ts'
import { isId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import { operation } from '#core/sync/operation.ts'
import { OLDEST_PROTOCOL } from '#core/sync/protocol.ts'
import type { Operation } from '#core/sync/operation.ts'
import type { PushAnswer } from '#core/sync/push.ts'
import { readBody } from '#server/areas/sync/act.ts'
import type { AnyAct } from '#server/areas/sync/act.ts'
import { isProven } from '#server/areas/sync/keys.ts'
import { take } from '#server/areas/sync/take.ts'
import { withConnection } from '#server/database/transaction.ts'
import { refuseUncleanText } from '#server/http/cleanText.ts'
import { isOurFault, toApiError } from '#server/http/errors.ts'
import type { Actor } from '#server/http/handler.ts'
import { fieldErrors } from '#server/http/input.ts'
import type { Services } from '#server/services.ts'

/** Who carries an envelope, and from which device it comes. */
export interface Carrier {
  readonly actor: Actor
  readonly deviceId: string
  readonly language: Language
  readonly ip: string
}

/**
 * Takes the operations of an envelope in, in their order and each in its own transaction, and answers each as soon as it has committed.
 * One that is refused holds back none of the others.
 */
export async function* pushAnswers(services: Services, carrier: Carrier, ops: readonly JsonValue[]): AsyncGenerator<PushAnswer> {
  for (const raw of ops) yield await answerOne(services, carrier, raw)
  yield { t: 'end', serverTime: services.now(), epoch: services.secrets.epoch }
}

/** @throws ApiFailure invalid where an operation has no key under which it could be answered */
export function requireKeys(ops: readonly JsonValue[]): void {
  const at = ops.findIndex((op) => keyOf(op) === null)
  if (at >= 0) throw fail('invalid', { fields: [{ path: `body.ops.${at}.key`, code: 'required' }] })
}

async function answerOne(services: Services, carrier: Carrier, raw: JsonValue): Promise<PushAnswer> {
  const key = keyOf(raw) ?? ''
  try {
    const act = await readOperation(services, carrier, raw)
    const { receipt, result } = await take(services, act)
    return {
      t: 'taken',
      key,
      receipt: { ...receipt, projectId: act.projectId },
      // A carrier brings another's work without the right to read it.
      result: act.carriedBy === null ? result : null,
    }
  } catch (error) {
    if (isOurFault(error)) services.log.error({ error, call: 'sync.push' }, 'operation failed')
    return { t: 'refused', key, error: wireError(toApiError(error)) }
  }
}

/**
 * Checks an operation and finds out whose it is.
 *
 * @throws ApiFailure invalid, client_too_old, proof_wrong
 */
async function readOperation(services: Services, carrier: Carrier, raw: JsonValue): Promise<AnyAct> {
  refuseUncleanText(raw, 'op')
  const parsed = operation.safeParse(raw, { reportInput: true })
  if (!parsed.success) throw fail('invalid', { fields: fieldErrors(parsed.error, ['op']) })
  const op = parsed.data
  if (op.protocol < OLDEST_PROTOCOL) throw fail('client_too_old')
  if (op.deviceId !== carrier.deviceId || !isProven(services.secrets, op)) throw fail('proof_wrong')
  const author = op.author === carrier.actor.userId ? carrier.actor : await findAuthor(services, carrier, op)
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
    carriedBy: author === carrier.actor ? null : carrier.actor.userId,
    acted: { ...op.acted, deviceId: op.deviceId, appVersion: op.appVersion },
    deviceSeq: op.seq,
    protocol: op.protocol,
    receivedAt: services.now(),
    language: carrier.language,
    ip: carrier.ip,
  }
}

/** The author of what another carries. A disabled account is found too: what it did before is taken in for a decision. */
async function findAuthor(services: Services, carrier: Carrier, op: Operation): Promise<Actor | null> {
  const { rows } = await withConnection(services.pool, (connection) =>
    connection.query<Omit<Actor, 'sessionId'>>({
      name: 'push_author',
      text: `
        SELECT id AS "userId", account, real_name AS "realName", is_admin AS "isAdmin", is_demo AS "isDemo" FROM app_user WHERE id = $1`,
      values: [op.author],
    }),
  )
  return rows[0] === undefined ? null : { ...rows[0], sessionId: carrier.actor.sessionId }
}

function keyOf(raw: JsonValue): string | null {
  if (typeof raw !== 'object' || raw === null || !('key' in raw)) return null
  return typeof raw.key === 'string' && isId(raw.key) ? raw.key : null
}

function wireError(error: ApiError): Extract<PushAnswer, { t: 'refused' }>['error'] {
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
