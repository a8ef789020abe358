import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { ConfigError } from '#server/configError.ts'
import { readMessages } from '#server/areas/message/settings.ts'
import type { MessageSettings } from '#server/areas/message/settings.ts'
import { isLoopback } from '#server/loopback.ts'
import { readAttachments } from '#server/storage/settings.ts'
import type { AttachmentSettings } from '#server/storage/settings.ts'

/**
 * All settings from the server's environment, read once at start. Values are checked here, so that the rest of the
 * server never meets a half-valid setting. An empty variable counts as unset.
 */

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

export interface Config {
  readonly host: string
  /** 0 lets the operating system choose, which tests use. */
  readonly port: number
  /** Absolute path of the folder that holds all the server's files. */
  readonly dataDir: string
  /** The operator's PostgreSQL; its role owns the schema. Null starts our own. Secret: holds a password. */
  readonly databaseUrl: string | null
  /** Login of `zhenglu_app` on the operator's PostgreSQL, for owners that may not create roles. Secret. */
  readonly appDatabaseUrl: string | null
  /** Password of the first administrator; null has one generated. Secret. */
  readonly adminPassword: string | null
  /** Whether that password stays. Otherwise it has to be changed at the first sign-in, like a generated one. */
  readonly keepAdminPassword: boolean
  readonly demo: boolean
  /** Password of the demo accounts; null has one generated. Secret. */
  readonly demoPassword: string | null
  /** Whether people at demo accounts are shown around when they first sign in. */
  readonly demoGuide: boolean
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null
  /**
   * `--lan`: tablets of the local network reach the server, over HTTPS. Null: the server listens only where `host`
   * says.
   */
  readonly lan: LanSettings | null
  /** Addresses, CIDR ranges or range names (`loopback`, …) whose forwarding headers are trusted. Empty: none is. */
  readonly trustProxy: readonly string[]
  readonly logLevel: LogLevel
  /** If the disk of `dataDir` has less room than this, saves are refused. */
  readonly minFreeBytes: number
  /** Token for `/metrics` from other machines; null allows only this machine. Secret. */
  readonly metricsToken: string | null
  readonly attachments: AttachmentSettings
  /** How patients are written to. Holds secrets. */
  readonly messages: MessageSettings
  /** Hosts (`name` or `name:port`) that lists of choices named by a definition may be fetched from when it is saved. */
  readonly listHosts: readonly string[]
  /** The address under which people reach the app, without a slash at its end: it stands in e-mails to them. */
  readonly publicUrl: string | null
  /** Whether service workers on tablets are to remove themselves: the way out of a broken release of the app. */
  readonly killServiceWorker: boolean
}

export interface LanSettings {
  /** The only address to listen on; null listens on all. */
  readonly address: string | null
  /** Port of the plain page that helps tablets to trust the site's certificate; 0 lets the operating system choose. */
  readonly helpPort: number
}

