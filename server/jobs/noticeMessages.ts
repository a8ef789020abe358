import type { NoticeWay } from '#core/api/noticeSettings.ts'
import { noticeWays } from '#core/api/noticeSettings.ts'
import { addDays } from '#core/study/visits/days.ts'
import type { Delivery } from '#server/areas/message/delivery.ts'
import { sendNote } from '#server/areas/message/gateway.ts'
import { sendMail } from '#server/areas/message/smtp.ts'
import { studyTime } from '#server/areas/notice/morning.ts'
import * as store from '#server/areas/noticeWays/messages.ts'
import type { ClaimedMessage, Pile } from '#server/areas/noticeWays/messages.ts'
import { reachBy } from '#server/areas/noticeWays/service.ts'
import { MAIL_SUBJECT, wordMessage } from '#server/areas/noticeWays/words.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import type { Services } from '#server/services.ts'

/**
 * Tells people of their notices by e-mail and text message (docs/adr/0047-notices.md). As messages to patients: one is
 * claimed, then sent, then booked, and what may have arrived is not sent again.
 */

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** From this hour on, in the time zone of studies, the day's messages are sent. */
const DAILY_HOUR = 7
/** How old a notice may be that is told by a message: whoever begins to be told is not told of long ago. */
const AT_ONCE_SINCE_MS = DAY_MS
const DAILY_SINCE_MS = 7 * DAY_MS
/** Pauses after failed attempts; after the last one the message is given up: it is all in the app. */
const WAITS_MS = [1, 5, 15, 60, 180].map((minutes) => minutes * MINUTE_MS)
/** No sender needs this long for one message. */
const LOST_MS = 15 * MINUTE_MS
/** Most messages of one round; then others have their turn. */
const MOST_OF_A_ROUND = 200

export type TellingServices = Pick<Services, 'pool' | 'log' | 'now'> & {
  readonly config: Pick<Services['config'], 'messages' | 'publicUrl'>
}

/** One round: lost messages are dealt with, those that are needed are made, and those that are due are sent. */
export async function tellByMessage(services: TellingServices, stopped?: AbortSignal): Promise<void> {
  for (let count = 0; count < MOST_OF_A_ROUND && stopped?.aborted !== true; count += 1)
    if (!(await putRight(services))) break
  const ways = noticeWays.filter((way) => services.config.messages[way] !== null)
  if (ways.length === 0) return
  for (const way of ways) await makeAll(services, way)
  for (let count = 0; count < MOST_OF_A_ROUND && stopped?.aborted !== true; count += 1)
    if (!(await sendNext(services, ways))) return
}

async function makeAll({ pool, now }: TellingServices, way: NoticeWay): Promise<void> {
  const at = now()
  const { day, hour } = studyTime(at)
  // What comes during the day waits for the next morning.
  const morning = instantOf(hour >= DAILY_HOUR ? day : addDays(day, -1))
  await withTransaction(pool, async (transaction) => {
    const common = { way, day, now: at }
    const later = new Date(Date.parse(at) + 1).toISOString()
    await store.makeMessages(transaction, { ...common, pace: 'at_once', from: sinceOf('at_once', at), before: later })
    if (hour >= DAILY_HOUR)
      await store.makeMessages(transaction, { ...common, pace: 'daily', from: sinceOf('daily', at), before: morning })
  })
}

function sinceOf(pace: store.SentPace, now: string): string {
  return new Date(Date.parse(now) - (pace === 'daily' ? DAILY_SINCE_MS : AT_ONCE_SINCE_MS)).toISOString()
}

/** The instant at which the day's messages are due: a day of studies is that of China, which has no summer time. */
function instantOf(day: string): string {
  return new Date(Date.parse(`${day}T0${DAILY_HOUR}:00:00+08:00`)).toISOString()
}

/** Deals with a message whose sender is gone. Only a text message goes again: its gateway knows it by its id. */
async function putRight({ pool, now }: TellingServices): Promise<boolean> {
  const at = now()
  return withTransaction(pool, async (transaction) => {
    const lost = await store.findLostMessage(transaction, new Date(Date.parse(at) - LOST_MS).toISOString())
    if (lost === null) return false
    if (lost.way === 'note' && !lost.restored)
      await store.putMessageBack(transaction, lost, { why: 'unreachable', nextTryAt: at })
    else
      await store.endMessage(transaction, lost, { state: 'failed', why: lost.restored ? 'restored' : 'uncertain', at })
    return true
  })
}

/** @returns whether there was one to send */
async function sendNext(services: TellingServices, ways: readonly NoticeWay[]): Promise<boolean> {
  const { pool, now, log } = services
  const at = now()
  const claimed = await withTransaction(pool, async (transaction) => {
    const message = await store.claimMessage(transaction, ways, at)
    if (message === null) return null
    const piles = await store.gatherPiles(transaction, message, { from: sinceOf(message.pace, at), now: at })
    const to = message.isActive && piles.length > 0 ? reachBy(message.way, message) : null
    if (to === null) await store.endMessage(transaction, message, { state: 'dropped', why: null, at })
    return { message, piles, to }
  })
  if (claimed === null) return false
  const { message, piles, to } = claimed
  if (to === null) return true
  const delivery = await deliver(services, message, to, piles)
  const wait = WAITS_MS[message.tries - 1]
  await withConnection(pool, async (connection) => {
    if (delivery.kind === 'sent') return store.endMessage(connection, message, { state: 'sent', why: null, at: now() })
    log.warn({ message: message.id, way: message.way, why: delivery.why }, 'a message about notices was not sent')
    if (delivery.kind === 'failed' || wait === undefined)
      return store.endMessage(connection, message, { state: 'failed', why: delivery.why, at: now() })
    const nextTryAt = new Date(Date.parse(now()) + wait).toISOString()
    return store.putMessageBack(connection, message, { why: delivery.why, nextTryAt })
  })
  return true
}

async function deliver(
  { config }: TellingServices,
  { id, way }: ClaimedMessage,
  to: string,
  piles: readonly Pile[],
): Promise<Delivery> {
  const address = config.publicUrl === null ? null : `${config.publicUrl}/info/message`
  const outgoing = { id, to, content: wordMessage(way, piles, address) }
  const { email, note } = config.messages
  if (way === 'email' && email !== null) return sendMail(email, { ...outgoing, subject: MAIL_SUBJECT })
  if (way === 'note' && note !== null) return sendNote(note, outgoing)
  return { kind: 'later', why: 'unreachable' }
}
