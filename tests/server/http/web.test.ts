import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestServer } from '#tests/server/support/app.ts'
import type { TestServer } from '#tests/server/support/app.ts'

let server: TestServer
let webRoot: string

beforeAll(async () => {
  webRoot = await mkdtemp(join(tmpdir(), 'zl-web-'))
  await mkdir(join(webRoot, 'assets'))
  await writeFile(join(webRoot, 'index.html'), '<!doctype html><title>app</title>')
  await writeFile(join(webRoot, 'sw.js'), '// worker')
  await writeFile(join(webRoot, 'assets', 'main-abc123.js'), '// script')
  server = await createTestServer({ webRoot })
})
afterAll(async () => {
  await server.close()
  await rm(webRoot, { recursive: true })
})

describe('the app', () => {
  it('opens at any of its addresses, and is asked for anew each time', async () => {
    for (const url of ['/', '/index.html', '/p/1/admin/mem', '/login?next=%2Fp']) {
      const { statusCode, headers, body } = await server.app.inject({ url })
      expect([url, statusCode, body]).toEqual([url, 200, '<!doctype html><title>app</title>'])
      expect(headers['cache-control']).toBe('no-cache')
      expect(headers['etag']).toBeDefined()
    }
    expect((await server.app.inject({ url: '/sw.js' })).headers['cache-control']).toBe('no-cache')
  })

  it('asks nobody to take the service worker away, and gives browsers nothing to note as an error', async () => {
    const { statusCode, headers, body } = await server.app.inject({ url: '/sw-kill.json' })
    expect([statusCode, body, headers['content-type'], headers['cache-control']]).toEqual([
      204,
      '',
      undefined,
      'no-store',
    ])
  })

  it('keeps what carries its hash in its name for ever, and does not make up what is missing', async () => {
    const asset = await server.app.inject({ url: '/assets/main-abc123.js' })
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await server.app.inject({ url: '/assets/main-gone.js' })).statusCode).toBe(404)
  })

  it('never stands in for a call, nor for a method that it does not know', async () => {
    expect((await server.app.inject({ url: '/api/nothing' })).json()).toMatchObject({ code: 404 })
    expect((await server.app.inject({ url: '/api' })).json()).toMatchObject({ code: 404 })
    expect((await server.app.inject({ method: 'POST', url: '/p/1' })).json()).toMatchObject({ code: 404 })
  })

  it('is only its folder', async () => {
    for (const url of ['/../package.json', '/%2e%2e/package.json', '/..%2fpackage.json']) {
      expect((await server.app.inject({ url })).body).not.toContain('"dependencies"')
    }
  })
})

describe('answers', () => {
  it('let a page frame nothing, load nothing from elsewhere, and be framed by nobody else', async () => {
    const { headers } = await server.app.inject({ url: '/' })
    const policy = new Map(
      String(headers['content-security-policy'])
        .split(';')
        .map((part) => [part.trim().split(' ')[0] ?? '', part.trim()]),
    )
    expect(policy.get('frame-src')).toBe(`frame-src 'none'`)
    expect(policy.get('script-src')).toBe(`script-src 'self'`)
    expect(policy.get('connect-src')).toBe(`connect-src 'self'`)
    expect(policy.get('frame-ancestors')).toBe(`frame-ancestors 'self'`)
    expect([...policy.values()].join(' ')).not.toContain('https:')
  })

  it('are zipped where the client takes it', async () => {
    const { headers, rawPayload } = await server.app.inject({
      url: '/api/openapi.json',
      headers: { 'accept-encoding': 'gzip' },
    })
    expect(headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(gunzipSync(rawPayload).toString())).toMatchObject({ openapi: '3.1.0' })
  })
})
