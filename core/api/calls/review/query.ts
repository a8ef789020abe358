import * as z from 'zod/mini'
import { projectRoles } from '#core/access/permissions.ts'
import { saidFiles } from '#core/files/reference.ts'
import { queryActs, querySources, queryStates } from '#core/review/query.ts'
import { WORDLESS, answerCategories, queryPlace } from '#core/review/queryThread.ts'
import { itemContent } from '#core/sync/entryChange.ts'
import { receipt } from '#core/sync/protocol/operation.ts'
import { defineCall } from '#core/api/call.ts'
import { patientNamed } from '#core/api/lineShapes.ts'
import { queryRow } from '#core/api/sync/rows.ts'
import { day, filledText, id, paging, queryInt, text } from '#core/wire/shapes.ts'

/** Queries: what monitors and data managers ask the site, and what it answers (docs/adr/0045-queries.md). */

const QUERY = 'server/areas/query'

/**
 * What the field held on the screen of who asks or answers. A correction may reach the server after the answer that
 * tells of it. Absent where no field was on the screen: then it is what the server holds.
 */
const seen = z.exactOptional(itemContent)

/** Photographs, scans, documents. Their contents follow as those of fields do (docs/adr/0020-attachments.md). */
const files = z.exactOptional(saidFiles)

/** A question. The id is made on the device. As a candidate it waits for somebody to decide that it is asked. */
export const queryRaise = z.object({
  id,
  projectId: id,
  place: queryPlace,
  text: filledText(2000),
  isCandidate: z.boolean(),
  isUrgent: z.boolean(),
  dueOn: z.nullable(day),
  seen,
  files,
})
export type QueryRaise = z.infer<typeof queryRaise>

/** What somebody does with a query. An answer says something, or of what kind it is. */
export const queryDeed = z
  .object({
    id,
    projectId: id,
    patientId: id,
    act: z.enum(queryActs),
    text: z.nullable(text(2000)),
    category: z.nullable(z.enum(answerCategories)),
    /** To whom it is given; null to everybody again. With `assign`, and only there. */
    assignee: z.exactOptional(z.nullable(id)),
    seen,
    files,
  })
  .check(
    z.refine(({ act, text: said, category }) => WORDLESS.has(act) || category !== null || (said ?? '').trim() !== '', {
      error: 'required',
      path: ['text'],
    }),
    z.refine(({ act, category }) => act === 'answer' || category === null, {
      error: 'not_an_answer',
      path: ['act'],
    }),
    z.refine(({ act, files: brought = [] }) => brought.length === 0 || !WORDLESS.has(act), {
      error: 'wordless',
      path: ['files'],
    }),
    z.refine(({ act, assignee }) => (act === 'assign') === (assignee !== undefined), {
      error: 'assignee',
      path: ['assignee'],
    }),
  )
export type QueryDeed = z.infer<typeof queryDeed>

const queryResult = z.object({ query: z.nullable(queryRow), receipt })
export type QueryResult = z.infer<typeof queryResult>

/** A query in a list: the row, and whose it is in words. */
export const queryLine = z.object({
  query: queryRow,
  ...patientNamed,
  /** Whether it waits for who asks. */
  waits: z.boolean(),
})
export type QueryLine = z.infer<typeof queryLine>

const several = <const One extends string>(of: readonly One[]) =>
  z.pipe(
    z.pipe(
      z.string().check(z.maxLength(200)),
      z.transform((said: string) => said.split(',')),
    ),
    z.array(z.enum(of)).check(z.minLength(1)),
  )

/** Which queries a list is about. */
const filter = {
  projectId: id,
  state: z.optional(several(queryStates)),
  source: z.optional(several(querySources)),
  centerId: z.optional(id),
  patientId: z.optional(id),
  folderId: z.optional(id),
  pageId: z.optional(id),
  entryId: z.optional(id),
  /** `1`: only what waits for who asks. */
  waits: z.optional(z.literal('1')),
  /** `1`: only what was raised by who asks. */
  own: z.optional(z.literal('1')),
  /** `1`: only what is given to who asks. */
  assigned: z.optional(z.literal('1')),
  urgent: z.optional(z.literal('1')),
  /** `1`: only what is due before today. */
  overdue: z.optional(z.literal('1')),
  /** Open for at least so many days. */
  days: z.optional(queryInt(1, 10_000)),
  /** Words of the question, a number of a query, or a subject's. */
  words: z.optional(text(100)),
  /** Only of subjects whom a kept search finds; for who may search. */
  searchId: z.optional(id),
  today: z.optional(day),
}

