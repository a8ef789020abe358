import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { readBackupLines } from '#server/backup/file.ts'
import { reportDamage, isRow, readMark, readRow } from '#server/backup/format.ts'
import type { EndMark, Mark, Row, StartMark, TableEndMark, TableMark } from '#server/backup/format.ts'
import { charactersOf } from '#server/backup/tables.ts'

/** What a backup holds, as it comes. */
export type BackupPart =
  | StartMark
  | TableMark
  | { readonly t: 'rows'; readonly rows: readonly Row[] }
  | TableEndMark
  | EndMark

/** All that a backup says of itself. */
export interface Contents {
  readonly start: StartMark
  readonly tables: readonly (TableEndMark & { readonly columns: readonly string[] })[]
  readonly end: EndMark
}

const MAX_ROWS = 1000
const TARGET_CHARACTERS = 1_000_000

/**
 * Reads a backup from end to end and checks that it is whole.
 *
 * @throws BackupError `not_a_backup`, `newer_format`, `damaged`, `passphrase_missing`, `passphrase_wrong`; what the
 *   file system says
 */
export async function inspectBackup(file: string, passphrase: string | null): Promise<Contents> {
  let start: StartMark | undefined
  let end: EndMark | undefined
  let columns: readonly string[] = []
  const tables: Contents['tables'][number][] = []
  for await (const part of readBackup(file, passphrase)) {
    if (part.t === 'start') start = part
    else if (part.t === 'table') columns = part.columns
    else if (part.t === 'tableEnd') tables.push({ ...part, columns })
    else if (part.t === 'end') end = part
  }
  if (start === undefined || end === undefined) throw reportDamage()
  return { start, tables, end }
}

/**
 * Reads a backup part by part, each checked against its count and hash before the next one comes.
 *
 * @throws as `inspectBackup`
 */
export async function* readBackup(file: string, passphrase: string | null): AsyncGenerator<BackupPart> {
  const marks = createHash('sha256')
  const counted = { tables: 0, rows: 0 }
  let batch: Row[] = []
  let characters = 0
  let table: OpenTable | null = null
  let last: Mark['t'] | null = null
  for await (const line of readBackupLines(file, passphrase)) {
    if (isRow(line)) {
      if (table === null) throw reportDamage()
      const row = readRow(line)
      if (row.length !== table.columns) throw reportDamage()
      table.hash.update(`${line}\n`)
      table.rows += 1
      batch.push(row)
      characters += charactersOf(row)
      if (batch.length < MAX_ROWS && characters < TARGET_CHARACTERS) continue
      yield { t: 'rows', rows: batch }
      batch = []
      characters = 0
      continue
    }
    const mark = readMark(line)
    if (!FOLLOWS[mark.t].includes(last)) throw reportDamage()
    last = mark.t
    if (batch.length > 0) yield { t: 'rows', rows: batch }
    batch = []
    characters = 0
    if (mark.t === 'table')
      table = { name: mark.name, columns: mark.columns.length, rows: 0, hash: createHash('sha256') }
    if (mark.t === 'tableEnd') {
      if (!closes(table, mark)) throw reportDamage()
      counted.tables += 1
      counted.rows += mark.rows
      table = null
    }
    if (
      mark.t === 'end' &&
      !(mark.tables === counted.tables && mark.rows === counted.rows && mark.sha256 === marks.digest('hex'))
    ) {
      throw reportDamage()
    }
    if (mark.t !== 'end') marks.update(`${line}\n`)
    yield mark
  }
  if (last !== 'end') throw reportDamage()
}

/** Which mark may come after which. */
const FOLLOWS: Readonly<Record<Mark['t'], readonly (Mark['t'] | null)[]>> = {
  start: [null],
  table: ['start', 'tableEnd'],
  tableEnd: ['table'],
  end: ['start', 'tableEnd'],
}

interface OpenTable {
  readonly name: string
  readonly columns: number
  readonly hash: Hash
  rows: number
}

function closes(table: OpenTable | null, mark: TableEndMark): boolean {
  return (
    table !== null && table.name === mark.name && table.rows === mark.rows && table.hash.digest('hex') === mark.sha256
  )
}
