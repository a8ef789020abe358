import type { RateLimitOptions } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiFailure, fail } from '#core/api/errors.ts'
import { envelopeOf } from '#core/api/envelope.ts'
import { DEVICE_COOKIE, OWN_CLIENT, headers, REFRESH_COOKIE, REFRESH_COOKIE_PATH } from '#core/api/headers.ts'
import type { Language } from '#core/language.ts'
import type { Call } from '#core/api/call.ts'
import type { CallId } from '#core/api/table.ts'
import { PUSH_MAX_BYTES } from '#core/api/sync/push.ts'
import { DatabaseError } from '#server/database/errors.ts'
import { readClient } from '#server/http/client.ts'
import type { ClientId } from '#server/http/client.ts'
import { UnreadBody } from '#server/http/body.ts'
import { refuseUncleanText } from '#server/http/cleanText.ts'
import { actedOf, headerOf, idOf, keyOf, languageOf, notifyOf, passOf, protocolOf } from '#server/http/context.ts'
import { isOurFault, toApiError, toTokenFailure, httpStatus, toEnvelope } from '#server/http/errors.ts'
import type { Actor, BlobAnswer, Handlers, HttpFacts } from '#server/http/handler.ts'
import { parseInput } from '#server/http/input.ts'
import { findSignedIn, readBearer } from '#server/http/session.ts'
import { ndjsonStream } from '#server/http/stream.ts'
import type { Services } from '#server/services.ts'
import { isForThread } from '#server/threads/calls.ts'

/**
 * Registers the calls of the contract (`core/api/table.ts`). The order is the same for each: limit, client, token,
 * schemas, key, handler, answer.
 */

/** Largest body after inflating, in bytes. */
const BODY_LIMIT = 4 * 1024 * 1024
/** Calls that carry a whole definition with its source, many operations, or a file of them. */
const largeBodies: ReadonlyMap<string, number> = new Map<CallId, number>([
  ['version.import', 32 * 1024 * 1024],
  ['version.designSave', 32 * 1024 * 1024],
  ['sync.push', 8 * 1024 * 1024],
  ['sync.rescue', 16 * 1024 * 1024],
])

/** Calls that are possible before the first password is changed. */
const beforePasswordChange: ReadonlySet<string> = new Set<CallId>([
  'auth.userInfo',
  'auth.changePassword',
  'auth.logout',
])

/**
 * Calls of a blocked device. It may still bring what was entered on it, which then waits for a decision, and gets no
 * data in return (docs/operations.md). Every other call is refused.
 */
const whileBlocked: ReadonlySet<string> = new Set<CallId>([
  'sync.device',
  'sync.push',
  'attachment.start',
  'attachment.piece',
  'attachment.finish',
  'auth.userInfo',
  'auth.logout',
])

/** The longest time that browsers keep a cookie; it is set anew with every sign-in. */
const DEVICE_COOKIE_SECONDS = 400 * 86_400

const successMessages: Readonly<Record<Language, string>> = { zh: '操作成功', en: 'Success' }

/** The caller, as found before the body is read. */
interface Caller {
  readonly client: ClientId
  readonly actor: Actor | null
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
  interface FastifyContextConfig {
    /** The call that a route serves. */
    call?: Call
  }
}

export interface CallOptions {
  readonly services: Services
  readonly handlers: Handlers
  /** The most requests from one address in a minute, to the token endpoint and its captcha. */
  readonly signInLimit: number
  /** Whether each answer is checked against the contract; tests set this. */
  readonly checkAnswers: boolean
}

export function registerCalls(app: FastifyInstance, calls: readonly Call[], options: CallOptions): void {
  app.decorateRequest('caller', null)
  app.addHook('onRequest', async (request) => {
    const { call } = request.routeOptions.config
    if (call === undefined) return
    // The caller is read from the database too. While the database does not answer, the refusal comes before that read.
    const late = options.services.health?.refusal(call, true)
    if (late?.code === 'busy') throw new ApiFailure(late)
    request.caller = await authenticate(request, call, options.services)
  })
  for (const call of calls) registerCall(app, call, options)
}

function registerCall(app: FastifyInstance, call: Call, options: CallOptions): void {
  app.route({
    method: call.method,
    url: call.path,
    bodyLimit: bodyLimitOf(call, options.services),
    config: { call, ...rateLimitOf(call, options) },
    handler: (request, reply) => serve(call, request, reply, options),
  })
}

/**
 * The answer tells about values of other centers too (docs/adr/0024-lists-and-look-ups.md). A person asks now and
 * then; a program that goes through all values meets this limit.
 */
