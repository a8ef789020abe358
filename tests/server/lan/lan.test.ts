import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { anyAddress, thisHost } from '#server/lan/addresses.ts'
import { createTestDatabase } from '#tests/server/support/database.ts'
import type { TestDatabase } from '#tests/server/support/database.ts'
import { TEST_CERTIFICATE, TEST_KEY } from '#tests/server/support/tls.ts'
import { startLanServer } from './support/lanServer.ts'
import type { LanServer } from './support/lanServer.ts'
import { visit } from './support/visit.ts'

/** `npm start -- --lan` as a ward has it: one machine, and tablets that trust its site or do not yet. */

let database: TestDatabase
let dataDir: string
/** Started once, as `--lan`, for all who only look. */
let ward: LanServer
const others: LanServer[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'zl-ward-'))
  ward = await launch()
})
afterEach(async () => {
  await Promise.all(others.splice(0).map((server) => server.stop()))
})
afterAll(async () => {
  await ward.stop()
  await rm(dataDir, { recursive: true, force: true })
  await database.drop()
})

/** On one database, whichever folder it is given for its files. */
function launch(env: Readonly<Record<string, string>> = {}, argument = '--lan'): Promise<LanServer> {
  const own = {
    DATABASE_URL: database.url,
    APP_DATABASE_URL: database.appUrl,
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: 'Given-Password-1',
    ATTACHMENTS_MOVED: '1',
  }
  return startLanServer({ ...own, ...env }, argument)
}

/** Starts another server, until the test is over. */
async function start(env: Readonly<Record<string, string>> = {}, argument = '--lan'): Promise<LanServer> {
  const server = await launch(env, argument)
  others.push(server)
  return server
}

/** What a tablet trusts after somebody installed the site's certificate on it. */
async function siteCertificate(): Promise<string> {
  return new X509Certificate(await readFile(join(dataDir, 'lan', 'site-ca.pem'))).toString()
}

