import * as z from 'zod/mini'
import { answerField, answerTest } from '#core/dataset/conditions.ts'
import { MISSING_CODES } from '#core/form/definition/value.ts'
import { defineCall } from '#core/api/call.ts'
import { patientNamed } from '#core/api/lineShapes.ts'
import { id, instant, json, prop, queryInt, text } from '#core/wire/shapes.ts'

/** The data of a page over all subjects (docs/adr/0050-database-and-search.md). */

const DATABASE = 'server/areas/database'

const databasePage = z.object({
  pageId: id,
  name: z.string(),
  nameEn: z.nullable(z.string()),
  code: z.string(),
  /** Visits that have it, in the order of the newest release that has it. */
  folders: z.array(z.object({ folderId: id, name: z.string(), nameEn: z.nullable(z.string()) })),
  /** Its tables. */
  tables: z.array(z.object({ code: z.string(), label: z.string(), labelEn: z.nullable(z.string()) })),
  /** Whether the newest release has it no more. */
  isFormer: z.boolean(),
})
export type DatabasePage = z.infer<typeof databasePage>

const databaseColumn = z.object({
  /** Unique on the page or in the table. */
  name: z.string(),
  label: z.string(),
  unit: z.nullable(z.string()),
  /** How answers are compared; null for a column whose answers are not. */
  kind: z.nullable(z.enum(['number', 'date', 'time', 'datetime', 'text', 'choice', 'file'])),
  /** Whether a change of the answers can be told. */
  hasChange: z.boolean(),
  codes: z.array(z.object({ code: z.string(), label: z.string() })),
  field: answerField,
  /** Whether its answers are masked for the reader: they cannot be filtered or sorted. */
  isMasked: z.boolean(),
})
export type DatabaseColumn = z.infer<typeof databaseColumn>

/** What rows can be sorted by besides the columns of the page. */
export const databaseKeys = ['subject', 'center', 'visit', 'version', 'status', 'savedAt', 'savedBy'] as const
export type DatabaseKey = (typeof databaseKeys)[number]

export const databaseStatuses = ['process', 'submitted'] as const

/** What stands in the names of columns: letters, digits and underscore. */
const columnName = z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9_]{0,130}$/))

const question = {
  projectId: id,
  pageId: id,
  /** The table whose rows are wanted; null for a row for each page. */
  table: z.nullable(prop),
  columns: z.array(columnName).check(z.maxLength(500)),
  filters: z.array(z.object({ column: columnName, test: answerTest })).check(z.maxLength(20)),
  centerId: z.optional(id),
  folderId: z.optional(id),
  status: z.optional(z.enum(databaseStatuses)),
  /** Part of a subject number. */
  words: z.optional(text(60)),
  /** Only subjects whom a kept search finds. */
  searchId: z.optional(id),
  sort: z.nullable(
    z.object({
      by: z.union([z.object({ key: z.enum(databaseKeys) }), z.object({ column: columnName })]),
      down: z.boolean(),
    }),
  ),
}
const databaseQuestion = z.object(question)
export type DatabaseQuestion = z.infer<typeof databaseQuestion>

/** What is said of a cell, or of a row as a whole where the code is null. */
export const cellMarks = ['conflict', 'openQuery', 'answeredQuery', 'sdv', 'dmr', 'changed'] as const
export type CellMark = (typeof cellMarks)[number]

const databaseRow = z.object({
  entryId: id,
  /** In a table, the row. */
  rid: z.nullable(z.string()),
  patientId: id,
  ...patientNamed,
  centerName: z.string(),
  folderId: id,
  folderRepeat: z.string(),
  folderName: z.string(),
  folderNameEn: z.nullable(z.string()),
  /** The how many-th such visit, and the how many-th such page in it, from 1. */
  folderNo: z.int(),
  pageRepeat: z.string(),
  pageNo: z.int(),
  parentEntryId: z.nullable(id),
  pass: z.union([z.literal(1), z.literal(2)]),
  versionNo: z.int(),
  status: z.enum(databaseStatuses),
  savedAt: instant,
  savedBy: z.string(),
  /** One for each column that was asked for: codes of choices, not labels. */
  cells: z.array(
    z.union([z.string(), z.number(), z.null(), z.object({ m: z.enum(MISSING_CODES), reason: z.string() })]),
  ),
  marks: z.array(z.object({ code: z.nullable(z.string()), is: z.enum(cellMarks) })),
})
export type DatabaseRow = z.infer<typeof databaseRow>

/** Rows that are read at once. */
export const MOST_ROWS = 200

const READ = ['invalid', 'forbidden', 'not_found'] as const

export const databaseCalls = [
  defineCall({
    id: 'database.pages',
    area: 'database',
    method: 'GET',
    path: '/edc/dbview/pages',
    summary: 'The pages of all releases and their tables; for who may see the database or search.',
    query: z.object({ projectId: id }),
    data: z.array(databasePage),
    errors: READ,
    servedBy: DATABASE,
  }),
  defineCall({
    id: 'database.columns',
    area: 'database',
    method: 'GET',
    path: '/edc/dbview/columns',
    summary:
      'The variables of a page or of one of its tables over all releases; for who may see the database or search.',
    query: z.object({ projectId: id, pageId: id, table: z.optional(prop) }),
    data: z.array(databaseColumn),
    errors: READ,
    servedBy: DATABASE,
  }),
  defineCall({
    id: 'database.rows',
    area: 'database',
    method: 'POST',
    write: false,
    path: '/edc/dbview/rows',
    summary:
      'Rows of a page or a table over all subjects that the reader sees, masked. To filter or sort by what is masked is refused; totals are exact to 10,000.',
    body: z.object({ ...question, offset: queryInt(0, 10_000_000), size: queryInt(1, MOST_ROWS) }),
    data: z.object({ rows: z.array(databaseRow), total: z.int(), totalIsLeast: z.boolean() }),
    permission: 'database_view',
    errors: READ,
    servedBy: DATABASE,
  }),
  defineCall({
    id: 'database.export',
    area: 'database',
    method: 'POST',
    write: false,
    path: '/edc/dbview/export/:name',
    summary:
      'All rows of a question in its columns and order, as CSV or as a spreadsheet by the name. What identifies is masked without export_identified. Every export is in the audit trail.',
    params: z.object({ name: z.string().check(z.regex(/^[^/\\]{1,100}\.(csv|xlsx)$/)) }),
    body: z.object({
      ...question,
      /** The keys that stand before the columns, in their order. */
      keys: z.array(z.enum(databaseKeys)).check(z.maxLength(databaseKeys.length)),
      values: z.enum(['codes', 'labels']),
    }),
    data: json,
    answer: 'blob',
    permission: 'export',
    errors: READ,
    servedBy: DATABASE,
  }),
]
