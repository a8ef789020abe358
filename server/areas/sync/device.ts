import { fail } from '#core/api/errors.ts'
import type { JsonValue } from '#core/json.ts'
import type { DeviceReport } from '#core/sync/push.ts'
import { commitSystem } from '#server/database/commit.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Stamp } from '#server/database/commit.ts'
import type { Acted, Actor } from '#server/http/handler.ts'

/** Devices: known by an id that they made themselves. */

export interface DeviceFacts {
  readonly deviceId: string
  readonly name: string
  readonly userAgent: string
  readonly appVersion: string
  readonly persisted: boolean
}

/** Makes a device known, or notes what it says of itself. Gives whether it is blocked. */
export async function registerDevice(transaction: Queryable, facts: DeviceFacts, actor: Actor, stamp: Stamp): Promise<boolean> {
  const { rows } = await transaction.query<{ blocked: boolean; made: boolean }>({
    name: 'device_register',
    text: `
      INSERT INTO device (id, name, user_agent, app_version, persisted, last_user_id, last_contact_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (id) DO UPDATE SET
        name = excluded.name, user_agent = excluded.user_agent, app_version = excluded.app_version, persisted = excluded.persisted,
        last_user_id = excluded.last_user_id, last_contact_at = excluded.last_contact_at
      RETURNING blocked, xmax = 0 AS made`,
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
  if (device.made) {
    await commitSystem(transaction, stamp, [
      { action: 'device.register', new: { deviceId: facts.deviceId, name: facts.name, userAgent: facts.userAgent } },
    ])
  }
  return device.blocked
}

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

/** @throws ApiFailure not_found for a device that never made itself known, device_blocked */
export async function requireDevice(transaction: Queryable, deviceId: string): Promise<void> {
  const state = await deviceState(transaction, deviceId)
  if (state === 'unknown') throw fail('not_found')
  if (state === 'blocked') throw fail('device_blocked')
}

/** Keeps the device's last word on what it has not sent, and on its clock. */
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
      UPDATE device SET report = $2, clock_drift_ms = $3, app_version = $4, last_user_id = $5, last_contact_at = $6 WHERE id = $1`,
    values: [deviceId, JSON.stringify(report satisfies JsonValue), report.clockDriftMs, report.appVersion, userId, at],
  })
}

/** What the audit rows of a device's own calls share. */
export function deviceStamp(actor: Actor, acted: Acted, call: string, ip: string, now: string, role: string | null): Stamp {
  return {
    userId: actor.userId,
    userName: actor.realName,
    role,
    carriedBy: null,
    deviceId: acted.deviceId,
    occurredAt: acted.at,
    occurredOffsetMinutes: acted.offsetMinutes,
    clockDriftMs: acted.driftMs,
    receivedAt: now,
    appVersion: acted.appVersion,
    ip,
    call,
    opKey: null,
  }
}
