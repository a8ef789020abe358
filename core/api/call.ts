import * as z from 'zod/mini'
import type { ZodMiniType } from 'zod/mini'
import type { PermissionCode } from '../access/permissions.ts'
import type { ServerErrorCode } from './errorStatus.ts'

/**
 * One row of the wire contract. The server registers its routes from these rows, the client builds its calls from them,
 * and the OpenAPI document is made from them; so whatever holds for a call is said here and nowhere else.
 */
export interface Call<
  Id extends string = string,
  Params extends ZodMiniType = ZodMiniType,
  Query extends ZodMiniType = ZodMiniType,
  Body extends ZodMiniType = ZodMiniType,
  Data extends ZodMiniType = ZodMiniType,
  Answer extends AnswerShape = AnswerShape,
  Auth extends CallAuth = CallAuth,
> {
  /** Stable name, `area.verb`. Outbox rows and audit rows carry it. */
  readonly id: Id
  readonly area: CallArea
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/api`, as in specification §7, with `:name` for parameters. */
  readonly path: string
  /** One line for the OpenAPI document. */
  readonly summary: string
  /**
   * none: before sign-in, client header only; link: an address that is signed itself, without any header; user: a
   * signed-in user; admin: a platform administrator.
   */
  readonly auth: Auth
  /** Which context headers the call carries: `projectId` and `crfId`, and under /edc/data also `doubleSeqNo`. */
  readonly context: 'none' | 'project' | 'data'
  readonly params: Params
  readonly query: Query
  /** JSON body; of a form the fields beside the files; or the bytes themselves. */
  readonly body: Body
  readonly upload: false | 'form' | 'bytes'
  /** The `data` of an R envelope, the record of a page, the line of a stream, or the raw body. */
  readonly data: Data
  readonly answer: Answer
  /** instant: ISO 8601 UTC. wall: `yyyy-MM-dd HH:mm:ss`, as the BladeX family writes them. */
  readonly times: 'instant' | 'wall'
  readonly timeoutMs: number
  /** Code the caller must hold in the project; null where being signed in (or `auth`) is enough. */
  readonly permission: PermissionCode | null
  /** queue: may wait in the outbox. cache: read from the device where its scope is kept. online: needs the server. */
  readonly offline: 'queue' | 'cache' | 'online'
  /** A write carries an idempotency key and is answered once. */
  readonly write: boolean
  /** Errors beyond those that every call can give (unauthenticated, rate_limited, busy, internal …). */
  readonly errors: readonly ServerErrorCode[]
  /** Folder of the server that serves it, or null while it answers 501. */
  readonly servedBy: string | null
}

/**
 * Shape of a successful answer. `page` is R around `{records, total, size, current, pages}`; `tree` is R around an
 * array of nodes.
 */
export type AnswerShape = 'r' | 'page' | 'tree' | 'raw' | 'ndjson' | 'blob'

/** Who may make a call. */
export type CallAuth = 'none' | 'link' | 'user' | 'admin'

export type CallArea =
  | 'auth'
  | 'menu'
  | 'dict'
  | 'param'
  | 'resource'
  | 'log'
  | 'user'
  | 'version'
  | 'uat'
  | 'entry'
  | 'doubleEntry'
  | 'attachment'
  | 'visit'
  | 'query'
  | 'review'
  | 'report'
  | 'dataset'
  | 'statistics'
  | 'project'
  | 'member'
  | 'center'
  | 'hospital'
  | 'projectDict'
  | 'template'
  | 'patient'
  | 'task'
  | 'notice'
  | 'ai'
  | 'search'
  | 'database'
  | 'sync'
  | 'audit'

/** Specification §7 and §9. */
export const REQUEST_TIMEOUT_MS = 300_000
export const UPLOAD_TIMEOUT_MS = 400_000
export const DOWNLOAD_TIMEOUT_MS = 20_000_000
/** Specification §9: the size of a page of a bulk fetch. */
export const BULK_PAGE_SIZE = 500
/** Pages of a bulk reading that are asked for at once (specification §9). */
export const BULK_AT_ONCE = 3

type Optional =
  | 'params'
  | 'query'
  | 'body'
  | 'upload'
  | 'data'
  | 'answer'
  | 'times'
  | 'timeoutMs'
  | 'permission'
  | 'offline'
  | 'write'
  | 'errors'
  | 'servedBy'
  | 'auth'
  | 'context'

const nothing = z.object({})

/**
 * Makes a row of the contract, filling in what most calls share: signed-in user, context by path (specification §7:
 * /edc/data, /edc/project, /edc/his, edc/control and edc/dbview carry project headers), R envelope, instants, 300 s,
 * online, no permission code, not served yet. Any method but GET is a write unless said otherwise.
 */
export function defineCall<
  const Id extends string,
  Params extends ZodMiniType = typeof nothing,
  Query extends ZodMiniType = typeof nothing,
  Body extends ZodMiniType = typeof nothing,
  Data extends ZodMiniType = z.ZodMiniNull,
  const Answer extends AnswerShape = 'r',
  const Auth extends CallAuth = 'user',
>(
  row: Pick<Call<Id, Params, Query, Body, Data, Answer, Auth>, 'id' | 'area' | 'method' | 'path' | 'summary'> &
    Partial<Pick<Call<Id, Params, Query, Body, Data, Answer, Auth>, Optional>>,
): Call<Id, Params, Query, Body, Data, Answer, Auth> {
  const { params, query, body, data, answer, auth } = row
  return {
    context: contextOf(row.path),
    upload: false,
    times: row.path.startsWith('/edc/') || row.path.startsWith('/es/') ? 'instant' : 'wall',
    timeoutMs:
      row.upload !== undefined && row.upload !== false
        ? UPLOAD_TIMEOUT_MS
        : row.answer === 'blob'
          ? DOWNLOAD_TIMEOUT_MS
          : REQUEST_TIMEOUT_MS,
    permission: null,
    offline: 'online',
    write: row.method !== 'GET',
    errors: [],
    servedBy: null,
    ...row,
    // What a row leaves out has its default, and its type parameter then is the default one.
    answer: answer ?? ('r' as Answer),
    auth: auth ?? ('user' as Auth),
    params: partOr(params, nothing),
    query: partOr(query, nothing),
    body: partOr(body, nothing),
    data: partOr(data, z.null()),
  }
}

/** The schema of a part, or the one for rows that leave it out: only the caller's type parameters know that it fits. */
function partOr<Part extends ZodMiniType>(part: Part | undefined, byDefault: ZodMiniType): Part {
  return part ?? (byDefault as Part)
}

function contextOf(path: string): Call['context'] {
  if (path.startsWith('/edc/data')) return 'data'
  return ['/edc/project', '/edc/his', '/edc/control', '/edc/dbview'].some((start) => path.startsWith(start))
    ? 'project'
    : 'none'
}

/** Types of a call's parts, as the client gives them and the server receives them after parsing. */
export type ParamsOf<C extends Call> = z.infer<C['params']>
export type QueryOf<C extends Call> = z.infer<C['query']>
export type BodyOf<C extends Call> = z.infer<C['body']>
export type DataOf<C extends Call> = z.infer<C['data']>
