import * as z from 'zod/mini'
import type { ZodMiniType } from 'zod/mini'
import { defineCall } from '#core/api/call.ts'
import type { Call } from '#core/api/call.ts'
import { filledText, paging, text } from '#core/wire/shapes.ts'

/**
 * Ways to write to people, SMS and e-mail: their templates and what is sent by them (specification §7 System and
 * resources).
 */

const byId = z.object({ id: text(60) })
const byIds = z.object({ ids: text(20_000) })

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
function callsOf<Row extends ZodMiniType, Submit extends ZodMiniType>(
  name: 'sms' | 'email',
  row: Row,
  submit: Submit,
): readonly Call[] {
  const base = `/blade-resource/${name}`
  return [
    defineCall({
      id: `${name}.list`,
      area: 'resource',
      method: 'GET',
      path: `${base}/list`,
      summary: 'Templates; `bizType` picks those of one use.',
      query: z.object({ ...paging, bizType: z.optional(text(60)) }),
      data: row,
      answer: 'page',
    }),
    defineCall({
      id: `${name}.detail`,
      area: 'resource',
      method: 'GET',
      path: `${base}/detail`,
      summary: 'One template.',
      auth: 'admin',
      query: byId,
      data: row,
    }),
    defineCall({
      id: `${name}.remove`,
      area: 'resource',
      method: 'POST',
      path: `${base}/remove`,
      summary: 'Removes templates.',
      auth: 'admin',
      query: byIds,
      data: z.boolean(),
    }),
    defineCall({
      id: `${name}.submit`,
      area: 'resource',
      method: 'POST',
      path: `${base}/submit`,
      summary: 'Adds or changes a template.',
      auth: 'admin',
      body: submit,
      data: z.boolean(),
    }),
    defineCall({
      id: `${name}.enable`,
      area: 'resource',
      method: 'POST',
      path: `${base}/enable`,
      summary: 'Makes a template the one in use.',
      auth: 'admin',
      query: byId,
      data: z.boolean(),
    }),
    defineCall({
      id: `${name}.send`,
      area: 'resource',
      method: 'POST',
      path: `${base}/endpoint/send-message`,
      summary: 'Sends a message.',
      auth: 'admin',
      body: sendMessage,
      data: z.object({ id: z.string() }),
    }),
  ]
}

export const channelCalls: readonly Call[] = [
  ...callsOf('sms', smsRow, smsSubmit),
  defineCall({
    id: 'sms.sendValidate',
    area: 'resource',
    method: 'POST',
    path: '/blade-resource/sms/endpoint/send-validate',
    summary: 'Sends a code to a phone; its id comes back.',
    auth: 'none',
    body: z.object({ code: text(100), phone: text(40) }),
    data: z.object({ id: z.string() }),
  }),
  ...callsOf('email', emailRow, emailSubmit),
]
