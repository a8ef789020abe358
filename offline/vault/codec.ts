import { fail } from '#core/api/errors.ts'
import { fromUtf8, utf8 } from '#offline/bytes.ts'
import type { Bytes } from '#offline/bytes.ts'
import type { Sealed, SealLevel } from '#offline/db/rows.ts'

import type { SealedKind, SealedKinds } from './sealedKinds.ts'

/**
 * The only way in and out of the device's storage for everything that describes a patient: AES-GCM-256 under the
 * scope's key, with a random IV. The place (scope, kind, id) is authenticated, so a sealed row that is moved elsewhere
 * is noticed.
 *
 * WebCrypto ends an IndexedDB transaction that waits for it: seal before a transaction opens, and unseal after it has
 * ended.
 */

/** The keys of a scope, in memory. `sensitive` is null without the right to what identifies a patient. */
export interface ScopeKeyPair {
  readonly scope: string
  readonly keyId: string
  readonly data: CryptoKey
  readonly sensitive: CryptoKey | null
  /** The former `sensitive` key, where that right was withdrawn and something unsent still needs the key. */
  readonly withdrawn: CryptoKey | null
}

/** What people enter. It must reach the server even when its author may no longer see other data under the same key. */
const ENTERED: ReadonlySet<SealedKind> = new Set(['op', 'draft', 'file'])

/** Open keys by scope. It can be posted to a worker: the keys in it are not extractable. */
export type KeyRing = ReadonlyMap<string, ScopeKeyPair>

export interface SealPlace<Kind extends SealedKind = SealedKind> {
  readonly scope: string
  readonly kind: Kind
  readonly id: string
}

/**
 * Seals a value.
 *
 * @throws ApiFailure `vault_locked` when the ring has no key for it.
 */
export function seal<Kind extends SealedKind>(
  ring: KeyRing,
  place: SealPlace<Kind>,
  level: SealLevel,
  value: SealedKinds[Kind],
): Promise<Sealed> {
  return sealBytes(ring, place, level, utf8(JSON.stringify(value)))
}

/** Seals bytes in the same way: a piece of a file. */
export async function sealBytes(ring: KeyRing, place: SealPlace, level: SealLevel, bytes: Bytes): Promise<Sealed> {
  const pair = ring.get(place.scope)
  const key = keyOf(pair, level, place)
  if (pair === undefined || key === null) throw fail('vault_locked')
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const data = await crypto.subtle.encrypt(cipher(iv, place), key, bytes)
  return { keyId: pair.keyId, level, iv, data: new Uint8Array(data) }
}

/**
 * Opens a sealed value. Null when the ring has no key for it: it belongs to somebody else.
 *
 * @throws ApiFailure `storage_lost` when the bytes are not what was sealed here.
 */
export async function unseal<Kind extends SealedKind>(
  ring: KeyRing,
  place: SealPlace<Kind>,
  sealed: Sealed,
): Promise<SealedKinds[Kind] | null> {
  const bytes = await unsealBytes(ring, place, sealed)
  // It is not parsed against a schema again: only `seal` makes it, from a value of this kind, and the encryption
  // authenticates the kind.
  return bytes === null ? null : (JSON.parse(fromUtf8(bytes)) as SealedKinds[Kind])
}

/** Opens sealed bytes in the same way. */
export async function unsealBytes(ring: KeyRing, place: SealPlace, sealed: Sealed): Promise<Bytes | null> {
  const pair = ring.get(place.scope)
  const key = keyOf(pair, sealed.level, place)
  if (pair === undefined || key === null || pair.keyId !== sealed.keyId) return null
  try {
    return new Uint8Array(await crypto.subtle.decrypt(cipher(sealed.iv, place), key, sealed.data))
  } catch (thrown) {
    // WebCrypto reports with this error that these are not the bytes that were sealed.
    if (thrown instanceof DOMException && thrown.name === 'OperationError') throw fail('storage_lost')
    throw thrown
  }
}

/** The ring without the keys of withdrawn rights: for reading what others have entered. */
export function asGranted(ring: KeyRing): KeyRing {
  return new Map([...ring].map(([scope, pair]) => [scope, { ...pair, withdrawn: null }]))
}

/** The level at which a user seals what may identify a patient: sensitive where they hold that key. */
export function sensitiveLevel(ring: KeyRing, scope: string): SealLevel {
  return (ring.get(scope)?.sensitive ?? null) === null ? 'data' : 'sensitive'
}

function keyOf(pair: ScopeKeyPair | undefined, level: SealLevel, { kind }: SealPlace): CryptoKey | null {
  return pair?.[level] ?? (ENTERED.has(kind) ? pair?.withdrawn : null) ?? null
}

function cipher(iv: Sealed['iv'], { scope, kind, id }: SealPlace): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: utf8(`${scope}|${kind}|${id}`) }
}
