import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { LARGEST_ENTRY_SHEET } from '#core/api/calls/projectDict.ts'
import { fail } from '#core/api/errors.ts'
import type { Language } from '#core/language.ts'
import { workbookKind } from '#core/exchange/sheet/readSheets.ts'
import { SheetFailure } from '#core/exchange/sheet/sheetTable.ts'
import type { Sheet, SheetError } from '#core/exchange/sheet/sheetTable.ts'
import { writeXlsx } from '#core/exchange/sheet/writeXlsx.ts'
import { XLSX_TYPE } from '#core/exchange/sheet/xlsxType.ts'
import { zipParts } from '#core/exchange/sheet/zipParts.ts'
import { newId } from '#core/ids.ts'
import { MOST_ENTRIES, checkedEntries } from '#core/study/projectDictionary.ts'
import type { LineProblem, WrittenEntry } from '#core/study/projectDictionary.ts'
import { membership, requirePermission } from '#server/access.ts'
import { changeDictionaries, textOrNull, findIn, refuseProblems } from '#server/areas/projectDict/service.ts'
import * as store from '#server/areas/projectDict/store.ts'
import type { DictRecord } from '#server/areas/projectDict/store.ts'
import { levelsOf } from '#server/areas/projectDict/tree.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { BlobAnswer, CallContext } from '#server/http/handler.ts'
import { readBeside } from '#server/sheet/readBeside.ts'

/** The template of a dictionary: a spreadsheet with one entry a row, to be filled in and read again. */

/** Columns by their meaning. A template that was filled in under one language can be read under any. */
const COLUMNS = {
  key: { zh: '存储值', en: 'Value' },
  label: { zh: '名称', en: 'Label' },
  english: { zh: '英文名称', en: 'English label' },
  parent: { zh: '上级存储值', en: 'Value of parent' },
} as const satisfies Record<string, Record<Language, string>>

const SHEET_NAMES = { zh: '字典', en: 'Dictionary' } as const

/** Largest workbook after inflating, in bytes: many times what the longest dictionary needs. */
const LARGEST_INFLATED = 8_000_000

export async function templateFile({
  services,
  actor,
  params,
  language,
}: CallContext<'projectDict.templateFile'>): Promise<BlobAnswer> {
  const { root, entries } = await withTransaction(services.pool, async (transaction) => {
    const found = await requireDictionary(transaction, params.parentDictId)
    await membership(transaction, actor, found.project_id)
    return { root: found, entries: await store.entriesOf(transaction, [found.id]) }
  })
  const keys = new Map(entries.map(({ id, dict_key: key }) => [id, key]))
  const rows = inTreeOrder(entries, root.id).map((entry) => [
    entry.dict_key,
    entry.dict_value,
    entry.label_en ?? '',
    keys.get(entry.parent_id ?? '') ?? '',
  ])
  const head = Object.values(COLUMNS).map((names) => names[language])
  const bytes = writeXlsx([{ name: SHEET_NAMES[language], rows: [head, ...rows], widths: [16, 40, 40, 16] }])
  return { body: Readable.from([bytes]), type: XLSX_TYPE, name: `${root.code}.xlsx`, length: bytes.byteLength }
}

/** Fills a dictionary from a spreadsheet: all of its rows, or nothing. */
export async function fillFromTemplate(
  context: CallContext<'projectDict.template'>,
): Promise<{ added: number; changed: number }> {
  const { services, actor, params, body } = context
  const rootId = params.parentDictId
  const projectId = await withTransaction(services.pool, async (transaction) => {
    const project = await store.projectOfRecords(transaction, [rootId])
    if (project === null) throw fail('not_found')
    // A file from somebody without the right is not even opened.
    requirePermission(await membership(transaction, actor, project), 'dict_edit')
    return project
  })
  if (body.file.size > LARGEST_ENTRY_SHEET) throw fail('too_large')
  const bytes = new Uint8Array(await body.file.arrayBuffer())
  const lines = linesOf(await readBounded(bytes))
  // The key is bound to the file's content, which is not kept itself.
  const bound = { ...context, body: { file: createHash('sha256').update(bytes).digest('hex') } }
  return changeDictionaries(bound, { projectId, entityId: rootId }, async (transaction) => {
    const root = await findIn(transaction, projectId, rootId)
    if (root.parent_id !== null) throw fail('not_found')
    return fill(transaction, root, lines)
  })
}

type Line = { readonly line: number; readonly entry: WrittenEntry }

