import type { MessageReason } from '#core/api/patientMessage.ts'
import { projectStatuses } from '#core/study/projectStatus.ts'
import type { Delivery, Outgoing } from '#server/areas/message/delivery.ts'
import { sendNote } from '#server/areas/message/gateway.ts'
import { waysOf } from '#server/areas/message/service.ts'
import { sendMail } from '#server/areas/message/smtp.ts'
import { addressFor, claimMessage, endMessage, findLost, putBack } from '#server/areas/message/store.ts'
import type { ClaimedMessage } from '#server/areas/message/store.ts'
import { commitProject } from '#server/database/commit.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { startRounds } from '#server/jobs/rounds.ts'
import { serverStamp } from '#server/http/runOnce.ts'
import type { Services } from '#server/services.ts'

/**
 * Sends messages to patients, one after the other, while the server runs (docs/adr/0025-messages-to-patients.md). A
 * message is first claimed, then sent, then booked. If a message was claimed long ago, its sender is gone, and the
 * message may have been sent.
 */

const EVERY_MS = 5000
const MINUTE_MS = 60_000
/** Pauses after failed attempts; after the last one the message is given up. */
const WAITS_MS = [1, 5, 15, 60, 180, 360, 720].map((minutes) => minutes * MINUTE_MS)
/** No sender needs this long for one message. */
const LOST_MS = 15 * MINUTE_MS
/** Most messages of one round; then others have their turn. */
const MOST_OF_A_ROUND = 100

type SendingServices = Pick<Services, 'pool' | 'log' | 'now'> & {
  readonly config: Pick<Services['config'], 'messages'>
}

/** Sending that goes on until it is stopped; `stop` waits for the message under way. */
export function startMessages(services: SendingServices, everyMs = EVERY_MS): { stop(): Promise<void> } {
  return startRounds(
    services,
    { everyMs, first: 'at once', failed: 'messages to patients were not looked through' },
    (stopped) => sendDue(services, stopped),
  )
}

/** One round: first lost messages are dealt with, then due ones are sent. */
export async function sendDue(services: SendingServices, stopped?: AbortSignal): Promise<void> {
  for (let count = 0; count < MOST_OF_A_ROUND && stopped?.aborted !== true; count += 1) {
    if (!(await putRight(services))) break
  }
  const kinds = waysOf(services.config.messages)
  if (kinds.length === 0) return
  for (let count = 0; count < MOST_OF_A_ROUND && stopped?.aborted !== true; count += 1) {
    const message = await withTransaction(services.pool, (transaction) =>
      claimMessage(transaction, { kinds, now: services.now() }),
    )
    if (message === null) return
    await sendOne(services, message)
  }
}

/**
 * Deals with a message whose sender is gone. One that may have been sent is not sent again, unless the gateway
 * recognises it.
 *
 * @returns whether there was one
 */
async function putRight(services: SendingServices): Promise<boolean> {
  const now = services.now()
  return withTransaction(services.pool, async (transaction) => {
    const lost = await findLost(transaction, new Date(Date.parse(now) - LOST_MS).toISOString())
    if (lost === null) return false
    if (lost.kind === 'note' && !lost.restored) await putBack(transaction, lost, { why: 'unreachable', nextTryAt: now })
    else await end(transaction, services, lost, { state: 'failed', why: lost.restored ? 'restored' : 'uncertain' })
    return true
  })
}

async function sendOne(services: SendingServices, message: ClaimedMessage): Promise<void> {
  const { pool, now } = services
  const to = addressFor(message.kind, message)
  if (message.removed || to === null) {
    const why = message.removed ? ('failed' as const) : ('no_address' as const)
    await withTransaction(pool, (transaction) =>
      end(transaction, services, message, { state: why, why: message.removed ? 'removed' : null }),
    )
    return
  }
  const delivery = await deliver(services, message, { id: message.id, to, content: message.content })
  const wait = WAITS_MS[message.tries - 1]
  await withTransaction(pool, async (transaction) => {
    if (delivery.kind === 'sent') return end(transaction, services, message, { state: 'sent', why: null })
    if (delivery.kind === 'failed' || wait === undefined)
      return end(transaction, services, message, { state: 'failed', why: delivery.why })
    return putBack(transaction, message, {
      why: delivery.why,
      nextTryAt: new Date(Date.parse(now()) + wait).toISOString(),
    })
  })
}

async function deliver(
  { config, log }: SendingServices,
  { kind, id }: ClaimedMessage,
  outgoing: Outgoing,
): Promise<Delivery> {
  const { email, note } = config.messages
  const delivery: Delivery =
    kind === 'email'
      ? email === null
        ? { kind: 'later', why: 'unreachable' }
        : await sendMail(email, outgoing)
      : note === null
        ? { kind: 'later', why: 'unreachable' }
        : await sendNote(note, outgoing)
  if (delivery.kind !== 'sent')
    log.warn({ message: id, kind, outcome: delivery.kind, why: delivery.why }, 'a message to a patient was not sent')
  return delivery
}

/** Ends a message, with its audit row. If another sender has claimed it meanwhile, that one goes on with it. */
async function end(
  transaction: Queryable,
  services: SendingServices,
  message: ClaimedMessage,
  { state, why }: { readonly state: 'sent' | 'failed' | 'no_address'; readonly why: MessageReason | null },
): Promise<boolean> {
  const { id, projectId, patientId, centerId, kind, tries } = message
  if (!(await endMessage(transaction, message, { state, why, at: services.now() }))) return false
  await commitProject(transaction, {
    projectId,
    // A message that was sent is booked, whatever has happened to the project since.
    statuses: projectStatuses,
    stamp: serverStamp(services),
    audit: [
      { action: `message.${state}`, centerId, patientId, new: { id, kind, tries, ...(why === null ? {} : { why }) } },
    ],
    changes: [],
  })
  return true
}
