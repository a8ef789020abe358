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
 * What a site keeps of its certificates, in a folder that only the server's user can read. Each file holds a
 * certificate and its key, so that after a power cut there is a whole pair or none. The authority's file is written
 * once and never again.
 */

const DAY_MS = 86_400_000
const RENEW_BEFORE_MS = 30 * DAY_MS
const AUTHORITY_FILE = 'site-ca.pem'
const SERVER_FILE = 'server.pem'
/** Multicast DNS: whatever the host is called later, its name there may be vouched for. */
const MULTICAST_DOMAIN = 'local'

/** The site's certificate authority. */
export interface Authority extends SigningAuthority {
  /** What a person reads where certificates are listed. */
  readonly name: string
  /** SHA-256 of the certificate: pairs of hexadecimal digits, separated by colons. */
  readonly fingerprint: string
  /** Whether it was made just now: then no tablet trusts it yet. */
  readonly isNew: boolean
}

/** The certificate that the server shows. */
export interface ServerCertificate extends Pem {
  readonly certificate: X509Certificate
  /** Names and addresses of the host that the authority may not vouch for: tablets cannot use them. */
  readonly left: readonly string[]
}

/**
 * The authority kept in `folder`; the first time it is made, for the private networks, those that the host is in, and
 * its names.
 *
 * @throws SiteError when its file cannot be used, or it has ended. The file is left as it is.
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
  // A key that was copied here with wider rights is drawn in again.
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
 * The server's certificate kept in `folder`. A new one is made under the same authority when there is none that can be
 * used, when the host has a name or address that it lacks, or when it has less than 30 days left.
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
  // One that ends with its authority cannot be renewed to anything longer.
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

/** A network of public addresses is permitted too where the host is in it: some hospitals use them within. */
function permittedNetworks(host: SiteHost): readonly string[] {
  const isPrivate = inNetworks(PRIVATE_NETWORKS)
  return [...PRIVATE_NETWORKS, ...host.networks.filter((network) => !isPrivate(network.slice(0, network.indexOf('/'))))]
}

/** The certificate and key in a file; null when they cannot be read or do not belong together. */
function pairOf(text: string): { readonly certificate: X509Certificate; readonly key: KeyObject } | null {
  try {
    const [certificate, key] = [new X509Certificate(text), createPrivateKey(text)]
    return certificate.checkPrivateKey(key) ? { certificate, key } : null
  } catch {
    // OpenSSL says in many ways that something is no certificate or key; to whoever asks they are one.
    return null
  }
}

function commonName(certificate: X509Certificate): string {
  return /^CN=(.*)$/m.exec(certificate.subject)?.[1] ?? ''
}

/** Writes a file unless it is there: of two servers that start together, both go on with what the first one wrote. */
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
