import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import { PASSWORD } from '#tests/server/support/app.ts'
import type { Client } from '#tests/server/support/app.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'

/**
 * Sessions that somebody else ends: an administrator, or the block of a stolen device. Whoever is at the open page is
 * told why.
 */

const server = serverForAllTests()
let admin: Client
let adminId: string
beforeAll(async () => {
  adminId = await server.makeUser('boss', { isAdmin: true })
  admin = await server.signIn('boss')
})

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

async function person(
  account: string,
  deviceId: string | null = null,
): Promise<{ readonly id: string; readonly client: Client }> {
  const id = await server.makeUser(account)
  const client = server.visitor()
  client.deviceId = deviceId
  await client.enter(account, PASSWORD)
  return { id, client }
}

const why = async (client: Client): Promise<string | undefined> => (await client.call('project.list')).error?.code
const refreshed = async (client: Client): Promise<string | undefined> =>
  ((await client.refresh()).json as { failure?: { code: string } }).failure?.code

async function trailOf(
  userId: string,
): Promise<readonly { readonly action: string; readonly reason: string | null }[]> {
  const { rows } = await server.database.ownerPool.query<{ action: string; reason: string | null }>(
    `SELECT a.action, v.reason_text AS reason FROM audit a JOIN audit_value v ON v.audit_id = a.id
     WHERE a.project_id IS NULL AND v.new_value ->> 'userId' = $1 ORDER BY a.seq, a.ord`,
    [userId],
  )
  return rows
}

describe('an administrator', () => {
  it('disables an account: its sessions end with the reason, the right password tells it too, and it comes back when it is enabled', async () => {
    const { id, client } = await person('leaver')
    await admin.get('user.status', { body: { userId: id, status: 'disabled', reason: '离职' } })
    expect(await why(client)).toBe('account_disabled')
    expect(await refreshed(client)).toBe('account_disabled')
    expect((await server.visitor().enter('leaver', PASSWORD)).json).toMatchObject({
      failure: { code: 'account_disabled' },
    })
    expect((await server.visitor().enter('leaver', 'guessed')).json).toMatchObject({
      failure: { code: 'invalid_credentials' },
    })
    expect(await admin.get('user.list', { query: { account: 'leaver' } })).toMatchObject({
      total: 1,
      records: [{ id, status: 'disabled', sessions: 0 }],
    })
    await admin.get('user.status', { body: { userId: id, status: 'active', reason: '返聘' } })
    expect(await why(client)).toBe('account_disabled')
    expect((await server.visitor().enter('leaver', PASSWORD)).status).toBe(200)
    expect(await trailOf(id)).toEqual([
      { action: 'user.disable', reason: '离职' },
      { action: 'user.enable', reason: '返聘' },
    ])
  })

  it('ends the sessions of an account, and says how many sign-ins that were', async () => {
    const { id, client } = await person('lent')
    await client.refresh()
    await server.signIn('lent')
    expect(await admin.get('user.endSessions', { body: { userId: id, reason: '平板遗失' } })).toEqual({ ended: 2 })
    expect(await why(client)).toBe('session_revoked')
    expect(await refreshed(client)).toBe('session_revoked')
    expect((await server.visitor().enter('lent', PASSWORD)).status).toBe(200)
    expect(await trailOf(id)).toEqual([{ action: 'user.end_sessions', reason: '平板遗失' }])
  })

  it('resets a password: the old one and its sessions are over, the temporary one has to be changed first', async () => {
    const { id, client } = await person('forgot')
    const body = { userId: id, password: 'Temporary-Kiesel-3', reason: '忘记密码' }
    expect(
      (await admin.call('user.resetPassword', { body: { ...body, password: 'password123' } })).error,
    ).toMatchObject({ code: 'invalid', fields: [{ path: 'password', code: 'common_password' }] })
    await admin.get('user.resetPassword', { body })
    expect(await why(client)).toBe('password_changed')
    expect((await server.visitor().enter('forgot', PASSWORD)).json).toMatchObject({
      failure: { code: 'invalid_credentials' },
    })
    const fresh = server.visitor()
    expect((await fresh.enter('forgot', body.password)).json).toMatchObject({ must_change_password: true })
    expect(await why(fresh)).toBe('password_change_required')
    await fresh.get('auth.changePassword', { body: { oldPassword: body.password, newPassword: 'Another-Horse-8' } })
    expect(await why(fresh)).toBeUndefined()
    const { rows } = await server.database.ownerPool.query('SELECT body, result FROM operation')
    expect(JSON.stringify(rows)).not.toContain(body.password)
    expect(await trailOf(id)).toEqual([{ action: 'user.password_reset', reason: '忘记密码' }])
  })

  it('is the only one who may, and never shuts themselves out', async () => {
    const { id, client } = await person('plain')
    const shuttingOut = [
      ['user.status', { status: 'disabled' }],
      ['user.resetPassword', { password: 'Temporary-Kiesel-3' }],
    ] as const
    for (const [call, more] of [...shuttingOut, ['user.endSessions', {}] as const]) {
      expect((await client.call(call, { body: { userId: id, reason: '无', ...more } })).error?.code).toBe('forbidden')
      expect((await admin.call(call, { body: { userId: newId(), reason: '无', ...more } })).error?.code).toBe(
        'not_found',
      )
    }
    for (const [call, more] of shuttingOut)
      expect((await admin.call(call, { body: { userId: adminId, reason: '无', ...more } })).error?.code).toBe(
        'forbidden',
      )
    expect((await client.call('user.list')).error?.code).toBe('forbidden')
  })
})

