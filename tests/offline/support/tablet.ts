import type { DeviceKeys, ScopeKeys } from '#core/sync/protocol/deviceKeys.ts'
import { FIRST_REPEAT, entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryChange, EntryTarget } from '#core/sync/entryChange.ts'
import { toBase64, toBase64Url } from '#offline/bytes.ts'
import { openStorage } from '#offline/db/open.ts'
import type { OpenOptions, Storage } from '#offline/db/open.ts'
import type { OutboxRow } from '#offline/db/rows.ts'
import type { PlannedOperation } from '#offline/outbox/plannedOperation.ts'
import { enqueue } from '#offline/outbox/outbox.ts'
import type { Author, Queued } from '#offline/outbox/outbox.ts'
import type { SyncContext } from '#offline/sync/context.ts'
import { Vault } from '#offline/vault/vault.ts'
import type { VaultOwner } from '#offline/vault/opened.ts'

/**
 * A tablet of the ward with its own databases, in the words of the study. Only time, network and storage faults are
 * made up.
 */

/** Far fewer rounds than in use: these tests are about what happens, not about how long a password holds. */
export const FEW_ROUNDS = 1000

export const PROJECT = newId()
export const CENTER = newId()
export const CENTER_SCOPE = `${PROJECT}/${CENTER}/1`
export const VERSION = newId()
export const FOLDER = newId()
export const PAGE = newId()
export const DEVICE = newId()

export function randomKey(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
}

export function scopeKeys(scope: string, sensitive = true): ScopeKeys {
  return { scope, keyId: newId(), data: randomKey(), sensitive: sensitive ? randomKey() : null }
}

/** What the server hands out; scopes are the same for all who have a right to them, proofs are each person's own. */
export async function handOut(scopes: readonly ScopeKeys[]): Promise<DeviceKeys> {
  const { publicKey } = await rescuePair
  const spki = new Uint8Array(await crypto.subtle.exportKey('spki', publicKey))
  return { proof: randomKey(), scopes: [...scopes], rescuePublicKey: toBase64(spki) }
}

export const rescuePair = crypto.subtle.generateKey(
  { name: 'RSA-OAEP', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
  true,
  ['encrypt', 'decrypt'],
) as Promise<CryptoKeyPair>

export function person(account: string): VaultOwner {
  return { userId: newId(), account, realName: `${account}的真名`, isAdmin: false }
}

/** A new tablet with empty databases; `name` opens an existing one again, as after a restart. */
export function newStorage(
  name = `tablet-${newId()}`,
  options: OpenOptions = {},
): { readonly name: string; readonly storage: Storage } {
  return { name, storage: openStorage({ ...options, prefix: name }) }
}

export interface Crc {
  readonly storage: Storage
  readonly name: string
  readonly vault: Vault
  readonly owner: VaultOwner
  readonly author: Author
}

/** A CRC who signed in online once and keeps the center's scope. */
export async function crcAtTablet(
  keys: readonly ScopeKeys[] = [scopeKeys(PROJECT), scopeKeys(CENTER_SCOPE)],
  options: OpenOptions = {},
): Promise<Crc> {
  const { name, storage } = newStorage(undefined, options)
  const vault = new Vault(storage.work, FEW_ROUNDS)
  const owner = person('crc')
  await vault.enrol(owner, 'first password', await handOut(keys))
  const since = new Date().toISOString()
  await storage.work.kept.bulkPut(keys.map(({ scope }) => ({ scope, userId: owner.userId, since })))
  return { storage, name, vault, owner, author: authorOf(vault) }
}

export function authorOf(vault: Vault): Author {
  if (vault.state.state === 'locked') throw new Error('the vault is locked')
  const { keys, owner } = vault.state
  return {
    userId: owner.userId,
    ring: keys.ring,
    proof: keys.proof,
    deviceId: DEVICE,
    appVersion: 'test',
    now: () => new Date(),
  }
}

export function target(patientId: string, pageId = PAGE): EntryTarget {
  return {
    patientId,
    folderId: FOLDER,
    folderRepeat: FIRST_REPEAT,
    pageId,
    pageRepeat: FIRST_REPEAT,
    parentEntryId: null,
    pass: 1,
  }
}

/** A change of one field of a page. */
export function change(of: EntryTarget, code: string, base: JsonValue, to: JsonValue): EntryChange {
  const [from, into] = [
    { value: base, missing: null },
    { value: to, missing: null },
  ]
  return {
    target: of,
    items: [{ table: null, rid: null, code, base: from, to: into, isShow: 1, reason: null }],
    rows: [],
    journal: [{ table: null, rid: null, code, from, to: into, at: '2026-11-21T08:00:00.000Z' }],
    seen: null,
  }
}

export function saveOf(body: EntryChange, call: 'entry.save' | 'entry.submit' = 'entry.save'): PlannedOperation {
  return {
    call,
    scope: CENTER_SCOPE,
    projectId: PROJECT,
    centerId: CENTER,
    crfVersionId: VERSION,
    pass: 1,
    entityId: entryId(body.target),
    patientId: body.target.patientId,
    body,
  }
}

export function enrolmentOf(patientId: string, name: string): PlannedOperation {
  const identity = { name, mobile: null, email: null, birthDate: null }
  const body = {
    id: patientId,
    projectId: PROJECT,
    centerId: CENTER,
    no: null,
    mark: '7F3A',
    initials: null,
    sex: null,
    enrolledOn: null,
    identity,
  }
  return {
    call: 'patient.save',
    scope: CENTER_SCOPE,
    projectId: PROJECT,
    centerId: CENTER,
    crfVersionId: null,
    pass: 1,
    entityId: patientId,
    patientId,
    body,
  }
}

/** Queues, and fails the test when the storage refuses. */
export async function queue(crc: Pick<Crc, 'storage' | 'author'>, draft: PlannedOperation): Promise<Queued> {
  const queued = await enqueue(crc.storage, crc.author, draft)
  if (!queued.ok) throw new Error(queued.error.code)
  return queued.value
}

export async function outboxOf({ storage }: Pick<Crc, 'storage'>): Promise<readonly OutboxRow[]> {
  return storage.work.outbox.orderBy('seq').toArray()
}

/** What a sync cycle of this CRC works with, over a network of the test's making. */
export function syncOf(crc: Crc, fetcher: typeof fetch, now: () => number = () => Date.now()): SyncContext {
  return {
    storage: crc.storage,
    ring: crc.author.ring,
    userId: crc.owner.userId,
    deviceId: DEVICE,
    appVersion: 'test',
    now,
    random: () => 0.5,
    wire: {
      fetch: fetcher,
      base: 'http://tablet.test',
      token: () => 'token',
      deviceId: DEVICE,
      appVersion: 'test',
      language: () => 'zh',
    },
  }
}

/** The value of a success; a failure fails the test. */
export function valueOf<Value>(
  result:
    | { readonly ok: true; readonly value: Value }
    | { readonly ok: false; readonly error: { readonly code: string } },
): Value {
  if (!result.ok) throw new Error(`failed: ${result.error.code}`)
  return result.value
}
