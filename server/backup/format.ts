import * as z from 'zod/mini'
import { BackupError } from '#server/backup/backupError.ts'

/**
 * The content of a backup (docs/adr/0010-backup.md). The file begins with one line of clear JSON, the preamble. The
 * rest is gzip, encrypted where the preamble says so. Unpacked it is lines. A line with `{` at its start is a marker. A
 * line with `[` is a row of the table whose marker came last, with each value as PostgreSQL writes it as text, or null.
 *
 *     start · (table · row … · tableEnd) … · end
 *
 * Attachments will be a further kind of marker between the tables and the end; that raises `FORMAT`.
 */
export const FORMAT = 1

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const count = z.int().check(z.minimum(0))

const sealing = z.object({
  cipher: z.literal('aes-256-gcm'),
  kdf: z.literal('scrypt'),
  // Bounded, so that a forged file cannot fill the reader's memory.
  cost: z.int().check(z.minimum(2 ** 10), z.maximum(2 ** 20)),
  blockSize: z.int().check(z.minimum(1), z.maximum(16)),
  salt: z.string(),
  /** Tells a wrong passphrase apart from a damaged file. */
  check: z.string(),
})

const preamble = z.object({
  zhengluBackup: z.int(),
  sealing: z.nullable(sealing),
})

const start = z.object({
  t: z.literal('start'),
  createdAt: z.string(),
  postgres: z.string(),
  /** The migrations that made the schema, in order. */
  schema: z.array(z.object({ number: z.int(), name: z.string(), checksum: hash })),
  /** The end of each audit chain; projectId is null in the system's. */
  chains: z.array(z.object({ projectId: z.nullable(z.string()), seq: count, head: hash })),
})

const table = z.object({ t: z.literal('table'), name: z.string(), columns: z.array(z.string()) })
const tableEnd = z.object({ t: z.literal('tableEnd'), name: z.string(), rows: count, sha256: hash })

/** `sha256` runs over all markers before it, which themselves carry the hashes of the rows. */
const end = z.object({ t: z.literal('end'), tables: count, rows: count, sha256: hash })

const marker = z.discriminatedUnion('t', [start, table, tableEnd, end])
const row = z.array(z.nullable(z.string()))

export type Sealing = z.infer<typeof sealing>
export type Preamble = z.infer<typeof preamble>
export type StartMarker = z.infer<typeof start>
export type TableMarker = z.infer<typeof table>
export type TableEndMarker = z.infer<typeof tableEnd>
export type EndMarker = z.infer<typeof end>
export type Marker = z.infer<typeof marker>
/** The values of a row in the order of its table's columns. */
export type Row = z.infer<typeof row>

/** @throws BackupError `not_a_backup` or `newer_format` */
export function readPreamble(line: string): Preamble {
  const value = parseJson(line)
  if (typeof value !== 'object' || value === null || typeof Reflect.get(value, 'zhengluBackup') !== 'number')
    throw foreign()
  if (Number(Reflect.get(value, 'zhengluBackup')) > FORMAT) {
    throw new BackupError(
      'newer_format',
      'the backup was written by a later version of this program: restore it with that one',
    )
  }
  const read = preamble.safeParse(value)
  if (!read.success) throw reportDamage()
  return read.data
}

/** @throws BackupError `damaged` */
export function readMarker(line: string): Marker {
  const read = marker.safeParse(parseJson(line))
  if (!read.success) throw reportDamage()
  return read.data
}

/** @throws BackupError `damaged` */
export function readRow(line: string): Row {
  const read = row.safeParse(parseJson(line))
  if (!read.success) throw reportDamage()
  return read.data
}

export function isRow(line: string): boolean {
  return line.startsWith('[')
}

export function foreign(): BackupError {
  return new BackupError('not_a_backup', 'the file is not a backup of this program')
}

export function reportDamage(cause?: unknown): BackupError {
  return new BackupError('damaged', 'the backup is damaged or cut off; nothing of it was used', { cause })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
