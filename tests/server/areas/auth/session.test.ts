import { describe, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import { PASSWORD } from '#tests/server/support/app.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'

const server = serverForAllTests()

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('tokens', () => {
  it('are over after an hour, and renewed by the refresh token for seven days', async () => {
    await server.makeUser('hour')
    const person = await server.signIn('hour')
    server.pass(HOUR + MINUTE)
    expect((await person.call('auth.userInfo')).status).toBe(401)
    expect((await person.refresh()).status).toBe(200)
    expect((await person.call('auth.userInfo')).status).toBe(200)
    server.pass(7 * 24 * HOUR + MINUTE)
    const late = await person.refresh()
    expect(late.status).toBe(401)
    expect(late.json).toMatchObject({ error: 'invalid_grant', failure: { code: 'unauthenticated' } })
  })

  it('are renewed for a stock client by the token in the body', async () => {
    await server.makeUser('stock')
    const person = await server.signIn('stock', 'saber')
    expect((await person.refresh()).json).toMatchObject({ client_id: 'saber', token_type: 'bearer' })
  })

  it('are the same again when the answer to a refresh was lost', async () => {
    await server.makeUser('lost')
    const person = await server.signIn('lost')
    const old = person.refreshToken
    const first = await person.refresh(old)
    const again = await person.refresh(old)
    expect(again.status).toBe(200)
    expect((again.json as { access_token: string }).access_token).toBe(
      (first.json as { access_token: string }).access_token,
    )
  })

  it('are the same for twins that refresh at the same moment', async () => {
    await server.makeUser('twins')
    const person = await server.signIn('twins')
    const old = person.refreshToken
    const answers = await Promise.all([person.refresh(old), person.refresh(old), person.refresh(old)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ json }) => (json as { access_token: string }).access_token)).size).toBe(1)
  })

  it('all end when a spent refresh token comes back after its successor was used', async () => {
    const id = await server.makeUser('thief')
    const person = await server.signIn('thief')
    const stolen = person.refreshToken
    await person.refresh(stolen)
    const current = person.token
    expect((await person.call('auth.userInfo')).status).toBe(200)
    expect((await person.refresh(stolen)).status).toBe(401)
    person.token = current
    expect((await person.call('auth.userInfo')).status).toBe(401)
    const { rows } = await server.database.ownerPool.query(
      `SELECT FROM audit WHERE user_id = $1 AND action = 'user.token_reuse'`,
      [id],
    )
    expect(rows).toHaveLength(1)
  })

  it('all end when a spent refresh token comes back after a minute, used or not', async () => {
    await server.makeUser('late')
    const person = await server.signIn('late')
    const old = person.refreshToken
    await person.refresh(old)
    const current = person.refreshToken
    server.pass(2 * MINUTE)
    expect((await person.refresh(old)).status).toBe(401)
    expect((await person.refresh(current)).status).toBe(401)
  })

  it('belong to the client that got them', async () => {
    await server.makeUser('other')
    const stock = await server.signIn('other', 'saber')
    const own = server.visitor()
    expect((await own.refresh(stock.refreshToken)).status).toBe(401)
  })

  it('do not count when they come in a cookie', async () => {
    await server.makeUser('cookie')
    const person = await server.signIn('cookie')
    const token = person.token ?? ''
    person.token = null
    const answer = await person.call('auth.userInfo', { headers: { cookie: `edc-access-token=${token}` } })
    expect(answer).toMatchObject({ status: 401, code: 401, success: false, error: { code: 'unauthenticated' } })
  })

  it('are stored as hashes only', async () => {
    await server.makeUser('plain')
    const person = await server.signIn('plain')
    await person.refresh()
    const { rows } = await server.database.ownerPool.query('SELECT * FROM session')
    const stored = JSON.stringify(rows)
    expect(stored).not.toContain(person.token)
    expect(stored).not.toContain(person.refreshToken)
  })

  it('end with signing out', async () => {
    await server.makeUser('leaving')
    const person = await server.signIn('leaving')
    const answer = await person.call('auth.logout')
    expect(answer.json).toEqual({ success: true, msg: '退出成功' })
    expect(String(answer.headers['set-cookie'])).toContain('Max-Age=0')
    expect((await person.call('auth.userInfo')).status).toBe(401)
    expect((await person.refresh()).status).toBe(401)
  })
})

describe('the password', () => {
  it('of a first sign-in must be changed before anything else', async () => {
    await server.makeUser('fresh', { mustChange: true, isAdmin: true })
    const person = await server.signIn('fresh')
    expect(await person.call('project.list')).toMatchObject({
      status: 403,
      error: { code: 'password_change_required' },
    })
    expect((await person.call('auth.userInfo')).status).toBe(200)
    await person.get('auth.changePassword', { body: { oldPassword: PASSWORD, newPassword: 'Another-Horse-8' } })
    expect((await person.call('project.list')).status).toBe(200)
  })

  it('is refused when it is short, the account itself, or the old one', async () => {
    await server.makeUser('somebody')
    const person = await server.signIn('somebody')
    const change = async (newPassword: string): Promise<unknown> =>
      (await person.call('auth.changePassword', { body: { oldPassword: PASSWORD, newPassword } })).error?.fields?.[0]
    expect(await change('short')).toMatchObject({ path: 'newPassword', code: 'too_short' })
    expect(await change('SomeBody-2026')).toMatchObject({ code: 'same_as_account' })
    expect(await change('Password12345')).toMatchObject({ code: 'common_password' })
    expect(await change(PASSWORD)).toMatchObject({ code: 'unchanged' })
  })

  it('ends the other sessions when it is changed, and not this one', async () => {
    await server.makeUser('twice')
    const here = await server.signIn('twice')
    const there = await server.signIn('twice')
    await here.get('auth.changePassword', { body: { oldPassword: PASSWORD, newPassword: 'Another-Horse-8' } })
    expect((await here.call('auth.userInfo')).status).toBe(200)
    expect((await there.call('auth.userInfo')).status).toBe(401)
  })

  it('is not changed without the old one, whose failures count', async () => {
    await server.makeUser('guess')
    const person = await server.signIn('guess')
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const answer = await person.call('auth.changePassword', {
        body: { oldPassword: 'wrong', newPassword: 'Another-Horse-8' },
      })
      expect(answer.error?.code).toBe('invalid_credentials')
    }
    const locked = await person.call('auth.changePassword', {
      body: { oldPassword: PASSWORD, newPassword: 'Another-Horse-8' },
    })
    expect(locked.error?.code).toBe('account_locked')
  })

  it('is changed once when the call is repeated, and is nowhere in the database', async () => {
    await server.makeUser('repeat')
    const person = await server.signIn('repeat')
    const key = newId()
    const body = { oldPassword: PASSWORD, newPassword: 'Planted-Password-9' }
    await person.get('auth.changePassword', { body, key })
    await person.get('auth.changePassword', { body, key })
    const other = await person.call('auth.changePassword', {
      body: { ...body, newPassword: 'Planted-Password-0' },
      key,
    })
    expect(other).toMatchObject({ status: 409, error: { code: 'key_reused' } })
    const { rows } = await server.database.ownerPool.query('SELECT body, payload_hash, result FROM operation')
    expect(JSON.stringify(rows)).not.toContain('Planted-Password')
    expect(server.log.join('')).not.toContain('Planted-Password')
  })
})
