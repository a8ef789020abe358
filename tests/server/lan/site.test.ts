import type { X509Certificate } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { networkOf, thisHost } from '#server/lan/addresses.ts'
import type { SiteHost } from '#server/lan/addresses.ts'
import { makeServerCertificate } from '#server/lan/certificates.ts'
import type { Pem } from '#server/lan/certificates.ts'
import { openAuthority, openServerCertificate } from '#server/lan/site.ts'
import type { Authority, ServerCertificate } from '#server/lan/site.ts'
import { SiteError } from '#server/lan/siteError.ts'
import { visit } from './support/visit.ts'

/** What a site keeps of its certificates, over restarts, moves to other networks, and years. */

const WARD: SiteHost = {
  addresses: ['192.168.7.20', 'fd12::20'],
  networks: ['192.168.7.0/24', 'fd12:0:0:0:0:0:0:0/64'],
  names: ['ward-server', 'ward-server.local'],
}
const FIRST_DAY = new Date('2026-11-22T08:00:00Z')
const DAY_MS = 86_400_000

let folder: string
let server: Server | undefined

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'zl-lan-')), 'lan')
})
afterEach(async () => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
  await rm(join(folder, '..'), { recursive: true, force: true })
})

interface Opened {
  readonly authority: Authority
  readonly certificate: ServerCertificate
}

/** A start of the server: on this host, so many days after the first. */
async function start(host: SiteHost = WARD, day = 0): Promise<Opened> {
  const now = new Date(FIRST_DAY.getTime() + day * DAY_MS)
  const authority = await openAuthority(folder, host, now)
  return { authority, certificate: await openServerCertificate(folder, authority, host, now) }
}

function daysOf(certificate: X509Certificate): number {
  return (certificate.validToDate.getTime() - certificate.validFromDate.getTime()) / DAY_MS
}

describe('the authority of a site', () => {
  test('can be told from others, lasts ten years, and is the same after a restart', async () => {
    const { authority } = await start()
    expect(authority.name).toBe('Zhenglu 证录 · ward-server · 2026-11-22')
    expect(authority.certificate.validToDate.toISOString()).toBe('2036-11-22T08:00:00.000Z')
    expect(authority.fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
    expect(authority.isNew).toBe(true)
    const again = await start(WARD, 200)
    expect(again.authority.fingerprint).toBe(authority.fingerprint)
    expect(again.authority.isNew).toBe(false)
  })

  test('and its key are read by their owner only, even when they came from a copy', async () => {
    await start()
    const modes = async (): Promise<string[]> =>
      Promise.all(
        ['.', 'site-ca.pem', 'server.pem'].map(async (name) =>
          ((await stat(join(folder, name))).mode & 0o777).toString(8),
        ),
      )
    expect(await modes()).toEqual(['700', '600', '600'])
    await chmod(folder, 0o755)
    await chmod(join(folder, 'site-ca.pem'), 0o644)
    await chmod(join(folder, 'server.pem'), 0o644)
    await start()
    expect(await modes()).toEqual(['700', '600', '600'])
  })

  test.each([
    ['cut off', (text: string) => text.slice(0, 150)],
    ['empty', () => ''],
    ['without its key', (text: string) => text.slice(text.indexOf('-----BEGIN CERTIFICATE'))],
    [
      'with the key of another',
      (text: string, other: string) =>
        other.slice(0, other.indexOf('-----BEGIN CERTIFICATE')) + text.slice(text.indexOf('-----BEGIN CERTIFICATE')),
    ],
    ['a certificate that is no authority', (_: string, other: string) => other],
  ])('that is %s stops the start with a sentence, and nothing is overwritten', async (_, damage) => {
    await start()
    const [file, serverFile] = [join(folder, 'site-ca.pem'), join(folder, 'server.pem')]
    const damaged = damage(await readFile(file, 'utf8'), await readFile(serverFile, 'utf8'))
    await writeFile(file, damaged)
    const before = await readFile(serverFile, 'utf8')
    const error = await start().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SiteError)
    expect(error).toMatchObject({ reason: 'authority_damaged', message: expect.stringContaining(file) as unknown })
    expect(await readFile(file, 'utf8')).toBe(damaged)
    expect(await readFile(serverFile, 'utf8')).toBe(before)
  })

  test('that is lost is made anew, which the operator is told, and the server gets a certificate of it', async () => {
    const first = await start()
    await rm(join(folder, 'site-ca.pem'))
    const second = await start()
    expect(second.authority.isNew).toBe(true)
    expect(second.authority.fingerprint).not.toBe(first.authority.fingerprint)
    expect(second.certificate.certificate.verify(second.authority.certificate.publicKey)).toBe(true)
  })

  test('that has ended is not used any more, and says so', async () => {
    await start()
    await expect(start(WARD, 3654)).rejects.toMatchObject({ reason: 'authority_expired' })
  })

  test('is the same for two servers that start together', async () => {
    const both = await Promise.all([openAuthority(folder, WARD, FIRST_DAY), openAuthority(folder, WARD, FIRST_DAY)])
    expect(both[0].fingerprint).toBe(both[1].fingerprint)
  })
})

