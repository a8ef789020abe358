import { isIP } from 'node:net'
import { resolve } from 'node:path'

/**
 * Everything the server takes from its environment, read once at start. Values are checked here, so that the rest of the
 * server never meets a half-valid setting. An empty variable counts as unset.
 */

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

export interface Config {
  readonly host: string
  /** 0 lets the operating system choose, which tests use. */
  readonly port: number
  /** Absolute path of the folder that holds all the server keeps. */
  readonly dataDir: string
  /** The operator's PostgreSQL; its role owns the schema. Null starts our own. Secret: holds a password. */
  readonly databaseUrl: string | null
  /** Login of `zhenglu_app` on the operator's PostgreSQL, for owners that may not create roles. Secret. */
  readonly appDatabaseUrl: string | null
  /** Password of the first administrator; null has one generated. Secret. */
  readonly adminPassword: string | null
  readonly demo: boolean
  /** Password of the demo accounts; null has one generated. Secret. */
  readonly demoPassword: string | null
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null
  /** Addresses, CIDR ranges or range names (`loopback`, …) whose forwarding headers are believed. Empty: nobody's. */
  readonly trustProxy: readonly string[]
  readonly logLevel: LogLevel
  /** Whether service workers on tablets are to take themselves away: the way out of a broken release of the app. */
  readonly killServiceWorker: boolean
}

export type ConfigErrorReason =
  | 'invalid_host'
  | 'invalid_port'
  | 'invalid_database_url'
  | 'app_url_without_database_url'
  | 'invalid_flag'
  | 'demo_not_local'
  | 'tls_incomplete'
  | 'invalid_trust_proxy'
  | 'invalid_log_level'
  | 'invalid_backup'

/** A setting that cannot be used. The message names the variable and what it takes, and never repeats its value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly reason: ConfigErrorReason
  readonly variable: string

  constructor(reason: ConfigErrorReason, variable: string, expected: string) {
    super(`${variable}: ${expected}`)
    this.reason = reason
    this.variable = variable
  }
}

/**
 * Reads the configuration out of `env`.
 *
 * @throws ConfigError when a variable has a value that cannot be used, or two of them contradict each other
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const host = readHost(env)
  const databaseUrl = readDatabaseUrl(env, 'DATABASE_URL')
  const appDatabaseUrl = readDatabaseUrl(env, 'APP_DATABASE_URL')
  if (appDatabaseUrl !== null && databaseUrl === null) {
    throw new ConfigError('app_url_without_database_url', 'APP_DATABASE_URL', 'only means something beside DATABASE_URL')
  }
  const tls = readTls(env)
  const trustProxy = readTrustProxy(env)
  return {
    host,
    port: readPort(env),
    dataDir: resolve(setting(env, 'DATA_DIR') ?? './data'),
    databaseUrl,
    appDatabaseUrl,
    adminPassword: setting(env, 'ADMIN_PASSWORD'),
    demo: readDemo(env, { local: isLoopback(host) && trustProxy.length === 0, operated: databaseUrl !== null || tls !== null }),
    demoPassword: setting(env, 'DEMO_PASSWORD'),
    tls,
    trustProxy,
    logLevel: readLogLevel(env),
    killServiceWorker: readFlag(env, 'SW_KILL') ?? false,
  }
}

/** Whether only programs on this machine can reach `host`. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

type Environment = Readonly<Record<string, string | undefined>>

function setting(env: Environment, name: string): string | null {
  const value = env[name]
  return value === undefined || value === '' ? null : value
}

function readHost(env: Environment): string {
  const host = setting(env, 'HOST') ?? '127.0.0.1'
  const isName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(host)
  if (isIP(host) === 0 && (!isName || /^[\d.]+$/.test(host))) {
    throw new ConfigError('invalid_host', 'HOST', 'an address or host name without a port')
  }
  return host
}

function readPort(env: Environment): number {
  const text = setting(env, 'PORT') ?? '8080'
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new ConfigError('invalid_port', 'PORT', 'a whole number from 0 to 65535')
  }
  return port
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

function readDemo(env: Environment, exposure: { readonly local: boolean; readonly operated: boolean }): boolean {
  const demo = readFlag(env, 'DEMO')
  if (demo === null) return exposure.local && !exposure.operated
  if (demo && !exposure.local) {
    // Demo accounts belong to nobody: they must not be reachable from other machines, not even through a proxy.
    throw new ConfigError('demo_not_local', 'DEMO', '1 is refused unless HOST is a loopback address and TRUST_PROXY is unset')
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
    // "Everyone" is not offered: it would let any client choose the address it is rate-limited and audited under.
    throw new ConfigError('invalid_trust_proxy', 'TRUST_PROXY', 'addresses or CIDR ranges of the proxies, separated by commas')
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

function readLogLevel(env: Environment): LogLevel {
  const text = setting(env, 'LOG_LEVEL') ?? 'info'
  const level = LOG_LEVELS.find((known) => known === text)
  if (level === undefined) throw new ConfigError('invalid_log_level', 'LOG_LEVEL', LOG_LEVELS.join(', '))
  return level
}
