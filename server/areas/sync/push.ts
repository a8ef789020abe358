import { setImmediate as nextTurn } from 'node:timers/promises'
import { fail } from '#core/api/errors.ts'
import { isId } from '#core/ids.ts'
import { asJson } from '#core/json.ts'
import type { JsonValue } from '#core/json.ts'
import type { OperationResult } from '#core/api/sync/operation.ts'
import type { PushAnswer, PushRequest } from '#core/api/sync/push.ts'
import type { AnyAct } from '#server/operations/act.ts'
import { actOf, parseOperation, wireError } from '#server/operations/deviceOperation.ts'
import type { Sender } from '#server/operations/deviceOperation.ts'
import { Pace } from '#server/operations/pace.ts'
import { takeIn } from '#server/operations/takeIn.ts'
import { mayBePlain, takeBatch } from '#server/operations/batch.ts'
import { DatabaseError } from '#server/database/errors.ts'
import { isOurFault, toApiError } from '#server/http/errors.ts'
import type { OperationAnswer } from '#server/http/idempotency.ts'
import type { Services } from '#server/services.ts'

/** The device that an envelope comes from. */
export interface PushingDevice {
  readonly deviceId: string
  /** Whether the device's operations need somebody's decision. Such a device gets receipts and no data. */
  readonly blocked: boolean
  readonly hints: PushRequest['hints']
  /** The epoch that the device believes this server has. */
  readonly epochs: PushRequest['epochs']
  readonly former: PushRequest['former']
  /**
   * By project, the change number up to which no restore can forget anything; only for projects that the device asked
   * about.
   */
  readonly durable: Readonly<Record<string, number>> | undefined
}

/**
 * Takes in the operations of an envelope, in their order, and answers each as soon as it has committed. Neighbours
 * that are independent of each other share a transaction (together.ts). A refused operation does not hold back the
 * others.
 */
export async function* pushAnswers(
  services: Services,
  sender: Sender,
  device: PushingDevice,
  ops: readonly JsonValue[],
): AsyncGenerator<PushAnswer> {
  const { epoch } = services.secrets
  if (device.epochs?.some((known) => known !== epoch) === true) {
    // The server has been restored since this device last heard of it. Operations that were sent before come first, or
    // a person's later value would come before their earlier ones.
    yield { t: 'end', serverTime: services.now(), epoch }
    return
  }
  const pace = paceOf(services.pool)
  let group: Read[] = []
  for (const raw of ops) {
    // Reading many operations is work, so others get their turn in between.
    await nextTurn()
    const one = await readOne(services, sender, device, raw)
    const joins = 'act' in one && mayBePlain(one.act) && group.every(({ act }) => areApart(act, one.act))
    if (!joins || group.length >= pace.size) {
      yield* answerGroup(services, device, group, pace)
      group = []
    }
    if (!('act' in one)) yield one.refused
    else if (joins) group.push(one)
    else yield await answerOne(services, device, one)
  }
  yield* answerGroup(services, device, group, pace)
  yield {
    t: 'end',
    serverTime: services.now(),
    epoch,
    ...(device.durable === undefined ? {} : { durable: device.durable }),
  }
}

/**
 * A call's result without what the same line, or the result's own rows, also contain. On a ward's connection the
 * download is as slow as the upload.
 */
function forTablet(result: JsonValue): JsonValue {
  if (typeof result !== 'object' || result === null) return result
  return Object.fromEntries(Object.entries(result).filter(([part]) => !SAID_ELSEWHERE.has(part)))
}

/** `entry` has the items that came and those that rules changed; the receipt stands beside the result. */
const SAID_ELSEWHERE: ReadonlySet<string> = new Set(['savedDataList', 'effect', 'receipt'])

/**
 * @throws ApiFailure invalid where an operation has no key under which it could be answered
 */
export function requireKeys(ops: readonly JsonValue[]): void {
  const at = ops.findIndex((op) => keyOf(op) === null)
  if (at >= 0) throw fail('invalid', { fields: [{ path: `body.ops.${at}.key`, code: 'required' }] })
}

/** An operation whose form and proof are right, so that it may be taken in. */
interface Read {
  readonly key: string
  readonly act: AnyAct
}

async function readOne(
  services: Services,
  sender: Sender,
  device: PushingDevice,
  raw: JsonValue,
): Promise<Read | { readonly refused: PushAnswer }> {
  const key = keyOf(raw) ?? ''
  try {
    const op = parseOperation(raw)
    if (op.deviceId !== device.deviceId) throw fail('proof_wrong')
    return {
      key,
      act: await actOf(services, sender, op, {
        blocked: device.blocked,
        numberHint: device.hints?.[key]?.no ?? null,
        lostPlace: device.former?.[key] ?? null,
      }),
    }
  } catch (error) {
    return { refused: refusedAnswer(services, key, error) }
  }
}

async function answerOne(services: Services, device: PushingDevice, { key, act }: Read): Promise<PushAnswer> {
  try {
    return takenAnswer(device, act, await takeIn(services, act))
  } catch (error) {
    return refusedAnswer(services, key, error)
  }
}

/** Answers a group of independent acts, once all of them have committed. */
async function* answerGroup(
  services: Services,
  device: PushingDevice,
  group: readonly Read[],
  pace: Pace,
): AsyncGenerator<PushAnswer> {
  if (group.length === 0) return
  const start = performance.now()
  const answers = await takeBatch(
    services,
    group.flatMap(({ act }) => (mayBePlain(act) ? [act] : [])),
  )
  pace.took(group.length, performance.now() - start)
  for (const one of group) {
    const answer = answers.get(one.act.key)
    yield answer === undefined ? await answerOne(services, device, one) : takenAnswer(device, one.act, answer)
  }
}

function takenAnswer(
  device: PushingDevice,
  act: AnyAct,
  { receipt, result }: OperationAnswer<OperationResult>,
): PushAnswer {
  return {
    t: 'taken',
    key: act.key,
    receipt: { ...receipt, projectId: act.projectId },
    // A carrier brings somebody else's work without the right to read it.
    result: act.carriedBy === null && !device.blocked ? forTablet(asJson(result)) : null,
  }
}

function refusedAnswer(services: Services, key: string, error: unknown): PushAnswer {
  if (error instanceof DatabaseError && error.kind === 'full') services.health?.noteFull()
  if (isOurFault(error)) services.log.error({ error, call: 'sync.push' }, 'operation failed')
  return { t: 'refused', key, error: wireError(toApiError(error)) }
}

/** Both of one project, with different pages and different keys. */
function areApart(one: AnyAct, other: AnyAct): boolean {
  return one.projectId === other.projectId && one.entityId !== other.entityId && one.key !== other.key
}

const paces = new WeakMap<Services['pool'], Pace>()

function paceOf(pool: Services['pool']): Pace {
  const pace = paces.get(pool) ?? new Pace()
  paces.set(pool, pace)
  return pace
}

function keyOf(raw: JsonValue): string | null {
  if (typeof raw !== 'object' || raw === null || !('key' in raw)) return null
  return typeof raw.key === 'string' && isId(raw.key) ? raw.key : null
}
