import type * as z from 'zod/mini'
import { patientChange, patientEnrolment, patientRemoval } from '#core/api/calls/patient.ts'
import { queryDeed, queryRaise } from '#core/api/calls/review/query.ts'
import { folderConfig, folderRemoval, visitChange, visitRemoval, visitSave } from '#core/api/calls/visit.ts'
import { fail } from '#core/api/errors.ts'
import type { FieldError } from '#core/api/errors.ts'
import type { Language } from '#core/language.ts'
import type { CallWithBody, EntryChangeCall, OperationBody } from '#core/api/sync/operation.ts'
import type { JsonValue } from '#core/json.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { conflictResolution } from '#core/sync/conflict.ts'
import { entryChange, entryRemoval } from '#core/sync/entryChange.ts'
import { payloadText } from '#core/sync/protocol/proof.ts'
import type { LostPlace } from '#core/sync/protocol/lostPlace.ts'
import type { QueueableCall } from '#core/sync/protocol/operation.ts'
import { sha256 } from '#server/database/auditDigest.ts'
import type { Stamp } from '#server/database/auditDigest.ts'
import type { Acted, Actor, CallContext } from '#server/http/handler.ts'
import type { OperationRecord } from '#server/http/idempotency.ts'
import { fieldErrors } from '#server/http/input.ts'

/**
 * How an act is let in:
 * - `usual`: its author's rights decide.
 * - `device_blocked`: it comes from a blocked device. All that could be applied goes to the inbox.
 * - `released`: somebody with the right has released it from the inbox. The author's rights of today do not count.
 * - `resumed`: as usual, but it was held while its project was paused, and its sender is no longer online.
 */
export type Admission = 'usual' | 'device_blocked' | 'released' | 'resumed'

/**
 * One act of a person, as the handlers of queueable calls take it. It is the same whether it came alone, in a push, or
 * from the operations that were held while the project was paused.
 */
export interface Act<Call extends QueueableCall = QueueableCall> {
  readonly call: Call
  readonly body: OperationBody<Call>
  readonly key: string
  readonly projectId: string
  readonly crfVersionId: string | null
  readonly pass: 1 | 2
  readonly entityId: string
  /** Center on screen when the person acted; a claim, never trusted. */
  readonly centerId: string | null
  /** Keys of operations that this one builds on. */
  readonly after: readonly string[]
  /** The author of the act. Rights are the author's, not the carrier's. */
  readonly author: Actor
  readonly carriedBy: string | null
  readonly admission: Admission
  /**
   * Subject number that the server gave to the enrolment in the history that a restore has lost, as the device reports
   * it.
   */
  readonly numberHint: string | null
  /**
   * Where the operation stood in the history that this server has forgotten, as the device reports it. Null for all
   * that is new.
   */
  readonly lostPlace: LostPlace | null
  readonly acted: Acted
  /** Null when the call came alone, from a person who is online. */
  readonly deviceSeq: number | null
  readonly protocol: number | null
  readonly receivedAt: string
  readonly language: Language
  readonly ip: string | null
  /**
   * Whether the people concerned are to be told, as a person who is online chooses with the act. Absent where the
   * person chose nothing.
   */
  readonly notify?: boolean
}

/** An act of one of several calls: once `call` is known, the type of `body` is known too. */
export type ActOf<Call extends QueueableCall> = { [One in Call]: Act<One> }[Call]
export type AnyAct = ActOf<QueueableCall>
export type EntryChangeAct = ActOf<EntryChangeCall>
/** What a person changes about a visit, or about a folder of one patient. */
export type VisitCall = Extract<QueueableCall, `visit.${string}` | `folder.${string}`>
export type VisitAct = ActOf<VisitCall>
/** What changes an entry: a save, or the decision on a conflict. */
export type EntryWriteAct = EntryChangeAct | Act<'conflict.resolve'>

