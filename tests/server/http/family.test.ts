import { beforeAll, describe, expect, it } from 'vitest'
import { answerHash } from '#server/areas/auth/captcha.ts'
import { PASSWORD } from '#tests/server/support/app.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'

/**
 * A stock front end of the BladeX/Saber family, as it talks: parameters in the address, its own client, bearer in
 * `Blade-Auth`, no idempotency keys. It decides on `code` of the body, or on the status where there is none.
 */

const server = serverForAllTests()
beforeAll(async () => {
  await server.makeUser('boss', { isAdmin: true })
})

const CLIENT = `Basic ${Buffer.from('saber:saber_secret').toString('base64')}`

interface Reply {
  readonly status: number
  readonly body: Record<string, unknown>
}

async function ask(method: 'GET' | 'POST', path: string, more: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const response = await server.app.inject({
    method,
    url: `/api${path}`,
    headers: {
      Authorization: CLIENT,
      'Tenant-Id': '000000',
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...more,
    },
  })
  expect(response.headers['content-type']).toContain('application/json')
  return { status: response.statusCode, body: response.json() }
}

/** A captcha whose answer is known, as if somebody had read the picture. */
async function solvedCaptcha(): Promise<Record<string, string>> {
  const { body } = await ask('GET', '/blade-auth/oauth/captcha')
  expect(body).toEqual({ key: expect.any(String) as string, image: expect.stringMatching(/^data:image\//) as string })
  const key = String(body['key'])
  await server.database.ownerPool.query('UPDATE captcha SET answer_hash = $2 WHERE key = $1', [
    key,
    answerHash(key, 'AB3DE'),
  ])
  return { 'Captcha-Key': key, 'Captcha-Code': 'ab3de' }
}

function tokenPath(parameters: Readonly<Record<string, string>>): string {
  return `/blade-auth/oauth/token?${new URLSearchParams({ tenantId: '000000', scope: 'all', type: 'account', ...parameters }).toString()}`
}

async function signIn(): Promise<Record<string, unknown>> {
  const { status, body } = await ask(
    'POST',
    tokenPath({ username: 'boss', password: PASSWORD, grant_type: 'captcha' }),
    await solvedCaptcha(),
  )
  expect(status).toBe(200)
  return body
}

describe('a stock front end', () => {
  it('signs in by captcha and gets a raw OAuth2 answer', async () => {
    const body = await signIn()
    expect(body).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      tenant_id: '000000',
      account: 'boss',
      role_name: 'administrator',
      client_id: 'saber',
    })
    expect(body['refresh_token']).not.toBe('')
    expect(body).not.toHaveProperty('code')
  })

  it('is told in OAuth2’s words why it may not', async () => {
    const { status, body } = await ask(
      'POST',
      tokenPath({ username: 'boss', password: 'wrong', grant_type: 'captcha' }),
      await solvedCaptcha(),
    )
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error: 'invalid_grant',
      error_code: 400,
      error_description: expect.any(String) as string,
    })
  })

  it('goes through its start: tenant, user, menus, buttons, a dictionary', async () => {
    expect(await ask('GET', '/blade-system/tenant/info?domain=http://localhost')).toMatchObject({
      body: { code: 200, success: true, data: {} },
    })
    const token = { 'Blade-Auth': `bearer ${String((await signIn())['access_token'])}` }
    const info = await ask('GET', '/blade-auth/oauth/user-info', token)
    expect(info.body).toMatchObject({ code: 200, success: true, data: { roles: ['administrator'] } })
    for (const path of ['/blade-system/menu/top-menu', '/blade-system/menu/routes?topMenuId=']) {
      expect((await ask('GET', path, token)).body).toMatchObject({ code: 200, data: expect.any(Array) as unknown[] })
    }
    const buttons = (await ask('GET', '/blade-system/menu/buttons', token)).body['data'] as {
      children: Record<string, unknown>[]
    }[]
    const leaves = buttons.flatMap(({ children }) => children)
    expect(leaves.length).toBeGreaterThan(0)
    expect(leaves.filter((leaf) => 'children' in leaf)).toEqual([])
    const entries = (await ask('GET', '/blade-system/dict/dictionary?code=ProjectMemRoleEnum', token)).body['data']
    expect(entries).toContainEqual(
      expect.objectContaining({ code: 'ProjectMemRoleEnum', dictKey: 'CRC', dictValue: '临床研究协调员（CRC）' }),
    )
  })

  it('renews its token by the one in its hands, and is sent to its sign-in when it signed out', async () => {
    const first = await signIn()
    const renewed = await ask(
      'POST',
      tokenPath({ grant_type: 'refresh_token', refresh_token: String(first['refresh_token']) }),
    )
    expect(renewed).toMatchObject({ status: 200, body: { account: 'boss' } })
    const token = { 'Blade-Auth': `bearer ${String(renewed.body['access_token'])}` }
    expect((await ask('GET', '/blade-auth/oauth/logout', token)).body).toEqual({
      success: true,
      msg: expect.any(String) as string,
    })
    expect(await ask('GET', '/blade-auth/oauth/user-info', token)).toMatchObject({
      status: 401,
      body: { code: 401, success: false, data: null },
    })
  })

  it('gets JSON for what is not there, and 501 for what is not served yet', async () => {
    expect(await ask('GET', '/blade-nothing/here')).toMatchObject({
      status: 404,
      body: { code: 404, success: false, msg: expect.any(String) as string },
    })
    const token = { 'Blade-Auth': `bearer ${String((await signIn())['access_token'])}` }
    expect(await ask('GET', '/blade-log/usual/list?current=1&size=10', token)).toMatchObject({
      status: 200,
      body: { code: 501, success: false },
    })
  })
})