describe('a server of a ward', () => {
  test('is reached by every address and name of the machine, by those who trust its site, and by nobody else', async () => {
    const { port } = ward
    const trusts = await siteCertificate()
    const { addresses, names } = thisHost()
    for (const at of ['127.0.0.1', ...(anyAddress() === '::' ? ['::1'] : []), ...addresses]) {
      const answer = await visit('/readyz', { port, trusts, at })
      expect([at, answer.status]).toEqual([at, 200])
    }
    for (const name of ['localhost', ...names]) {
      const answer = await visit('/readyz', { port, trusts, name })
      expect([name, answer.status]).toEqual([name, 200])
    }
    await expect(visit('/readyz', { port, trusts: TEST_CERTIFICATE })).rejects.toMatchObject({
      code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    })
    await expect(visit('/readyz', { port, trusts, name: 'other.example' })).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    })
  })

  test('says where tablets reach it, where they are helped, what the fingerprint is, and that there is no demo', async () => {
    const { printed, address, help } = ward
    const [first = '', ...others] = printed.split('\n')
    expect(first).toMatch(/is ready: https:.*without the demo/)
    expect(address).toBe(`https://${thisHost().addresses[0] ?? '127.0.0.1'}:${new URL(address).port}`)
    expect(help).toMatch(/^http:/)
    expect(others.join('\n')).toContain(new X509Certificate(await siteCertificate()).fingerprint256)
  })

  test('keeps its certificates below the data folder, for their owner only, over a restart', async () => {
    const folder = join(dataDir, 'lan')
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    for (const name of ['site-ca.pem', 'server.pem']) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
    const trusts = await siteCertificate()
    const { shown } = await visit('/readyz', { port: ward.port, trusts })
    expect(ward.printed).toContain('made just now')
    const after = await start()
    expect((await visit('/readyz', { port: after.port, trusts })).shown).toBe(shown)
    expect(after.printed).not.toContain('made just now')
  })

  test('does not tell browsers to insist on HTTPS, or they would not open the page that helps', async () => {
    const { port } = ward
    const { headers } = await visit('/readyz', { port, trusts: await siteCertificate() })
    expect(headers['content-security-policy']).toContain(`default-src 'self'`)
    expect(headers).not.toHaveProperty('strict-transport-security')
  })

  test('knows a tablet by the address that its network knows it by', async () => {
    const headers = { Authorization: `Basic ${Buffer.from('zhenglu:zhenglu_public_client').toString('base64')}` }
    const body = { grant_type: 'password', username: 'admin', password: 'Wrong-Password-1' }
    const { status } = await visit('/api/blade-auth/oauth/token', {
      port: ward.port,
      trusts: await siteCertificate(),
      sends: { headers, body },
    })
    expect(status).toBeGreaterThanOrEqual(400)
    const { rows } = await database.pool.query<{ ip: string }>('SELECT DISTINCT ip FROM login_failure')
    expect(rows).toEqual([{ ip: '127.0.0.1' }])
  })

  test('listens only where it is told to', async () => {
    const { port, address, help } = await start({}, '--lan=127.0.0.1')
    expect([address, new URL(help ?? '').hostname]).toEqual([`https://127.0.0.1:${port}`, '127.0.0.1'])
    const trusts = await siteCertificate()
    expect((await visit('/readyz', { port, trusts })).status).toBe(200)
    await expect(visit('/readyz', { port, trusts, at: thisHost().addresses[0] ?? '::1' })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    })
  })

  test('shows the demo when it is asked for', async () => {
    expect((await start({ DEMO: '1', DEMO_PASSWORD: 'Demo-Ward-5521' })).printed).toContain('with the demo')
  })

  test('gives to a page of another origin only the sign that it is trusted', async () => {
    const { port } = ward
    const trusts = await siteCertificate()
    const policy = async (path: string): Promise<unknown> =>
      (await visit(path, { port, trusts })).headers['cross-origin-resource-policy']
    expect(await policy('/site-trust.svg')).toBe('cross-origin')
    expect(await policy('/healthz')).toBe('same-origin')
    expect((await visit('/site-trust.svg', { port, trusts })).headers).not.toHaveProperty('access-control-allow-origin')
  })
})

describe('the page that helps', () => {
  test('gives the certificate of the site, whose fingerprint is the one on the page and on the console', async () => {
    const { help, printed } = ward
    const answer = await fetch(`${help}/zhenglu-site-ca.crt`)
    expect(answer.headers.get('content-type')).toBe('application/x-x509-ca-cert')
    const file = Buffer.from(await answer.arrayBuffer())
    const { fingerprint256 } = new X509Certificate(file)
    expect(fingerprint256).toBe(new X509Certificate(await siteCertificate()).fingerprint256)
    // The sum of the file itself, which a desktop computes without knowing certificates.
    expect(createHash('sha256').update(file).digest('hex').toUpperCase()).toBe(fingerprint256.replaceAll(':', ''))
    expect(printed).toContain(fingerprint256)
    const page = await (await fetch(`${help}/`)).text()
    expect([...page.matchAll(/<span>([0-9A-F:]+)<\/span>/g)].map(([, line]) => line).join(':')).toBe(fingerprint256)
  })

  test('speaks Chinese, and English to those who want it', async () => {
    const { help } = ward
    const page = async (path: string, language: string): Promise<string> =>
      (await fetch(`${help}${path}`, { headers: { 'accept-language': language } })).text()
    expect(await page('/', 'zh-CN')).toContain('让这台平板信任本站')
    expect(await page('/', 'de')).toContain('让这台平板信任本站')
    expect(await page('/', 'en-GB,en')).toContain('Let this tablet trust this site')
    expect(await page('/?lang=zh', 'en')).toContain('lang="zh-CN"')
  })

  test('leads to the address by which the tablet came, and never to one that a stranger wrote', async () => {
    const { port, help } = await start({}, '--lan=127.0.0.1')
    const to = async (host: string): Promise<string | undefined> => {
      const socket = connect(Number(new URL(help ?? '').port), '127.0.0.1')
      socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      let text = ''
      socket.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
      await once(socket, 'close')
      expect(text).not.toContain('evil')
      return /class="address" href="([^"]*)"/.exec(text)?.[1]
    }
    expect(await to('localhost:1')).toBe(`https://localhost:${port}`)
    expect(await to('[::1]:1')).toBe(`https://[::1]:${port}`)
    expect(await to('evil.example')).toBe(`https://127.0.0.1:${port}`)
    expect(await to('"><script>evil')).toBe(`https://127.0.0.1:${port}`)
  })

  test('is all that its port answers: no app, no API, nothing to send to, no cookie', async () => {
    const { help } = ward
    for (const [method, path] of [
      ['GET', '/index.html'],
      ['GET', '/healthz'],
      ['GET', '/metrics'],
      ['GET', '/api/edc/project/list'],
      ['GET', '/lan/site-ca.pem'],
      ['GET', '/../server/main.ts'],
      ['POST', '/'],
      ['POST', '/api/blade-auth/oauth/token'],
      ['PUT', '/zhenglu-site-ca.crt'],
    ] as const) {
      expect([path, (await fetch(`${help}${path}`, { method })).status]).toEqual([path, 404])
    }
    const { headers } = await fetch(`${help}/`)
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' https:\S+; base-uri 'none'/,
    )
  })
})

