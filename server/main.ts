import { mkdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Server as TlsServer } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '#server/app.ts'
import type { AppOptions } from '#server/app.ts'
import { applyAllHeld } from '#server/areas/entry/held.ts'
import { createSchedule } from '#server/backup/schedule.ts'
import { readSchedule } from '#server/backup/settings.ts'
import type { ScheduleSettings } from '#server/backup/settings.ts'
import { readConfig } from '#server/config.ts'
import type { Config, LanSettings } from '#server/config.ts'
import { ConfigError } from '#server/configError.ts'
import { DatabaseError } from '#server/database/errors.ts'
import { LauncherError } from '#server/database/launcherError.ts'
import { migrate, MigrationError } from '#server/database/migrate.ts'
import { openDatabase, OpenError } from '#server/database/open.ts'
import type { Database } from '#server/database/open.ts'
import { prepareDemo, startDemo } from '#server/demo/demo.ts'
import { ensureAdministrator, passwordFile } from '#server/firstRun.ts'
import { Health } from '#server/health/health.ts'
import { startHousekeeping } from '#server/jobs/housekeeping.ts'
import { startMessages } from '#server/jobs/messages.ts'
import { startNotices } from '#server/jobs/notices.ts'
import { startReportMail } from '#server/jobs/reportMail.ts'
import { anyAddress, inUrl, thisHost } from '#server/lan/addresses.ts'
import type { Site, SiteService } from '#server/lan/lan.ts'
import { SiteError } from '#server/lan/siteError.ts'
import { createLog } from '#server/log.ts'
import type { Log } from '#server/log.ts'
import { ensureSecrets } from '#server/secrets.ts'
import type { Services } from '#server/services.ts'
import { claimStorage, StorageError } from '#server/storage/identity.ts'
import { openFileStore } from '#server/storage/open.ts'
import { startCallThreads } from '#server/threads/calls.ts'
import { startMigrationThread } from '#server/threads/migrations.ts'

import { lookThrough } from './areas/entry/versions/lookThrough.ts'
import { bookRewritten } from './areas/version/migration/rewritten.ts'

/** Longest that a stop waits for requests under way. A slower reader continues at the next server. */
const DRAIN_MS = 20_000
/** Longest pause between two tries to reach a missing database, and how often the log tells of it again. */
const LONGEST_WAIT_MS = 15_000
const SAY_AGAIN_MS = 60_000

/** A server that runs. */
export interface RunningServer {
  readonly address: string
  /** Finishes the work under way, then stops the database if it is ours. */
  stop(): Promise<void>
}

/**
 * Starts the server and prints when it is ready: one line, and some more with `--lan`. When it cannot start, it ends
 * the process with code 1 and a sentence that tells why. After SIGTERM or SIGINT the code is 0.
 */
export async function main(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<void> {
  // A log on a full disk, or one that nobody reads any more, must not end the server.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  try {
    const server = await startServer(readConfig(env, argv), (text) => process.stdout.write(`${text}\n`), {
      backups: readSchedule(env),
    })
    const stop = (): void => {
      server.stop().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    }
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
  } catch (error) {
    if (!isExpected(error)) throw error
    refuse(error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message)
  }
}

export interface StartOptions {
  /** When and where backups are made; null makes none. */
  readonly backups?: ScheduleSettings | null
  /** How long a stop waits for the work under way, in milliseconds. */
  readonly drainMs?: number
}

