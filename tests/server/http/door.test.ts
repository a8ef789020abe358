import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { calls } from '#core/api/table.ts'
import { newId } from '#core/ids.ts'
import { createTestServer, PASSWORD } from '#tests/server/support/app.ts'
import type { Client, TestServer } from '#tests/server/support/app.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'

const server = serverForAllTests()
let admin: Client
beforeAll(async () => {
  await server.makeUser('root', { isAdmin: true })
  await server.makeUser('person')
  admin = await server.signIn('root')
})

describe('who is let in', () => {
  it('is nobody without a known client program', async () => {
    const nameless = await server.app.inject({ url: '/api/blade-auth/oauth/captcha' })
    expect(nameless.statusCode).toBe(401)
    expect(nameless.json()).toMatchObject({
      code: 401,
      success: false,
      data: null,
      msg: '请求未授权',
      error: { code: 'client_unknown' },
    })
    const forged = Buffer.from('zhenglu:guess').toString('base64')
    const answer = await admin.call('project.list', { headers: { Authorization: `Basic ${forged}` } })
    expect(answer).toMatchObject({ status: 401, error: { code: 'client_unknown' } })
  })

  it('is nobody without a token, or with one that was made up', async () => {
    for (const headers of [
      {},
      { 'Blade-Auth': 'bearer AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
      { 'Blade-Auth': 'nonsense' },
    ]) {
      const answer = await server.visitor().call('project.list', { headers })
      expect(answer).toMatchObject({ status: 401, code: 401, success: false, error: { code: 'unauthenticated' } })
    }
  })

  it('is an administrator only where an administrator is asked for', async () => {
    const person = await server.signIn('person')
    const answer = await person.call('project.save', { body: { projectName: '研究' } })
    expect(answer).toMatchObject({ status: 403, code: 403, error: { code: 'forbidden' } })
  })
})

describe('every call', () => {
  it('that is not served yet answers 501 in an envelope with HTTP 200', async () => {
    const missing = calls.filter((call) => call.servedBy === null && call.answer !== 'blob')
    expect(missing.length).toBeGreaterThan(50)
    for (const call of missing) {
      const response = await server.app.inject({
        method: call.method,
        url: `/api${call.path.replaceAll(/:\w+/g, newId())}`,
        headers: admin.headers(),
      })
      expect([call.id, response.statusCode, response.json<{ code: number }>().code]).toEqual([call.id, 200, 501])
    }
  })

  it('is not found as JSON when there is none, and says so when only the method is wrong', async () => {
    const unknown = await server.app.inject({ url: '/api/edc/nothing' })
    expect(unknown.statusCode).toBe(404)
    expect(unknown.json()).toMatchObject({ code: 404, success: false })
    const method = await server.app.inject({ method: 'DELETE', url: '/api/edc/project/list' })
    expect(method.json()).toMatchObject({ code: 405, error: { code: 'method_not_allowed' } })
  })

  it('whose address is no address is refused in the same form as others', async () => {
    for (const [url, status] of [
      ['//', 404],
      ['/api/%zz', 400],
      ['/%zz', 400],
    ] as const) {
      const response = await server.app.inject({ url })
      expect([url, response.statusCode, response.json()]).toEqual([
        url,
        status,
        expect.objectContaining({ code: status, success: false }),
      ])
    }
    expect(server.log.join('')).not.toContain('request failed')
  })

  it('carries headers that keep other sites and caches out', async () => {
    const { headers } = await admin.call('project.list')
    expect(headers['content-security-policy']).toContain(`script-src 'self'`)
    expect(headers['content-security-policy']).not.toContain('unsafe-eval')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('what is sent', () => {
  it('names the fields that are wrong, and never what they held', async () => {
    const answer = await admin.call('project.save', { body: { projectName: ' ', projectScopeCode: 'Geheimnis' } })
    expect(answer).toMatchObject({ status: 400, code: 400, error: { code: 'invalid' } })
    expect(answer.error?.fields).toContainEqual(expect.objectContaining({ path: 'projectName', code: 'required' }))
    expect(answer.error?.fields).toContainEqual(expect.objectContaining({ path: 'projectScopeCode', code: 'value' }))
    expect(JSON.stringify(answer.json) + server.log.join('')).not.toContain('Geheimnis')
  })

  it('may hold no U+0000 and no lone surrogate, however deep, nor in the address', async () => {
    for (const projectName of ['a\u0000b', 'a\ud800b']) {
      const answer = await admin.call('project.save', { body: { projectName } })
      expect(answer).toMatchObject({
        status: 400,
        error: { code: 'invalid', fields: [{ path: 'projectName', code: 'text' }] },
      })
    }
    expect(await admin.call('project.list', { query: { projectName: 'a\u0000' } })).toMatchObject({
      status: 400,
      error: { code: 'invalid' },
    })
    const deep = JSON.parse(`${'['.repeat(80)}${']'.repeat(80)}`) as unknown
    expect(await admin.call('project.save', { body: { projectName: deep } })).toMatchObject({
      error: { fields: [{ code: 'too_deep' }] },
    })
  })

  it('must be JSON, of a known type, and not larger than is allowed', async () => {
    const post = async (payload: string | Buffer, more: Record<string, string> = {}): Promise<{ code: string }> => {
      const response = await server.app.inject({
        method: 'POST',
        url: '/api/edc/project/save',
        headers: { ...admin.headers(), 'content-type': 'application/json', 'idempotency-key': newId(), ...more },
        payload,
      })
      return response.json<{ error: { code: string } }>().error
    }
    expect(await post('{')).toMatchObject({ code: 'invalid' })
    expect(await post('{}', { 'content-type': 'text/xml' })).toMatchObject({ code: 'unsupported_media' })
    expect(await post(JSON.stringify({ projectName: 'x'.repeat(5_000_000) }))).toMatchObject({ code: 'too_large' })
    const bomb = gzipSync(JSON.stringify({ projectName: 'x'.repeat(50_000_000) }))
    expect(await post(bomb, { 'content-encoding': 'gzip' })).toMatchObject({ code: 'too_large' })
    expect(await post(Buffer.from('no gzip'), { 'content-encoding': 'gzip' })).toMatchObject({ code: 'invalid' })
    expect(await post('{"__proto__":{"isAdmin":true}}')).toMatchObject({ code: 'invalid' })
  })

  it('may be gzipped', async () => {
    const response = await server.app.inject({
      method: 'POST',
      url: '/api/edc/project/save',
      headers: {
        ...admin.headers(),
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'idempotency-key': newId(),
      },
      payload: gzipSync(JSON.stringify({ projectName: '压缩' })),
    })
    expect(response.json()).toMatchObject({ success: true, data: { projectName: '压缩' } })
  })

  it('of a push is 128 KB on the wire, or one operation', async () => {
    const report = { unsent: [], clockDriftMs: null, appVersion: '1', sentAt: new Date().toISOString() }
    const push = async (ops: number, bytes: number): Promise<{ code: string }> => {
      const texts = Array.from({ length: ops }, () => ({
        key: newId(),
        note: randomBytes(bytes / ops).toString('base64'),
      }))
      const response = await server.app.inject({
        method: 'POST',
        url: '/api/edc/sync/push',
        headers: { ...admin.headers(), 'content-type': 'application/json', 'content-encoding': 'gzip' },
        payload: gzipSync(JSON.stringify({ deviceId: newId(), report, ops: texts })),
      })
      return response.json<{ error: { code: string } }>().error
    }
    // A device that nobody knows: the envelope itself was let in.
    const letIn = await push(3, 90_000)
    expect(letIn.code).not.toBe('too_large')
    expect(await push(3, 140_000)).toMatchObject({ code: 'too_large' })
    expect(await push(1, 140_000)).toEqual(letIn)
    expect(await push(1, 2_200_000)).toMatchObject({ code: 'too_large' })
  })

  it('needs an idempotency key from our own client; a stock client is given one', async () => {
    const without = await admin.call('project.save', { body: { projectName: '研究' }, key: null })
    expect(without).toMatchObject({
      error: { code: 'invalid', fields: [{ path: 'Idempotency-Key', code: 'required' }] },
    })
    const stock = await server.signIn('root', 'saber')
    expect(await stock.call('project.save', { body: { projectName: '研究' }, key: null })).toMatchObject({
      success: true,
    })
    const forged = await stock.call('project.save', { body: { projectName: '研究' }, key: '1' })
    expect(forged).toMatchObject({ error: { code: 'invalid', fields: [{ code: 'id' }] } })
  })

  it('must speak a protocol that is still spoken', async () => {
    const answer = await admin.call('project.list', { headers: { 'X-Protocol': '0' } })
    expect(answer).toMatchObject({ status: 426, error: { code: 'client_too_old' } })
  })
})

describe('the log', () => {
  it('knows routes and no addresses, words or tokens', async () => {
    await admin.call('project.list', { query: { projectName: 'Musterfrau' } })
    const text = server.log.join('')
    expect(text).toContain('/api/edc/project/list')
    for (const secret of ['Musterfrau', admin.token ?? '', PASSWORD]) expect(text).not.toContain(secret)
  })
})

describe('limits', () => {
  it('hold at the sign-in, with the time to wait', async () => {
    const strict = await createTestServer({ limits: { all: 1000, signIn: 3 } })
    try {
      const visitor = strict.visitor()
      for (let attempt = 0; attempt < 3; attempt += 1) await visitor.call('auth.captcha')
      const answer = await visitor.call('auth.captcha')
      expect(answer).toMatchObject({ status: 429, code: 429, error: { code: 'rate_limited' } })
      expect(answer.error?.retryAfterSeconds).toBeGreaterThan(0)
    } finally {
      await strict.close()
    }
  })
})

describe('probes', () => {
  it('tell that the process lives, that it can serve, and what it did', async () => {
    expect((await server.app.inject({ url: '/healthz' })).json()).toEqual({ status: 'ok' })
    expect((await server.app.inject({ url: '/readyz' })).json()).toEqual({ status: 'ok' })
    const { body } = await server.app.inject({ url: '/metrics' })
    expect(body).toContain('http_requests_total{route="/healthz",method="GET",status="200"} 1')
    expect(body).toContain('database_connections{state="idle"}')
    expect(body).toContain('database_writes_return 1')
  })

  it('give figures to this machine and to whoever has the token, and to nobody else', async () => {
    const ask = async (at: TestServer, remoteAddress: string, headers: Record<string, string> = {}) =>
      (await at.app.inject({ url: '/metrics', remoteAddress, headers })).statusCode
    expect(await ask(server, '::ffff:127.0.0.1')).toBe(200)
    expect(await ask(server, '192.168.1.20')).toBe(403)
    expect(await ask(server, '192.168.1.20', { authorization: 'Bearer guessed' })).toBe(403)
    // A proxy on this machine that nobody has told us of.
    expect(await ask(server, '127.0.0.1', { 'x-forwarded-for': '203.0.113.9' })).toBe(403)
    const open = await createTestServer({ env: { METRICS_TOKEN: 'a-token-of-the-operator' } })
    try {
      expect(await ask(open, '192.168.1.20', { authorization: 'Bearer a-token-of-the-operator' })).toBe(200)
      expect(await ask(open, '192.168.1.20', { authorization: 'Bearer a-token-of-nobody' })).toBe(403)
      expect(await ask(open, '192.168.1.20')).toBe(403)
    } finally {
      await open.close()
    }
  })

  it('are limited, each by itself', async () => {
    const strict = await createTestServer({ limits: { all: 1000, signIn: 10, probes: 3 } })
    try {
      const asked = async (url: string) => (await strict.app.inject({ url })).statusCode
      for (let time = 0; time < 3; time += 1) expect(await asked('/readyz')).toBe(200)
      expect(await asked('/readyz')).toBe(429)
      expect(await asked('/healthz')).toBe(200)
    } finally {
      await strict.close()
    }
  })
})
