import * as z from 'zod/mini'
import type { ZodMiniType } from 'zod/mini'
import { defineCall } from '#core/api/call.ts'
import type { Call } from '#core/api/call.ts'
import { MAX_LOG_LINES, MAX_LOG_LINE_BYTES } from '#core/api/deviceLog.ts'
import { instant, paging, text, wallTime } from '#core/wire/shapes.ts'

/** Logs: the server’s, those of devices, what was sent (specification §7 System and resources). */

const byId = z.object({ id: text(60) })

const logFields = {
  id: z.string(),
  serviceId: z.string(),
  serverIp: z.string(),
  serverHost: z.string(),
  env: z.string(),
  remoteIp: z.string(),
  userAgent: z.string(),
  requestUri: z.string(),
  method: z.string(),
  methodClass: z.string(),
  methodName: z.string(),
  params: z.string(),
  time: z.string(),
  createBy: z.string(),
  createTime: wallTime,
}
const usualLog = z.object({ ...logFields, logLevel: z.string(), logId: z.string(), logData: z.string() })
const apiLog = z.object({ ...logFields, type: z.string(), title: z.string() })
const errorLog = z.object({
  ...logFields,
  title: z.string(),
  stackTrace: z.string(),
  exceptionName: z.string(),
  message: z.string(),
  fileName: z.string(),
  lineNumber: z.int(),
})
export type ErrorLog = z.infer<typeof errorLog>
const sentLog = z.object({
  id: z.string(),
  code: z.string(),
  receiver: z.string(),
  content: z.string(),
  success: z.boolean(),
  sendTime: z.iso.datetime(),
})

function logCalls<Row extends ZodMiniType>(kind: 'usual' | 'api', row: Row): readonly Call[] {
  return [
    defineCall({
      id: `log.${kind}List`,
      area: 'log',
      method: 'GET',
      path: `/blade-log/${kind}/list`,
      summary: `Server log, ${kind}.`,
      auth: 'admin',
      query: z.object(paging),
      data: row,
      answer: 'page',
    }),
    defineCall({
      id: `log.${kind}Detail`,
      area: 'log',
      method: 'GET',
      path: `/blade-log/${kind}/detail`,
      summary: `One line of the ${kind} log.`,
      auth: 'admin',
      query: byId,
      data: row,
    }),
  ]
}

/**
 * One line of a device's own error log (specification §3): where by its pattern, when, what kind, what; never what was
 * entered.
 */
const deviceLogLine = z
  .object({
    url: text(500),
    time: instant,
    type: text(40),
    message: text(1000),
    stack: z.optional(text(8000)),
    info: z.optional(text(2000)),
  })
  .check(z.refine((line) => utf8Length(JSON.stringify(line)) <= MAX_LOG_LINE_BYTES, 'too_big'))

export type DeviceLogLine = z.infer<typeof deviceLogLine>

/** Bytes of a text in UTF-8. */
function utf8Length(written: string): number {
  let bytes = 0
  for (const character of written) {
    const point = character.codePointAt(0) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  return bytes
}

const LOG = 'server/areas/log'

/** What a device sends of its log. A line is booked once by what it says, whoever repeats it: it needs no key. */
const logUpload = {
  body: z.array(deviceLogLine).check(z.maxLength(MAX_LOG_LINES)),
  data: z.boolean(),
  write: false,
  errors: ['rate_limited', 'invalid'],
  servedBy: LOG,
} as const

/** What devices noted of their own errors: sent by their users, read by administrators. */
export const deviceLogCalls = [
  defineCall({
    id: 'log.local',
    area: 'log',
    method: 'POST',
    path: '/edc/log/local',
    summary: "Upload of a device's local error log.",
    ...logUpload,
  }),
  defineCall({
    id: 'log.upload',
    area: 'log',
    method: 'POST',
    path: '/blade-auth/oauth/logout',
    summary: 'The same under the address of specification §8, whose GET signs out.',
    ...logUpload,
  }),
  defineCall({
    id: 'log.errorList',
    area: 'log',
    method: 'GET',
    path: '/blade-log/error/list',
    summary: 'Errors that devices have reported, the latest first.',
    auth: 'admin',
    query: z.object(paging),
    data: errorLog,
    answer: 'page',
    servedBy: LOG,
  }),
  defineCall({
    id: 'log.errorDetail',
    area: 'log',
    method: 'GET',
    path: '/blade-log/error/detail',
    summary: 'One reported error.',
    auth: 'admin',
    query: byId,
    data: errorLog,
    errors: ['not_found'],
    servedBy: LOG,
  }),
]

export const serverLogCalls: readonly Call[] = [
  defineCall({
    id: 'sms.log',
    area: 'log',
    method: 'GET',
    path: '/edc/log/sms/list',
    summary: 'SMS that were sent.',
    auth: 'admin',
    query: z.object(paging),
    data: sentLog,
    answer: 'page',
  }),
  defineCall({
    id: 'email.log',
    area: 'log',
    method: 'GET',
    path: '/edc/log/email/list',
    summary: 'E-mails that were sent.',
    auth: 'admin',
    query: z.object(paging),
    data: sentLog,
    answer: 'page',
  }),
  ...logCalls('usual', usualLog),
  ...logCalls('api', apiLog),
]
