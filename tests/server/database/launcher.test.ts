import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { locateBinaries } from '#server/database/binaries.ts'
import { clusterFolders } from '#server/database/cluster.ts'
import { assertDurable, withClient } from '#server/database/health.ts'
import { startPostgres } from '#server/database/launcher.ts'
import type { LaunchOptions, RunningPostgres } from '#server/database/launcher.ts'
import { chooseDeathNotice, choosePrivileges, withPrivileges, workingPrivileges } from '#server/database/privileges.ts'
import type { DeathNotice } from '#server/database/privileges.ts'
import { makeSmallDisk, smallDisks } from '#tests/server/support/smallDisk.ts'
import { crash, ends, isRunning, removeDataDir, startProgram } from '#tests/server/support/processes.ts'

const HOST_PROGRAM = join(import.meta.dirname, '../support/postgresHost.ts')
const binaries = await locateBinaries()
const noticesHere = [...new Set<DeathNotice>([await chooseDeathNotice(), 'watchdog'])]
const disksHere = await smallDisks(200)
const privilegesHere = await workingPrivileges(binaries.postgres)

let dataDir: string
let cleanUp: (() => Promise<unknown>)[]

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zl-launch-'))
  dataDir = folder
  cleanUp = [() => removeDataDir(folder)]
})

afterEach(async () => {
  for (const step of cleanUp.toReversed()) await step()
})

async function start(options: Partial<LaunchOptions> = {}): Promise<RunningPostgres> {
  const postgres = await startPostgres({ dataDir, onLog: () => undefined, ...options })
  cleanUp.push(() => postgres.stop())
  return postgres
}

const isReady = (value: unknown): value is { postmaster: number } =>
  typeof value === 'object' && value !== null && 'postmaster' in value && typeof value.postmaster === 'number'

async function startInOtherProcess(notice?: DeathNotice): Promise<{ crash(): Promise<void>; postmaster: number }> {
  const { child, ready } = await startProgram(HOST_PROGRAM, [dataDir, JSON.stringify({ deathNotice: notice })], isReady)
  cleanUp.push(async () => {
    await crash(child)
    await ends(ready.postmaster, 10_000)
  })
  return { crash: () => crash(child), postmaster: ready.postmaster }
}

const write = (postgres: RunningPostgres, text: string): Promise<unknown> =>
  withClient(postgres.superuser, async (client) => {
    await client.query('CREATE TABLE IF NOT EXISTS kept (text text)')
    await client.query('INSERT INTO kept VALUES ($1)', [text])
  })

const read = (postgres: RunningPostgres): Promise<unknown[]> =>
  withClient(postgres.superuser, async (client) =>
    (await client.query<{ text: string }>('SELECT text FROM kept')).rows.map((row) => row.text),
  )

const show = (postgres: RunningPostgres, setting: string): Promise<string | undefined> =>
  withClient(
    postgres.superuser,
    async (client) =>
      (await client.query<{ value: string }>('SELECT current_setting($1) AS value', [setting])).rows[0]?.value,
  )