const UNIQUE_A_MINUTE = 60
/** A script fetches a file now and then; who tries addresses meets this limit. */
const LINKED_A_MINUTE = 30

function rateLimitOf({ id }: Call, { signInLimit }: CallOptions): { readonly rateLimit?: RateLimitOptions } {
  if (id === 'auth.token' || id === 'auth.captcha') return { rateLimit: { max: signInLimit, timeWindow: '1 minute' } }
  if (id === 'dataset.linked') return { rateLimit: { max: LINKED_A_MINUTE, timeWindow: '1 minute' } }
  if (id !== 'entry.unique') return {}
  return {
    rateLimit: {
      max: UNIQUE_A_MINUTE,
      timeWindow: '1 minute',
      hook: 'preHandler',
      keyGenerator: ({ caller, ip }) => caller?.actor?.userId ?? ip,
    },
  }
}

function bodyLimitOf({ id, upload }: Call, { config }: Services): number {
  return upload === 'form' ? config.attachments.maxBytes + BODY_LIMIT : (largeBodies.get(id) ?? BODY_LIMIT)
}

async function authenticate(request: FastifyRequest, call: Call, services: Services): Promise<Caller> {
  // A statistics program knows none of our headers: what it may do stands in the address, and is signed.
  if (call.auth === 'link') return { client: OWN_CLIENT.id, actor: null }
  const client = readClient(headerOf(request, headers.client))
  if (client === null) throw fail('client_unknown')
  if (call.auth === 'none') return { client, actor: null }
  const token = readBearer(headerOf(request, headers.token))
  const signedIn = token === null ? { why: 'unauthenticated' as const } : await findSignedIn(services, token)
  if ('why' in signedIn) throw fail(signedIn.why)
  if (signedIn.isBlocked && !whileBlocked.has(call.id)) throw fail('device_blocked')
  if (signedIn.mustChangePassword && !beforePasswordChange.has(call.id)) throw fail('password_change_required')
  if (call.auth === 'admin' && !signedIn.actor.isAdmin) throw fail('forbidden')
  return { client, actor: signedIn.actor }
}

async function serve(call: Call, request: FastifyRequest, reply: FastifyReply, options: CallOptions): Promise<unknown> {
  const { services, handlers } = options
  // The table has more ids than there are handlers; an id without a handler is not served.
  const handler = handlers[call.id as CallId] as AnyHandler | undefined
  if (call.servedBy === null || handler === undefined) throw fail('not_available')
  const { caller } = request
  if (caller === null) throw fail('client_unknown')
  // A pushed operation with such text is refused alone, and does not hold back the others.
  const unread = request.body instanceof UnreadBody ? request.body : null
  if (call.id !== 'sync.push' && unread === null) refuseUncleanText(request.body)
  refuseUncleanText(request.query)
  if (call.id === 'sync.push' && request.wireBytes > PUSH_MAX_BYTES && operationsIn(request.body) > 1)
    throw fail('too_large')
  const refusal = services.health?.refusal(call, operationsIn(request.body) > 0)
  if (refusal !== undefined && refusal !== null) throw new ApiFailure(refusal)
  const context = {
    call: call.id,
    actor: caller.actor,
    params: parseInput(call.params, request.params),
    query: parseInput(call.query, request.query),
    ...(unread === null ? { body: parseInput(call.body, request.body ?? {}) } : { body: undefined, text: unread.text }),
    acted: actedOf(request, services.now()),
    language: languageOf(request),
    // A socket for both kinds of addresses writes an IPv4 address as IPv6. People look for the IPv4 form.
    ip: request.ip.replace(/^::ffff:(?=\d+\.)/i, ''),
    key: keyOf(request, call, caller.client),
    protocol: protocolOf(request),
    projectId: idOf(request, headers.projectId),
    crfId: idOf(request, headers.crfId),
    pass: passOf(request),
    notify: notifyOf(request),
  }
  const { threads } = services
  const { id } = call
  const serveIt: AnyHandler =
    threads !== undefined && isForThread(id)
      ? () => threads.run(id, context)
      : () => handler({ ...context, services, http: httpFacts(request, reply, caller.client) })
  const answer = await noting(services, serveIt)()
  return present(call, answer, request, reply, options)
}

/** How many operations an envelope brings; none where it only holds a device report. */
function operationsIn(body: unknown): number {
  return typeof body === 'object' && body !== null && 'ops' in body && Array.isArray(body.ops) ? body.ops.length : 0
}

type AnyHandler = (context?: unknown) => Promise<unknown>

