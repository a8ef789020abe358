import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { restore } from '#server/backup/restore.ts'
import { writeBackup } from '#server/backup/write.ts'
import { ensureSecrets } from '#server/secrets.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { Server, Tablet } from '#tests/scenarios/support/ward.ts'
import type { TestDatabase } from '#tests/server/support/database.ts'
import { createEmptyDatabase } from '#tests/server/support/database.ts'
import { enrol } from '#tests/server/support/world.ts'

/** A server that went back in time must not give anybody's number away (docs/adr/0001-ids-and-rows.md). */

/** Fifty enrolments, each durable on its own, and a backup: more than other tests have to do. */
const LONG_MS = 180_000

let server: Server
let folder: string
let restored: TestDatabase
beforeAll(async () => {
  server = await Server.start()
  folder = await mkdtemp(join(tmpdir(), 'zl-numbers-'))
  restored = await createEmptyDatabase()
})
afterAll(async () => {
  await server.close()
  await restored.drop()
  await rm(folder, { recursive: true, force: true })
})

async function enrolAt(tablet: Tablet, count: number): Promise<void> {
  const { projectId, north } = server.world.study
  for (let at = 0; at < count; at += 1) {
    const identity = { name: '张三', mobile: null, email: null, birthDate: null }
    valueOf(
      await tablet.device.enrolPatient({
        projectId,
        centerId: north,
        initials: 'ZS',
        sex: 'F',
        enrolledOn: '2026-11-02',
        identity,
      }),
    )
  }
}

/** Numbers by patient, as a person at the tablet sees them. */
async function shownAt(tablet: Tablet): Promise<ReadonlyMap<string, string>> {
  const { patients } = valueOf(await tablet.device.patients(server.world.study.projectId, { size: 200 }))
  return new Map(patients.flatMap(({ id, no }) => (no === null ? [] : [[id, no] as const])))
}

test(
  'after a restore every patient has the number that was shown, whoever comes back first, and nobody has one twice',
  async () => {
    const [one, two] = [await Tablet.unpacked(server), await Tablet.unpacked(server)]
    await one.signIn('lin')
    await two.signIn('wu')
    await enrolAt(one, 1)
    await one.sync()
    await ensureSecrets(server.world.services.pool)
    const { file } = await writeBackup(server.world.database.ownerPool, { folder, passphrase: null })

    // More than each tablet has numbers for: those left over get theirs from the server, and the tablets new blocks.
    for (const tablet of [one, two]) {
      tablet.goOffline()
      await enrolAt(tablet, 22)
    }
    one.comeBack()
    await one.sync()
    await enrolAt(one, 2)
    await one.sync()
    // What the next shift carries has no answer that tells the number: only the patient that the tablet then shows.
    two.lock()
    two.comeBack()
    await two.signIn('lin')
    await two.sync()
    await enrolAt(two, 1)
    await one.sync()
    await two.sync()
    const shown = new Map([...(await shownAt(one)), ...(await shownAt(two))])
    expect(shown.size).toBe(1 + 22 + 2 + 22 + 1)
    expect(new Set(shown.values()).size).toBe(shown.size)

    const { epoch } = await restore({
      file,
      passphrase: null,
      databaseUrl: restored.url,
      appDatabaseUrl: restored.appUrl,
      dataDir: folder,
      replace: false,
    })
    const { world } = server
    const { services } = world
    await server.restart({
      ...world,
      database: restored,
      services: { ...services, pool: restored.pool, secrets: { ...services.secrets, epoch } },
    })
    const fresh = await enrol(server.world)
    await two.signIn('lin')
    await enrolAt(two, 1)
    for (let contact = 0; contact < 3; contact += 1) await two.sync()
    await one.signIn('wu')
    for (let contact = 0; contact < 3; contact += 1) await one.sync()
    await two.sync()

    const rows = await server.rows<{ id: string; no: string }>('SELECT id, no FROM patient')
    const numbers = new Map(rows.map(({ id, no }) => [id, no]))
    expect([...shown].filter(([id, no]) => numbers.get(id) !== no)).toEqual([])
    expect(new Set(numbers.values()).size).toBe(numbers.size)
    expect([...shown.values()]).not.toContain(numbers.get(fresh))
    expect(numbers.size).toBe(shown.size + 2)
    for (const tablet of [one, two]) expect(await tablet.unsent()).toBe(0)
    expect(await server.rows(`SELECT 1 FROM audit WHERE action = 'patient.number_taken'`)).toEqual([])
  },
  LONG_MS,
)