describe('the certificate of the server', () => {
  test('holds every name and address of the machine, and lasts no longer than Apple takes', async () => {
    const { certificate } = (await start()).certificate
    expect(
      [...WARD.addresses, '127.0.0.1', '::1'].filter((address) => certificate.checkIP(address) === undefined),
    ).toEqual([])
    expect([...WARD.names, 'localhost'].filter((name) => certificate.checkHost(name) === undefined)).toEqual([])
    expect(certificate.checkIP('192.168.7.21')).toBeUndefined()
    expect(daysOf(certificate)).toBeLessThanOrEqual(397)
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
    expect(certificate.ca).toBe(false)
  })

  test('stays as it is while it is good', async () => {
    const { certificate } = await start()
    const later = await start(WARD, 360)
    expect(later.certificate.cert).toBe(certificate.cert)
  })

  test('is renewed under the same authority when it has less than 30 days left', async () => {
    const { authority, certificate } = await start()
    const later = await start(WARD, 367)
    expect(later.certificate.certificate.fingerprint256).not.toBe(certificate.certificate.fingerprint256)
    expect(later.authority.fingerprint).toBe(authority.fingerprint)
    expect(later.certificate.certificate.verify(authority.certificate.publicKey)).toBe(true)
  })

  test('is made anew under the same authority when the machine has another address or name', async () => {
    const { authority, certificate } = await start()
    const moved = await start({
      ...WARD,
      addresses: ['10.0.0.9'],
      networks: ['10.0.0.0/8'],
      names: ['new-name', 'new-name.local'],
    })
    expect(moved.authority.fingerprint).toBe(authority.fingerprint)
    expect(moved.certificate.cert).not.toBe(certificate.cert)
    expect(moved.certificate.certificate.checkIP('10.0.0.9')).toBeDefined()
    expect(moved.certificate.certificate.checkHost('new-name.local')).toBeDefined()
    // What the authority was not made for is left out, so that the rest stays believed; the operator is told.
    expect(moved.certificate.left).toEqual(['new-name'])
  })

  test('leaves out a public address that the authority may not vouch for, and holds one of a network that it was made in', async () => {
    const hospital: SiteHost = { addresses: ['203.0.113.8'], networks: ['203.0.113.0/24'], names: [] }
    await start(hospital)
    const moved = { ...hospital, addresses: ['203.0.113.9', '198.51.100.4'], networks: [] }
    const neighbour = await start(moved)
    expect(neighbour.certificate.certificate.checkIP('203.0.113.9')).toBeDefined()
    expect(neighbour.certificate.left).toEqual(['198.51.100.4'])
    // And it is not made anew at every start for what it cannot hold.
    expect((await start(moved)).certificate.cert).toBe(neighbour.certificate.cert)
  })

  test('that cannot be read is only replaced: nothing was in it that the authority cannot make again', async () => {
    const { authority } = await start()
    await writeFile(join(folder, 'server.pem'), 'half a')
    const again = await start()
    expect(again.authority.fingerprint).toBe(authority.fingerprint)
    expect(again.certificate.certificate.verify(authority.certificate.publicKey)).toBe(true)
    expect(await readFile(join(folder, 'server.pem'), 'utf8')).toContain(again.certificate.cert)
  })

  test('does not outlive its authority', async () => {
    const { authority } = await start()
    const late = await start(WARD, 3600)
    expect(late.certificate.certificate.validToDate).toEqual(authority.certificate.validToDate)
    // Its last 30 days are the authority's: another one would not be longer.
    expect((await start(WARD, 3640)).certificate.cert).toBe(late.certificate.cert)
  })
})

