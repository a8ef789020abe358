import * as z from 'zod/mini'
import { defineCall } from '#core/api/call.ts'
import { id, instant, paging, queryInt, text } from '#core/wire/shapes.ts'

/** What users are told in the app (specification §7 System and resources). */

/**
 * What somebody is told: a patient was assigned to them, or is no longer, or what is known of them has changed; or is
 * asked for: a test version awaits their review, queries await an answer of their site, or answers and candidates
 * await them.
 */
const noticeKinds = ['assigned', 'taken_back', 'changed', 'approval', 'query_site', 'query_review'] as const
export type NoticeKind = (typeof noticeKinds)[number]
const notice = z.object({
  id,
  title: z.string(),
  releaseTime: instant,
  kind: z.enum(noticeKinds),
  projectId: id,
  /** Null for a notice that is about no patient. */
  patientId: z.nullable(id),
  read: z.boolean(),
  /** Whether what was asked for is settled, by this user or by others. */
  ended: z.boolean(),
  /** How many queries of the patient wait for the user now. Absent for other kinds, and from older servers. */
  count: z.exactOptional(z.int()),
  /** Where the only one of them is: its page, and the field's address if it is about one. */
  place: z.exactOptional(z.object({ entryId: id, field: z.nullable(z.string()) })),
})
export type Notice = z.infer<typeof notice>

const NOTICE = 'server/areas/notice'

/** A notice is read once, however often that is said: it needs no key. */
export const noticeCalls = [
  defineCall({
    id: 'notice.list',
    area: 'notice',
    method: 'GET',
    path: '/edc/index/notice/list',
    summary:
      'What the user is to be told, the latest first; status 0: what they have not read and is not settled. `page` is another name for `current`.',
    query: z.object({ status: z.optional(text(2)), page: z.optional(queryInt(1, 100_000)), ...paging }),
    data: notice,
    answer: 'page',
    servedBy: NOTICE,
  }),
  defineCall({
    id: 'notice.click',
    area: 'notice',
    method: 'POST',
    path: '/edc/index/notice/click',
    summary: 'Marks notices as read.',
    body: z.object({ noticeIds: z.array(id).check(z.maxLength(500)) }),
    data: z.boolean(),
    write: false,
    servedBy: NOTICE,
  }),
]