it('whose password is changed elsewhere is told so here', async () => {
  const { client } = await person('elsewhere')
  const other = await server.signIn('elsewhere')
  await other.get('auth.changePassword', { body: { oldPassword: PASSWORD, newPassword: 'Another-Horse-8' } })
  expect(await why(client)).toBe('password_changed')
  expect(await refreshed(client)).toBe('password_changed')
})

describe('a sign-in', () => {
  it('ends after thirty days however often it is refreshed', async () => {
    const { client } = await person('forever')
    for (let day = 0; day < 29; day += 1) {
      server.pass(DAY)
      expect((await client.refresh()).status).toBe(200)
    }
    server.pass(DAY + MINUTE)
    expect(await refreshed(client)).toBe('unauthenticated')
    expect(await why(client)).toBe('unauthenticated')
  })
})

describe('a blocked device', () => {
  const about = (deviceId: string, name = '平板') => ({
    deviceId,
    name,
    userAgent: 'Chromium',
    appVersion: '1.0.0',
    persisted: true,
  })
  const block = (deviceId: string, blocked: boolean) =>
    server.database.pool.query('UPDATE device SET blocked = $2 WHERE id = $1', [deviceId, blocked])

  it('reads and writes nothing more, refreshes nothing, and gets no keys under another id; what it has not sent it may still bring', async () => {
    const deviceId = newId()
    const { client } = await person('stolen', deviceId)
    await client.get('sync.device', { body: about(deviceId) })
    await block(deviceId, true)
    expect(await why(client)).toBe('device_blocked')
    for (const call of [
      'patient.list',
      'entry.list',
      'audit.list',
      'sync.keys',
      'sync.pull',
      'entry.save',
      'user.list',
    ] as const) {
      expect(
        (
          await client.call(call, {
            params: { id: newId() },
            body: call === 'entry.save' || call === 'sync.keys' ? {} : undefined,
          })
        ).error?.code,
      ).toBe('device_blocked')
    }
    expect(await client.get('sync.device', { body: about(deviceId) })).toMatchObject({ blocked: true })
    expect((await client.call('sync.device', { body: about(newId()) })).error?.code).toBe('forbidden')
    const report = { unsent: [], clockDriftMs: null, appVersion: '1', sentAt: server.services.now() }
    expect((await client.call('sync.push', { body: { deviceId, report, ops: [] } })).status).toBe(200)
    expect(await refreshed(client)).toBe('device_blocked')
    await block(deviceId, false)
    expect((await client.refresh()).status).toBe(200)
  })

  it('is only itself: another’s session says nothing in its name and gets none of its keys', async () => {
    const deviceId = newId()
    const { client } = await person('owner', deviceId)
    await client.get('sync.device', { body: about(deviceId) })
    const { client: elsewhere } = await person('other', newId())
    for (const call of ['sync.device', 'sync.keys', 'sync.push'] as const) {
      const body =
        call === 'sync.device'
          ? about(deviceId, '改名')
          : call === 'sync.keys'
            ? { deviceId, scopes: [] }
            : {
                deviceId,
                report: { unsent: [], clockDriftMs: null, appVersion: '1', sentAt: server.services.now() },
                ops: [],
              }
      expect((await elsewhere.call(call, { body })).error?.code).toBe('forbidden')
    }
    // Whoever signs in under its id without being on it is heard, and changes nothing of it.
    const { client: forger } = await person('forger', deviceId)
    await forger.get('sync.device', { body: { ...about(deviceId, '改名'), storageLost: true } })
    await forger.call('sync.push', {
      body: {
        deviceId,
        report: {
          unsent: [{ scope: newId(), count: 9, oldest: null }],
          clockDriftMs: null,
          appVersion: '9',
          sentAt: server.services.now(),
        },
        ops: [],
      },
    })
    const { rows } = await server.database.pool.query(
      'SELECT name, storage_lost_at, report FROM device WHERE id = $1',
      [deviceId],
    )
    expect(rows).toEqual([{ name: '平板', storage_lost_at: null, report: null }])
    // A colleague on the very browser is one of its people from then on.
    const { client: colleague } = await person('colleague', deviceId)
    colleague.deviceCookie = client.deviceCookie
    await colleague.get('sync.device', { body: about(deviceId, '病区平板') })
    expect((await server.database.pool.query('SELECT name FROM device WHERE id = $1', [deviceId])).rows).toEqual([
      { name: '病区平板' },
    ])
  })
})