describe('a tablet that trusts the authority', () => {
  async function listen({ cert, key }: Pem): Promise<number> {
    const listening = createServer({ cert, key }, (_request, response) => response.end('here'))
    server = listening
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
    return (listening.address() as AddressInfo).port
  }

  test('believes the server, by address and by name', async () => {
    const { authority, certificate } = await start(WARD, (Date.now() - FIRST_DAY.getTime()) / DAY_MS)
    const trusts = authority.certificate.toString()
    const port = await listen(certificate)
    expect((await visit('/', { port, trusts })).body).toBe('here')
    expect((await visit('/', { port, trusts, name: 'ward-server.local' })).body).toBe('here')
  })

  test('does not believe it about anybody else, even when the key of the authority was stolen', async () => {
    const now = new Date()
    const authority = await openAuthority(folder, WARD, now)
    const trusts = authority.certificate.toString()
    const names = makeServerCertificate(authority, { names: ['bank.example'], addresses: [] }, now)
    await expect(visit('/', { port: await listen(names), trusts, name: 'bank.example' })).rejects.toThrow(/subtree/)
    const address = makeServerCertificate(authority, { names: [], addresses: ['8.8.8.8', '127.0.0.1'] }, now)
    await expect(visit('/', { port: await listen(address), trusts })).rejects.toThrow(/subtree/)
  })
})

describe('the addresses of a machine', () => {
  const card = (address: string, cidr: string, family: 'IPv4' | 'IPv6', internal = false) =>
    ({ address, cidr, family, internal, netmask: '', mac: '', ...(family === 'IPv6' ? { scopeid: 0 } : {}) }) as never

  test('are those that tablets can use, IPv4 first', () => {
    const interfaces = {
      lo: [card('127.0.0.1', '127.0.0.1/8', 'IPv4', true)],
      eth0: [
        card('fe80::1', 'fe80::1/64', 'IPv6'),
        card('fd12::20', 'fd12::20/64', 'IPv6'),
        card('192.168.7.20', '192.168.7.20/24', 'IPv4'),
      ],
    }
    expect(thisHost(interfaces, 'Ward-Server.clinic.example')).toEqual({
      addresses: ['192.168.7.20', 'fd12::20'],
      networks: ['192.168.7.0/24', 'fd12:0:0:0:0:0:0:0/64'],
      names: ['ward-server', 'ward-server.local', 'ward-server.clinic.example'],
    })
  })

  test.each([['under_score'], ['病房'], ['localhost'], ['10.0.0.1']])(
    'a host that is called %s has no name for a certificate',
    (name) => {
      expect(thisHost({}, name).names).toEqual([])
    },
  )

  test.each([
    ['192.168.37.5/20', '192.168.32.0/20'],
    ['10.1.2.3/32', '10.1.2.3/32'],
    ['fd12:3456::7:8/57', 'fd12:3456:0:0:0:0:0:0/57'],
    ['::1/128', '0:0:0:0:0:0:0:1/128'],
  ])('%s is in the network %s', (cidr, network) => {
    expect(networkOf(cidr)).toBe(network)
  })
})
