import { Readable } from 'node:stream'
import type { DatabaseKey } from '#core/api/calls/data/database.ts'
import type { BodyOf } from '#core/api/call.ts'
import type { CallOf } from '#core/api/table.ts'
import { fail } from '#core/api/errors.ts'
import { isMissing } from '#core/dataset/table.ts'
import type { CellValue } from '#core/dataset/table.ts'
import { withoutFormula } from '#core/exchange/formula.ts'
import { streamXlsx } from '#core/exchange/sheet/writeXlsx.ts'
import { XLSX_TYPE } from '#core/exchange/sheet/xlsxType.ts'
import { csvText } from '#core/exchange/writeCsv.ts'
import type { JsonValue } from '#core/json.ts'
import type { Language } from '#core/language.ts'
import { projectStatuses } from '#core/study/projectStatus.ts'
import { STUDY_TIME_ZONE, membership, requirePermission } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { isMasked } from '#server/areas/entry/reading/mask.ts'
import { commitProject } from '#server/database/commit.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { BlobAnswer, CallContext } from '#server/http/handler.ts'
import { stampOf } from '#server/http/runOnce.ts'
import { requireSession } from '#server/http/session.ts'

import { identifyingCodes, loadColumns } from './pages.ts'
import type { GridColumn } from './pages.ts'
import { chosenOf, loadRows } from './rows.ts'
import type { UnmarkedRow } from './rows.ts'
import { findRows, writeRows } from './rowsSql.ts'

/** What the grid shows as a file: the same rows, columns and order. */

/** Rows that are read at once; in between the connection is given back. */
const BATCH = 500

const words = {
  zh: {
    sheet: '数据',
    subject: '受试者编号',
    center: '研究中心',
    visit: '访视',
    version: '版本',
    status: '状态',
    savedAt: '保存时间',
    savedBy: '保存人',
    process: '填写中',
    submitted: '已提交',
    none: '待编号',
    ND: '未做',
    UNK: '未知',
    NA: '不适用',
  },
  en: {
    sheet: 'Data',
    subject: 'Subject number',
    center: 'Center',
    visit: 'Visit',
    version: 'Version',
    status: 'Status',
    savedAt: 'Saved at',
    savedBy: 'Saved by',
    process: 'In progress',
    submitted: 'Submitted',
    none: 'No number yet',
    ND: 'Not done',
    UNK: 'Unknown',
    NA: 'Not applicable',
  },
} as const satisfies Readonly<Record<Language, object>>

type Cell = string | number | null
type Question = BodyOf<CallOf<'database.export'>>

/**
 * All rows of a question. The download is booked before its first byte, with what was asked and how many rows. What
 * identifies is masked without the right to export it.
 *
 * @throws ApiFailure forbidden for who may not see the database or may not export; what `writeRows` throws
 */
export async function exportRows(context: CallContext<'database.export'>): Promise<BlobAnswer> {
  const { services, actor, body, params, language, acted, ip, call, key } = context
  const { projectId } = body
  const mayFetch = async (connection: Queryable): Promise<Membership> => {
    const member = await membership(connection, actor, projectId)
    requirePermission(member, 'database_view')
    requirePermission(member, 'export')
    // To be masked is all that being sensitive decides here.
    return { ...member, sensitive: member.sensitive && member.permissions.has('export_identified') }
  }
  const columnsFor = async (connection: Queryable, member: Membership) =>
    loadColumns(connection, member, { ...body, language })
  const { keys, head, isIdentified } = await withTransaction(services.pool, async (transaction) => {
    const member = await mayFetch(transaction)
    const columns = await columnsFor(transaction, member)
    const found = await findRows(transaction, await writeRows(transaction, member, body, columns), body, null)
    await commitProject(transaction, {
      projectId,
      statuses: projectStatuses,
      stamp: stampOf({ actor, acted, ip, call, key, receivedAt: services.now() }, member.role),
      audit: [
        {
          action: 'database.export',
          new: await saidOf(transaction, body, columns, { name: params.name, count: found.length }),
        },
      ],
      changes: [],
    })
    return {
      keys: found,
      head: headOf(body, chosenOf(columns, body.columns), language),
      isIdentified: member.sensitive,
    }
  })
  async function* parts(): AsyncGenerator<readonly (readonly Cell[])[]> {
    yield [head]
    for (let from = 0; from < keys.length; from += BATCH) {
      const part = keys.slice(from, from + BATCH)
      // Session and rights are checked for each part, because a download may last longer than they do.
      yield await withConnection(services.pool, async (connection) => {
        await requireSession(connection, actor)
        const member = await mayFetch(connection)
        if (isIdentified && !member.sensitive) throw fail('forbidden')
        const columns = chosenOf(await columnsFor(connection, member), body.columns)
        const rows = await loadRows(connection, member, part, columns)
        return rows.map((row) => cellsOf(row, body.keys, columns, language))
      })
    }
  }
  return params.name.endsWith('.xlsx')
    ? { body: sheetOf(parts(), head.length, language), type: XLSX_TYPE, name: params.name, length: null }
    : { body: csvOf(parts()), type: 'text/csv; charset=utf-8', name: params.name, length: null }
}

