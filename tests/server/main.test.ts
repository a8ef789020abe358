import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Page } from '#core/wire/shapes.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { readConfig } from '#server/config.ts'
import { startServer } from '#server/main.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import { createTestDatabase } from '#tests/server/support/database.ts'
import type { TestDatabase } from '#tests/server/support/database.ts'
import { openWire } from '#tests/server/support/wire.ts'
import { TEST_CERTIFICATE, TEST_KEY } from '#tests/server/support/tls.ts'

/** The program as an operator starts it, on a database of the test's own. */

const MAIN = join(import.meta.dirname, '../../server/main.ts')

let database: TestDatabase
let dataDir: string
let child: ChildProcess | undefined

beforeEach(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'zl-main-'))
})
afterEach(async () => {
  if (child !== undefined && child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  child = undefined
  await rm(dataDir, { recursive: true, force: true })
  await database.drop()
})

interface Run {
  readonly child: ChildProcess
  readonly out: () => string
  readonly err: () => string
}

function start(env: Readonly<Record<string, string>>, args: readonly string[] = []): Run {
  const given = { DATABASE_URL: database.url, APP_DATABASE_URL: database.appUrl, DATA_DIR: dataDir, PORT: '0', ...env }
  const started = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env['PATH'], ...given },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child = started
  const text = { out: '', err: '' }
  started.stdout.on('data', (chunk: Buffer) => (text.out += chunk.toString()))
  started.stderr.on('data', (chunk: Buffer) => (text.err += chunk.toString()))
  return { child: started, out: () => text.out, err: () => text.err }
}

