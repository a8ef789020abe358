import { describe, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import { inspectFile } from '#core/files/inspect.ts'
import { drawCaptcha } from '#server/areas/auth/captchaPicture.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'
import { solveCaptchaWork } from '#tests/server/support/captcha.ts'
import { answerHash } from '#server/areas/auth/captcha.ts'
import { PASSWORD } from '#tests/server/support/app.ts'

const server = serverForAllTests()

/** A captcha whose answer the test knows. */
async function captcha(answer: string): Promise<{ key: string; code: string }> {
  const key = newId()
  const expires = new Date(Date.parse(server.services.now()) + 60_000).toISOString()
  await server.database.pool.query('INSERT INTO captcha (key, answer_hash, expires_at) VALUES ($1, $2, $3)', [
    key,
    answerHash(key, answer),
    expires,
  ])
  return { key, code: answer }
}

async function systemActions(userId: string): Promise<readonly string[]> {
  const { rows } = await server.database.ownerPool.query<{ action: string }>(
    'SELECT action FROM audit WHERE project_id IS NULL AND user_id = $1 ORDER BY seq, ord',
    [userId],
  )
  return rows.map(({ action }) => action)
}

describe('signing in', () => {
  it('gives a token that opens the other calls, and books it', async () => {
    const id = await server.makeUser('wang')
    const wang = server.visitor()
    const answer = await wang.enter(' WANG ', PASSWORD)
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      user_id: id,
      account: 'wang',
      role_name: 'user',
      must_change_password: false,
    })
    expect(await wang.get('auth.userInfo')).toMatchObject({
      userId: id,
      account: 'wang',
      roles: ['user'],
      isAdmin: false,
    })
    expect(await systemActions(id)).toEqual(['user.login'])
  })

  it('keeps the refresh token of our own client in a cookie that no script reads and that goes nowhere else', async () => {
    await server.makeUser('li')
    const answer = await server.visitor().enter('li', PASSWORD)
    expect(answer.json).toMatchObject({ refresh_token: '' })
    const cookie = String(answer.headers['set-cookie'])
    expect(cookie).toMatch(/^edc-refresh-token=/)
    for (const flag of ['HttpOnly', 'SameSite=Strict', 'Path=/api/blade-auth', 'Max-Age=604800'])
      expect(cookie).toContain(flag)
    expect(cookie).not.toContain('Secure')
  })

  it('gives a stock client the refresh token in the body, and takes its parameters from the address', async () => {
    await server.makeUser('zhao')
    const stock = server.visitor('saber')
    const answer = await stock.call('auth.token', {
      query: {
        tenantId: '000000',
        username: 'zhao',
        password: PASSWORD,
        grant_type: 'password',
        scope: 'all',
        type: 'account',
      },
    })
    expect(answer.status).toBe(200)
    expect((answer.json as { refresh_token: string }).refresh_token.length).toBeGreaterThan(20)
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  it('refuses a password in the address from our own client', async () => {
    const answer = await server
      .visitor()
      .call('auth.token', { query: { username: 'zhao', password: PASSWORD, grant_type: 'password' } })
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ error: 'invalid_request', failure: { code: 'invalid' } })
    expect(server.log.join('')).not.toContain(PASSWORD)
  })

  it('says the same of a wrong password and of an account that does not exist, as OAuth2 does', async () => {
    const id = await server.makeUser('sun')
    const wrong = await server.visitor().enter('sun', 'nonsense')
    const unknown = await server.visitor().enter('nobody-of-that-name', 'nonsense')
    expect(wrong.status).toBe(400)
    expect(wrong.json).toEqual(unknown.json)
    expect(wrong.json).toMatchObject({ error: 'invalid_grant', error_code: 400, error_description: '账号或密码不正确' })
    expect(await systemActions(id)).toEqual(['user.login_failed'])
  })

  it('answers in English where English is asked for', async () => {
    const answer = await server.visitor().call('auth.token', {
      body: { grant_type: 'password', username: 'x', password: 'y' },
      headers: { 'Accept-Language': 'en-GB,en;q=0.9,zh;q=0.5' },
    })
    expect(answer.json).toMatchObject({ error_description: 'Incorrect account or password' })
  })

  it('takes forms as well as JSON', async () => {
    await server.makeUser('wu')
    const visitor = server.visitor()
    const response = await server.app.inject({
      method: 'POST',
      url: '/api/blade-auth/oauth/token',
      headers: { ...visitor.headers(), 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ grant_type: 'password', username: 'wu', password: PASSWORD }).toString(),
    })
    expect(response.statusCode).toBe(200)
  })

  it('does not let a disabled account in, and shuts out who is in', async () => {
    const id = await server.makeUser('qian')
    const qian = await server.signIn('qian')
    await server.database.pool.query(`UPDATE app_user SET status = 'disabled' WHERE id = $1`, [id])
    expect((await qian.call('auth.userInfo')).status).toBe(401)
    expect((await server.visitor().enter('qian', PASSWORD)).json).toMatchObject({
      failure: { code: 'account_disabled' },
    })
    expect((await server.visitor().enter('qian', 'wrong')).json).toMatchObject({
      failure: { code: 'invalid_credentials' },
    })
  })
})

