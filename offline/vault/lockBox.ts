import type { JsonValue } from '#core/json.ts'
import { fromUtf8, utf8 } from '#offline/bytes.ts'
import type { Bytes } from '#offline/bytes.ts'

import { PASSWORD_ROUNDS, passwordKey, awaitDecrypting } from './keys.ts'

/** Locks content away under a lock password, in memory only: what is locked here is gone when the tab closes. */

/** What a lock password gives: enough to close a box, and to hand to another tab. */
export interface LockKey {
  readonly key: CryptoKey
  readonly salt: Bytes
  readonly rounds: number
}

/** Something locked away. It holds no key that opens it. */
export interface LockBox {
  readonly salt: Bytes
  readonly rounds: number
  readonly iv: Bytes
  readonly data: Bytes
}

/** The key of a lock password, with a salt of its own. */
export async function lockKeyOf(password: string, rounds = PASSWORD_ROUNDS): Promise<LockKey> {
  const salt = crypto.getRandomValues(new Uint8Array(16))
  return { key: (await passwordKey(password, salt, rounds)).key, salt, rounds }
}

/** Locks content away. */
export async function lockAway({ key, salt, rounds }: LockKey, content: JsonValue): Promise<LockBox> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, utf8(JSON.stringify(content)))
  return { salt, rounds, iv, data: new Uint8Array(data) }
}

/**
 * Opens a box with the lock password. Also gives the box's key, so that the box can be closed again. Null for a wrong
 * password.
 */
export async function takeOut(
  { salt, rounds, iv, data }: LockBox,
  password: string,
): Promise<{ readonly content: JsonValue; readonly key: LockKey } | null> {
  const { key } = await passwordKey(password, salt, rounds)
  const opened = await awaitDecrypting(crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, data))
  // `lockAway` wrote it as JSON, and the encryption authenticates it.
  return opened === null ? null : { content: JSON.parse(fromUtf8(opened)) as JsonValue, key: { key, salt, rounds } }
}
