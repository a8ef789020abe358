import { hashRaw } from '@node-rs/argon2'
import { createHash } from 'node:crypto'
import { isId } from '#core/ids.ts'
import { canonicalJson } from '#core/json.ts'
import type { JsonValue } from '#core/json.ts'
import { callOf } from '#core/api/table.ts'
import type { CallId } from '#core/api/table.ts'
import { membership, requirePermission } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { sha256 } from '#server/database/auditDigest.ts'
import type { Committed } from '#server/database/commit.ts'
import type { Stamp } from '#server/database/auditDigest.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Acted, Actor, CallContext } from '#server/http/handler.ts'
import { runOperation } from '#server/http/idempotency.ts'
import type { Services } from '#server/services.ts'

/** What an administrative write is about. */
export interface WriteSubject {
  /** Null for what belongs to no project. */
  readonly projectId: string | null
  readonly entityId?: string | null
  readonly crfVersionId?: string | null
  /** Fields of the body that are passwords: they are not kept. */
  readonly secrets?: readonly string[]
  /** Throws where a stored answer must not be given any more, besides the rights that the call itself requires. */
  readonly mayReadAgain?: (transaction: Queryable, member: Membership) => Promise<void>
}

/** The parts of a write call's context that a service needs, so that the demo can call it too. */
export type Write<Id extends CallId> = Pick<
  CallContext<Id>,
  'call' | 'services' | 'actor' | 'acted' | 'ip' | 'key' | 'protocol' | 'query' | 'body'
> &
  Partial<Pick<CallContext<Id>, 'params'>>

/** The same for any call. */
type WriteContext = Omit<Write<CallId>, 'actor' | 'params' | 'query' | 'body'> & {
  readonly actor: Actor
  readonly params?: unknown
  readonly query: unknown
  readonly body: unknown
}

/** The effect of a write: its place in its chain, and the answer. */
export interface WriteEffect<Result extends JsonValue> {
  readonly committed: Committed
  readonly result: Result
}

/**
 * Runs an administrative write (projects, members, versions, accounts) in one transaction and once per key. The key
 * is bound to the call, its path, its query and its body.
 *
 * @param effect ends in `commitProject` or `commitSystem`; may be run again after a deadlock
 * @throws ApiFailure `key_reused`; `not_found` for a stored answer about a project that is no longer the actor's; and
 *   what `effect` throws: then nothing was written
 */
export async function runOnce<Result extends JsonValue>(
  context: WriteContext,
  subject: WriteSubject,
  effect: (transaction: Queryable, stampAs: (role: string | null) => Stamp) => Promise<WriteEffect<Result>>,
): Promise<Result> {
  const { services, actor, acted, key, protocol } = context
  const receivedAt = services.now()
  const secrets = subject.secrets ?? []
  const body = (context.body ?? {}) as Readonly<Record<string, JsonValue>>
  const kept = Object.fromEntries(Object.entries(body).filter(([name]) => !secrets.includes(name)))
  const veiled = await Promise.all(secrets.map(async (name) => [name, await veil(body[name], key)] as const))
  const params = (context.params ?? {}) as Readonly<Record<string, JsonValue>>
  const path = Object.keys(params).length === 0 ? {} : { params }
  const bound = {
    call: context.call,
    ...path,
    query: context.query as JsonValue,
    body: { ...kept, ...Object.fromEntries(veiled) },
  }
  return withTransaction(services.pool, async (transaction) => {
    const { replayed, result } = await runOperation(
      transaction,
      {
        key,
        author: actor.userId,
        carriedBy: null,
        call: context.call,
        projectId: subject.projectId,
        centerId: null,
        entityId: subject.entityId ?? null,
        crfVersionId: subject.crfVersionId ?? null,
        pass: null,
        deviceSeq: null,
        acted,
        protocol,
        receivedAt,
        payloadHash: sha256(canonicalJson(bound)),
        body: kept,
      },
      async () => {
        const stampAs = (role: string | null): Stamp =>
          stampOf({ actor, acted, ip: context.ip, call: context.call, key, receivedAt }, role)
        const { committed, result: answer } = await effect(transaction, stampAs)
        return { outcome: 'applied', reason: null, centerId: null, committed, result: () => answer }
      },
    )
    // A stored answer must not bypass a right that was withdrawn since. An answer that holds nothing (`true`) may be
    // given again.
    const tells = replayed && !actor.isAdmin && typeof result === 'object'
    if (tells && subject.projectId !== null) {
      const member = await membership(transaction, actor, subject.projectId)
      const { permission } = callOf(context.call)
      if (permission !== null) requirePermission(member, permission)
      await subject.mayReadAgain?.(transaction, member)
    }
    return result
  })
}

/** The stamp of a transaction that acts for the signed-in user. */
export function stampOf(
  facts: {
    readonly actor: Pick<Actor, 'userId' | 'realName'>
    readonly acted: Acted
    readonly ip: string | null
    readonly call: string | null
    readonly key: string | null
    readonly receivedAt: string
  },
  role: string | null,
): Stamp {
  const { actor, acted } = facts
  return {
    userId: actor.userId,
    userName: actor.realName,
    role,
    carriedBy: null,
    deviceId: acted.deviceId,
    occurredAt: acted.at,
    occurredOffsetMinutes: acted.offsetMinutes,
    clockDriftMs: acted.driftMs,
    receivedAt: facts.receivedAt,
    appVersion: acted.appVersion,
    ip: facts.ip,
    call: facts.call,
    opKey: facts.key,
  }
}

/** The name under which actions of the server itself (first run, demo) are booked. */
export function serverStamp(services: Pick<Services, 'now'>): Stamp {
  const at = services.now()
  return {
    userId: null,
    userName: 'server',
    role: null,
    carriedBy: null,
    deviceId: null,
    occurredAt: at,
    occurredOffsetMinutes: null,
    clockDriftMs: null,
    receivedAt: at,
    appVersion: null,
    ip: null,
    call: null,
    opKey: null,
  }
}

/** Replaces a password where a key is bound to a body. It is as hard to guess from as the stored password itself. */
async function veil(secret: JsonValue | undefined, key: string): Promise<string> {
  if (typeof secret !== 'string') return ''
  const salt = createHash('sha256').update(`payload|${key}`).digest().subarray(0, 16)
  return (await hashRaw(secret, { salt })).toString('hex')
}

/** Ids in a comma-separated query parameter, each once and sorted, because rows are locked in this order. */
export function readIds(text: string): readonly string[] | null {
  const ids = [...new Set(text.split(',').map((part) => part.trim()))].toSorted()
  return ids.length > 0 && ids.every(isId) ? ids : null
}
