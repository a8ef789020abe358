import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { readBackupLines } from '#server/backup/file.ts'
import { reportDamage, isRow, readMarker, readRow } from '#server/backup/format.ts'
import type { EndMarker, Marker, Row, StartMarker, TableEndMarker, TableMarker } from '#server/backup/format.ts'
import { charactersOf } from '#server/backup/tables.ts'

/** The parts of a backup, as they come. */
export type BackupPart =
  | StartMarker
  | TableMarker
  | { readonly t: 'rows'; readonly rows: readonly Row[] }
  | TableEndMarker
  | EndMarker

/** Everything that a backup tells of itself. */
export interface Contents {
  readonly start: StartMarker
  readonly tables: readonly (TableEndMarker & { readonly columns: readonly string[] })[]
  readonly end: EndMarker
}

const MAX_ROWS = 1000
const TARGET_CHARACTERS = 1_000_000

/**
 * Reads a backup from end to end and checks that it is whole.
 *
 * @throws BackupError `not_a_backup`, `newer_format`, `damaged`, `passphrase_missing`, `passphrase_wrong`; the file
 *   system's errors
 */
export async function inspectBackup(file: string, passphrase: string | null): Promise<Contents> {
  let start: StartMarker | undefined
  let end: EndMarker | undefined
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
  const markers = createHash('sha256')
  const counted = { tables: 0, rows: 0 }
  let batch: Row[] = []
  let characters = 0
  let table: OpenTable | null = null
  let last: Marker['t'] | null = null
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
    const marker = readMarker(line)
    if (!FOLLOWS[marker.t].includes(last)) throw reportDamage()
    last = marker.t
    if (batch.length > 0) yield { t: 'rows', rows: batch }
    batch = []
    characters = 0
    if (marker.t === 'table')
      table = { name: marker.name, columns: marker.columns.length, rows: 0, hash: createHash('sha256') }
    if (marker.t === 'tableEnd') {
      if (!closes(table, marker)) throw reportDamage()
      counted.tables += 1
      counted.rows += marker.rows
      table = null
    }
    if (
      marker.t === 'end' &&
      !(marker.tables === counted.tables && marker.rows === counted.rows && marker.sha256 === markers.digest('hex'))
    ) {
      throw reportDamage()
    }
    if (marker.t !== 'end') markers.update(`${line}\n`)
    yield marker
  }
  if (last !== 'end') throw reportDamage()
}

/** Which marker may follow which. */
const FOLLOWS: Readonly<Record<Marker['t'], readonly (Marker['t'] | null)[]>> = {
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

function closes(table: OpenTable | null, marker: TableEndMarker): boolean {
  return (
    table !== null &&
    table.name === marker.name &&
    table.rows === marker.rows &&
    table.hash.digest('hex') === marker.sha256
  )
}
