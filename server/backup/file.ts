import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline as pipe } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { BackupError } from '#server/backup/backupError.ts'
import { reportDamage, foreign, FORMAT, readPreamble } from '#server/backup/format.ts'
import type { Preamble } from '#server/backup/format.ts'
import { newSealing, openSealing, seal, unseal } from '#server/backup/seal.ts'

/** The file around a backup: preamble, compression, encryption. It exists whole or not at all. */

/** Ends the name of a file that is still being written. */
export const UNFINISHED = '.part'

const MAX_PREAMBLE_BYTES = 4096
const NEWLINE = 10

/**
 * Writes text as a backup file, readable by its owner only. It gets its name once it is whole and on the disk.
 *
 * @param passphrase null leaves the file unencrypted
 * @param signal stops the work and leaves no file
 */
export async function writeBackupFile(
  file: string,
  passphrase: string | null,
  text: AsyncIterable<Buffer>,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const sealed = passphrase === null ? null : await newSealing(passphrase)
  const preamble: Preamble = { zhengluBackup: FORMAT, sealing: sealed?.sealing ?? null }
  const draft = `${file}${UNFINISHED}`
  const body = async function* body(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    yield Buffer.from(`${JSON.stringify(preamble)}\n`)
    yield* sealed === null ? packed : seal(sealed.key, packed)
  }
  const handle = await open(draft, 'wx', 0o600)
  try {
    try {
      await pipeline(text, createGzip(), body, (packed: AsyncIterable<Buffer>) => handle.writeFile(packed), { signal })
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await syncFolder(dirname(file))
}

/**
 * The lines of a backup file, without their line ends.
 *
 * @throws BackupError `not_a_backup`, `newer_format`, `damaged`, `passphrase_missing`, `passphrase_wrong`; the file
 *   system's errors
 */
export async function* readBackupLines(file: string, passphrase: string | null): AsyncGenerator<string> {
  const { preamble, bytes } = await preambleOf(file)
  const key = preamble.sealing === null ? null : await openSealing(preamble.sealing, passphrase)
  const stored = createReadStream(file, { start: bytes })
  const open = async function* open(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    yield* key === null ? source : unseal(key, source)
  }
  // The last stream is the one that is read, and it throws the errors of all.
  const unpacked = pipe(stored, open, createGunzip(), () => undefined)
  try {
    yield* linesOf(unpacked)
  } catch (error) {
    throw isUnpackingError(error) ? reportDamage(error) : error
  } finally {
    unpacked.destroy()
    stored.destroy()
  }
}

/** A file's name is on the disk only when its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function preambleOf(file: string): Promise<{ readonly preamble: Preamble; readonly bytes: number }> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_PREAMBLE_BYTES), 0, MAX_PREAMBLE_BYTES, 0)
    const end = buffer.subarray(0, bytesRead).indexOf(NEWLINE)
    if (end === -1) throw foreign()
    return { preamble: readPreamble(buffer.subarray(0, end).toString('utf8')), bytes: end + 1 }
  } finally {
    await handle.close()
  }
}

async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  // A line may span many pieces. They are joined once, when its end has come.
  let begun: Buffer[] = []
  for await (const piece of source) {
    let from = 0
    for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...begun, piece.subarray(from, at)]).toString('utf8')
      begun = []
      from = at + 1
    }
    if (from < piece.length) begun.push(piece.subarray(from))
  }
  if (begun.length > 0) throw reportDamage()
}

/** zlib's own error codes; ours and the file system's have another form. */
function isUnpackingError(error: unknown): boolean {
  return (
    !(error instanceof BackupError) && error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
  )
}
