import { createHash } from 'node:crypto'
import { printOf } from '#core/dataset/definition.ts'
import { dictionaryTable } from '#core/dataset/dictionary.ts'
import { formatsByKind } from '#core/dataset/formats.ts'
import type { DataFormatId, TableFormatId } from '#core/dataset/formats.ts'
import type { DataTable } from '#core/dataset/table.ts'
import type { WriteNote, WriteOptions, WrittenFile } from '#core/exchange/data/contract.ts'
import { writeSdtm } from '#core/exchange/data/sdtm/sdtmFiles.ts'
import { noteHead, noteRow } from '#core/exchange/data/noteRows.ts'
import { streamZip } from '#core/exchange/sheet/zipStream.ts'
import { csvText } from '#core/exchange/writeCsv.ts'
import type { Language } from '#core/language.ts'

import type { Archived } from './archived.ts'
import { writeCasebooks } from './clinical/files.ts'
import type { WrittenCasebooks } from './clinical/files.ts'
import type { PaperWishes } from './clinical/paper.ts'
import { notesText } from './notes.ts'
import { sdtmName } from './sdtm.ts'
import { definitionValue } from './sets.ts'
import { writers } from './writers.ts'

/** The archive of a run: files of data in each format, the dictionary, notes and a manifest of all of them. */

interface FileFacts {
  readonly name: string
  readonly bytes: number
  readonly sha256: string
}

export interface Archive {
  readonly content: AsyncIterable<Uint8Array>
  /** Rows of each table, once the content is taken. */
  tables(): readonly { readonly name: string; readonly rows: number }[]
}

export function makeArchive(of: Archived): Archive {
  const rows = new Map<string, number>()
  const files: FileFacts[] = []
  const casebooks: WrittenCasebooks[] = []
  const tables = of.tables.map((table) => countRows(table, table.name, rows))
  const sdtm = (of.sdtm?.tables ?? []).map((table) => countRows(table, sdtmName(table), rows))
  const counted = [...of.tables.map(({ name }) => name), ...(of.sdtm?.tables ?? []).map(sdtmName)]
  const countTables = () => counted.map((name) => ({ name, rows: rows.get(name) ?? 0 }))
  async function* parts() {
    for await (const { name, chunks } of allFiles(of, { tables, sdtm }, casebooks))
      yield { name, content: noteFile(name, chunks, files) }
    yield {
      name: 'manifest.json',
      content: [`${JSON.stringify(manifestOf(of, { tables: countTables(), casebooks, files }), null, 2)}\n`],
    }
  }
  return { content: streamZip(parts(), 6), tables: countTables }
}

/** The same table, whose rows are counted whenever they are gone through. */
function countRows(table: DataTable, name: string, rows: Map<string, number>): DataTable {
  const { label, variables } = table
  return {
    name: table.name,
    label,
    variables,
    rows: async function* () {
      let count = 0
      for await (const batch of table.rows()) {
        count += batch.length
        yield batch
      }
      rows.set(name, count)
    },
  }
}

/** Notes of one format are cut here: each is a value that the format could not take. */
const MOST_NOTES = 10_000

/** @param written takes what was written of each format of casebooks */
async function* allFiles(
  of: Archived,
  read: { readonly tables: readonly DataTable[]; readonly sdtm: readonly DataTable[] },
  written: WrittenCasebooks[],
): AsyncGenerator<WrittenFile> {
  const { language, formats } = of.run.definition
  const chosen = formatsByKind(formats)
  if (chosen.tables.length > 0) yield* tableFiles(of, read.tables, chosen.tables)
  if (of.sdtm !== null)
    for (const format of chosen.sdtm) {
      const files = { ...of.sdtm, format, read: read.sdtm }
      yield* withNotes(format, language, (note) => writeSdtm(files, { ...optionsOf(of), note }))
    }
  if (of.casebooks !== null)
    for (const format of chosen.casebooks)
      yield* writeCasebooks(format, of.casebooks, { createdAt: of.at, language, paper: paperOf(of) }, (what) =>
        written.push(what),
      )
  yield { name: 'notes.txt', chunks: textChunks(notesText(of, written)) }
}

function paperOf({ press, run, askedByName, instant }: Archived): PaperWishes | null {
  if (press === null) return null
  const { definition, name, purpose } = run
  const position = `${String(instant.seq)} (${instant.head})`
  return { press, ...printOf(definition), madeBy: askedByName, position, run: name, purpose }
}

async function* tableFiles(
  of: Archived,
  tables: readonly DataTable[],
  formats: readonly TableFormatId[],
): AsyncGenerator<WrittenFile> {
  const options = optionsOf(of)
  const { language } = options
  for (const format of formats)
    yield* withNotes(format, language, (note) => writers[format](tables, { ...options, note }))
  const codes = new Map(of.study.pages.map(({ pageId, code }) => [pageId, code]))
  yield* writers.csv([dictionaryTable(tables, language, codes)], options)
}

function optionsOf({ run, at }: Archived): WriteOptions {
  const createdAt = at.replace(/\.\d+Z$/, 'Z')
  return { language: run.definition.language, createdAt, name: 'data', title: run.name, note: () => undefined }
}

/** The files of a format in its folder, and beside them what it could not take. */
async function* withNotes(
  format: DataFormatId,
  language: Language,
  write: (note: (one: WriteNote) => void) => AsyncIterable<WrittenFile>,
): AsyncGenerator<WrittenFile> {
  const notes: WriteNote[] = []
  const written = write((one) => {
    if (notes.length < MOST_NOTES) notes.push(one)
  })
  for await (const file of written) yield { ...file, name: `${format}/${file.name}` }
  if (notes.length === 0) return
  const rows = [noteHead(language), ...notes.map((one) => noteRow(one, language))]
  yield { name: `${format}/notes.csv`, chunks: textChunks(csvText(rows)) }
}

async function* textChunks(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text, 'utf8'))
}

/** A file's pieces, of which the hash is noted once they are taken. */
async function* noteFile(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  files: FileFacts[],
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of chunks) {
    hash.update(chunk)
    bytes += chunk.length
    yield chunk
  }
  files.push({ name, bytes, sha256: hash.digest('hex') })
}

function manifestOf(
  { run, askedByName, approvedByName, projectName, instant, at, totals, left }: Archived,
  made: {
    readonly tables: readonly { readonly name: string; readonly rows: number }[]
    readonly casebooks: readonly WrittenCasebooks[]
    readonly files: readonly FileFacts[]
  },
): object {
  return {
    run: run.id,
    name: run.name,
    project: { id: run.projectId, name: projectName },
    definition: definitionValue(run.definition),
    askedBy: askedByName,
    askedAt: run.askedAt,
    approvedBy: approvedByName,
    purpose: run.purpose,
    crossBorder: run.crossBorder,
    deidentified: !run.identified,
    snapshot: { seq: instant.seq, head: instant.head, at },
    subjects: totals.subjects,
    entries: totals.entries,
    openConflicts: totals.conflicts,
    leftOut: left.map(({ pageId, table, code, why }) => ({ pageId, table, code, why })),
    ...made,
  }
}