async function fill(transaction: Queryable, root: DictRecord, lines: readonly Line[]) {
  const entries = await store.entriesOf(transaction, [root.id])
  const known = new Map(entries.map((entry) => [entry.dict_key, entry]))
  const levels = levelsOf(entries, root.id)
  const again = lines.filter(({ entry }) => known.has(entry.dictKey))
  const keys = new Map(entries.map(({ id, dict_key: key }) => [id, key]))
  const problems = [
    ...twice(again),
    ...again.flatMap(({ line, entry }) =>
      movedOrWrong(line, entry, keys.get(known.get(entry.dictKey)?.parent_id ?? '') ?? null),
    ),
  ]
  const read = checkedEntries(
    lines.filter(({ entry }) => !known.has(entry.dictKey)),
    new Map(entries.map(({ id, dict_key: key }) => [key, levels.get(id) ?? 1])),
  )
  refuseProblems(
    { entries: [], problems: [...problems, ...read.problems].toSorted((a, b) => a.line - b.line) },
    (line) => `file.${line}`,
  )

  const ids = new Map(entries.map(({ id, dict_key: key }) => [key, id]))
  let sort = Math.max(0, ...entries.map((entry) => entry.sort))
  const added = read.entries.map(({ dictKey, dictValue, labelEn, parentKey }): DictRecord => {
    const id = newId()
    ids.set(dictKey, id)
    sort += 1
    return {
      ...root,
      id,
      parent_id: (parentKey === null ? undefined : ids.get(parentKey)) ?? root.id,
      dict_key: dictKey,
      dict_value: dictValue,
      label_en: labelEn,
      sort,
      disabled: false,
    }
  })
  const changed = again.flatMap(({ entry }) => {
    const old = known.get(entry.dictKey)
    if (old === undefined || (old.dict_value === entry.dictValue && old.label_en === entry.labelEn)) return []
    return [{ ...old, dict_value: entry.dictValue, label_en: entry.labelEn }]
  })
  await store.insertRecords(transaction, added)
  await store.updateRecords(transaction, changed)
  const labels = (records: readonly DictRecord[]) =>
    records.map(({ dict_key: key, dict_value: value, label_en: en }) => ({ key, value, en }))
  const before = changed.flatMap(({ dict_key: key }) => known.get(key) ?? [])
  return {
    audit: [
      {
        action: 'dict.fill',
        old: { id: root.id, code: root.code, changed: labels(before) },
        new: { id: root.id, code: root.code, changed: labels(changed), added: labels(added) },
      },
    ],
    result: { added: added.length, changed: changed.length },
  }
}

/**
 * A row about an existing entry: it may change the labels, and not the place.
 *
 * @param above key of the entry above it
 */
function movedOrWrong(line: number, entry: WrittenEntry, above: string | null): readonly LineProblem[] {
  const [problem] = checkedEntries([{ line, entry: { ...entry, parentKey: null } }]).problems
  if (problem !== undefined) return [problem]
  return above === entry.parentKey ? [] : [{ line, problem: 'unknown_parent', key: entry.dictKey }]
}

function twice(lines: readonly Line[]): readonly LineProblem[] {
  const seen = new Set<string>()
  return lines.flatMap(({ line, entry }): LineProblem[] => {
    const isTwice = seen.has(entry.dictKey)
    seen.add(entry.dictKey)
    return isTwice ? [{ line, problem: 'duplicate', key: entry.dictKey }] : []
  })
}

async function requireDictionary(transaction: Queryable, id: string): Promise<DictRecord> {
  const record = await store.findRecord(transaction, id)
  if (record?.parent_id !== null) throw fail('not_found')
  return record
}

/** The sheets of a workbook, if it is small after inflating. */
async function readBounded(bytes: Uint8Array): Promise<readonly Sheet[]> {
  const kind = workbookKind(bytes)
  if (kind === null) throw refuseSheet({ kind: 'not-a-workbook' })
  if (kind === 'xlsx' && inflatedSize(bytes) > LARGEST_INFLATED) throw fail('too_large')
  const read = await readBeside(bytes)
  if (!read.ok) throw refuseSheet(read.error)
  return read.sheets
}

function inflatedSize(bytes: Uint8Array): number {
  try {
    // A part never inflates to more than its own stated size.
    return [...zipParts(bytes).values()].reduce((sum, { size }) => sum + size, 0)
  } catch (error) {
    if (error instanceof SheetFailure) throw refuseSheet(error.reason)
    if (error instanceof RangeError) throw refuseSheet({ kind: 'not-a-workbook' })
    throw error
  }
}

function refuseSheet({ kind }: SheetError): Error {
  return kind === 'too-large'
    ? fail('too_large')
    : fail('unsupported_media', { fields: [{ path: 'file', code: kind }] })
}

/** The rows below the header of the first sheet that has one. */
function linesOf(sheets: readonly Sheet[]): readonly Line[] {
  for (const { rows } of sheets) {
    const [head, ...rest] = rows
    const cells = head?.cells.map((cell) => cell.trim().toLowerCase()) ?? []
    const columnOf = (names: Readonly<Record<Language, string>>) =>
      cells.findIndex((cell) => cell === names.zh || cell === names.en.toLowerCase())
    const [key, label, english, parent] = [
      columnOf(COLUMNS.key),
      columnOf(COLUMNS.label),
      columnOf(COLUMNS.english),
      columnOf(COLUMNS.parent),
    ]
    if (key === -1 || label === -1) continue
    if (rest.length > MOST_ENTRIES)
      throw fail('invalid', { fields: [{ path: 'file', code: 'too_many', params: { max: MOST_ENTRIES } }] })
    return rest.map(({ row, cells: texts }) => {
      const text = (column: number) => texts[column]?.trim() ?? ''
      return {
        line: row,
        entry: {
          dictKey: text(key),
          dictValue: text(label),
          labelEn: textOrNull(text(english)),
          parentKey: textOrNull(text(parent)),
        },
      }
    })
  }
  throw fail('invalid', {
    fields: [{ path: 'file', code: 'missing_columns', params: { columns: `${COLUMNS.key.zh}, ${COLUMNS.label.zh}` } }],
  })
}

/** Entries in an order in which each comes after the one above it. */
function inTreeOrder(entries: readonly DictRecord[], rootId: string): readonly DictRecord[] {
  const below = Map.groupBy(entries, ({ parent_id: above }) => above)
  const walk = (id: string): readonly DictRecord[] =>
    (below.get(id) ?? []).flatMap((entry) => [entry, ...walk(entry.id)])
  return walk(rootId)
}
