import { createHmac, timingSafeEqual } from 'node:crypto'
import { fail } from '#core/api/errors.ts'
import type { ApiFailure } from '#core/api/errors.ts'
import type { DeviceReport } from '#core/api/sync/push.ts'
import { commitSystem } from '#server/database/commit.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Stamp } from '#server/database/auditDigest.ts'
import type { Acted, Actor } from '#server/http/handler.ts'
import type { ServerSecrets } from '#server/services.ts'
import { stampOf } from '#server/http/runOnce.ts'

/** Devices: each is known by an id that it made itself. */

export interface DeviceFacts {
  readonly deviceId: string
  readonly name: string
  readonly userAgent: string
  readonly appVersion: string
  readonly persisted: boolean
  /** Whether the device found its storage gone, in which it had kept its work. */
  readonly storageLost?: boolean | undefined
}

/**
 * Makes a device known, or stores its own facts. `isItself` tells whether the device itself speaks. Facts from
 * somebody who only knows its id are not stored.
 *
 * @returns whether the device is blocked. Where it reports that its storage is gone, also how much it had not sent by
 *   its last report (operations, and pages with typing in no operation); null where it never reported
 */
export async function registerDevice(
  transaction: Queryable,
  facts: DeviceFacts,
  actor: Actor,
  stamp: Stamp,
  isItself: boolean,
): Promise<{ readonly blocked: boolean; readonly lostUnsent: number | null }> {
  if (!isItself) return { blocked: (await deviceState(transaction, facts.deviceId)) === 'blocked', lostUnsent: null }
  const { rows } = await transaction.query<{ blocked: boolean; made: boolean; unsent: number | null }>({
    name: 'device_register',
    text: `
      INSERT INTO device (id, name, user_agent, app_version, persisted, last_user_id, last_contact_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (id) DO UPDATE SET
        name = excluded.name, user_agent = excluded.user_agent, app_version = excluded.app_version, persisted = excluded.persisted,
        last_user_id = excluded.last_user_id, last_contact_at = excluded.last_contact_at
      RETURNING blocked, xmax = 0 AS made, ${LAST_WORD} AS unsent`,
    values: [
      facts.deviceId,
      facts.name,
      facts.userAgent,
      facts.appVersion,
      facts.persisted,
      actor.userId,
      stamp.receivedAt,
    ],
  })
  const [device] = rows
  if (device === undefined) throw fail('internal')
  await transaction.query({
    name: 'device_user_note',
    text: 'INSERT INTO device_user (device_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    values: [facts.deviceId, actor.userId],
  })
  const lost = facts.storageLost === true && !device.made
  if (lost) {
    await transaction.query({
      name: 'device_lost',
      text: 'UPDATE device SET storage_lost_at = now(), lost_unsent = $2 WHERE id = $1',
      values: [facts.deviceId, device.unsent],
    })
  }
  if (device.made || lost) {
    await commitSystem(transaction, stamp, [
      device.made
        ? { action: 'device.register', new: { deviceId: facts.deviceId, name: facts.name, userAgent: facts.userAgent } }
        : { action: 'device.storage_lost', new: { deviceId: facts.deviceId, lostUnsent: device.unsent } },
    ])
  }
  return { blocked: device.blocked, lostUnsent: lost ? device.unsent : null }
}

/**
 * A figure of a device's report as a column can hold it. So any report can be shown, and the device can send the next
 * one.
 */
export const boundFigure = (figure: string): string => `least(coalesce(${figure}, 0), 2147483647)::integer`

/** The unsent work in a device's last report, of all projects together; null where it never reported. */
const LAST_WORD = `
  CASE WHEN report IS NULL THEN NULL ELSE ${boundFigure(`(
    SELECT coalesce(sum((u->>'count')::numeric), 0) FROM jsonb_array_elements(report->'unsent') AS u
  ) + coalesce((report->>'drafts')::numeric, 0)`)} END`

