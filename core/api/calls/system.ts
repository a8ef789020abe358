import * as z from 'zod/mini'
import type { ZodMiniType } from 'zod/mini'
import { defineCall } from '#core/api/call.ts'
import type { Call } from '#core/api/call.ts'
import { MAX_LOG_LINES, MAX_LOG_LINE_BYTES } from '#core/api/deviceLog.ts'
import { filledText, id, instant, json, paging, queryInt, text, wallTime } from '#core/wire/shapes.ts'

/** Dictionaries, parameters, SMS and e-mail, logs, notices, AI, search (specification §7 System and resources). */

const byId = z.object({ id: text(60) })

/** What somebody is told: a patient was assigned to them, or is no longer. */
const noticeKinds = ['assigned', 'taken_back', 'changed'] as const
export type NoticeKind = (typeof noticeKinds)[number]
const notice = z.object({ id, title: z.string(), releaseTime: instant, kind: z.enum(noticeKinds), projectId: id, patientId: id, read: z.boolean() })
export type Notice = z.infer<typeof notice>
const byIds = z.object({ ids: text(20_000) })

const dictEntry = z.object({
  id: z.string(),
  parentId: z.string(),
  code: z.string(),
  dictKey: z.string(),
  dictValue: z.string(),
  sort: z.int(),
  remark: z.nullable(z.string()),
  isSealed: z.int(),
  children: z.optional(z.array(json)),
})
const dictSubmit = z.object({
  id: z.optional(text(60)),
  parentId: z.optional(text(60)),
  code: text(100),
  dictKey: z.union([text(100), z.int()]),
  dictValue: filledText(200),
  sort: z.optional(z.int()),
  remark: z.optional(text(400)),
  isSealed: z.optional(z.int()),
})
const dictFilter = z.object({ code: z.optional(text(100)), dictValue: z.optional(text(200)), remark: z.optional(text(400)), ...paging })
const dictTree = z.object({ id: z.string(), parentId: z.string(), title: z.string(), key: z.string(), value: z.string(), children: z.optional(z.array(json)) })

/** The same calls serve the system's and the business dictionary. */
function dictCalls(name: 'dict' | 'dictBiz', base: string): readonly Call[] {
  return [
    defineCall({ id: `${name}.list`, area: 'dict', method: 'GET', path: `${base}/list`, summary: 'Dictionaries as a tree.', auth: 'admin', query: dictFilter, data: dictEntry, answer: 'tree' }),
    defineCall({ id: `${name}.parentList`, area: 'dict', method: 'GET', path: `${base}/parent-list`, summary: 'Dictionaries, a page of them.', auth: 'admin', query: dictFilter, data: dictEntry, answer: 'page' }),
    defineCall({ id: `${name}.childList`, area: 'dict', method: 'GET', path: `${base}/child-list`, summary: 'Entries of a dictionary.', auth: 'admin', query: z.object({ parentId: text(60), ...paging }), data: dictEntry, answer: 'tree' }),
    defineCall({ id: `${name}.detail`, area: 'dict', method: 'GET', path: `${base}/detail`, summary: 'One entry.', auth: 'admin', query: byId, data: dictEntry }),
    defineCall({ id: `${name}.tree`, area: 'dict', method: 'GET', path: `${base}/tree`, summary: 'Tree of dictionaries.', auth: 'admin', query: z.object({ code: z.optional(text(100)) }), data: dictTree, answer: 'tree' }),
    defineCall({ id: `${name}.remove`, area: 'dict', method: 'POST', path: `${base}/remove`, summary: 'Removes entries.', auth: 'admin', query: byIds, data: z.boolean() }),
    defineCall({ id: `${name}.submit`, area: 'dict', method: 'POST', path: `${base}/submit`, summary: 'Adds or changes an entry.', auth: 'admin', body: dictSubmit, data: z.boolean() }),
  ]
}

/** The one dictionary call that every signed-in user makes. */
export const dictionaryCalls = [
  defineCall({ id: 'dict.dictionary', area: 'dict', method: 'GET', path: '/blade-system/dict/dictionary', summary: 'Entries of a dictionary by its code.', query: z.object({ code: text(100) }), data: dictEntry, answer: 'tree', servedBy: 'server/areas/dict' }),
  defineCall({ id: 'dictBiz.dictionary', area: 'dict', method: 'GET', path: '/blade-system/dict-biz/dictionary', summary: 'Entries of a business dictionary by its code.', query: z.object({ code: text(100) }), data: dictEntry, answer: 'tree' }),
]

const param = z.object({ id: z.string(), paramName: z.string(), paramKey: z.string(), paramValue: z.string(), remark: z.nullable(z.string()) })

