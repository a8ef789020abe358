import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { chmod, link, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '#server/database/secrets.ts'
import { inNetworks, LOOPBACK_ADDRESSES, LOOPBACK_NAME, PRIVATE_NETWORKS } from '#server/lan/addresses.ts'
import type { SiteHost } from '#server/lan/addresses.ts'
import { makeAuthority, makeServerCertificate, permittedBy } from '#server/lan/certificates.ts'
import type { Pem, SigningAuthority } from '#server/lan/certificates.ts'
import { SiteError } from '#server/lan/siteError.ts'

/**
 * The stored certificates of a site, in a folder that only the server's user can read. Each file holds a certificate
 * and its key, so that after a power cut there is a whole pair or none. The authority's file is written once and
 * never again.
 */

const DAY_MS = 86_400_000
const RENEW_BEFORE_MS = 30 * DAY_MS
const AUTHORITY_FILE = 'site-ca.pem'
const SERVER_FILE = 'server.pem'
/** Multicast DNS: whatever the host is called later, the authority may certify its name there. */
const MULTICAST_DOMAIN = 'local'

/** The site's certificate authority. */
export interface Authority extends SigningAuthority {
  /** The name that a person reads where certificates are listed. */
  readonly name: string
  /** SHA-256 of the certificate: pairs of hexadecimal digits, separated by colons. */
  readonly fingerprint: string
  /** Whether the authority was made just now, so that no tablet trusts it yet. */
  readonly isNew: boolean
}

/** The certificate that the server presents. */
export interface ServerCertificate extends Pem {
  readonly certificate: X509Certificate
  /** Names and addresses of the host that the authority may not certify, so that tablets cannot use them. */
  readonly left: readonly string[]
}

/**
 * The authority kept in `folder`. It is made the first time, for the private networks, the host's networks, and the
 * host's names.
 *
 * @throws SiteError when its file cannot be used, or the authority has expired. The file is left as it is.
 */
export async function openAuthority(folder: string, host: SiteHost, now: Date): Promise<Authority> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  const file = join(folder, AUTHORITY_FILE)
  const known = await readIfThere(file)
  if (known === null) {
    const names = [
      LOOPBACK_NAME,
      MULTICAST_DOMAIN,
      ...host.names.filter((name) => !name.endsWith(`.${MULTICAST_DOMAIN}`)),
    ]
    const { cert, key } = makeAuthority(
      host.names[0] ?? LOOPBACK_NAME,
      { names, networks: permittedNetworks(host) },
      now,
    )
    await keepOnce(file, `${key}${cert}`)
  }
  // If the file was copied here with wider rights, they are narrowed again.
  await chmod(file, 0o600)
  const pair = pairOf(known ?? (await readFile(file, 'utf8')))
  if (pair === null || !pair.certificate.ca || !pair.certificate.verify(pair.certificate.publicKey)) {
    throw new SiteError(
      'authority_damaged',
      `${file} does not hold the site's certificate authority and its key. Bring the file back from a copy. If there is none, move it away: ` +
        'the next start makes a new authority, and every tablet has to trust that one (docs/operations.md)',
    )
  }
  if (pair.certificate.validToDate.getTime() <= now.getTime()) {
    throw new SiteError(
      'authority_expired',
      `The certificate authority in ${file} ended on ${pair.certificate.validToDate.toISOString().slice(0, 10)}. Move the file away: ` +
        'the next start makes a new one, and every tablet has to trust that (docs/operations.md)',
    )
  }
  const { certificate } = pair
  return { ...pair, name: commonName(certificate), fingerprint: certificate.fingerprint256, isNew: known === null }
}

/**
 * The server's certificate kept in `folder`. A new one is made under the same authority in three cases: there is no
 * usable one, it lacks a name or address of the host, or it has less than 30 days left.
 */
export async function openServerCertificate(
  folder: string,
  authority: Authority,
  host: SiteHost,
  now: Date,
): Promise<ServerCertificate> {
  const file = join(folder, SERVER_FILE)
  const permitted = permittedBy(authority.certificate)
  const mayName = (name: string): boolean =>
    permitted === null || permitted.names.some((one) => name === one || name.endsWith(`.${one}`))
  const mayReach = permitted === null ? () => true : inNetworks(permitted.networks)
  const names = [...host.names, LOOPBACK_NAME]
  const addresses = [...host.addresses, ...LOOPBACK_ADDRESSES]
  const reached = { names: names.filter(mayName), addresses: addresses.filter(mayReach) }
  const left = [...addresses.filter((address) => !mayReach(address)), ...names.filter((name) => !mayName(name))]

  const text = await readIfThere(file)
  const known = text === null ? null : pairOf(text)
  if (known !== null && isGood(known.certificate, authority, reached, now)) {
    await chmod(file, 0o600)
    const { certificate, key } = known
    return {
      cert: certificate.toString(),
      key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
      certificate,
      left,
    }
  }
  const made = makeServerCertificate(authority, reached, now)
  await writeDurably(file, `${made.key}${made.cert}`)
  return { ...made, certificate: new X509Certificate(made.cert), left }
}

function isGood(
  certificate: X509Certificate,
  authority: Authority,
  { names, addresses }: { readonly names: readonly string[]; readonly addresses: readonly string[] },
  now: Date,
): boolean {
  const end = certificate.validToDate.getTime()
  // One that ends together with its authority cannot be made to last longer.
  const isFresh = end - now.getTime() >= RENEW_BEFORE_MS || end === authority.certificate.validToDate.getTime()
  return (
    certificate.checkIssued(authority.certificate) &&
    certificate.verify(authority.certificate.publicKey) &&
    certificate.validFromDate.getTime() <= now.getTime() &&
    isFresh &&
    names.every((name) => certificate.checkHost(name, { subject: 'never' }) !== undefined) &&
    addresses.every((address) => certificate.checkIP(address) !== undefined)
  )
}

/**
 * A network of public addresses is permitted too where the host is in it, because some hospitals use such addresses
 * internally.
 */
function permittedNetworks(host: SiteHost): readonly string[] {
  const isPrivate = inNetworks(PRIVATE_NETWORKS)
  return [...PRIVATE_NETWORKS, ...host.networks.filter((network) => !isPrivate(network.slice(0, network.indexOf('/'))))]
}

/** The certificate and key in a file; null where they cannot be read or do not belong together. */
function pairOf(text: string): { readonly certificate: X509Certificate; readonly key: KeyObject } | null {
  try {
    const [certificate, key] = [new X509Certificate(text), createPrivateKey(text)]
    return certificate.checkPrivateKey(key) ? { certificate, key } : null
  } catch {
    // OpenSSL has many errors for text that is no certificate or key; the caller needs only one.
    return null
  }
}

function commonName(certificate: X509Certificate): string {
  return /^CN=(.*)$/m.exec(certificate.subject)?.[1] ?? ''
}

/** Writes a file unless it exists: if two servers start together, both go on with the first one's file. */
async function keepOnce(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  await writeDurably(draft, text)
  try {
    await link(draft, file)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
