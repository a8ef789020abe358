import { v5 } from 'uuid'
import type { ErrorLog } from '#core/api/calls/log.ts'
import { fail } from '#core/api/errors.ts'
import { isId } from '#core/ids.ts'
import { pageOf } from '#core/wire/shapes.ts'
import type { Page, Paging } from '#core/wire/shapes.ts'
import { STUDY_TIME_ZONE } from '#server/access.ts'
import { MAX_COUNT, countSince, findLine, forgetOld, keepLines, listLines } from '#server/areas/log/store.ts'
import type { BookedLine, StoredLine } from '#server/areas/log/store.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import type { CallContext } from '#server/http/handler.ts'
import { readPage } from '#server/http/paging.ts'
import type { Services } from '#server/services.ts'

/** Errors that devices have logged. They are booked once, kept for some time, and read by administrators. */

const HOUR_MS = 3_600_000
/** Most lines from one user in an hour: enough for the whole logs of a few tablets. */
const MOST_AN_HOUR = 1000
/** Most lines that are kept of one user, and for how long. */
const MOST_OF_A_USER = 2000
const KEPT_MS = 90 * 24 * HOUR_MS

/** Namespace of the ids of lines. */
const NAMESPACE = '2f4b3a52-8a0c-5f5e-9c0a-8d0d4f1a7be1'

/**
 * Keeps what a device reports. A line that came before is not kept again, because its id is made of its sender, its
 * device and its content.
 *
 * @throws ApiFailure `rate_limited` where the user has sent too much within the hour: then nothing of it is kept
 */
export async function receive(
  context: Pick<CallContext<'log.local'>, 'services' | 'actor' | 'acted' | 'body'>,
): Promise<true> {
  const { services, actor, acted, body } = context
  const receivedAt = services.now()
  const ago = (milliseconds: number): string => new Date(Date.parse(receivedAt) - milliseconds).toISOString()
  const booked = new Map<string, BookedLine>()
  for (const line of body) {
    const { url, time, type, message, stack = '', info = '' } = line
    const id = v5(JSON.stringify([actor.userId, acted.deviceId, url, time, type, message, stack, info]), NAMESPACE)
    booked.set(id, { ...line, id })
  }
  await withTransaction(services.pool, async (transaction) => {
    const sender = { userId: actor.userId, deviceId: acted.deviceId, appVersion: acted.appVersion, receivedAt }
    if ((await keepLines(transaction, [...booked.values()], sender)) === 0) return
    if ((await countSince(transaction, actor.userId, ago(HOUR_MS))) > MOST_AN_HOUR) {
      throw fail('rate_limited', { retryAfterSeconds: HOUR_MS / 1000 })
    }
    await forgetOld(transaction, actor.userId, ago(KEPT_MS), MOST_OF_A_USER)
  })
  return true
}

/** A page of reported lines, the latest first. */
export async function listErrors(services: Services, paging: Paging): Promise<Page<ErrorLog>> {
  const page = await withConnection(services.pool, (connection) =>
    readPage(paging, (window) => listLines(connection, window)),
  )
  const records = page.records.map(toErrorLog)
  return page.total > MAX_COUNT ? { ...pageOf(records, MAX_COUNT, paging), totalIsLeast: true } : { ...page, records }
}

/** @throws ApiFailure `not_found` */
export async function errorDetail(services: Services, id: string): Promise<ErrorLog> {
  const line = isId(id) ? await withConnection(services.pool, (connection) => findLine(connection, id)) : null
  if (line === null) throw fail('not_found')
  return toErrorLog(line)
}

/** A line in the words of the BladeX family. Fields that only a server could know of itself stay empty. */
function toErrorLog(line: StoredLine): ErrorLog {
  const [, fileName = '', lineNumber = '0'] = /([\w./-]+):(\d{1,9}):\d{1,9}/.exec(line.stack) ?? []
  return {
    id: line.id,
    serviceId: 'zhenglu-web',
    serverIp: '',
    serverHost: '',
    env: line.appVersion,
    remoteIp: '',
    userAgent: line.userAgent,
    requestUri: line.url,
    method: '',
    methodClass: line.type,
    methodName: '',
    params: line.info,
    time: line.time,
    createBy: line.userName,
    createTime: wallClock(line.receivedAt),
    title: line.type,
    stackTrace: line.stack,
    exceptionName: /^\w+/.exec(line.message)?.[0] ?? '',
    message: line.message,
    fileName,
    lineNumber: Number(lineNumber),
  }
}

/** An instant as `yyyy-MM-dd HH:mm:ss` of the study's time zone. */
function wallClock(instant: string): string {
  return new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone: STUDY_TIME_ZONE,
  }).format(new Date(instant))
}
