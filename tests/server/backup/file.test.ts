import { mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BackupError } from '#server/backup/backupError.ts'
import { readBackupLines, writeBackupFile } from '#server/backup/file.ts'
import { seal, unseal } from '#server/backup/seal.ts'

let folder: string
let file: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zl-file-'))
  file = join(folder, 'backup')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function* pieces(...parts: readonly (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield Buffer.from(part)
}

async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(source))
}

describe('a backup file', () => {
  it('gives back its lines, however the text came in pieces', async () => {
    await writeBackupFile(file, null, pieces('一\n二', '', '\n', 'x'.repeat(300_000), '\n'))
    expect(await Array.fromAsync(readBackupLines(file, null))).toEqual(['一', '二', 'x'.repeat(300_000)])
  })

  it('is for its owner only', async () => {
    await writeBackupFile(file, null, pieces('a\n'))
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('is not there when it could not be finished', async () => {
    const breaking = async function* breaking(): AsyncGenerator<Buffer> {
      yield Buffer.from('half of it\n')
      throw new RangeError('the database is gone')
    }
    await expect(writeBackupFile(file, null, breaking())).rejects.toThrow(RangeError)
    expect(await readdir(folder)).toEqual([])
  })

  it('is not there when it was given up', async () => {
    const stop = new AbortController()
    const endless = async function* endless(): AsyncGenerator<Buffer> {
      for (let line = 0; ; line += 1) {
        if (line === 10) stop.abort()
        yield Buffer.from('and so on\n')
      }
    }
    await expect(writeBackupFile(file, null, endless(), stop.signal)).rejects.toMatchObject({ name: 'AbortError' })
    expect(await readdir(folder)).toEqual([])
  })

  it('of a later version of this program says so', async () => {
    await writeFile(file, '{"zhengluBackup":2,"sealing":null}\nwhat will be')
    await expect(Array.fromAsync(readBackupLines(file, null))).rejects.toMatchObject({ reason: 'newer_format' })
  })

  it('cannot make its reader fill the memory', async () => {
    const sealing = { cipher: 'aes-256-gcm', kdf: 'scrypt', cost: 2 ** 30, blockSize: 8, salt: '', check: '' }
    await writeFile(file, `${JSON.stringify({ zhengluBackup: 1, sealing })}\n`)
    await expect(Array.fromAsync(readBackupLines(file, 'any'))).rejects.toMatchObject({ reason: 'damaged' })
  })

  it('that is only begun to be read leaves no open file', async () => {
    await writeBackupFile(file, null, pieces('a\n', 'b\n'))
    for await (const line of readBackupLines(file, null)) {
      expect(line).toBe('a')
      break
    }
    const open = await readdir('/proc/self/fd').catch(() => [])
    const targets = await Promise.all(open.map((fd) => openFile(fd)))
    expect(targets).not.toContain(file)
  })
})

/** What an open file of this process is; nothing where it was closed meanwhile. */
async function openFile(fd: string): Promise<string> {
  return readlink(`/proc/self/fd/${fd}`).catch(() => '')
}

describe('sealed chunks', () => {
  const key = Buffer.alloc(32, 7)
  /** Length and last-flag before each chunk, tag after it. */
  const FULL_FRAME = 5 + 64 * 1024 + 16

  it.each([0, 1, 64 * 1024, 64 * 1024 + 1, 200_000])('carry %i bytes', async (length) => {
    const plain = Buffer.alloc(length, 'zhenglu')
    expect(await collect(unseal(key, pieces(await collect(seal(key, pieces(plain))))))).toEqual(plain)
  })

  it('cannot be left out, swapped, cut off or called the last', async () => {
    const sealed = await collect(seal(key, pieces(Buffer.alloc(200_000, 'zhenglu'))))
    const frame = (number: number): Buffer => sealed.subarray(number * FULL_FRAME, (number + 1) * FULL_FRAME)
    const calledLast = Buffer.from(frame(0))
    calledLast.writeUInt8(1, 4)
    const forged = [
      Buffer.concat([frame(0), sealed.subarray(2 * FULL_FRAME)]),
      Buffer.concat([frame(1), frame(0), sealed.subarray(2 * FULL_FRAME)]),
      sealed.subarray(0, 3 * FULL_FRAME),
      calledLast,
      Buffer.concat([sealed, Buffer.from('more')]),
    ]
    for (const bytes of forged) await expect(collect(unseal(key, pieces(bytes)))).rejects.toBeInstanceOf(BackupError)
  })
})

it('an encrypted file shows neither its text nor its passphrase', async () => {
  await writeBackupFile(file, 'hunter2-hunter2', pieces('{"patient":"Zhang"}\n'))
  const bytes = (await readFile(file)).toString('latin1')
  expect(bytes).not.toContain('Zhang')
  expect(bytes).not.toContain('hunter2')
  expect(await Array.fromAsync(readBackupLines(file, 'hunter2-hunter2'))).toEqual(['{"patient":"Zhang"}'])
})