/** Whether the device is known, and whether an administrator has blocked it. */
export async function deviceState(transaction: Queryable, deviceId: string): Promise<'unknown' | 'active' | 'blocked'> {
  const { rows } = await transaction.query<{ blocked: boolean }>({
    name: 'device_state',
    text: 'SELECT blocked FROM device WHERE id = $1',
    values: [deviceId],
  })
  const [device] = rows
  if (device === undefined) return 'unknown'
  return device.blocked ? 'blocked' : 'active'
}

/**
 * The device has to make itself known, as it does with every sign-in. The error says nothing about the device's work.
 * A server that was restored from a backup of before it knew the device must neither refuse the device's work nor
 * take its scopes away.
 */
export function unknownDevice(): ApiFailure {
  return fail('client_unknown')
}

/**
 * Only sessions that were begun on a device may use its reports, keys, numbers and data. Somebody who only knows its
 * id cannot act in its name.
 *
 * @throws ApiFailure forbidden for a session on another device; client_unknown for a session on none, which has to
 *   name its device first (`sync.device`)
 */
export function requireOwnDevice({ deviceId: own }: Pick<Actor, 'deviceId'>, deviceId: string): void {
  if (own === null) throw unknownDevice()
  if (own !== deviceId) throw fail('forbidden')
}

/** @throws ApiFailure client_unknown for a device that never made itself known, device_blocked */
export async function requireDevice(transaction: Queryable, deviceId: string): Promise<void> {
  const state = await deviceState(transaction, deviceId)
  if (state === 'unknown') throw unknownDevice()
  if (state === 'blocked') throw fail('device_blocked')
}

/** Stores the device's last report on its unsent work and its clock. */
export async function noteReport(
  transaction: Queryable,
  deviceId: string,
  report: DeviceReport,
  userId: string,
  at: string,
): Promise<void> {
  await transaction.query({
    name: 'device_report',
    text: `
      UPDATE device SET
        report = $2, clock_drift_ms = $3, app_version = $4, last_user_id = $5, last_contact_at = $6, persisted = coalesce($7, persisted)
      WHERE id = $1`,
    values: [
      deviceId,
      JSON.stringify(report),
      report.clockDriftMs,
      report.appVersion,
      userId,
      at,
      report.storage?.persisted ?? null,
    ],
  })
}

/** The proof by which a browser shows that it is the device that it names. */
export function deviceProof({ root }: Pick<ServerSecrets, 'root'>, deviceId: string): string {
  return createHmac('sha256', root).update(`device|${deviceId}`).digest('base64url')
}

/** Whether a browser showed the device's own proof. */
export function isDeviceProof(secrets: Pick<ServerSecrets, 'root'>, deviceId: string, shown: string | null): boolean {
  const [expected, given] = [Buffer.from(deviceProof(secrets, deviceId)), Buffer.from(shown ?? '')]
  return expected.length === given.length && timingSafeEqual(expected, given)
}

/** Whether somebody has used a device before, or is the first user of a device that nobody has used yet. */
export async function isDeviceUser(
  transaction: Queryable,
  deviceId: string,
  userId: string,
  first: 'first counts' | 'first does not',
): Promise<boolean> {
  const { rows } = await transaction.query<{ used: boolean; unused: boolean }>({
    name: 'device_user_known',
    text: `
      SELECT EXISTS (SELECT FROM device_user WHERE device_id = $1 AND user_id = $2) AS used,
        NOT EXISTS (SELECT FROM device_user WHERE device_id = $1) AS unused`,
    values: [deviceId, userId],
  })
  const [found] = rows
  return found?.used === true || (first === 'first counts' && found?.unused === true)
}

/** What the audit rows of a device's own calls share. */
export function deviceStamp(
  actor: Actor,
  acted: Acted,
  call: string,
  ip: string,
  now: string,
  role: string | null,
): Stamp {
  return stampOf({ actor, acted, ip, call, key: null, receivedAt: now }, role)
}
