import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import type { Page } from '#core/wire/shapes.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { locateBinaries } from '#server/database/binaries.ts'
import { clusterFolders } from '#server/database/cluster.ts'
import { readPostmasterPid } from '#server/database/postmaster.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import { removeDataDir } from '#tests/server/support/processes.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import { makeSmallDisk, smallDisks } from '#tests/server/support/smallDisk.ts'

/** The server as a process, with its own PostgreSQL, on a disk that fills up. */

const MEGABYTE = 1024 * 1024
const MARK_MB = 60
/** The most that may be asked for. */
const MOST_MB = 1_000_000
const cleanUp: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step()
})

test(
  'a server with less room than it is told to keep refuses saves and still shows what there is; with room again it saves',
  { timeout: 120_000 },
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'zl-full-'))
    cleanUp.push(() => removeDataDir(dataDir))
    const marked = async (megabytes: number) => {
      const server = await startServer({
        adminPassword: 'Given-Password-1',
        dataDir,
        env: { MIN_FREE_MB: String(megabytes) },
        until: '/healthz',
      })
      cleanUp.push(() => server.stop())
      const admin = await signInByApi(`http://127.0.0.1:${server.port}`, 'admin', 'Given-Password-1')
      return { server, admin, save: (name: string) => admin.call('project.save', { body: { projectName: name } }) }
    }
    // No disk that tests run on has so much.
    const full = await marked(MOST_MB)
    expect(await (await fetch(`http://127.0.0.1:${full.server.port}/readyz`)).json()).toMatchObject({ why: 'full' })
    await expect(full.save('under the mark')).rejects.toThrow('server_full')
    expect((await full.admin.call<Page<ProjectRow>>('project.list')).total).toBe(0)
    expect(full.server.output()).toContain('"alert":"server_full"')
    await full.server.stop()

    const roomy = await marked(0)
    await roomy.save('after')
    expect(
      (await roomy.admin.call<Page<ProjectRow>>('project.list')).records.map(({ projectName }) => projectName),
    ).toEqual(['after'])
  },
)

test.each(await smallDisks(320))(
  'a server whose disk fills up refuses saves early, loses nothing that it acknowledged when the database dies, and comes back by itself',
  { timeout: 240_000 },
  async (megabytes) => {
    const disk = await makeSmallDisk(megabytes)
    cleanUp.push(() => disk.remove())
    const dataDir = join(disk.folder, 'data')
    await mkdir(dataDir)
    const server = await startServer({
      adminPassword: 'Given-Password-1',
      dataDir,
      env: { MIN_FREE_MB: String(MARK_MB) },
    })
    cleanUp.push(() => server.stop())
    const address = `http://127.0.0.1:${server.port}`
    const admin = await signInByApi(address, 'admin', 'Given-Password-1')
    const acknowledged: string[] = []
    const save = async (name: string): Promise<string> => {
      try {
        await admin.call('project.save', { body: { projectName: name } })
        acknowledged.push(name)
        return 'saved'
      } catch (error) {
        return String(error)
      }
    }
    const why = async (): Promise<unknown> =>
      ((await (await fetch(`${address}/readyz`)).json()) as { why?: string }).why
    expect(await save('before')).toBe('saved')

    await disk.fill((MARK_MB - 5) * MEGABYTE)
    await vi.waitUntil(async () => (await why()) === 'full', { timeout: 20_000, interval: 250 })
    expect(await save('under the mark')).toContain('server_full')
    expect((await admin.call<Page<ProjectRow>>('project.list')).total).toBe(1)
    expect(server.output()).toContain('"alert":"server_full"')

    // Somebody else fills it to the last byte, and the database is made to write.
    await disk.fill(0)
    process.kill(await postmasterOf(dataDir), 'SIGQUIT')
    await vi.waitUntil(() => server.output().includes('the database is down'), { timeout: 30_000, interval: 250 })
    // Longer than five starts take.
    await sleep(8_000)
    expect(server.child.exitCode).toBeNull()
    expect((await fetch(`${address}/readyz`)).status).toBe(503)

    await disk.makeRoom()
    await vi.waitUntil(async () => (await fetch(`${address}/readyz`)).ok, { timeout: 60_000, interval: 500 })
    expect(await save('after')).toBe('saved')
    const { records } = await admin.call<Page<ProjectRow>>('project.list', { query: { size: '100' } })
    expect(records.map(({ projectName }) => projectName).toSorted()).toEqual(acknowledged.toSorted())
  },
)

async function postmasterOf(dataDir: string): Promise<number> {
  const pid = await readPostmasterPid(clusterFolders(dataDir, (await locateBinaries()).major).cluster)
  if (pid === null) throw new Error('no database runs')
  return pid
}
