import * as z from 'zod/mini'
import { answerField, condition } from '#core/dataset/conditions.ts'
import { MISSING_CODES } from '#core/form/definition/value.ts'
import { defineCall } from '#core/api/call.ts'
import { filledText, id, instant, json, paging } from '#core/wire/shapes.ts'

/** Table search: subjects by conditions over their answers (docs/adr/0050-database-and-search.md). */

const SEARCH = 'server/areas/search'

/** Fields of which the last answer is told of each subject. */
const show = z.array(answerField).check(z.maxLength(8))

const cell = z.union([z.string(), z.number(), z.null(), z.object({ m: z.enum(MISSING_CODES), reason: z.string() })])

const foundSubject = z.object({
  id,
  no: z.nullable(z.string()),
  mark: z.string(),
  initials: z.nullable(z.string()),
  centerId: id,
  centerName: z.string(),
  sex: z.nullable(z.enum(['F', 'M'])),
  enrolledOn: z.nullable(z.string()),
  /** The last answer in each field that was asked for, with the labels of choices. */
  answers: z.array(cell),
})
export type FoundSubject = z.infer<typeof foundSubject>

const savedSearch = z.object({
  id,
  name: z.string(),
  condition: condition,
  /** Whether everybody in the project who may search sees it. */
  isShared: z.boolean(),
  isOwn: z.boolean(),
  byName: z.string(),
  updatedAt: instant,
})
export type SavedSearch = z.infer<typeof savedSearch>

const ASK = ['invalid', 'forbidden', 'not_found'] as const
/** Searches are kept in a project of any status: they read, and change no data. */
const WRITE = [...ASK, 'key_reused'] as const

export const searchCalls = [
  defineCall({
    id: 'search.count',
    area: 'search',
    method: 'POST',
    write: false,
    path: '/edc/dbview/search/count',
    summary:
      'How many of the subjects that the reader sees meet a condition. A field that is masked for them is refused.',
    body: z.object({ projectId: id, condition }),
    data: z.object({ count: z.int(), all: z.int() }),
    permission: 'search_view',
    errors: ASK,
    servedBy: SEARCH,
  }),
  defineCall({
    id: 'search.subjects',
    area: 'search',
    method: 'POST',
    write: false,
    path: '/edc/dbview/search/subjects',
    summary:
      'The subjects that meet a condition, with their last answers in chosen fields; totals are exact to 10,000.',
    body: z.object({ projectId: id, condition, show, ...paging }),
    data: foundSubject,
    answer: 'page',
    permission: 'search_view',
    errors: ASK,
    servedBy: SEARCH,
  }),
  defineCall({
    id: 'search.export',
    area: 'search',
    method: 'POST',
    write: false,
    path: '/edc/dbview/search/export/:name',
    summary:
      'The subjects that meet a condition as CSV, as search.subjects tells them. Every export is in the audit trail.',
    params: z.object({ name: z.string().check(z.regex(/^[^/\\]{1,100}\.csv$/)) }),
    body: z.object({ projectId: id, condition, show }),
    data: json,
    answer: 'blob',
    permission: 'export',
    errors: ASK,
    servedBy: SEARCH,
  }),
  defineCall({
    id: 'search.list',
    area: 'search',
    method: 'GET',
    path: '/edc/dbview/search/list',
    summary:
      'The searches that the reader keeps, and those that are shared. Without the right to what identifies, those that ask about it are not among them.',
    query: z.object({ projectId: id }),
    data: z.array(savedSearch),
    permission: 'search_view',
    errors: ['not_found', 'forbidden'],
    servedBy: SEARCH,
  }),
  defineCall({
    id: 'search.save',
    area: 'search',
    method: 'POST',
    path: '/edc/dbview/search/save',
    summary: 'Keeps a search, or changes one of the own.',
    body: z.object({ id, projectId: id, name: filledText(100), condition, isShared: z.boolean() }),
    data: savedSearch,
    permission: 'search_view',
    errors: WRITE,
    servedBy: SEARCH,
  }),
  defineCall({
    id: 'search.remove',
    area: 'search',
    method: 'POST',
    path: '/edc/dbview/search/remove',
    summary: 'Removes a search of the own.',
    body: z.object({ id, projectId: id }),
    data: z.boolean(),
    permission: 'search_view',
    errors: WRITE,
    servedBy: SEARCH,
  }),
]