describe('failed passwords', () => {
  it('ask for a captcha after three, and after five let the next wait, each time longer, with the time to wait', async () => {
    await server.makeUser('zhou')
    const visitor = server.visitor()
    for (let attempt = 0; attempt < 3; attempt += 1) await visitor.enter('zhou', 'wrong')
    expect((await visitor.enter('zhou', PASSWORD)).json).toMatchObject({
      error_description: '验证码不正确',
      failure: { code: 'captcha_wrong' },
    })
    for (let attempt = 0; attempt < 2; attempt += 1) await visitor.enter('zhou', 'wrong', await captcha('abcde'))
    const locked = await visitor.enter('zhou', PASSWORD, await captcha('abcde'))
    expect(locked.json).toMatchObject({
      error_description: '用户登录失败次数过多，请稍后再试',
      failure: { code: 'account_locked', retryAfterSeconds: 30 },
    })
    server.pass(31_000)
    await visitor.enter('zhou', 'wrong', await captcha('abcde'))
    expect((await visitor.enter('zhou', PASSWORD, await captcha('abcde'))).json).toMatchObject({
      failure: { code: 'account_locked', retryAfterSeconds: 60 },
    })
    server.pass(61_000)
    expect((await visitor.enter('zhou', PASSWORD, await captcha('abcde'))).status).toBe(200)
  })

  it('of a stranger keep the owner out neither on their own tablet nor at what they have to sign', async () => {
    await server.makeUser('victim')
    const owner = server.visitor()
    owner.deviceId = newId()
    await owner.enter('victim', PASSWORD)
    await owner.get('sync.device', {
      body: { deviceId: owner.deviceId, name: '平板', userAgent: 'Chromium', appVersion: '1', persisted: true },
    })
    const stranger = server.visitor()
    // Who only knows the tablet's id has not its cookie.
    stranger.deviceId = owner.deviceId
    for (let attempt = 0; attempt < 6; attempt += 1) await stranger.enter('victim', 'wrong', await captcha('abcde'))
    expect((await stranger.enter('victim', PASSWORD, await captcha('abcde'))).json).toMatchObject({
      failure: { code: 'account_locked' },
    })
    expect(
      (await owner.call('auth.changePassword', { body: { oldPassword: PASSWORD, newPassword: 'Another-Horse-8' } }))
        .success,
    ).toBe(true)
    expect((await owner.enter('victim', 'Another-Horse-8')).status).toBe(200)
    server.pass(3 * 3_600_000)
  })

  it('cannot be outrun by trying many at once', async () => {
    await server.makeUser('zheng')
    const answers = await Promise.all(
      Array.from({ length: 12 }, async () => server.visitor('saber').enter('zheng', 'wrong')),
    )
    const tried = answers.filter(
      ({ json }) => (json as { failure: { code: string } }).failure.code === 'invalid_credentials',
    )
    expect(tried.length).toBeLessThanOrEqual(5)
    server.pass(31 * 60_000)
  })

  it('are forgotten after a success', async () => {
    await server.makeUser('feng')
    const visitor = server.visitor()
    for (let round = 0; round < 3; round += 1) {
      for (let attempt = 0; attempt < 2; attempt += 1) await visitor.enter('feng', 'wrong')
      expect((await visitor.enter('feng', PASSWORD)).status).toBe(200)
    }
  })
})

