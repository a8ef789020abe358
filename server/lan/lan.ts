import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { SecureContextOptions } from 'node:tls'
import type { LanSettings } from '#server/config.ts'
import { anyAddress, inUrl, LOOPBACK_ADDRESSES, LOOPBACK_NAME, thisHost } from '#server/lan/addresses.ts'
import type { SiteHost } from '#server/lan/addresses.ts'
import { startHelp } from '#server/lan/helpServer.ts'
import type { HelpServer } from '#server/lan/helpServer.ts'
import { openAuthority, openServerCertificate } from '#server/lan/site.ts'
import type { Authority, ServerCertificate } from '#server/lan/site.ts'
import { SiteError } from '#server/lan/siteError.ts'
import type { Log } from '#server/log.ts'

/** The site's certificates while the server runs: it presents them, renews them, and explains them to tablets. */

/** Below DATA_DIR. */
const FOLDER = 'lan'
/** Addresses change when a network comes back. Tablets should not have to wait until somebody restarts the server. */
const LOOK_EVERY_MS = 60_000
const YEAR_MS = 365 * 86_400_000

/** The app's TLS server, which can change its certificate without dropping connections. */
export interface TlsServer {
  setSecureContext(options: SecureContextOptions): void
}

export interface SiteOptions {
  readonly dataDir: string
  readonly settings: LanSettings
  readonly log: Log
  /** How this machine is reached; read again while the server runs. */
  readonly host?: () => SiteHost
  readonly now?: () => Date
  /** How often names, addresses and the time left are checked, in milliseconds. */
  readonly lookEvery?: number
}

/** A site with certificates of its own. */
export interface Site {
  readonly tls: { readonly cert: string; readonly key: string }
  /** Starts the help page for tablets, and the renewal of the certificate of a server that listens. */
  serve(server: TlsServer, appPort: number): Promise<SiteService>
}

export interface SiteService {
  /** Port of the help page. */
  readonly helpPort: number
  /** What an operator needs to know, line by line. */
  readonly lines: readonly string[]
  stop(): Promise<void>
}

/** Opens the site of a data folder: its authority, and a certificate for the present names and addresses. */
export async function openSite(options: SiteOptions): Promise<Site> {
  const { settings, host = thisHost, now = () => new Date() } = options
  const folder = join(options.dataDir, FOLDER)
  const authority = await openAuthority(folder, host(), now())
  const certificate = await openServerCertificate(folder, authority, host(), now())
  return {
    tls: { cert: certificate.cert, key: certificate.key },
    serve: async (server, appPort) => {
      const renewal = keepFresh({ ...options, host, now }, { folder, authority, certificate, server })
      let help: HelpServer
      try {
        help = await startHelp({
          authority,
          host: settings.address ?? anyAddress(),
          port: settings.helpPort,
          appPort,
          reached: () => reachedBy(host(), settings.address),
        })
      } catch (error) {
        renewal.stop()
        throw error
      }
      return {
        helpPort: help.port,
        lines: describe({ authority, certificate, now: now() }, lanAddresses(host(), settings.address), help.port),
        stop: async () => {
          renewal.stop()
          await help.close()
        },
      }
    },
  }
}

/**
 * The addresses by which tablets reach a server that listens on `only`, or on all. If the machine is in no network,
 * its own loopback addresses.
 */
export function lanAddresses(host: SiteHost, only: string | null): readonly string[] {
  if (only !== null) return [only]
  return host.addresses.length > 0 ? host.addresses : [LOOPBACK_ADDRESSES[0]]
}

/** @throws SiteError when `--lan` names an address that this machine does not have */
export function checkAddress(only: string | null): void {
  const here = Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).map(({ address }) => address),
  )
  if (only === null || here.includes(only)) return
  throw new SiteError('address_not_here', `--lan: this machine has no address ${only}. It has ${here.join(', ')}`)
}

function reachedBy(host: SiteHost, only: string | null): readonly string[] {
  return [...lanAddresses(host, only), ...host.names, LOOPBACK_NAME, ...LOOPBACK_ADDRESSES]
}

interface Shown {
  readonly folder: string
  readonly authority: Authority
  readonly certificate: ServerCertificate
  readonly server: TlsServer
}

function keepFresh(options: Required<Pick<SiteOptions, 'host' | 'now'>> & SiteOptions, shown: Shown): { stop(): void } {
  const { log, host, now, lookEvery = LOOK_EVERY_MS } = options
  let known = shown.certificate.certificate.fingerprint256
  const look = async (): Promise<void> => {
    const current = await openServerCertificate(shown.folder, shown.authority, host(), now())
    // Another server of this data folder may have renewed the certificate.
    if (current.certificate.fingerprint256 === known) return
    known = current.certificate.fingerprint256
    shown.server.setSecureContext({ cert: current.cert, key: current.key })
    log.info({ until: current.certificate.validToDate.toISOString() }, 'the certificate of the site was renewed')
  }
  let looking = false
  const timer = setInterval(() => {
    if (looking) return
    looking = true
    look()
      // The present certificate stays in use; the next check tries again.
      .catch((error: unknown) => log.error({ error }, 'the certificate of the site was not renewed'))
      .finally(() => {
        looking = false
      })
  }, lookEvery)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

function describe(
  {
    authority,
    certificate,
    now,
  }: { readonly authority: Authority; readonly certificate: ServerCertificate; readonly now: Date },
  addresses: readonly string[],
  helpPort: number,
): readonly string[] {
  const end = authority.certificate.validToDate
  return [
    `  Tablets that do not trust it yet:  ${addresses.map((address) => `http://${inUrl(address)}:${helpPort}`).join('  ')}`,
    `  Site certificate “${authority.name}”${authority.isNew ? ', made just now: every tablet has to trust it' : ''}`,
    `  SHA-256 ${authority.fingerprint}`,
    ...(certificate.left.length > 0
      ? [`  It may not vouch for ${certificate.left.join(', ')}: tablets cannot use that (docs/operations.md)`]
      : []),
    ...(end.getTime() - now.getTime() < YEAR_MS
      ? [`  It ends on ${end.toISOString().slice(0, 10)}: make a new one before (docs/operations.md)`]
      : []),
  ]
}