/** Starts a server: database, schema, secrets, first accounts, network; afterwards the demo. */
export async function startServer(
  config: Config,
  say: (text: string) => void,
  options: StartOptions = {},
): Promise<RunningServer> {
  const { backups = null, drainMs = DRAIN_MS } = options
  const log = createLog({ level: config.logLevel, write: (line) => process.stderr.write(line) })
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const given = await readTls(config)
  const database = await whenThere(log, () =>
    openDatabase({
      ...config,
      onLog: (message) => log.debug(message),
      onRoom: (hasRoom) => {
        if (hasRoom) log.info('there is room again: the database is started')
        else
          log.error(
            { alert: 'server_full' },
            'the disk of DATA_DIR is full and the database is down: it is started again as soon as there is room',
          )
      },
      onLost: () => {
        log.fatal('the database is gone')
        process.exit(1)
      },
    }),
  )
  try {
    const prepared = await whenThere(log, () => prepare(config, database, log))
    const schedule =
      backups === null ? null : createSchedule({ ...backups, owner: database.owner, log, files: prepared.files })
    const threads = startCallThreads(prepared)
    const services = { ...prepared, threads, ...(schedule === null ? {} : { backups: schedule }) }
    const lan = config.lan === null ? null : await prepareLan(config, config.lan, log)
    const own = lan?.site ?? null
    const app = await buildApp(services, own === null ? given : { tls: own.tls, ownCertificate: true })
    const { port, address } = await listen(app, config, lan?.addresses[0] ?? config.host)
    const site = await serveSite(own, app, port)
    const watch = prepared.health.start()
    const housekeeping = startHousekeeping(services)
    const messages = startMessages(services)
    const notices = startNotices(services)
    const reportMail = startReportMail(services)
    const migrations = startMigrationThread(services)
    const demo = config.demo ? startDemo(services) : null
    schedule?.start()
    say(readyLines({ config, address, port, addresses: lan?.addresses ?? [], site }).join('\n'))
    return {
      address,
      stop: async () => {
        const drained = Promise.all([
          app.close().then(() => threads.stop()),
          site?.stop(),
          watch.stop(),
          housekeeping.stop(),
          messages.stop(),
          notices.stop(),
          reportMail.stop(),
          migrations.stop(),
          demo?.stop(),
          schedule?.stop(),
        ]).then(() => true)
        if (!(await Promise.race([drained, sleep(drainMs, false, { ref: false })])))
          log.warn('stopped with requests under way')
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** A database may start later than the server, or be away for some time. The server waits for it and logs that. */
async function whenThere<Found>(log: Log, find: () => Promise<Found>): Promise<Found> {
  let toldAt = -Infinity
  for (let waitMs = 1_000; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      return await find()
    } catch (error) {
      if (!isAway(error)) throw error
      if (performance.now() - toldAt >= SAY_AGAIN_MS) {
        log.error(
          { alert: 'database_away' },
          `${error instanceof OpenError ? error.message : 'the database takes no writes now'}: waiting for it`,
        )
        toldAt = performance.now()
      }
      await sleep(waitMs)
    }
  }
}

function isAway(error: unknown): boolean {
  if (error instanceof OpenError) return error.reason === 'unreachable'
  return error instanceof DatabaseError && (error.kind === 'unavailable' || error.kind === 'full')
}

async function prepare(config: Config, database: Database, log: Log): Promise<Services & { readonly health: Health }> {
  await migrate(database.owner)
  const services = {
    config,
    pool: database.app,
    log,
    secrets: await ensureSecrets(database.app),
    files: openFileStore(config),
    health: new Health({ pool: database.pulse, config, log }),
    now: () => new Date().toISOString(),
  }
  await claimStorage(services)
  await ensureAdministrator(services)
  await bookRewritten(services)
  await lookThroughOnce(services)
  if (config.demo) await prepareDemo(services)
  await takeUpHeld(services)
  return services
}

/** A failure here must not stop the start: older data can stay as they are, and the next start tries again. */
async function lookThroughOnce(services: Services): Promise<void> {
  try {
    await lookThrough(services)
  } catch (error) {
    services.log.error({ error }, 'what stood before was not looked through')
  }
}

/**
 * A server that was killed while it applied held operations left some of them. A failure here must not keep this one
 * from starting.
 */
async function takeUpHeld(services: Services): Promise<void> {
  try {
    await applyAllHeld(services)
  } catch (error) {
    services.log.error({ error }, 'held operations were not applied')
  }
}

async function readTls(config: Config): Promise<Pick<AppOptions, 'tls'>> {
  if (config.tls === null) return {}
  const { certFile, keyFile } = config.tls
  return { tls: { cert: await readFile(certFile), key: await readFile(keyFile) } }
}

/** Makes what `--lan` needs before the server listens: the site's certificates, where the operator gave none. */
async function prepareLan(
  config: Config,
  settings: LanSettings,
  log: Log,
): Promise<{ addresses: readonly string[]; site: Site | null }> {
  // Loaded only here, because the code that makes certificates costs memory that other servers do not need.
  const { checkAddress, lanAddresses, openSite } = await import('#server/lan/lan.ts')
  checkAddress(settings.address)
  const site = config.tls === null ? await openSite({ dataDir: config.dataDir, settings, log }) : null
  return { addresses: lanAddresses(thisHost(), settings.address), site }
}

/** Listens, and says where, as a person would type it. */
async function listen(
  app: FastifyInstance,
  config: Config,
  shown: string,
): Promise<{ readonly address: string; readonly port: number }> {
  await app.listen({
    host: config.lan !== null && config.lan.address === null ? anyAddress() : config.host,
    port: config.port,
  })
  const bound = app.server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : config.port
  return { port, address: `${config.tls === null && config.lan === null ? 'http' : 'https'}://${inUrl(shown)}:${port}` }
}

async function serveSite(site: Site | null, app: FastifyInstance, port: number): Promise<SiteService | null> {
  try {
    const { server } = app
    // Where the site has certificates, the app was created with TLS.
    return site !== null && server instanceof TlsServer ? await site.serve(server, port) : null
  } catch (error) {
    await app.close()
    throw error
  }
}

interface Ready {
  readonly config: Config
  readonly address: string
  readonly port: number
  readonly addresses: readonly string[]
  readonly site: SiteService | null
}

function readyLines({ config, address, port, addresses, site }: Ready): readonly string[] {
  const passwords = passwordFile(config.dataDir)
  const demo = config.demo ? 'with the demo' : 'without the demo, DEMO=1 adds it'
  const notes = [
    ...(passwords === null ? [] : [`first passwords: ${passwords}`]),
    ...(config.lan === null ? [] : [demo]),
  ]
  const others = addresses.slice(1).map((one) => `https://${inUrl(one)}:${port}`)
  return [
    `Zhenglu 证录 is ready: ${address}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`,
    ...(others.length === 0 ? [] : [`  Also:  ${others.join('  ')}`]),
    ...(site?.lines ?? []),
  ]
}

/** An error that an operator can fix. It is printed as a sentence and not as a fault of the program. */
function isExpected(error: unknown): error is Error {
  if (
    error instanceof ConfigError ||
    error instanceof LauncherError ||
    error instanceof OpenError ||
    error instanceof SiteError
  )
    return true
  return (
    error instanceof MigrationError || error instanceof StorageError || (error instanceof Error && 'syscall' in error)
  )
}

function refuse(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}

if (import.meta.main) await main(process.argv.slice(2), process.env)