describe('the database of a new data folder', () => {
  test('is made, keeps what was written over a restart, and is private', async () => {
    const first = await start()
    await write(first, '黄芪 30 g')
    await first.stop()
    expect(isRunning(first.pid())).toBe(false)

    const second = await start()
    expect(await read(second)).toEqual(['黄芪 30 g'])
    expect((await stat(join(dataDir, 'database.json'))).mode & 0o777).toBe(0o600)
    expect((await stat(second.superuser.host)).mode & 0o777).toBe(0o700)
  })

  test('promises that what it confirmed survives, and has no network port', async () => {
    const postgres = await start()
    await assertDurable(postgres.superuser)
    expect(await show(postgres, 'fsync')).toBe('on')
    expect(await show(postgres, 'full_page_writes')).toBe('on')
    expect(await show(postgres, 'synchronous_commit')).toBe('on')
    expect(await show(postgres, 'data_checksums')).toBe('on')
    expect(await show(postgres, 'server_encoding')).toBe('UTF8')
    expect(await show(postgres, 'listen_addresses')).toBe('')
  })

  test('lets nobody in without a password', async () => {
    const postgres = await start()
    await expect(
      withClient({ ...postgres.superuser, password: 'guessed' }, (client) => client.query('SELECT 1')),
    ).rejects.toMatchObject({ code: '28P01' })
  })

  test('writes no values into its log, not even with errors', async () => {
    const lines: string[] = []
    const postgres = await start({ onLog: (line) => lines.push(line) })
    await withClient(postgres.superuser, async (client) => {
      await client.query('CREATE TABLE patient (name text PRIMARY KEY)')
      await client.query('INSERT INTO patient VALUES ($1)', ['planted-name'])
      await expect(client.query('INSERT INTO patient VALUES ($1)', ['planted-name'])).rejects.toMatchObject({
        code: '23505',
      })
      await expect(client.query(`SELECT 'planted-name'::int`)).rejects.toMatchObject({ code: '22P02' })
    })
    await postgres.stop()
    expect(lines.join('\n')).toContain('shut down')
    expect(lines.join('\n')).not.toContain('planted-name')
  })

  test('works below a path that is too long for a unix socket, and leaves nothing outside of it', async () => {
    dataDir = join(dataDir, '病例'.repeat(20))
    await mkdir(dataDir)
    const postgres = await start()
    await write(postgres, 'far away')
    expect(await read(postgres)).toEqual(['far away'])
    expect(postgres.superuser.host.startsWith(dataDir)).toBe(false)
    await postgres.stop()
    await expect(stat(postgres.superuser.host)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('a second server on the same data folder', () => {
  test('is refused before it touches anything, and the first goes on', async () => {
    const { postmaster } = await startInOtherProcess()
    const before = await readdir(dataDir, { recursive: true })
    await expect(start()).rejects.toMatchObject({ name: 'LauncherError', reason: 'in_use' })
    expect(isRunning(postmaster)).toBe(true)
    expect((await readdir(dataDir, { recursive: true })).length).toBe(before.length)
  })

  test('is refused within the same process too, and let in when the first has stopped', async () => {
    const first = await start()
    await expect(start()).rejects.toMatchObject({ reason: 'in_use' })
    await first.stop()
    await write(await start(), 'mine now')
  })

  test('is let in when the first could not start', async () => {
    await writeFile(join(dataDir, 'database.json'), 'not json')
    await expect(start()).rejects.toMatchObject({ reason: 'secrets_missing' })
    await rm(join(dataDir, 'database.json'))
    await write(await start(), 'mine now')
  })
})

describe('when the server is killed', () => {
  test.each(noticesHere)('its database ends with it (%s) and the next server opens it', async (notice) => {
    const killed = await startInOtherProcess(notice)
    await killed.crash()
    expect(await ends(killed.postmaster, 10_000)).toBe(true)
    await write(await start(), 'after the crash')
  })

  test('the next one may start at once, while the database is still stopping', async () => {
    const killed = await startInOtherProcess()
    await killed.crash()
    const next = await start()
    expect(await ends(killed.postmaster, 5_000)).toBe(true)
    await write(next, 'at once')
  })

  test('a database that was left running is stopped cleanly, not killed, and started anew', async () => {
    const first = await start()
    await write(first, 'before')
    await first.stop()
    const orphan = await leaveRunning()
    const lines: string[] = []
    const next = await start({ onLog: (line) => lines.push(line) })
    expect(await ends(orphan, 5_000)).toBe(true)
    expect(next.pid()).not.toBe(orphan)
    expect(lines.join('\n')).toContain('database system was shut down')
    expect(lines.join('\n')).not.toContain('not properly shut down')
    expect(await read(next)).toEqual(['before'])
  })

  /** A database without a server, as after a crash on a machine where nothing told it. */
  async function leaveRunning(): Promise<number> {
    const { cluster, run } = clusterFolders(dataDir, binaries.major)
    const { file, args } = withPrivileges(await choosePrivileges(binaries.postgres), {
      file: binaries.postgres,
      args: ['-D', cluster, '-k', run, '-c', 'listen_addresses='],
    })
    const child = spawn(file, [...args], { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
    cleanUp.push(() => crash(child))
    let log = ''
    child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
    await vi.waitUntil(() => log.includes('ready to accept connections'), { timeout: 20_000 })
    return child.pid ?? 0
  }

  test('and the machine restarted, a pid file that names some other process does not keep the database shut', async () => {
    const first = await start()
    await write(first, 'before')
    const { cluster } = clusterFolders(dataDir, binaries.major)
    const pidFile = await readFile(join(cluster, 'postmaster.pid'), 'utf8')
    await first.stop()
    const stranger = spawn('sleep', ['60'])
    cleanUp.push(() => crash(stranger))
    await once(stranger, 'spawn')
    await writeFile(join(cluster, 'postmaster.pid'), pidFile.replace(/^\d+/, String(stranger.pid)))

    expect(await read(await start())).toEqual(['before'])
    expect(isRunning(stranger.pid ?? 0)).toBe(true)
  })
})

describe('when the database is killed', () => {
  test('it is started again on the same socket, with everything that it confirmed', async () => {
    const told: boolean[] = []
    const postgres = await start({ onRoom: (hasRoom) => told.push(hasRoom) })
    await write(postgres, 'confirmed')
    const killed = postgres.pid()
    process.kill(killed, 'SIGKILL')
    await vi.waitUntil(() => postgres.pid() !== killed, { timeout: 20_000 })
    expect(await read(postgres)).toEqual(['confirmed'])
    // A disk with room is waited for by nobody.
    expect(told).toEqual([])
  })
})

test('a small disk can be made here, or what it takes is said', async () => {
  const made = await makeSmallDisk(1).then((disk) => disk.remove().then(() => 'made'), String)
  expect(made).toMatch(disksHere.length > 0 ? /^made$/ : /the right to mount/)
})

describe.each(disksHere)('a disk without room', (megabytes) => {
  test(
    'is waited for, however long it takes, and the database comes back with everything that it confirmed',
    { timeout: 120_000 },
    async () => {
      const disk = await makeSmallDisk(megabytes)
      cleanUp.push(() => disk.remove())
      dataDir = join(disk.folder, 'data')
      await mkdir(dataDir)
      const told: boolean[] = []
      const onLost = vi.fn()
      const postgres = await start({ onRoom: (hasRoom) => told.push(hasRoom), onLost })
      await write(postgres, 'confirmed')
      await disk.fill(0)
      const killed = postgres.pid()
      process.kill(killed, 'SIGKILL')
      await vi.waitUntil(() => told.length > 0, { timeout: 20_000 })
      // Longer than five failed starts.
      await new Promise((resolve) => setTimeout(resolve, 7_000))
      expect([told, onLost.mock.calls.length]).toEqual([[false], 0])
      await disk.makeRoom()
      await vi.waitUntil(() => postgres.pid() !== killed, { timeout: 40_000 })
      expect(told).toEqual([false, true])
      expect(await read(postgres)).toEqual(['confirmed'])
    },
  )

  test('does not hold up a stop', { timeout: 60_000 }, async () => {
    const disk = await makeSmallDisk(megabytes)
    cleanUp.push(() => disk.remove())
    dataDir = join(disk.folder, 'data')
    await mkdir(dataDir)
    const told: boolean[] = []
    const postgres = await start({ onRoom: (hasRoom) => told.push(hasRoom) })
    await disk.fill(0)
    process.kill(postgres.pid(), 'SIGKILL')
    await vi.waitUntil(() => told.length > 0, { timeout: 20_000 })
    const began = performance.now()
    await postgres.stop()
    expect(performance.now() - began).toBeLessThan(5_000)
  })
})

describe('privileges', () => {
  test(
    'a user without a name, as containers have them, gets a database too, or a sentence that says what to do',
    { timeout: 60_000 },
    async () => {
      const [file, ...words] = [...(await becomingNameless()), process.execPath, HOST_PROGRAM, dataDir]
      const child = spawn(file ?? '', words, { stdio: ['ignore', 'pipe', 'pipe'] })
      cleanUp.push(() => crash(child))
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
      await vi.waitUntil(() => said.includes('postmaster') || child.exitCode !== null, { timeout: 50_000 })
      expect(said).toMatch(file === process.execPath ? /"postmaster":\d+/ : /"postmaster":\d+|no line in \/etc\/passwd/)
    },
  )

  /**
   * How a program is run as a user whom nothing names: as root by becoming them, else in a user namespace. Without
   * either it runs as we do, and must get its database.
   */
  async function becomingNameless(): Promise<readonly string[]> {
    const strange = 12_345
    if (process.getuid?.() === 0) {
      await chown(dataDir, strange, strange)
      return ['setpriv', `--reuid=${strange}`, `--regid=${strange}`, '--clear-groups']
    }
    const words = ['unshare', '--user', `--map-user=${strange}`, `--map-group=${strange}`]
    return spawnSync(words[0] ?? '', [...words.slice(1), 'true']).status === 0 ? words : []
  }

  test('as root the database runs as somebody else; as anybody else it runs as they are', () => {
    const isRoot = process.getuid?.() === 0
    expect(privilegesHere.length).toBeGreaterThan(0)
    expect(privilegesHere.every((privileges) => (privileges.kind === 'plain') !== isRoot)).toBe(true)
  })

  test('a data folder can go from each way of running to each other', async () => {
    const written: string[] = []
    for (const privileges of [...privilegesHere, ...privilegesHere.toReversed()]) {
      const postgres = await start({ privileges })
      written.push(privileges.kind)
      await write(postgres, privileges.kind)
      expect(await read(postgres)).toEqual(written)
      await postgres.stop()
    }
  })

  test('the database of a killed server ends whichever way it ran', async () => {
    for (const privileges of privilegesHere) {
      const { child, ready } = await startProgram(HOST_PROGRAM, [dataDir, JSON.stringify({ privileges })], isReady)
      await crash(child)
      expect(await ends(ready.postmaster, 10_000)).toBe(true)
    }
  })
})
