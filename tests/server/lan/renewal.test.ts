import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SiteHost } from '#server/lan/addresses.ts'
import { openSite } from '#server/lan/lan.ts'
import { openAuthority, openServerCertificate } from '#server/lan/site.ts'
import { createLog } from '#server/log.ts'
import { visit } from './support/visit.ts'

/** A server that is not restarted for a year, while the network around it changes. */

const DAY_MS = 86_400_000
let dataDir: string
let host: SiteHost
let now: Date
let logged: string[]

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'zl-year-'))
  host = { addresses: ['192.168.7.20'], networks: [], names: [] }
  now = new Date()
  logged = []
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

/** A server that shows the site's certificate, until `during` is over. */
async function running(during: (shown: () => Promise<string>) => Promise<void>): Promise<void> {
  const site = await openSite({
    dataDir,
    settings: { address: '127.0.0.1', helpPort: 0 },
    log: createLog({ level: 'info', write: (line) => logged.push(line) }),
    host: () => host,
    now: () => now,
    lookEvery: 20,
  })
  const server = createServer({ ...site.tls }, (_request, response) => response.end('here'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const service = await site.serve(server, port)
  const crt = Buffer.from(await (await fetch(`http://127.0.0.1:${service.helpPort}/zhenglu-site-ca.crt`)).arrayBuffer())
  const trusts = `-----BEGIN CERTIFICATE-----\n${crt.toString('base64')}\n-----END CERTIFICATE-----\n`
  try {
    await during(async () => (await visit('/', { port, trusts })).shown)
  } finally {
    await service.stop()
    server.closeAllConnections()
    server.close()
  }
}

test('a machine that got another address shows a certificate that holds it, without a restart, to tablets that trust it already', async () => {
  await running(async (shown) => {
    const first = await shown()
    host = { ...host, addresses: ['192.168.9.33'] }
    await vi.waitFor(async () => expect(await shown()).not.toBe(first), { timeout: 5000 })
    expect(logged.join('')).toContain('was renewed')
  })
})

test('a certificate that comes to its end is renewed without a restart, and until then nothing is', async () => {
  await running(async (shown) => {
    const first = await shown()
    now = new Date(now.getTime() + 300 * DAY_MS)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await shown()).toBe(first)
    // The test's client lives today: a certificate of a year hence would be one of the future to it. It shows that
    // another one is there.
    now = new Date(now.getTime() + 70 * DAY_MS)
    await vi.waitFor(() => expect(logged.join('')).toContain('was renewed'), { timeout: 5000 })
    await expect(shown()).rejects.toMatchObject({ code: 'CERT_NOT_YET_VALID' })
  })
})

test('what another server of the same data folder has renewed is shown by this one too', async () => {
  await running(async (shown) => {
    const first = await shown()
    const folder = join(dataDir, 'lan')
    const other = await openServerCertificate(
      folder,
      await openAuthority(folder, host, now),
      { ...host, addresses: ['192.168.7.20', '10.0.0.9'] },
      now,
    )
    expect(other.certificate.fingerprint256).not.toBe(first)
    await vi.waitFor(async () => expect(await shown()).toBe(other.certificate.fingerprint256), { timeout: 5000 })
  })
})

test('a disk that refuses leaves the certificate that is shown, and says so', async () => {
  await running(async (shown) => {
    const first = await shown()
    // The server may be writing there at this moment.
    await rm(join(dataDir, 'lan'), { recursive: true, maxRetries: 10, retryDelay: 20 })
    host = { ...host, addresses: ['192.168.9.33'] }
    await vi.waitFor(() => expect(logged.join('')).toContain('was not renewed'), { timeout: 5000 })
    expect(await shown()).toBe(first)
  })
})