/**
 * Reads the configuration from `env` and from the command line, which has only `--lan` or `--lan=ADDRESS`.
 *
 * @throws ConfigError when a variable or argument has a value that cannot be used, or two of them contradict each
 *   other
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>, args: readonly string[] = []): Config {
  const port = readPort(env, 'PORT', '8080')
  const lan = readLan(env, args, port)
  const host = lan === null ? readHost(env) : (lan.address ?? '::')
  const databaseUrl = readDatabaseUrl(env, 'DATABASE_URL')
  const appDatabaseUrl = readDatabaseUrl(env, 'APP_DATABASE_URL')
  if (appDatabaseUrl !== null && databaseUrl === null) {
    throw new ConfigError(
      'app_url_without_database_url',
      'APP_DATABASE_URL',
      'only means something beside DATABASE_URL',
    )
  }
  const tls = readTls(env)
  const trustProxy = readTrustProxy(env)
  return {
    host,
    port,
    dataDir: resolve(setting(env, 'DATA_DIR') ?? './data'),
    databaseUrl,
    appDatabaseUrl,
    adminPassword: setting(env, 'ADMIN_PASSWORD'),
    keepAdminPassword: readFlag(env, 'ADMIN_PASSWORD_KEEP') ?? false,
    demo: readDemo(env, {
      local: isLoopback(host) && trustProxy.length === 0,
      operated: databaseUrl !== null || tls !== null || lan !== null,
      // An operator who sets both wants to show the demo to the tablets of this network. A proxy may open it to more
      // than that.
      shown: lan !== null && trustProxy.length === 0,
    }),
    demoPassword: setting(env, 'DEMO_PASSWORD'),
    demoGuide: readFlag(env, 'DEMO_GUIDE') ?? true,
    tls,
    lan,
    trustProxy,
    logLevel: readLogLevel(env),
    minFreeBytes: readMinFree(env),
    metricsToken: readMetricsToken(env),
    attachments: readAttachments(env),
    messages: readMessages(env),
    listHosts: readListHosts(env),
    publicUrl: readPublicUrl(env),
    killServiceWorker: readFlag(env, 'SW_KILL') ?? false,
  }
}

type Environment = Readonly<Record<string, string | undefined>>

function setting(env: Environment, name: string): string | null {
  const value = env[name]
  return value === undefined || value === '' ? null : value
}

function readListHosts(env: Environment): readonly string[] {
  const hosts = (setting(env, 'LIST_HOSTS') ?? '')
    .split(',')
    .map((host) => host.trim().toLowerCase())
    .filter((host) => host !== '')
  for (const host of hosts) {
    if (!URL.canParse(`http://${host}`) || new URL(`http://${host}`).host !== host) {
      throw new ConfigError('invalid_list_hosts', 'LIST_HOSTS', 'host names with an optional port, separated by commas')
    }
  }
  return hosts
}

function readPublicUrl(env: Environment): string | null {
  const address = setting(env, 'PUBLIC_URL')
  if (address === null) return null
  const url = URL.canParse(address) ? new URL(address) : null
  const isOne = url !== null && ['https:', 'http:'].includes(url.protocol) && url.username === ''
  if (!isOne || url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new ConfigError('invalid_public_url', 'PUBLIC_URL', 'https://edc.example.org, without a path')
  return url.origin
}

function readHost(env: Environment): string {
  const host = setting(env, 'HOST') ?? '127.0.0.1'
  const isName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(host)
  if (isIP(host) === 0 && (!isName || /^[\d.]+$/.test(host))) {
    throw new ConfigError('invalid_host', 'HOST', 'an address or host name without a port')
  }
  return host
}

function readPort(env: Environment, name: string, otherwise: string): number {
  const text = setting(env, name) ?? otherwise
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new ConfigError('invalid_port', name, 'a whole number from 0 to 65535')
  }
  return port
}

function readLan(env: Environment, args: readonly string[], port: number): LanSettings | null {
  const [argument, ...rest] = args
  if (argument === undefined) return null
  const [name, address, ...more] = argument.split('=')
  if (name !== '--lan' || rest.length > 0) {
    throw new ConfigError(
      'unknown_argument',
      'arguments',
      '--lan or --lan=ADDRESS, and nothing else: the server takes its other settings from the environment',
    )
  }
  if (more.length > 0 || (address !== undefined && isIP(address) === 0)) {
    throw new ConfigError(
      'invalid_lan',
      '--lan',
      'an IPv4 or IPv6 address of this machine, or nothing to listen on all',
    )
  }
  if (setting(env, 'HOST') !== null) {
    throw new ConfigError(
      'lan_with_host',
      'HOST',
      'contradicts --lan, which listens on all addresses; name one as --lan=ADDRESS',
    )
  }
  const helpPort = readPort(env, 'LAN_HELP_PORT', '8081')
  if (helpPort === port && port !== 0) throw new ConfigError('same_port', 'LAN_HELP_PORT', 'another port than PORT')
  const isAny = address === undefined || address === '0.0.0.0' || address === '::'
  return { address: isAny ? null : address.toLowerCase(), helpPort }
}

function readDatabaseUrl(env: Environment, name: string): string | null {
  const text = setting(env, name)
  if (text === null) return null
  const expected = 'postgresql://user:password@host:port/database'
  if (!URL.canParse(text)) throw new ConfigError('invalid_database_url', name, expected)
  const url = new URL(text)
  const isPostgres = url.protocol === 'postgres:' || url.protocol === 'postgresql:'
  const isWhole = url.hostname !== '' && url.username !== '' && url.pathname.length > 1
  if (!isPostgres || !isWhole) throw new ConfigError('invalid_database_url', name, expected)
  return text
}

/** A setting that is 0 or 1; null where it is unset. */
function readFlag(env: Environment, name: string): boolean | null {
  const text = setting(env, name)
  if (text === null) return null
  if (text !== '0' && text !== '1') throw new ConfigError('invalid_flag', name, '0 or 1')
  return text === '1'
}