describe('what does not go together', () => {
  test("the operator's certificate is shown, and then no site is made and nobody is helped", async () => {
    const other = await mkdtemp(join(tmpdir(), 'zl-ward-'))
    await writeFile(join(other, 'cert.pem'), TEST_CERTIFICATE)
    await writeFile(join(other, 'key.pem'), TEST_KEY)
    const { port, printed, help } = await start({
      DATA_DIR: other,
      TLS_CERT: join(other, 'cert.pem'),
      TLS_KEY: join(other, 'key.pem'),
    })
    const answer = await visit('/readyz', { port, trusts: TEST_CERTIFICATE, name: 'localhost' })
    expect(answer.shown).toBe(new X509Certificate(TEST_CERTIFICATE).fingerprint256)
    expect(answer.headers).toHaveProperty('strict-transport-security')
    expect(
      (await visit('/site-trust.svg', { port, trusts: TEST_CERTIFICATE, name: 'localhost' })).headers[
        'cross-origin-resource-policy'
      ],
    ).toBe('same-origin')
    expect([help, printed.includes('SHA-256')]).toEqual([null, false])
    await expect(stat(join(other, 'lan'))).rejects.toThrow('ENOENT')
    await rm(other, { recursive: true, force: true })
  })

  test('a damaged key stops the start with a sentence, and stays as it is', async () => {
    const other = await mkdtemp(join(tmpdir(), 'zl-ward-'))
    await (await start({ DATA_DIR: other })).stop()
    const file = join(other, 'lan', 'site-ca.pem')
    const damaged = (await readFile(file, 'utf8')).slice(40)
    await writeFile(file, damaged)
    const error: unknown = await start({ DATA_DIR: other }).catch((thrown: unknown) => thrown)
    expect(String(error)).toContain(`${file} does not hold`)
    expect(String(error)).not.toContain('    at ')
    expect(await readFile(file, 'utf8')).toBe(damaged)
    await rm(other, { recursive: true, force: true })
  })

  test('a port of the help page that is taken, and an address of another machine, are said', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const port = String((taken.address() as AddressInfo).port)
    await expect(start({ LAN_HELP_PORT: port }, '--lan=127.0.0.1')).rejects.toThrow(
      `LAN_HELP_PORT: another program listens on port ${port}`,
    )
    await new Promise((resolve) => taken.close(resolve))
    await expect(start({}, '--lan=203.0.113.77')).rejects.toThrow('this machine has no address 203.0.113.77')
    await expect(start({ HOST: '127.0.0.1' })).rejects.toThrow('HOST: contradicts --lan')
  })
})