const smsRow = z.object({
  id: z.string(),
  category: z.int(),
  smsCode: z.string(),
  templateId: z.string(),
  accessKey: z.string(),
  regionId: z.string(),
  signName: z.string(),
  status: z.int(),
  statusName: z.string(),
  categoryName: z.string(),
  remark: z.nullable(z.string()),
})
const smsSubmit = z.object({
  id: z.optional(text(60)),
  category: z.int(),
  smsCode: filledText(100),
  templateId: z.optional(text(100)),
  accessKey: z.optional(text(200)),
  secretKey: z.optional(text(200)),
  regionId: z.optional(text(100)),
  signName: z.optional(text(100)),
  templateContent: z.optional(text(4000)),
  bizType: z.optional(text(60)),
  remark: z.optional(text(400)),
})
const emailRow = z.object({
  id: z.string(),
  category: z.int(),
  emailCode: z.string(),
  templateContent: z.string(),
  status: z.int(),
  statusName: z.string(),
  categoryName: z.string(),
  remark: z.nullable(z.string()),
})
const emailSubmit = z.object({
  id: z.optional(text(60)),
  category: z.int(),
  emailCode: filledText(100),
  host: z.optional(text(200)),
  port: z.optional(z.int()),
  username: z.optional(text(200)),
  password: z.optional(text(200)),
  templateContent: z.optional(text(20_000)),
  bizType: z.optional(text(60)),
  remark: z.optional(text(400)),
})
const sendMessage = z.object({ code: text(100), phones: text(4000), params: z.optional(text(4000)) })

/** SMS and e-mail share their calls; only the rows differ. */
function channelCalls<Row extends ZodMiniType, Submit extends ZodMiniType>(
  name: 'sms' | 'email',
  row: Row,
  submit: Submit,
): readonly Call[] {
  const base = `/blade-resource/${name}`
  return [
    defineCall({ id: `${name}.list`, area: 'resource', method: 'GET', path: `${base}/list`, summary: 'Templates; `bizType` picks those of one use.', query: z.object({ ...paging, bizType: z.optional(text(60)) }), data: row, answer: 'page' }),
    defineCall({ id: `${name}.detail`, area: 'resource', method: 'GET', path: `${base}/detail`, summary: 'One template.', auth: 'admin', query: byId, data: row }),
    defineCall({ id: `${name}.remove`, area: 'resource', method: 'POST', path: `${base}/remove`, summary: 'Removes templates.', auth: 'admin', query: byIds, data: z.boolean() }),
    defineCall({ id: `${name}.submit`, area: 'resource', method: 'POST', path: `${base}/submit`, summary: 'Adds or changes a template.', auth: 'admin', body: submit, data: z.boolean() }),
    defineCall({ id: `${name}.enable`, area: 'resource', method: 'POST', path: `${base}/enable`, summary: 'Makes a template the one in use.', auth: 'admin', query: byId, data: z.boolean() }),
    defineCall({ id: `${name}.send`, area: 'resource', method: 'POST', path: `${base}/endpoint/send-message`, summary: 'Sends a message.', auth: 'admin', body: sendMessage, data: z.object({ id: z.string() }) }),
  ]
}

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
const errorLog = z.object({ ...logFields, title: z.string(), stackTrace: z.string(), exceptionName: z.string(), message: z.string(), fileName: z.string(), lineNumber: z.int() })
export type ErrorLog = z.infer<typeof errorLog>
const sentLog = z.object({ id: z.string(), code: z.string(), receiver: z.string(), content: z.string(), success: z.boolean(), sendTime: z.iso.datetime() })

function logCalls<Row extends ZodMiniType>(kind: 'usual' | 'api', row: Row): readonly Call[] {
  return [
    defineCall({ id: `log.${kind}List`, area: 'log', method: 'GET', path: `/blade-log/${kind}/list`, summary: `Server log, ${kind}.`, auth: 'admin', query: z.object(paging), data: row, answer: 'page' }),
    defineCall({ id: `log.${kind}Detail`, area: 'log', method: 'GET', path: `/blade-log/${kind}/detail`, summary: `One line of the ${kind} log.`, auth: 'admin', query: byId, data: row }),
  ]
}

/** One line of a device's own error log (specification §3): where by its pattern, when, what kind, what; never what was entered. */
const deviceLogLine = z
  .object({ url: text(500), time: instant, type: text(40), message: text(1000), stack: z.optional(text(8000)), info: z.optional(text(2000)) })
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

/** What devices noted of their own errors: sent by their users, read by administrators. */
export const deviceLogCalls = [
  // A line is booked once by what it says, whoever repeats it: it needs no key.
  defineCall({ id: 'log.local', area: 'log', method: 'POST', path: '/edc/log/local', summary: "Upload of a device's local error log.", body: z.array(deviceLogLine).check(z.maxLength(MAX_LOG_LINES)), data: z.boolean(), write: false, errors: ['rate_limited', 'invalid'], servedBy: LOG }),
  defineCall({ id: 'log.upload', area: 'log', method: 'POST', path: '/blade-auth/oauth/logout', summary: "The same under the address of specification §8, whose GET signs out.", body: z.array(deviceLogLine).check(z.maxLength(MAX_LOG_LINES)), data: z.boolean(), write: false, errors: ['rate_limited', 'invalid'], servedBy: LOG }),
  defineCall({ id: 'log.errorList', area: 'log', method: 'GET', path: '/blade-log/error/list', summary: 'Errors that devices have reported, the latest first.', auth: 'admin', query: z.object(paging), data: errorLog, answer: 'page', servedBy: LOG }),
  defineCall({ id: 'log.errorDetail', area: 'log', method: 'GET', path: '/blade-log/error/detail', summary: 'One reported error.', auth: 'admin', query: byId, data: errorLog, errors: ['not_found'], servedBy: LOG }),
]