function csvOf(parts: AsyncIterable<readonly (readonly Cell[])[]>): Readable {
  async function* text(): AsyncGenerator<string> {
    let isFirst = true
    for await (const rows of parts) {
      // The mark at the beginning stands once.
      yield isFirst ? csvText(rows) : csvText(rows).slice(1)
      isFirst = false
    }
  }
  return Readable.from(text(), { objectMode: false })
}

function sheetOf(parts: AsyncIterable<readonly (readonly Cell[])[]>, columns: number, language: Language): Readable {
  async function* rows(): AsyncGenerator<readonly string[]> {
    for await (const part of parts) for (const row of part) yield row.map((cell) => withoutFormulaOf(cell))
  }
  return Readable.from(streamXlsx({ name: words[language].sheet, columns, rows: rows() }), { objectMode: false })
}

function withoutFormulaOf(cell: Cell): string {
  if (cell === null) return ''
  return typeof cell === 'number' ? String(cell) : withoutFormula(cell)
}

function headOf({ keys }: Question, columns: readonly GridColumn[], language: Language): readonly string[] {
  return [
    ...keys.map((key) => words[language][key]),
    ...columns.map(({ column: { label, unit } }) => (unit === null || unit === '' ? label : `${label} (${unit})`)),
  ]
}

function cellsOf(
  row: UnmarkedRow,
  keys: readonly DatabaseKey[],
  columns: readonly GridColumn[],
  language: Language,
): readonly Cell[] {
  const items = row.cells.length === columns.length ? row.cells : columns.map(() => null)
  return [...keys.map((key) => keyOf(row, key, language)), ...items.map((cell) => wordsOf(cell, language))]
}

function wordsOf(cell: CellValue, language: Language): Cell {
  return isMissing(cell) ? words[language][cell.m] : cell
}

function keyOf(row: UnmarkedRow, key: DatabaseKey, language: Language): Cell {
  const said = words[language]
  switch (key) {
    case 'subject':
      return row.patientNo ?? `${said.none}-${row.patientMark}`
    case 'center':
      return row.centerName
    case 'visit':
      return visitOf(row, language)
    case 'version':
      return `V${row.versionNo}`
    case 'status':
      return said[row.status]
    case 'savedAt':
      return new Intl.DateTimeFormat('sv-SE', {
        dateStyle: 'short',
        timeStyle: 'medium',
        timeZone: STUDY_TIME_ZONE,
      }).format(new Date(row.savedAt))
    case 'savedBy':
      return row.savedBy
  }
}

/** The visit, with the how many-th it is where there are several, and the same for the page. */
function visitOf({ folderName, folderNameEn, folderNo, pageNo }: UnmarkedRow, language: Language): string {
  const name = language === 'en' ? (folderNameEn ?? folderName) : folderName
  const visit = folderNo > 1 ? `${name} ${folderNo}` : name
  return pageNo > 1 ? `${visit} #${pageNo}` : visit
}

/** What the trail tells of an export. What was typed to filter by a field that identifies is not told. */
async function saidOf(
  connection: Queryable,
  { projectId, words: said, ...question }: Question,
  columns: readonly GridColumn[],
  of: { readonly name: string; readonly count: number },
): Promise<JsonValue> {
  const masks = await identifyingCodes(connection, projectId, question.pageId)
  const isIdentifying = (name: string): boolean => {
    const code = columns.find(({ column }) => column.name === name)?.column.field.code
    return code === undefined || isMasked(masks, question.table, code)
  }
  const filters = question.filters.map(({ column, test }) =>
    isIdentifying(column) ? { column, op: test.op } : { column, test },
  )
  return JSON.parse(
    JSON.stringify({ ...of, ...question, filters, ...(said === undefined ? {} : { words: said }) }),
  ) as JsonValue
}
