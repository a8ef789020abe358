import type { Json } from '#core/json.ts'
import { provenText } from '#core/sync/protocol/proof.ts'
import type { Operation } from '#core/sync/protocol/operation.ts'
import { fromBase64, fromBase64Url, fromUtf8, toBase64, toBase64Url, utf8 } from '#offline/bytes.ts'
import type { Bytes } from '#offline/bytes.ts'

import type { KeyRing, ScopeKeyPair } from './codec.ts'
import type { StoredKeys } from './storedKeys.ts'

/** Making keys out of bytes and passwords. */

/** Rounds of PBKDF2-SHA-256: about a second on a tablet (docs/adr/0005-keys-and-vault.md). */
export const PASSWORD_ROUNDS = 600_000

/** The key that a password gives, and its bits. The bits are needed to lock the device under another password. */
export interface PasswordKey {
  readonly key: CryptoKey
  readonly bits: Bytes
}

/** Derives the key of a password. */
export async function passwordKey(password: string, salt: Bytes, rounds: number): Promise<PasswordKey> {
  const material = await crypto.subtle.importKey('raw', utf8(password.normalize('NFC')), 'PBKDF2', false, [
    'deriveBits',
  ])
  const bits = await crypto.subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: rounds },
    material,
    256,
  )
  return keyOfBits(new Uint8Array(bits))
}

/** The same key again, made from its bits. */
export async function keyOfBits(bits: Bytes): Promise<PasswordKey> {
  return { key: await crypto.subtle.importKey('raw', bits, { name: 'AES-GCM' }, false, ['encrypt', 'decrypt']), bits }
}

/** Makes the device's own key. It cannot be read out of the browser that made it. */
export function newDeviceKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

/** Wraps bytes under both keys: a thief would need the device and the password. */
export async function wrap(
  text: string,
  outer: CryptoKey,
  inner: CryptoKey,
  owner: string,
): Promise<{ iv: Bytes; data: Bytes }> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const first = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: utf8(owner) }, inner, utf8(text))
  const second = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: utf8(owner) }, outer, first)
  return { iv, data: new Uint8Array(second) }
}

/** Unwraps. `device` when the device's key does not fit, `password` when the password's does not. */
export async function unwrap(
  wrapped: { readonly iv: Bytes; readonly data: Bytes },
  outer: CryptoKey,
  inner: CryptoKey,
  owner: string,
): Promise<{ readonly text: string } | { readonly wrong: 'device' | 'password' }> {
  const cipher = { name: 'AES-GCM', iv: wrapped.iv, additionalData: utf8(owner) }
  const first = await awaitDecrypting(crypto.subtle.decrypt(cipher, outer, wrapped.data))
  if (first === null) return { wrong: 'device' }
  const second = await awaitDecrypting(crypto.subtle.decrypt(cipher, inner, first))
  return second === null ? { wrong: 'password' } : { text: fromUtf8(second) }
}

/** WebCrypto reports a wrong key as an OperationError with no further detail. This gives null then. */
export async function awaitDecrypting(decrypting: Promise<ArrayBuffer>): Promise<ArrayBuffer | null> {
  try {
    return await decrypting
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'OperationError') return null
    throw thrown
  }
}

/** What an unlocked user can do with the device's sealed data. All keys in it stay in memory. */
export interface OpenKeys {
  readonly ring: KeyRing
  readonly proof: CryptoKey
  readonly rescuePublicKey: string
}

/** Makes the stored keys ready for use. */
export async function openKeys(keys: StoredKeys): Promise<OpenKeys> {
  const pairs = await Promise.all(
    keys.scopes.map(async ({ scope, keyId, data, sensitive, withdrawn = null }): Promise<ScopeKeyPair> => ({
      scope,
      keyId,
      data: await rowKey(data),
      sensitive: sensitive === null ? null : await rowKey(sensitive),
      withdrawn: withdrawn === null ? null : await rowKey(withdrawn),
    })),
  )
  return {
    ring: new Map(pairs.map((pair) => [pair.scope, pair])),
    proof: await crypto.subtle.importKey('raw', fromBase64Url(keys.proof), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
    ]),
    rescuePublicKey: keys.rescuePublicKey,
  }
}

function rowKey(text: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', fromBase64Url(text), { name: 'AES-GCM' }, false, ['encrypt', 'decrypt'])
}

/** The author's proof over an operation. */
export async function prove<Op extends Omit<Operation, 'proof'>>(
  key: CryptoKey,
  op: Op,
): Promise<Op & Pick<Operation, 'proof'>> {
  const mac = await crypto.subtle.sign('HMAC', key, utf8(provenText(op)))
  return { ...op, proof: toBase64Url(new Uint8Array(mac)) }
}

/**
 * Seals content into a file that only the server can open: a fresh AES key under the server's RSA-OAEP public key, and
 * the content under that AES key.
 */
export async function sealForRescue<Content>(publicKey: string, content: Content & Json<Content>): Promise<string> {
  const server = await crypto.subtle.importKey(
    'spki',
    fromBase64(publicKey),
    { name: 'RSA-OAEP', hash: 'SHA-256' },
    false,
    ['encrypt'],
  )
  const raw = crypto.getRandomValues(new Uint8Array(32))
  const key = await crypto.subtle.importKey('raw', raw, { name: 'AES-GCM' }, false, ['encrypt'])
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, utf8(JSON.stringify(content)))
  const wrapped = await crypto.subtle.encrypt({ name: 'RSA-OAEP' }, server, raw)
  return JSON.stringify({
    format: 'zhenglu-rescue',
    version: 1,
    key: toBase64(new Uint8Array(wrapped)),
    iv: toBase64(iv),
    data: toBase64(new Uint8Array(data)),
  })
}