/** Checks an operation's body against its call's schema. */
export function readBody(call: QueueableCall, body: JsonValue): Result<CallWithBody, readonly FieldError[]> {
  switch (call) {
    case 'patient.save':
      return parseBody(patientEnrolment, body, (value) => ({ call, body: value }))
    case 'patient.update':
      return parseBody(patientChange, body, (value) => ({ call, body: value }))
    case 'patient.remove':
      return parseBody(patientRemoval, body, (value) => ({ call, body: value }))
    case 'visit.save':
      return parseBody(visitSave, body, (value) => ({ call, body: value }))
    case 'visit.update':
      return parseBody(visitChange, body, (value) => ({ call, body: value }))
    case 'visit.remove':
      return parseBody(visitRemoval, body, (value) => ({ call, body: value }))
    case 'folder.config':
      return parseBody(folderConfig, body, (value) => ({ call, body: value }))
    case 'folder.remove':
      return parseBody(folderRemoval, body, (value) => ({ call, body: value }))
    case 'conflict.resolve':
      return parseBody(conflictResolution, body, (value) => ({ call, body: value }))
    case 'query.raise':
      return parseBody(queryRaise, body, (value) => ({ call, body: value }))
    case 'query.act':
      return parseBody(queryDeed, body, (value) => ({ call, body: value }))
    case 'entry.delete':
      return parseBody(entryRemoval, body, (value) => ({ call, body: value }))
    case 'entry.save':
    case 'entry.smartSave':
    case 'entry.submit':
    case 'entry.insert':
    case 'entry.smartInsert':
      return parseBody(entryChange, body, (value) => ({ call, body: value }))
  }
}

function parseBody<Body>(
  schema: z.ZodMiniType<Body>,
  body: JsonValue,
  make: (value: Body) => CallWithBody,
): Result<CallWithBody, readonly FieldError[]> {
  const result = schema.safeParse(body, { reportInput: true })
  return result.success ? ok(make(result.data)) : err(fieldErrors(result.error, ['body']))
}

/** What a request tells of a person who is online and makes the call themselves. */
export type OnlineContext = Pick<
  CallContext<'patient.save'>,
  'services' | 'actor' | 'acted' | 'key' | 'protocol' | 'language' | 'ip' | 'crfId' | 'pass'
> & {
  /** Null or absent: the person did not say whether anybody is to be told. */
  readonly notify?: boolean | null
}

/** Makes an act of what somebody does online: this person is its author, and nobody carries it for them. */
export function directAct<Said extends CallWithBody>(
  context: OnlineContext,
  what: Said & Pick<AnyAct, 'projectId' | 'entityId'>,
): Said & Omit<AnyAct, 'call' | 'body'> {
  const { services, actor, acted, key, protocol, language, ip, notify = null } = context
  return {
    ...what,
    key,
    crfVersionId: context.crfId,
    pass: context.pass,
    centerId: null,
    after: [],
    author: actor,
    carriedBy: null,
    admission: 'usual',
    numberHint: null,
    lostPlace: null,
    acted,
    deviceSeq: null,
    protocol,
    receivedAt: services.now(),
    language,
    ip,
    ...(notify === null ? {} : { notify }),
  }
}

/** The patient that an act is about. */
export function patientIdOf({ body, entityId }: Pick<AnyAct, 'body' | 'entityId'>): string {
  if ('target' in body) return body.target.patientId
  if ('place' in body) return body.place.patientId
  return 'patientId' in body ? body.patientId : entityId
}

/**
 * @throws ApiFailure invalid where the body of a patient's operation names another patient or project than the
 *   operation
 */
export function checkSubject(act: Extract<AnyAct, { readonly call: `patient.${string}` }>): void {
  if (act.body.projectId === act.projectId && act.body.id === act.entityId) return
  throw fail('invalid', { fields: [{ path: 'body.id', code: 'forged' }] })
}

/** What the act's idempotency key is bound to. */
export function recordOf(act: AnyAct): OperationRecord {
  return {
    key: act.key,
    author: act.author.userId,
    carriedBy: act.carriedBy,
    call: act.call,
    projectId: act.projectId,
    centerId: null,
    entityId: act.entityId,
    crfVersionId: act.crfVersionId,
    pass: act.pass,
    deviceSeq: act.deviceSeq,
    acted: act.acted,
    protocol: act.protocol,
    receivedAt: act.receivedAt,
    payloadHash: sha256(payloadText(act)),
    body: act.body,
  }
}

/** What all audit rows of the act share. */
export function stampOf(act: Omit<AnyAct, 'call' | 'body'> & { readonly call: string }, role: string | null): Stamp {
  return {
    userId: act.author.userId,
    userName: act.author.realName,
    role,
    carriedBy: act.carriedBy,
    deviceId: act.acted.deviceId,
    occurredAt: act.acted.at,
    occurredOffsetMinutes: act.acted.offsetMinutes,
    clockDriftMs: act.acted.driftMs,
    receivedAt: act.receivedAt,
    appVersion: act.acted.appVersion,
    ip: act.ip,
    call: act.call,
    opKey: act.key,
  }
}
