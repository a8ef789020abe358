import * as z from 'zod/mini'
import { defineCall } from '#core/api/call.ts'
import { noticeKinds } from '#core/api/noticeKinds.ts'
import { noticeSetting, wayStates } from '#core/api/noticeSettings.ts'
import { id, instant, paging, queryInt, text } from '#core/wire/shapes.ts'

/** What users are told in the app (specification §7 System and resources). */

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
  /**
   * How many queries, conflicts, operations in the inbox or exports wait for the user now, or visits were due on its
   * day. Absent for other kinds, and from older servers.
   */
  count: z.exactOptional(z.int()),
  /** Where the only one of them is: its page, and the field's address if it is about one. */
  place: z.exactOptional(z.object({ entryId: id, field: z.nullable(z.string()) })),
  /** The conflict to begin with. */
  conflict: z.exactOptional(z.object({ entryId: id, id })),
  /** The screen of the project on which it is seen, where it is about no single subject. */
  screen: z.exactOptional(z.enum(['inbox', 'versions', 'queries', 'work', 'exports'])),
  /** The version under which that screen is opened. */
  versionId: z.exactOptional(id),
})
export type Notice = z.infer<typeof notice>

/** By group (`noticeGroups`). An app leaves out what it has no word for. */
const settings = z.record(text(40), noticeSetting)
const wayState = z.enum(wayStates)

const NOTICE = 'server/areas/notice'
const WAYS = 'server/areas/noticeWays'

/** A notice is read once, however often that is said: it needs no key. */
export const noticeCalls = [
  defineCall({
    id: 'notice.list',
    area: 'notice',
    method: 'GET',
    path: '/edc/index/notice/list',
    summary:
      'What the user is to be told, the latest first; status 0: what they have not read and is not settled. kinds: those that the caller understands, with commas. `page` is another name for `current`.',
    query: z.object({
      kinds: z.optional(text(400)),
      status: z.optional(text(2)),
      page: z.optional(queryInt(1, 100_000)),
      ...paging,
    }),
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
  defineCall({
    id: 'notice.settings',
    area: 'notice',
    method: 'GET',
    path: '/edc/index/notice/settings',
    summary: 'How the user is told of each group of notices, and which ways can reach them.',
    data: z.object({ ways: z.object({ email: wayState, note: wayState }), groups: settings }),
    servedBy: WAYS,
  }),
  defineCall({
    id: 'notice.setSettings',
    area: 'notice',
    method: 'POST',
    path: '/edc/index/notice/settings',
    summary: 'Sets how the user is told; groups that are not named stay as they are.',
    body: z.object({ groups: settings }),
    data: z.boolean(),
    errors: ['invalid'],
    servedBy: WAYS,
  }),
]