async function ready(run: Run): Promise<string> {
  while (!run.out().includes('\n')) {
    if (run.child.exitCode !== null) throw new Error(`the server ended: ${run.err()}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return /https?:\/\/\S+/.exec(run.out())?.[0] ?? ''
}

describe('the server', () => {
  it('says in one line that it is ready, where, and where the first passwords are, and ends cleanly when told to', async () => {
    const run = start({})
    const address = await ready(run)
    expect((await fetch(`${address}/readyz`)).status).toBe(200)
    const file = join(dataDir, 'first-run-passwords.txt')
    const password = (await readFile(file, 'utf8')).trim().split('\t')[1] ?? ''
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(run.out().trimEnd().split('\n')).toEqual([expect.stringContaining(file)])
    run.child.kill('SIGTERM')
    const [code] = (await once(run.child, 'exit')) as [number]
    expect(code).toBe(0)
    // Beside that line there is only the log, and no warning of the platform's in between.
    for (const line of run
      .err()
      .split('\n')
      .filter((text) => text !== ''))
      expect(JSON.parse(line)).toHaveProperty('level')
    expect(run.out() + run.err()).not.toContain(password)
  })

  it.each([
    ['has to be changed at the first sign-in', {}, true],
    ['stays where the operator says so', { ADMIN_PASSWORD_KEEP: '1' }, false],
  ])(
    'takes the password that it is given and writes none down: it %s',
    async (_what, env: Readonly<Record<string, string>>, mustChange) => {
      const run = start({ ADMIN_PASSWORD: 'Given-Password-1', ...env })
      const address = await ready(run)
      await expect(stat(join(dataDir, 'first-run-passwords.txt'))).rejects.toThrow('ENOENT')
      const basic = Buffer.from('zhenglu:zhenglu_public_client').toString('base64')
      const answer = await fetch(`${address}/api/blade-auth/oauth/token`, {
        method: 'POST',
        headers: { Authorization: `Basic ${basic}`, 'content-type': 'application/json' },
        body: JSON.stringify({ grant_type: 'password', username: 'admin', password: 'Given-Password-1' }),
      })
      expect(await answer.json()).toMatchObject({ must_change_password: mustChange })
    },
  )

  it('is ready before the demo is made, and ends cleanly when it is told to meanwhile', async () => {
    const run = start({ DEMO: '1', DEMO_PASSWORD: 'Given-Password-2', ADMIN_PASSWORD: 'Given-Password-1' })
    const crc = await signInByApi(await ready(run), 'crc', 'Given-Password-2')
    const seen = async (): Promise<number> => (await crc.call<Page<ProjectRow>>('project.list')).total
    await expect.poll(seen, { timeout: 20_000 }).toBe(1)
    run.child.kill('SIGTERM')
    const [code] = (await once(run.child, 'exit')) as [number]
    expect(code).toBe(0)
    expect(run.err()).not.toContain('the demo study is whole')
    expect(run.err()).not.toMatch(/"level":"(warn|error|fatal)"/)
  })

  it('speaks HTTPS, over HTTP/1.1 too, and then keeps its cookie off plain connections', async () => {
    await writeFile(join(dataDir, 'cert.pem'), TEST_CERTIFICATE)
    await writeFile(join(dataDir, 'key.pem'), TEST_KEY)
    const run = start({
      ADMIN_PASSWORD: 'Given-Password-1',
      TLS_CERT: join(dataDir, 'cert.pem'),
      TLS_KEY: join(dataDir, 'key.pem'),
    })
    const address = await ready(run)
    expect(address).toMatch(/^https:/)
    const cookie = await new Promise<string>((resolve, reject) => {
      const basic = Buffer.from('zhenglu:zhenglu_public_client').toString('base64')
      const headers = { Authorization: `Basic ${basic}`, 'content-type': 'application/json' }
      const call = request(
        `${address}/api/blade-auth/oauth/token`,
        { method: 'POST', headers, ca: TEST_CERTIFICATE, servername: 'localhost' },
        (answer) => {
          answer.resume()
          resolve(String(answer.headers['set-cookie']))
        },
      )
      call.on('error', reject)
      call.end(JSON.stringify({ grant_type: 'password', username: 'admin', password: 'Given-Password-1' }))
    })
    expect(cookie).toContain('Secure')
    const visit = (more: Readonly<Record<string, string>>): Promise<string> =>
      new Promise((resolve) => {
        const call = request(
          `${address}/healthz`,
          { ca: TEST_CERTIFICATE, servername: 'localhost', maxVersion: 'TLSv1.2', ...more },
          (answer) => {
            answer.resume()
            resolve(String(answer.headers['strict-transport-security']))
          },
        )
        call.on('error', (error) => resolve(error.name))
        call.end()
      })
    // Other hosts of the operator are not bound by it, and what is recorded is not read with a stolen key.
    expect(await visit({})).toBe('max-age=31536000')
    expect(await visit({ ciphers: 'AES128-SHA:AES256-SHA:AES128-GCM-SHA256' })).toBe('Error')
    expect(await visit({ minVersion: 'TLSv1.3', maxVersion: 'TLSv1.3' })).toBe('max-age=31536000')
  })

  it('waits for requests under way when it is told to end, and not for ever', async () => {
    const env = {
      DATABASE_URL: database.url,
      APP_DATABASE_URL: database.appUrl,
      DATA_DIR: dataDir,
      PORT: '0',
      ADMIN_PASSWORD: 'Given-Password-1',
      LOG_LEVEL: 'silent',
    }
    const server = await startServer(readConfig({ ...env, DEMO: '0' }), () => undefined, { drainMs: 300 })
    const socket = connect(Number(new URL(server.address).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'data')
    const answered = vi.fn()
    socket.on('data', answered)
    // Whoever signs in is nobody yet: the server waits for the rest.
    const basic = Buffer.from('zhenglu:zhenglu_public_client').toString('base64')
    socket.write(
      `POST /api/blade-auth/oauth/token HTTP/1.1\r\nHost: x\r\nAuthorization: Basic ${basic}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    )
    await new Promise((resolve) => setTimeout(resolve, 500))
    const began = Date.now()
    await server.stop()
    socket.destroy()
    expect(answered).not.toHaveBeenCalled()
    expect(Date.now() - began).toBeGreaterThanOrEqual(250)
    expect(Date.now() - began).toBeLessThan(5000)
  })

  it('waits for no connection over which nothing is under way: one that was only opened, or was answered before all was sent', async () => {
    const env = {
      DATABASE_URL: database.url,
      APP_DATABASE_URL: database.appUrl,
      DATA_DIR: dataDir,
      PORT: '0',
      ADMIN_PASSWORD: 'Given-Password-1',
      LOG_LEVEL: 'silent',
    }
    const server = await startServer(readConfig({ ...env, DEMO: '0' }), () => undefined)
    const port = Number(new URL(server.address).port)
    const [opened, refused] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
    for (const socket of [opened, refused]) socket.on('error', () => undefined)
    refused.write(
      'POST /api/edc/project/save HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    )
    expect(String(((await once(refused, 'data')) as [Buffer])[0])).toMatch(/^HTTP\/1.1 401/)
    const began = Date.now()
    await server.stop()
    expect(Date.now() - began).toBeLessThan(10_000)
    for (const socket of [opened, refused]) socket.destroy()
  })

  it('that is told to end under load loses nothing that it acknowledged, and does nothing twice', async () => {
    const env = { ADMIN_PASSWORD: 'Given-Password-1', ADMIN_PASSWORD_KEEP: '1', DEMO: '0' }
    const run = start(env)
    const writer = await signInByApi(await ready(run), 'admin', 'Given-Password-1')
    const acknowledged: string[] = []
    const ended = once(run.child, 'exit')
    const writing = Array.from({ length: 6 }, async (_, lane) => {
      for (let count = 0; run.child.exitCode === null; count += 1) {
        const projectName = `研究 ${lane}.${count}`
        try {
          await writer.call('project.save', { body: { projectName } })
        } catch {
          // Refused while the server ends, or its connection is gone: nothing was promised.
          return
        }
        acknowledged.push(projectName)
      }
    })
    while (acknowledged.length < 20) await new Promise((resolve) => setTimeout(resolve, 10))
    run.child.kill('SIGTERM')
    await Promise.all(writing)
    expect(await ended).toEqual([0, null])

    const reader = await signInByApi(await ready(start(env)), 'admin', 'Given-Password-1')
    const { records } = await reader.call<Page<ProjectRow>>('project.list', { query: { size: '1000' } })
    const kept = records.map(({ projectName }) => projectName)
    expect(acknowledged.filter((name) => !kept.includes(name))).toEqual([])
    expect(new Set(kept).size).toBe(kept.length)
  })

  it('waits for a database that is not there yet, says so in a sentence, and starts when it is', async () => {
    const far = await openWire(database.url)
    const port = Number(new URL(far.url(database.url)).port)
    await far.close()
    const run = start({ DATABASE_URL: far.url(database.url), APP_DATABASE_URL: far.url(database.appUrl), DEMO: '0' })
    await vi.waitUntil(() => run.err().includes('waiting for it'), { timeout: 20_000 })
    const said = run.err()
    expect(said).toContain(
      `DATABASE_URL: the database ${new URL(database.url).pathname.slice(1)} at 127.0.0.1:${port} does not answer`,
    )
    expect(said).not.toContain('    at ')
    expect(said).not.toContain(new URL(database.url).password)
    expect(run.child.exitCode).toBeNull()
    const wire = await openWire(database.url, port)
    try {
      expect((await fetch(`${await ready(run)}/readyz`)).status).toBe(200)
    } finally {
      run.child.kill('SIGKILL')
      await once(run.child, 'exit')
      await wire.close()
    }
  })

  it('refuses a second place for the attachments of one database, and takes one that they were moved to', async () => {
    const first = start({ DEMO: '0' })
    await ready(first)
    const other = await mkdtemp(join(tmpdir(), 'zl-main-'))
    try {
      const second = start({ DEMO: '0', DATA_DIR: other })
      expect(await once(second.child, 'exit')).toEqual([1, null])
      expect(second.err()).toContain(`kept elsewhere than in ${join(other, 'attachments')}`)
      first.child.kill('SIGTERM')
      await once(first.child, 'exit')
      const moved = start({ DEMO: '0', DATA_DIR: other, ATTACHMENTS_MOVED: '1' })
      await ready(moved)
      moved.child.kill('SIGTERM')
      await once(moved.child, 'exit')
      await ready(start({ DEMO: '0', DATA_DIR: other }))
    } finally {
      await rm(other, { recursive: true, force: true })
    }
  })

  it('says in a sentence what keeps it from starting', async () => {
    for (const [env, args, sentence] of [
      [{ PORT: 'many' }, [], 'PORT: a whole number from 0 to 65535'],
      [{}, ['--help'], 'settings from the environment'],
      [{ TLS_CERT: '/nowhere/cert.pem', TLS_KEY: '/nowhere/key.pem' }, [], '/nowhere/cert.pem'],
    ] as const) {
      const run = start(env, args)
      const [code] = (await once(run.child, 'exit')) as [number]
      expect(code).toBe(1)
      expect(run.err()).toContain(sentence)
      expect(run.err()).not.toContain('    at ')
    }
  })
})
