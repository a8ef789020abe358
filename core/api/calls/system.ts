import * as z from 'zod/mini'
import { defineCall } from '#core/api/call.ts'
import type { Call } from '#core/api/call.ts'
import { treeNode } from '#core/api/treeNode.ts'
import { filledText, id, json, paging, text } from '#core/wire/shapes.ts'

/** Dictionaries, parameters, AI, search (specification §7 System and resources). */

const byId = z.object({ id: text(60) })

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
const dictFilter = z.object({
  code: z.optional(text(100)),
  dictValue: z.optional(text(200)),
  remark: z.optional(text(400)),
  ...paging,
})

/** The same calls serve the system's and the business dictionary. */
function dictCalls(name: 'dict' | 'dictBiz', base: string): readonly Call[] {
  return [
    defineCall({
      id: `${name}.list`,
      area: 'dict',
      method: 'GET',
      path: `${base}/list`,
      summary: 'Dictionaries as a tree.',
      auth: 'admin',
      query: dictFilter,
      data: dictEntry,
      answer: 'tree',
    }),
    defineCall({
      id: `${name}.parentList`,
      area: 'dict',
      method: 'GET',
      path: `${base}/parent-list`,
      summary: 'Dictionaries, a page of them.',
      auth: 'admin',
      query: dictFilter,
      data: dictEntry,
      answer: 'page',
    }),
    defineCall({
      id: `${name}.childList`,
      area: 'dict',
      method: 'GET',
      path: `${base}/child-list`,
      summary: 'Entries of a dictionary.',
      auth: 'admin',
      query: z.object({ parentId: text(60), ...paging }),
      data: dictEntry,
      answer: 'tree',
    }),
    defineCall({
      id: `${name}.detail`,
      area: 'dict',
      method: 'GET',
      path: `${base}/detail`,
      summary: 'One entry.',
      auth: 'admin',
      query: byId,
      data: dictEntry,
    }),
    defineCall({
      id: `${name}.tree`,
      area: 'dict',
      method: 'GET',
      path: `${base}/tree`,
      summary: 'Tree of dictionaries.',
      auth: 'admin',
      query: z.object({ code: z.optional(text(100)) }),
      data: treeNode,
      answer: 'tree',
    }),
    defineCall({
      id: `${name}.remove`,
      area: 'dict',
      method: 'POST',
      path: `${base}/remove`,
      summary: 'Removes entries.',
      auth: 'admin',
      query: byIds,
      data: z.boolean(),
    }),
    defineCall({
      id: `${name}.submit`,
      area: 'dict',
      method: 'POST',
      path: `${base}/submit`,
      summary: 'Adds or changes an entry.',
      auth: 'admin',
      body: dictSubmit,
      data: z.boolean(),
    }),
  ]
}

/** The one dictionary call that every signed-in user makes. */
export const dictionaryCalls = [
  defineCall({
    id: 'dict.dictionary',
    area: 'dict',
    method: 'GET',
    path: '/blade-system/dict/dictionary',
    summary: 'Entries of a dictionary by its code.',
    query: z.object({ code: text(100) }),
    data: dictEntry,
    answer: 'tree',
    servedBy: 'server/areas/dict',
  }),
  defineCall({
    id: 'dictBiz.dictionary',
    area: 'dict',
    method: 'GET',
    path: '/blade-system/dict-biz/dictionary',
    summary: 'Entries of a business dictionary by its code.',
    query: z.object({ code: text(100) }),
    data: dictEntry,
    answer: 'tree',
  }),
]

const param = z.object({
  id: z.string(),
  paramName: z.string(),
  paramKey: z.string(),
  paramValue: z.string(),
  remark: z.nullable(z.string()),
})

export const systemCalls: readonly Call[] = [
  ...dictCalls('dict', '/blade-system/dict'),
  ...dictCalls('dictBiz', '/blade-system/dict-biz'),
  defineCall({
    id: 'param.list',
    area: 'param',
    method: 'GET',
    path: '/blade-system/param/list',
    summary: 'System parameters.',
    auth: 'admin',
    query: z.object({
      paramName: z.optional(text(200)),
      paramKey: z.optional(text(200)),
      paramValue: z.optional(text(2000)),
      ...paging,
    }),
    data: param,
    answer: 'page',
  }),
  defineCall({
    id: 'param.remove',
    area: 'param',
    method: 'POST',
    path: '/blade-system/param/remove',
    summary: 'Removes parameters.',
    auth: 'admin',
    query: byIds,
    data: z.boolean(),
  }),
  defineCall({
    id: 'param.submit',
    area: 'param',
    method: 'POST',
    path: '/blade-system/param/submit',
    summary: 'Adds or changes a parameter.',
    auth: 'admin',
    body: z.object({
      id: z.optional(text(60)),
      paramName: filledText(200),
      paramKey: filledText(200),
      paramValue: text(4000),
      remark: z.optional(text(400)),
    }),
    data: z.boolean(),
  }),
  defineCall({
    id: 'ai.chat',
    area: 'ai',
    method: 'POST',
    path: '/edc/ai/chat',
    summary: 'The assistant; it suggests and never writes data.',
    body: z.object({ code: text(60), message: filledText(8000), sessionId: text(100) }),
    data: z.object({ text: z.string(), finishReason: z.string() }),
    write: false,
  }),
  defineCall({
    id: 'ai.analyze',
    area: 'ai',
    method: 'POST',
    path: '/edc/ai/analyze',
    summary: 'Analysis of a text by the assistant.',
    body: z.object({ code: text(60), message: filledText(8000) }),
    data: z.object({ text: z.string(), finishReason: z.string() }),
    write: false,
  }),
  defineCall({
    id: 'user.avatar',
    area: 'user',
    method: 'GET',
    path: '/common/user/avatar/:userId',
    summary: 'Picture of a user.',
    params: z.object({ userId: id }),
    data: z.string(),
    answer: 'blob',
  }),
  defineCall({
    id: 'search.schema',
    area: 'search',
    method: 'GET',
    path: '/es/:index/schema',
    summary: 'Fields of a search index.',
    params: z.object({ index: text(60) }),
    data: json,
  }),
  defineCall({
    id: 'search.search',
    area: 'search',
    method: 'POST',
    path: '/es/:index/search',
    summary: 'Search; hits are in hits.hits.',
    params: z.object({ index: text(60) }),
    body: z.object({ size: z.optional(z.int()), from: z.optional(z.int()), query: z.optional(json) }),
    data: z.object({ hits: z.object({ hits: z.array(json) }) }),
    answer: 'raw',
    write: false,
  }),
]