/** Notes that the database has no room, so that the next calls need not find it out by failing too. */
function noting({ health }: Services, handler: AnyHandler): AnyHandler {
  return async (context) => {
    try {
      return await handler(context)
    } catch (error) {
      // An error from a thread is already the one that the caller gets.
      if (
        (error instanceof DatabaseError && error.kind === 'full') ||
        (error instanceof ApiFailure && error.error.code === 'server_full')
      )
        health?.noteFull()
      throw error
    }
  }
}

function present(
  call: Call,
  answer: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  options: CallOptions,
): unknown {
  switch (call.answer) {
    case 'ndjson': {
      const gzip = /\bgzip\b/.test(headerOf(request, 'Accept-Encoding') ?? '')
      void reply.type('application/x-ndjson; charset=utf-8').header('X-Accel-Buffering', 'no')
      if (gzip) void reply.header('Content-Encoding', 'gzip').header('Vary', 'Accept-Encoding')
      return reply.send(
        ndjsonStream(answer as AsyncIterable<unknown>, gzip, (error) => {
          if (isOurFault(error)) request.log.error({ error, route: request.routeOptions.url }, 'stream broke')
        }),
      )
    }
    case 'raw':
      if (options.checkAnswers) parseInput(call.data, answer)
      return reply.send(answer)
    case 'page':
    case 'tree':
      if (options.checkAnswers) recordsOf(call, answer).forEach((record) => parseInput(call.data, record))
      return reply.send(envelopeOf(answer, successMessages[languageOf(request)]))
    case 'r':
      if (options.checkAnswers) parseInput(call.data, answer)
      // Specification §8: deleting a project answers 0 on success.
      return reply.send(
        envelopeOf(answer, successMessages[languageOf(request)], call.id === 'project.remove' ? 0 : 200),
      )
    case 'blob':
      return sendBlob(reply, answer as BlobAnswer)
  }
}

/** Answers with a user's file. Whatever the file is, a browser must not run or show it as a part of our app. */
function sendBlob(reply: FastifyReply, { body, type, name, length }: BlobAnswer): unknown {
  const plain = name.replaceAll(/[^\w.-]/g, '_')
  if (length !== null) void reply.header('Content-Length', String(length))
  void reply
    .type(type)
    .header(
      'Content-Disposition',
      `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`,
    )
    .header('X-Content-Type-Options', 'nosniff')
    .header('Content-Security-Policy', "default-src 'none'; sandbox")
  return reply.send(body)
}

function recordsOf(call: Call, answer: unknown): readonly unknown[] {
  return call.answer === 'page' ? (answer as { records: readonly unknown[] }).records : (answer as readonly unknown[])
}

/** Answers an error: as OAuth2 does at the token endpoint, as an envelope everywhere else. */
export function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = toApiError(thrown)
  if (isOurFault(thrown)) request.log.error({ error: thrown, route: request.routeOptions.url }, 'request failed')
  if (error.retryAfterSeconds !== undefined) void reply.header('Retry-After', String(error.retryAfterSeconds))
  const language = languageOf(request)
  const isToken = request.routeOptions.config.call?.id === 'auth.token'
  // A stream that failed before its first byte already had the headers of gzipped lines.
  void reply.removeHeader('Content-Encoding').type('application/json; charset=utf-8')
  void reply.status(httpStatus(error)).send(isToken ? toTokenFailure(error, language) : toEnvelope(error, language))
}

function httpFacts(request: FastifyRequest, reply: FastifyReply, client: ClientId): HttpFacts {
  const [key, code] = [headerOf(request, headers.captchaKey), headerOf(request, headers.captchaCode)]
  return {
    client,
    captcha: key === undefined || code === undefined ? null : { key, code },
    refreshCookie: request.cookies[REFRESH_COOKIE] ?? null,
    deviceCookie: request.cookies[DEVICE_COOKIE] ?? null,
    setDeviceCookie: (proof) => {
      void reply.setCookie(DEVICE_COOKIE, proof, {
        path: '/api',
        httpOnly: true,
        sameSite: 'strict',
        secure: request.protocol === 'https',
        maxAge: DEVICE_COOKIE_SECONDS,
      })
    },
    setRefreshCookie: (token, maxAge) => {
      const cookie = {
        path: REFRESH_COOKIE_PATH,
        httpOnly: true,
        sameSite: 'strict',
        secure: request.protocol === 'https',
        maxAge,
      } as const
      void reply.setCookie(REFRESH_COOKIE, token, cookie)
    },
  }
}
