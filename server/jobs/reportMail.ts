import type { UnsentReason } from '#core/api/reportSchedule.ts'
import { newId } from '#core/ids.ts'
import { firstFrom } from '#core/report/rhythm.ts'
import { addDays } from '#core/study/visits/days.ts'
import { sendMail } from '#server/areas/message/smtp.ts'
import type { MailSettings } from '#server/areas/message/settings.ts'
import { studyTime } from '#server/areas/notice/morning.ts'
import { composeReport } from '#server/areas/reportMail/compose.ts'
import type { Composed } from '#server/areas/reportMail/compose.ts'
import { MAIL_HOUR } from '#server/areas/reportMail/schedules.ts'
import * as store from '#server/areas/reportMail/sending.ts'
import type { ClaimedSchedule } from '#server/areas/reportMail/sending.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import { startRounds } from '#server/jobs/rounds.ts'
import type { Services } from '#server/services.ts'

/**
 * Sends reports by e-mail (docs/adr/0056-reports-by-mail.md). As messages about notices: one is claimed, then counted
 * and sent, then booked, and what may have arrived is not sent again. What was due on several days is sent once.
 */

const MINUTE_MS = 60_000
const EVERY_MS = MINUTE_MS
/** Pauses after failed attempts; after the last one the day's report is given up. */
const WAITS_MS = [1, 5, 15, 60, 180].map((minutes) => minutes * MINUTE_MS)
/** Nobody needs this long to count and send one report. */
const LOST_MS = 15 * MINUTE_MS
/** Most reports of one round; then the next one looks anew. */
const MOST_OF_A_ROUND = 200

export type MailingServices = Pick<Services, 'pool' | 'log' | 'now'> & {
  readonly config: Pick<Services['config'], 'messages' | 'publicUrl'>
}

/** Rounds that go on until they are stopped; `stop` waits for the round under way. */
export function startReportMail(services: MailingServices, everyMs = EVERY_MS): { stop(): Promise<void> } {
  const rounds = { everyMs, first: 'at once' as const, failed: 'reports were not sent by e-mail' }
  return startRounds(services, rounds, (stopped) => mailReports(services, stopped))
}

/** One round: lost reports are dealt with, and those that are due are sent. */
export async function mailReports(services: MailingServices, stopped?: AbortSignal): Promise<void> {
  for (let count = 0; count < MOST_OF_A_ROUND && stopped?.aborted !== true; count += 1)
    if (!(await putRight(services))) break
  const { email } = services.config.messages
  if (email === null || studyTime(services.now()).hour < MAIL_HOUR) return
  for (let count = 0; count < MOST_OF_A_ROUND && stopped?.aborted !== true; count += 1)
    if (!(await sendNext(services, email))) return
}

/** Deals with a report whose server is gone. Only one that was not being sent yet is tried again. */
async function putRight({ pool, now }: MailingServices): Promise<boolean> {
  const at = now()
  return withTransaction(pool, async (transaction) => {
    const lost = await store.findLost(transaction, new Date(Date.parse(at) - LOST_MS).toISOString())
    if (lost === null) return false
    if (lost.sending) await store.endDay(transaction, lost, endOf(lost, at, lost.restored ? 'restored' : 'uncertain'))
    else await store.tryAgain(transaction, lost, at)
    return true
  })
}

function endOf({ rhythm }: ClaimedSchedule, at: string, why: UnsentReason | null) {
  const { day } = studyTime(at)
  return { day, why, nextDay: firstFrom(rhythm, addDays(day, 1)) }
}

/** @returns whether there was one to send */
async function sendNext(services: MailingServices, settings: MailSettings): Promise<boolean> {
  const { pool, now } = services
  const at = now()
  const claimed = await withTransaction(pool, (transaction) =>
    store.claimSchedule(transaction, { day: studyTime(at).day, at }),
  )
  if (claimed === null) return false
  const composed = await compose(services, claimed)
  switch (composed.kind) {
    case 'gone':
      await withConnection(pool, (connection) => store.pauseSchedule(connection, claimed, composed.why))
      break
    case 'no_address':
      await withConnection(pool, (connection) => store.endDay(connection, claimed, endOf(claimed, at, 'no_address')))
      break
    case 'not_counted':
      await putOff(services, claimed, 'not_counted')
      break
    case 'mail':
      await send(services, settings, claimed, composed)
  }
  return true
}

async function compose(
  services: MailingServices,
  claimed: ClaimedSchedule,
): Promise<Composed | { readonly kind: 'not_counted' }> {
  try {
    return await withConnection(services.pool, (connection) => composeReport(services, connection, claimed))
  } catch (error) {
    // The others have their reports; this one is tried again.
    services.log.error({ error, schedule: claimed.id }, 'a report by e-mail was not counted')
    return { kind: 'not_counted' }
  }
}

async function send(
  services: MailingServices,
  settings: MailSettings,
  claimed: ClaimedSchedule,
  { to, mail }: Extract<Composed, { readonly kind: 'mail' }>,
): Promise<void> {
  const { pool, now, log } = services
  if (!(await withConnection(pool, (connection) => store.beginSending(connection, claimed)))) return
  const delivery = await sendMail(settings, { id: newId(), to, ...mail })
  if (delivery.kind !== 'sent') log.warn({ schedule: claimed.id, why: delivery.why }, 'a report by e-mail was not sent')
  if (delivery.kind === 'later') return putOff(services, claimed, delivery.why)
  const why = delivery.kind === 'sent' ? null : delivery.why
  await withConnection(pool, (connection) => store.endDay(connection, claimed, endOf(claimed, now(), why)))
}

/** Tries again later; after the last attempt the day's report is given up. */
async function putOff({ pool, now }: MailingServices, claimed: ClaimedSchedule, why: UnsentReason): Promise<void> {
  const at = now()
  const wait = WAITS_MS[claimed.tries - 1]
  await withConnection(pool, (connection) =>
    wait === undefined
      ? store.endDay(connection, claimed, endOf(claimed, at, why))
      : store.tryAgain(connection, claimed, new Date(Date.parse(at) + wait).toISOString()),
  )
}