const NOTICE = 'server/areas/notice'

/** What users are told in the app. A notice is read once, however often that is said: it needs no key. */
export const noticeCalls = [
  defineCall({ id: 'notice.list', area: 'notice', method: 'GET', path: '/edc/index/notice/list', summary: 'What the user is to be told, the latest first; status 0: what they have not read. `page` is another name for `current`.', query: z.object({ status: z.optional(text(2)), page: z.optional(queryInt(1, 100_000)), ...paging }), data: notice, answer: 'page', servedBy: NOTICE }),
  defineCall({ id: 'notice.click', area: 'notice', method: 'POST', path: '/edc/index/notice/click', summary: 'Marks notices as read.', body: z.object({ noticeIds: z.array(id).check(z.maxLength(500)) }), data: z.boolean(), write: false, servedBy: NOTICE }),
]

export const systemCalls: readonly Call[] = [
  ...dictCalls('dict', '/blade-system/dict'),
  ...dictCalls('dictBiz', '/blade-system/dict-biz'),
  defineCall({ id: 'param.list', area: 'param', method: 'GET', path: '/blade-system/param/list', summary: 'System parameters.', auth: 'admin', query: z.object({ paramName: z.optional(text(200)), paramKey: z.optional(text(200)), paramValue: z.optional(text(2000)), ...paging }), data: param, answer: 'page' }),
  defineCall({ id: 'param.remove', area: 'param', method: 'POST', path: '/blade-system/param/remove', summary: 'Removes parameters.', auth: 'admin', query: byIds, data: z.boolean() }),
  defineCall({ id: 'param.submit', area: 'param', method: 'POST', path: '/blade-system/param/submit', summary: 'Adds or changes a parameter.', auth: 'admin', body: z.object({ id: z.optional(text(60)), paramName: filledText(200), paramKey: filledText(200), paramValue: text(4000), remark: z.optional(text(400)) }), data: z.boolean() }),
  ...channelCalls('sms', smsRow, smsSubmit),
  defineCall({ id: 'sms.sendValidate', area: 'resource', method: 'POST', path: '/blade-resource/sms/endpoint/send-validate', summary: 'Sends a code to a phone; its id comes back.', auth: 'none', body: z.object({ code: text(100), phone: text(40) }), data: z.object({ id: z.string() }) }),
  ...channelCalls('email', emailRow, emailSubmit),
  defineCall({ id: 'sms.log', area: 'log', method: 'GET', path: '/edc/log/sms/list', summary: 'SMS that were sent.', auth: 'admin', query: z.object(paging), data: sentLog, answer: 'page' }),
  defineCall({ id: 'email.log', area: 'log', method: 'GET', path: '/edc/log/email/list', summary: 'E-mails that were sent.', auth: 'admin', query: z.object(paging), data: sentLog, answer: 'page' }),
  ...logCalls('usual', usualLog),
  ...logCalls('api', apiLog),
  defineCall({ id: 'ai.chat', area: 'ai', method: 'POST', path: '/edc/ai/chat', summary: 'The assistant; it suggests and never writes data.', body: z.object({ code: text(60), message: filledText(8000), sessionId: text(100) }), data: z.object({ text: z.string(), finishReason: z.string() }), write: false }),
  defineCall({ id: 'ai.analyze', area: 'ai', method: 'POST', path: '/edc/ai/analyze', summary: 'Analysis of a text by the assistant.', body: z.object({ code: text(60), message: filledText(8000) }), data: z.object({ text: z.string(), finishReason: z.string() }), write: false }),
  defineCall({ id: 'user.avatar', area: 'user', method: 'GET', path: '/common/user/avatar/:userId', summary: 'Picture of a user.', params: z.object({ userId: id }), data: z.string(), answer: 'blob' }),
  defineCall({ id: 'search.schema', area: 'search', method: 'GET', path: '/es/:index/schema', summary: 'Fields of a search index.', params: z.object({ index: text(60) }), data: json }),
  defineCall({ id: 'search.search', area: 'search', method: 'POST', path: '/es/:index/search', summary: 'Search; hits are in hits.hits.', params: z.object({ index: text(60) }), body: z.object({ size: z.optional(z.int()), from: z.optional(z.int()), query: z.optional(json) }), data: z.object({ hits: z.object({ hits: z.array(json) }) }), answer: 'raw', write: false }),
]
