import type { FastifyRequest } from 'fastify'
import { fail } from '#core/api/errors.ts'
import { headers } from '#core/api/headers.ts'
import type { Language } from '#core/language.ts'
import { instant } from '#core/wire/shapes.ts'
import type { Call } from '#core/api/call.ts'
import { isId, newId } from '#core/ids.ts'
import { OLDEST_PROTOCOL } from '#core/sync/protocol/protocol.ts'
import type { ClientId } from '#server/http/client.ts'
import type { Acted } from '#server/http/handler.ts'

/** What a call's headers say, each checked. A header that is absent or malformed counts as not given. */

/** A header's one value. */
export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name.toLowerCase()]
  return typeof value === 'string' ? value : undefined
}

/** zh unless English comes first. */
export function languageOf(request: FastifyRequest): Language {
  const wanted = headerOf(request, 'Accept-Language')?.toLowerCase() ?? ''
  const [zh, en] = [wanted.indexOf('zh'), wanted.indexOf('en')]
  return en >= 0 && (zh < 0 || en < zh) ? 'en' : 'zh'
}

/** When and on which device the person acted; the present where the headers do not tell. */
export function actedOf(request: FastifyRequest, now: string): Acted {
  const at = headerOf(request, headers.actedAt)
  const appVersion = headerOf(request, headers.appVersion)
  return {
    at: at !== undefined && instant.safeParse(at).success ? at : now,
    offsetMinutes: numberIn(headerOf(request, headers.actedOffset), /^-?\d{1,4}$/, 1080),
    driftMs: numberIn(headerOf(request, headers.clockDrift), /^-?\d{1,15}(\.\d{1,6})?$/, Number.MAX_SAFE_INTEGER),
    deviceId: idOf(request, headers.deviceId),
    appVersion: appVersion !== undefined && /^[\w.+-]{1,40}$/.test(appVersion) ? appVersion : null,
  }
}

/** A header that carries an id. */
export function idOf(request: FastifyRequest, name: string): string | null {
  const value = headerOf(request, name)
  return value !== undefined && isId(value) ? value : null
}

/** Entry pass of the header; 1 without one. */
export function passOf(request: FastifyRequest): 1 | 2 {
  return headerOf(request, headers.doubleSeqNo) === '2' ? 2 : 1
}

const YES: readonly (string | undefined)[] = ['1', 'true']
const NO: readonly (string | undefined)[] = ['0', 'false']

/** Whether the people whom a change concerns are to be told; null where the header is missing. */
export function notifyOf(request: FastifyRequest): boolean | null {
  const said = headerOf(request, headers.notify)?.toLowerCase()
  if (YES.includes(said)) return true
  return NO.includes(said) ? false : null
}

/**
 * Number of the wire protocol that the client speaks; null for stock clients, which know of none.
 *
 * @throws ApiFailure `client_too_old`
 */
export function protocolOf(request: FastifyRequest): number | null {
  const protocol = numberIn(headerOf(request, headers.protocol), /^\d{1,6}$/, 1_000_000)
  if (protocol !== null && protocol < OLDEST_PROTOCOL) throw fail('client_too_old')
  return protocol
}

/**
 * The idempotency key of a write. Our own client must give one. For a stock client of the BladeX family one is made:
 * the write is booked like any other, but a repeated call is then a new write. Such a client cannot have more.
 *
 * @throws ApiFailure `invalid`
 */
export function keyOf(request: FastifyRequest, call: Pick<Call, 'write'>, client: ClientId): string {
  const given = headerOf(request, headers.idempotencyKey)
  if (given !== undefined && isId(given)) return given
  const problem = given === undefined ? 'required' : 'id'
  if (call.write && (given !== undefined || client === 'zhenglu')) {
    throw fail('invalid', { fields: [{ path: headers.idempotencyKey, code: problem }] })
  }
  return newId()
}

function numberIn(text: string | undefined, form: RegExp, limit: number): number | null {
  if (text === undefined || !form.test(text)) return null
  const value = Number(text)
  return Math.abs(value) <= limit ? value : null
}
