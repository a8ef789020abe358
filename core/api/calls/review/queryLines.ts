import * as z from 'zod/mini'
import { queryPlace } from '#core/review/queryThread.ts'
import { itemContent } from '#core/sync/entryChange.ts'
import { defineCall } from '#core/api/call.ts'
import { day, id, text } from '#core/wire/shapes.ts'

/** Questions that come in a file: where each of its lines is (docs/adr/0045-queries.md). */

/** Most lines of one file. */
export const MOST_LINES = 500
/** Longest question. */
export const LONGEST_QUESTION = 2000

const cell = text(300)

/** One line of a file, as it was written. What is empty is not said. */
const questionLine = z.object({
  /** Number of the subject. */
  subject: cell,
  /** Name or code of the visit. */
  visit: cell,
  /** The how manieth of the visit, as the casebook counts it. */
  visitRepeat: cell,
  /** Name, code or id of the page. */
  page: cell,
  pageRepeat: cell,
  /** Number of the row of the field's table. */
  row: cell,
  /** Code or label of the field; empty for the page. */
  field: cell,
  /** One more than the longest, so that a longer one is told. */
  text: text(LONGEST_QUESTION + 1),
  due: cell,
})
export type QuestionLine = z.infer<typeof questionLine>

/** Why a line asks nothing. What the reader may not see is unknown to them. */
export const lineProblems = [
  'subject_missing',
  'subject_unknown',
  'subject_ambiguous',
  'visit_missing',
  'visit_unknown',
  'visit_ambiguous',
  'visit_not_begun',
  'page_missing',
  'page_unknown',
  'page_ambiguous',
  'page_not_begun',
  'field_missing',
  'field_unknown',
  'field_ambiguous',
  'row_missing',
  'row_not_there',
  'masked',
  'text_missing',
  'text_long',
  'date_wrong',
] as const
export type LineProblem = (typeof lineProblems)[number]

const placedLine = z.union([
  z.object({ problem: z.enum(lineProblems) }),
  z.object({
    place: queryPlace,
    /** What the field holds now; null where the line is about no field. */
    content: z.nullable(itemContent),
    dueOn: z.nullable(day),
    /** Number of a query that asks the same there and is not settled. */
    sameNo: z.nullable(z.int()),
  }),
])
export type PlacedLine = z.infer<typeof placedLine>

const placedLines = z.object({
  /** The version under which the places were sought. */
  versionId: z.nullable(id),
  /** In the order of the lines. */
  lines: z.array(placedLine),
})
export type PlacedLines = z.infer<typeof placedLines>

export const queryLineCalls = [
  defineCall({
    id: 'query.placeLines',
    area: 'query',
    method: 'POST',
    write: false,
    path: '/edc/data/query/lines',
    summary: 'Where the questions of a file belong and what stands there now, or why a line can ask nothing.',
    body: z.object({ projectId: id, lines: z.array(questionLine).check(z.minLength(1), z.maxLength(MOST_LINES)) }),
    data: placedLines,
    permission: 'query_add',
    errors: ['not_found', 'invalid', 'forbidden'],
    servedBy: 'server/areas/query',
  }),
]