export const querySorts = ['-no', 'no', '-at', 'at', 'patient', 'due'] as const
export type QuerySort = (typeof querySorts)[number]

/** How many queries of a project the reader sees, by state, and how many wait for them. */
const queryCounts = z.object({
  candidate: z.int(),
  open: z.int(),
  answered: z.int(),
  closed: z.int(),
  cancelled: z.int(),
  waits: z.int(),
})
export type QueryCounts = z.infer<typeof queryCounts>

/** How many queries of a visit wait to be settled. Null for the folder: about the subject as a whole. */
const visitQueries = z.object({
  patientId: id,
  folderId: z.nullable(id),
  /** Open, answered, or a candidate where the reader sees those. */
  unsettled: z.int(),
  /** Of these, how many wait for the reader. */
  waits: z.int(),
})
export type VisitQueries = z.infer<typeof visitQueries>

/** Somebody to whom a query can be given. */
const queryAssignee = z.object({ id, name: z.string(), role: z.enum(projectRoles) })
export type QueryAssignee = z.infer<typeof queryAssignee>

const WRITE = ['invalid', 'forbidden', 'not_found', 'project_stopped', 'project_closed', 'key_reused'] as const

export const queryCalls = [
  defineCall({
    id: 'query.list',
    area: 'query',
    method: 'GET',
    path: '/edc/data/query/list',
    summary: 'Queries that the user may see, with their threads; candidates only for those who review.',
    query: z.object({ ...filter, sort: z._default(z.enum(querySorts), '-no'), ...paging }),
    data: queryLine,
    answer: 'page',
    offline: 'cache',
    errors: ['not_found', 'invalid', 'forbidden'],
    servedBy: QUERY,
  }),
  defineCall({
    id: 'query.counts',
    area: 'query',
    method: 'GET',
    path: '/edc/data/query/counts',
    summary: 'How many queries of a project the user sees, by state, and how many wait for them.',
    query: z.object({ projectId: id }),
    data: queryCounts,
    offline: 'cache',
    errors: ['not_found'],
    servedBy: QUERY,
  }),
  defineCall({
    id: 'query.byVisit',
    area: 'query',
    method: 'GET',
    path: '/edc/data/query/visits',
    summary: 'How many queries of a project wait to be settled, by patient and visit.',
    query: z.object({ projectId: id }),
    data: z.object({ visits: z.array(visitQueries) }),
    offline: 'cache',
    errors: ['not_found'],
    servedBy: QUERY,
  }),
  defineCall({
    id: 'query.assignees',
    area: 'query',
    method: 'POST',
    write: false,
    path: '/edc/data/query/assignees',
    summary: 'To whom all of these queries can be given: who may answer them, or close those that are answered.',
    body: z.object({ projectId: id, ids: z.array(id).check(z.minLength(1), z.maxLength(1000)) }),
    data: z.array(queryAssignee),
    errors: ['not_found', 'invalid'],
    servedBy: QUERY,
  }),
  defineCall({
    id: 'query.raise',
    area: 'query',
    method: 'POST',
    path: '/edc/data/query/raise',
    summary: 'Asks about a field, a row, a page, a visit or a patient; or proposes to ask, as a candidate.',
    body: queryRaise,
    data: queryResult,
    permission: 'query_add',
    offline: 'queue',
    errors: WRITE,
    servedBy: QUERY,
  }),
  defineCall({
    id: 'query.act',
    area: 'query',
    method: 'POST',
    path: '/edc/data/query/act',
    summary:
      'Answers, asks again, closes, reopens, cancels, decides a candidate, gives it to somebody or says something. An act that comes too late stays in the thread.',
    body: queryDeed,
    data: queryResult,
    offline: 'queue',
    errors: WRITE,
    servedBy: QUERY,
  }),
]
