import type { Readable } from 'node:stream'
import type { BodyOf, DataOf, ParamsOf, QueryOf } from '#core/api/call.ts'
import type { Language } from '#core/language.ts'
import type { CallId, CallOf } from '#core/api/table.ts'
import type { Page } from '#core/wire/shapes.ts'
import type { ClientId } from '#server/http/client.ts'
import type { Services } from '#server/services.ts'

/** The user who is asking. It is an argument of every service; nothing reads it from anywhere else. */
export interface Actor {
  readonly userId: string
  readonly account: string
  readonly realName: string
  readonly isAdmin: boolean
  /** Demo accounts reach the demo project only. */
  readonly isDemo: boolean
  readonly sessionId: string
  /** The device that the session was begun on; null for a client that names none. */
  readonly deviceId: string | null
}

/** When and on which device a person acted, as the request's headers or the pushed operation say. */
export interface Acted {
  readonly at: string
  readonly offsetMinutes: number | null
  readonly driftMs: number | null
  readonly deviceId: string | null
  readonly appVersion: string | null
}

/** What a handler is given. Params, query and body have passed the schemas of the contract. */
export interface CallContext<Id extends CallId> {
  readonly call: Id
  readonly services: Services
  /** Null before sign-in. */
  readonly actor: CallOf<Id>['auth'] extends 'none' | 'link' ? null : Actor
  readonly params: ParamsOf<CallOf<Id>>
  readonly query: QueryOf<CallOf<Id>>
  readonly body: BodyOf<CallOf<Id>>
  readonly acted: Acted
  readonly language: Language
  readonly ip: string
  /**
   * Idempotency key, on every write. Our own client must send one; for a stock client that knows none the HTTP layer
   * makes one, and then a repeated call is a new call.
   */
  readonly key: string
  readonly protocol: number | null
  readonly http: HttpFacts
  /** Context headers (specification §7); null where the call carries none. */
  readonly projectId: string | null
  readonly crfId: string | null
  readonly pass: 1 | 2
  /**
   * Whether the people whom the change concerns are to be told, as the caller chose; null where the caller chose
   * nothing.
   */
  readonly notify: boolean | null
}

/** Parts of a request and its answer that only sign-in needs. */
export interface HttpFacts {
  /** Which client program calls, by its Basic header. */
  readonly client: ClientId
  readonly captcha: { readonly key: string; readonly code: string } | null
  /** The refresh token in the cookie; null without one. */
  readonly refreshCookie: string | null
  /** The proof that this browser is the device that it names; null without it. */
  readonly deviceCookie: string | null
  /** Keeps the proof in the browser. */
  setDeviceCookie(proof: string): void
  /** Sets the refresh cookie for this many seconds; 0 removes it. */
  setRefreshCookie(token: string, maxAgeSeconds: number): void
}

/** A file as an answer. It is always saved, never shown in place of one of our pages. */
export interface BlobAnswer {
  readonly body: Readable
  /** Media type. */
  readonly type: string
  /** The name under which it is saved. */
  readonly name: string
  /** Bytes; null where the content is made while it is sent. */
  readonly length: number | null
}

/**
 * What a handler answers, by the shape of the call's answer: a page, a list of nodes, a stream of lines, a file, or the
 * data itself.
 */
export type AnswerOf<Id extends CallId> = CallOf<Id>['answer'] extends 'page'
  ? Page<DataOf<CallOf<Id>>>
  : CallOf<Id>['answer'] extends 'tree'
    ? readonly DataOf<CallOf<Id>>[]
    : CallOf<Id>['answer'] extends 'ndjson'
      ? AsyncIterable<DataOf<CallOf<Id>>>
      : CallOf<Id>['answer'] extends 'blob'
        ? BlobAnswer
        : DataOf<CallOf<Id>>

/**
 * Serves one call: checks the rights, does the work in one transaction, and answers. Throws `ApiFailure` for every
 * refusal.
 */
export type Handler<Id extends CallId> = (context: CallContext<Id>) => Promise<AnswerOf<Id>>

/** The handlers of one area, by call id. */
export type Handlers = { readonly [Id in CallId]?: Handler<Id> }