describe('the captcha', () => {
  it('is a picture of 130 × 48, in double fineness, with its key', async () => {
    const { json } = await server.visitor().call('auth.captcha')
    const { image } = json as { image: string }
    // Points, and no outlines that would tell a letter by themselves.
    expect(image.startsWith('data:image/png;base64,')).toBe(true)
    const picture = Buffer.from(image.split(',')[1] ?? '', 'base64')
    expect(inspectFile('captcha.png', picture)).toMatchObject({ ok: true, size: { width: 260, height: 96 } })
    expect(drawCaptcha('same5')).not.toEqual(drawCaptcha('same5'))
  })

  it('is a sum for the device where nobody can read it, which counts once', async () => {
    await server.makeUser('blind')
    const { key, workBits } = (await server.visitor().call('auth.captcha', { query: { way: 'work' } })).json as {
      key: string
      workBits: number
    }
    const code = solveCaptchaWork(key, workBits)
    const enter = (by: string): Promise<{ status: number; json: unknown }> =>
      server.visitor().call('auth.token', {
        body: { grant_type: 'captcha', username: 'blind', password: PASSWORD },
        headers: { 'Captcha-Key': key, 'Captcha-Code': by },
      })
    expect((await enter(code)).status).toBe(200)
    expect((await enter(code)).json).toMatchObject({ failure: { code: 'captcha_wrong' } })
    const another = (await server.visitor().call('auth.captcha', { query: { way: 'work' } })).json as { key: string }
    const guessed = await server.visitor().call('auth.token', {
      body: { grant_type: 'captcha', username: 'blind', password: PASSWORD },
      headers: { 'Captcha-Key': another.key, 'Captcha-Code': '1' },
    })
    expect(guessed.json).toMatchObject({ failure: { code: 'captcha_wrong' } })
  })

  it('is asked for where the client chose it, counts without regard to case, and only once', async () => {
    await server.makeUser('chen')
    const given = await captcha('Ab3De')
    const enter = (): Promise<{ status: number; json: unknown }> =>
      server.visitor().call('auth.token', {
        body: { grant_type: 'captcha', username: 'chen', password: PASSWORD },
        headers: { 'Captcha-Key': given.key, 'Captcha-Code': 'aB3dE' },
      })
    expect((await enter()).status).toBe(200)
    expect((await enter()).json).toMatchObject({ failure: { code: 'captcha_wrong' } })
  })

  it('is over after half an hour', async () => {
    const given = await captcha('abcde')
    server.pass(31 * 60_000)
    const answer = await server.visitor().call('auth.token', {
      body: { grant_type: 'captcha', username: 'chen', password: PASSWORD },
      headers: { 'Captcha-Key': given.key, 'Captcha-Code': given.code },
    })
    expect(answer.json).toMatchObject({ failure: { code: 'captcha_wrong' } })
  })
})

describe('a front end of the family', () => {
  it('finds its tenant, menus and buttons in the shapes that it can read', async () => {
    await server.makeUser('boss', { isAdmin: true })
    await server.makeUser('staff')
    const boss = await server.signIn('boss', 'saber')
    expect(
      (await server.visitor('saber').call('auth.tenantInfo', { query: { domain: 'http://localhost' } })).json,
    ).toMatchObject({ code: 200, success: true, data: {} })
    expect(await boss.get('menu.topMenu')).toEqual([])
    expect(await boss.get('menu.routes')).toEqual([])
    const [menu] = await boss.get<{ children: Record<string, unknown>[] }[]>('auth.buttons')
    expect(menu?.children.map(({ code }) => code)).toContain('project_add')
    // A leaf with an empty list of children is lost to these clients.
    expect(menu?.children.every((leaf) => !('children' in leaf))).toBe(true)
    expect(await (await server.signIn('staff', 'saber')).get('auth.buttons')).toEqual([])
  })
})
