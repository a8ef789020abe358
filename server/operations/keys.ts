import { createHmac, timingSafeEqual } from 'node:crypto'
import { stringify } from 'uuid'
import type { ScopeKeys } from '#core/sync/protocol/deviceKeys.ts'
import { provenText } from '#core/sync/protocol/proof.ts'
import type { Operation } from '#core/sync/protocol/operation.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import type { Scope } from '#core/sync/protocol/scope.ts'
import { seesAllPatients } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { ServerSecrets } from '#server/services.ts'

/** Keys of devices (docs/adr/0005-keys-and-vault.md). */

/** The key, in base64url, that shows that a user, unlocked on a device, made an operation. */
export function proofKey(secrets: Pick<ServerSecrets, 'root'>, userId: string, deviceId: string): string {
  return createHmac('sha256', secrets.root).update(`proof|${userId}|${deviceId}`).digest('base64url')
}

/**
 * Keys of the users who push just now, by the secrets from which they are derived. Deriving a key costs as much as
 * checking a proof.
 */
const derived = new WeakMap<Pick<ServerSecrets, 'root'>, Map<string, Buffer>>()
const MOST_DERIVED = 200

function derivedKey(secrets: Pick<ServerSecrets, 'root'>, userId: string, deviceId: string): Buffer {
  const known = derived.get(secrets) ?? new Map<string, Buffer>()
  derived.set(secrets, known)
  const place = `${userId}|${deviceId}`
  const key = known.get(place) ?? Buffer.from(proofKey(secrets, userId, deviceId), 'base64url')
  if (known.size >= MOST_DERIVED) known.clear()
  known.set(place, key)
  return key
}

/** Whether the author's key on the operation's device made its proof. */
export function isProven(secrets: Pick<ServerSecrets, 'root'>, operation: Operation): boolean {
  const expected = createHmac('sha256', derivedKey(secrets, operation.author, operation.deviceId))
    .update(provenText(operation), 'utf8')
    .digest()
  const given = Buffer.from(operation.proof, 'base64url')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/**
 * A device's keys for the scopes; missing ones are made. Keys may be handed out once the transaction has committed, not
 * before: data sealed under a key that was never stored would be lost.
 *
 * @param scopes each with whether the user may see what identifies a patient
 */
export async function deviceKeys(
  transaction: Queryable,
  secrets: Pick<ServerSecrets, 'root'>,
  deviceId: string,
  scopes: readonly { readonly scope: string; readonly sensitive: boolean }[],
): Promise<readonly ScopeKeys[]> {
  const fresh = scopes.map(({ scope }) => newKeys(secrets, deviceId, scope))
  await transaction.query({
    name: 'device_keys_make',
    text: `
      INSERT INTO device_key (device_id, scope, key_id, data_key, sensitive_key)
      SELECT $1, k.scope, k.key_id, k.data_key, k.sensitive_key
      FROM jsonb_to_recordset($2) AS k (scope text, key_id uuid, data_key text, sensitive_key text)
      ON CONFLICT (device_id, scope) DO NOTHING`,
    values: [deviceId, JSON.stringify(fresh)],
  })
  const { rows } = await transaction.query<{ scope: string; keyId: string; data: string; sensitive: string }>({
    name: 'device_keys',
    text: `
      SELECT scope, key_id AS "keyId", data_key AS data, sensitive_key AS sensitive
      FROM device_key WHERE device_id = $1 AND scope = ANY ($2)`,
    values: [deviceId, scopes.map(({ scope }) => scope)],
  })
  const stored = new Map(rows.map((row) => [row.scope, row]))
  return scopes.flatMap(({ scope, sensitive }) => {
    const keys = stored.get(scope)
    return keys === undefined ? [] : [{ ...keys, sensitive: sensitive ? keys.sensitive : null }]
  })
}

/** Callers that ask for the same device's keys take turns, for the length of a transaction. */
export async function lockDeviceKeys(transaction: Queryable, deviceId: string): Promise<void> {
  await transaction.query('SELECT FROM device WHERE id = $1 FOR NO KEY UPDATE', [deviceId])
}

/**
 * Whether a user gets a device's keys of a scope. A user who sees all patients of the center does. A user who sees only
 * some of them does where nobody else has these keys. Otherwise they could open what a colleague keeps there.
 */
export async function mayHoldKeys(
  transaction: Queryable,
  deviceId: string,
  scope: Scope,
  member: Membership,
): Promise<boolean> {
  const text = scopeText(scope)
  if (scope.kind === 'center' && (await withheldKeys(transaction, deviceId, [text], member)).has(text)) return false
  await transaction.query({
    name: 'device_key_user_note',
    text: 'INSERT INTO device_key_user (device_id, scope, user_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    values: [deviceId, text, member.userId],
  })
  return true
}

/** The scopes of centers whose keys the member does not get on the device. */
export async function withheldKeys(
  transaction: Queryable,
  deviceId: string,
  scopes: readonly string[],
  member: Membership,
): Promise<ReadonlySet<string>> {
  if (seesAllPatients(member)) return new Set()
  const { rows } = await transaction.query<{ scope: string }>({
    name: 'device_key_others',
    text: 'SELECT DISTINCT scope FROM device_key_user WHERE device_id = $1 AND scope = ANY ($2) AND user_id <> $3',
    values: [deviceId, scopes, member.userId],
  })
  return new Set(rows.map(({ scope }) => scope))
}

/**
 * A device's keys of a scope. They are derived from the root secret. So a server that was restored from a backup of
 * before the device's first contact hands out the very same keys again, and the sealed data on the device can still be
 * opened.
 */
function newKeys({ root }: Pick<ServerSecrets, 'root'>, deviceId: string, scope: string) {
  const derive = (what: string): Buffer => createHmac('sha256', root).update(`${what}|${deviceId}|${scope}`).digest()
  return {
    scope,
    key_id: customId(derive('device key id')),
    data_key: derive('device key').toString('base64url'),
    sensitive_key: derive('sensitive device key').toString('base64url'),
  }
}

/** A UUID of version 8 (RFC 9562: custom bits) from the first 16 bytes. */
function customId(bytes: Buffer): string {
  const id = Uint8Array.from(bytes.subarray(0, 16))
  id[6] = ((id[6] ?? 0) & 0x0f) | 0x80
  id[8] = ((id[8] ?? 0) & 0x3f) | 0x80
  return stringify(id)
}
