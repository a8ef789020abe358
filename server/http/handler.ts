import type { BodyOf, DataOf, ParamsOf, QueryOf } from '#core/api/call.ts'
import type { Language } from '#core/api/messages.ts'
import type { CallId, CallOf } from '#core/api/table.ts'
import type { Page } from '#core/api/shapes.ts'
import type { Services } from '#server/services.ts'

/** Who is asking. It is an argument of every service; nothing reads it from anywhere else. */
export interface Actor {
  readonly userId: string
  readonly account: string
  readonly realName: string
  readonly isAdmin: boolean
  /** Demo accounts reach the demo project only. */
  readonly isDemo: boolean
  readonly sessionId: string
}

/** When and on what a person acted, as the request's headers or the pushed operation say. */
export interface Acted {
  readonly at: string
  readonly offsetMinutes: number | null
  readonly driftMs: number | null
  readonly deviceId: string | null
  readonly appVersion: string | null
}

/** What a handler is given. Params, query and body have passed the schemas of the contract. */
export interface CallContext<Id extends CallId> {
  readonly services: Services
  readonly actor: Actor
  readonly params: ParamsOf<CallOf<Id>>
  readonly query: QueryOf<CallOf<Id>>
  readonly body: BodyOf<CallOf<Id>>
  readonly acted: Acted
  readonly language: Language
  readonly ip: string
  /** Idempotency key; present on every write (the HTTP layer refuses a write without one). */
  readonly key: string
  /** Context headers (SPEC §7); null where the call carries none. */
  readonly projectId: string | null
  readonly crfId: string | null
  readonly pass: 1 | 2
}

/** What a handler answers, by the shape of the call's answer: a page, a list of nodes, a stream of lines, or the data itself. */
export type AnswerOf<Id extends CallId> = CallOf<Id>['answer'] extends 'page'
  ? Page<DataOf<CallOf<Id>>>
  : CallOf<Id>['answer'] extends 'tree'
    ? readonly DataOf<CallOf<Id>>[]
    : CallOf<Id>['answer'] extends 'ndjson'
      ? AsyncIterable<DataOf<CallOf<Id>>>
      : DataOf<CallOf<Id>>

/** Serves one call: authorises, does it in one transaction, answers. Throws `ApiFailure` for everything that is refused. */
export type Handler<Id extends CallId> = (context: CallContext<Id>) => Promise<AnswerOf<Id>>

/** The handlers of one area, by call id. */
export type Handlers = { readonly [Id in CallId]?: Handler<Id> }
