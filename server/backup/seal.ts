import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { BackupError } from '#server/backup/backupError.ts'
import { reportDamage } from '#server/backup/format.ts'
import type { Sealing } from '#server/backup/format.ts'

/**
 * Encryption of a backup's body, chunk by chunk, so that it can be streamed. It is AES-256-GCM under a key that
 * scrypt makes from the passphrase and the file's own salt. A chunk's nonce is its number and whether it is the last.
 * So no chunk can be left out, repeated, moved or cut off unnoticed.
 */

const CHUNK_BYTES = 64 * 1024
const TAG_BYTES = 16
/** Before each chunk: its length with the tag, and 1 for the last one. */
const FRAME_BYTES = 5
const COST = 2 ** 17
const BLOCK_SIZE = 8

/** A new key for one file, and the part of its preamble from which the passphrase gives the key again. */
export async function newSealing(passphrase: string): Promise<{ readonly sealing: Sealing; readonly key: Buffer }> {
  const salt = randomBytes(16)
  const { key, check } = await deriveKey(passphrase, salt, COST, BLOCK_SIZE)
  const sealing: Sealing = {
    cipher: 'aes-256-gcm',
    kdf: 'scrypt',
    cost: COST,
    blockSize: BLOCK_SIZE,
    salt: salt.toString('base64url'),
    check: check.toString('base64url'),
  }
  return { sealing, key }
}

/** @throws BackupError `passphrase_missing` or `passphrase_wrong` */
export async function openSealing(sealing: Sealing, passphrase: string | null): Promise<Buffer> {
  if (passphrase === null)
    throw new BackupError(
      'passphrase_missing',
      'the backup is encrypted: set BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE',
    )
  const { key, check } = await deriveKey(
    passphrase,
    Buffer.from(sealing.salt, 'base64url'),
    sealing.cost,
    sealing.blockSize,
  )
  const expected = Buffer.from(sealing.check, 'base64url')
  if (expected.length !== check.length || !timingSafeEqual(expected, check)) {
    throw new BackupError('passphrase_wrong', 'the passphrase is not the one that the backup was encrypted with')
  }
  return key
}

/** Encrypts a stream. */
export async function* seal(key: Buffer, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let number = 0
  let waiting: Buffer = Buffer.alloc(0)
  for await (const piece of source) {
    waiting = Buffer.concat([waiting, piece])
    // Only the end shows which chunk is the last, so one is always held back.
    while (waiting.length > CHUNK_BYTES) {
      yield sealChunk(key, number, waiting.subarray(0, CHUNK_BYTES), false)
      waiting = waiting.subarray(CHUNK_BYTES)
      number += 1
    }
  }
  yield sealChunk(key, number, waiting, true)
}

/**
 * Decrypts what `seal` wrote.
 *
 * @throws BackupError `damaged`
 */
export async function* unseal(key: Buffer, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let number = 0
  let waiting: Buffer = Buffer.alloc(0)
  let ended = false
  for await (const piece of source) {
    waiting = Buffer.concat([waiting, piece])
    for (;;) {
      if (waiting.length < FRAME_BYTES) break
      const length = waiting.readUInt32BE(0)
      if (ended || length < TAG_BYTES || length > CHUNK_BYTES + TAG_BYTES) throw reportDamage()
      if (waiting.length < FRAME_BYTES + length) break
      ended = waiting.readUInt8(4) === 1
      yield unsealChunk(key, number, waiting.subarray(FRAME_BYTES, FRAME_BYTES + length), ended)
      waiting = waiting.subarray(FRAME_BYTES + length)
      number += 1
    }
  }
  if (!ended || waiting.length > 0) throw reportDamage()
}

function sealChunk(key: Buffer, number: number, plain: Buffer, last: boolean): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce(number, last))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  const frame = Buffer.alloc(FRAME_BYTES)
  frame.writeUInt32BE(sealed.length, 0)
  frame.writeUInt8(last ? 1 : 0, 4)
  return Buffer.concat([frame, sealed])
}

function unsealChunk(key: Buffer, number: number, sealed: Buffer, last: boolean): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce(number, last), { authTagLength: TAG_BYTES })
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
  const plain = decipher.update(sealed.subarray(0, sealed.length - TAG_BYTES))
  try {
    return Buffer.concat([plain, decipher.final()])
  } catch (cause) {
    throw reportDamage(cause)
  }
}

/** Each file has its own key, so a counter makes each nonce unique. */
function nonce(number: number, last: boolean): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeUIntBE(number, 0, 6)
  bytes.writeUInt8(last ? 1 : 0, 11)
  return bytes
}

async function deriveKey(
  passphrase: string,
  salt: Buffer,
  cost: number,
  blockSize: number,
): Promise<{ readonly key: Buffer; readonly check: Buffer }> {
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    // scrypt needs 128 × cost × block size bytes, and some more.
    scrypt(
      passphrase.normalize('NFC'),
      salt,
      64,
      { cost, blockSize, maxmem: 256 * cost * blockSize },
      (error, derived) => {
        if (error === null) resolve(derived)
        else reject(error)
      },
    )
  })
  return {
    key: bytes.subarray(0, 32),
    check: createHmac('sha256', bytes.subarray(32)).update('zhenglu backup 1').digest(),
  }
}