interface Exposure {
  /** Only programs on this machine reach the server. */
  readonly local: boolean
  /** The server is set up for real work. */
  readonly operated: boolean
  /** A demo may be requested although others reach the server. */
  readonly shown: boolean
}

function readDemo(env: Environment, exposure: Exposure): boolean {
  const demo = readFlag(env, 'DEMO')
  if (demo === null) return exposure.local && !exposure.operated
  if (demo && !exposure.local && !exposure.shown) {
    // Demo accounts belong to nobody, so they must not be reachable from other machines, not even through a proxy.
    throw new ConfigError(
      'demo_not_local',
      'DEMO',
      '1 is refused unless HOST is a loopback address, or --lan is given, and TRUST_PROXY is unset',
    )
  }
  return demo
}

function readTls(env: Environment): Config['tls'] {
  const cert = setting(env, 'TLS_CERT')
  const key = setting(env, 'TLS_KEY')
  if (cert === null && key === null) return null
  if (cert === null || key === null) {
    throw new ConfigError('tls_incomplete', cert === null ? 'TLS_CERT' : 'TLS_KEY', 'TLS_CERT and TLS_KEY go together')
  }
  return { certFile: resolve(cert), keyFile: resolve(key) }
}

const PROXY_RANGES = new Set(['loopback', 'linklocal', 'uniquelocal'])

function readTrustProxy(env: Environment): readonly string[] {
  const text = setting(env, 'TRUST_PROXY')
  if (text === null) return []
  const parts = text.split(',').map((part) => part.trim())
  if (!parts.every((part) => PROXY_RANGES.has(part) || isAddressRange(part))) {
    // "Everyone" is not offered: any client could then choose the address under which it is rate-limited and audited.
    throw new ConfigError(
      'invalid_trust_proxy',
      'TRUST_PROXY',
      'addresses or CIDR ranges of the proxies, separated by commas',
    )
  }
  return parts
}

function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  if (bits === undefined) return true
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128)
}

const MIN_FREE_MB = 512

function readMinFree(env: Environment): number {
  const text = setting(env, 'MIN_FREE_MB') ?? String(MIN_FREE_MB)
  const figure = Number(text)
  if (!/^\d{1,7}$/.test(text) || figure > 1_000_000)
    throw new ConfigError('invalid_min_free', 'MIN_FREE_MB', 'a whole number of megabytes from 0 to 1000000')
  return figure * 1024 * 1024
}

function readMetricsToken(env: Environment): string | null {
  const token = setting(env, 'METRICS_TOKEN')
  if (token !== null && !/^[\x21-\x7e]{16,200}$/.test(token))
    throw new ConfigError(
      'invalid_metrics_token',
      'METRICS_TOKEN',
      '16 to 200 letters, digits and signs without a space',
    )
  return token
}

function readLogLevel(env: Environment): LogLevel {
  const text = setting(env, 'LOG_LEVEL') ?? 'info'
  const level = LOG_LEVELS.find((known) => known === text)
  if (level === undefined) throw new ConfigError('invalid_log_level', 'LOG_LEVEL', LOG_LEVELS.join(', '))
  return level
}
