import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { noteBackup } from '#server/backup/durable.ts'
import { png } from '#tests/core/files/samples.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { changeMember } from '#tests/scenarios/support/study.ts'
import { Server, Tablet, onServer } from '#tests/scenarios/support/ward.ts'
import { contentOf, releaseWithPhotos } from '#tests/server/areas/attachment/support.ts'
import { enrol } from '#tests/server/support/world.ts'

/** What was sent is kept on a tablet until no restore of a backup can want it, and no longer. */

const DAY = 86_400_000

let server: Server
let folder: string
let tablet: Tablet
let patient: string
beforeEach(async () => {
  server = await Server.start()
  folder = await mkdtemp(join(tmpdir(), 'zl-let-go-'))
  patient = await enrol(server.world)
  tablet = await Tablet.unpacked(server)
})
afterEach(async () => {
  tablet.setClock(0)
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const scopeOf = (center: 'north' | 'south') =>
  scopeText({ kind: 'center', projectId: server.world.study.projectId, centerId: server.world.study[center], pass: 1 })

/** The schedule has made a backup, and keeps no older one. */
async function backedUp(name: string): Promise<void> {
  const { projectId } = server.world.study
  const [project] = await server.rows<{ seq: string }>('SELECT seq FROM project WHERE id = $1', [projectId])
  await noteBackup(server.world.database.ownerPool, { file: name, seqs: { [projectId]: Number(project?.seq) } }, [name])
}

/** How much of what was sent from the northern center is still here. */
async function kept(): Promise<number> {
  return await tablet.storage.work.receipts
    .where('scope')
    .equals(scopeOf('north'))
    .filter(({ op }) => op !== null)
    .count()
}

describe('what was sent from a center that was given up since goes with the same backup as everything else', () => {
  async function sentAndGivenUp(): Promise<void> {
    await tablet.enter(patient, 'weight', '65')
    await tablet.sync()
    expect(await tablet.device.dropScope(scopeOf('north'))).toEqual({ done: true })
    expect(await kept()).toBe(1)
  }

  test('where another center of the project is kept', async () => {
    const { lin } = server.world.people
    const { north, south } = server.world.study
    await changeMember(server.world, lin, { centerIds: [north, south] })
    await tablet.signIn('lin')
    valueOf(await tablet.device.keepScope(scopeOf('south')))
    await tablet.sync()
    await sentAndGivenUp()
    await tablet.sync()
    expect(await kept()).toBe(1)
    await backedUp('first')
    await tablet.sync()
    expect(await kept()).toBe(0)
    // That it was received, and when, can still be shown.
    expect(await tablet.storage.work.receipts.where('scope').equals(scopeOf('north')).count()).toBe(1)
  })

  test('where nothing of the project is kept any more', async () => {
    await tablet.signIn('lin')
    await sentAndGivenUp()
    await tablet.sync()
    await backedUp('first')
    tablet.setClock(31 * 60_000)
    await tablet.sync()
    expect(await kept()).toBe(0)
  })

  test('where a colleague from elsewhere is at work: never before a restored server was offered it', async () => {
    const file = await server.backUp(folder)
    await tablet.signIn('lin')
    await sentAndGivenUp()
    await server.restoreFrom(file)
    tablet.lock()
    await tablet.signInToLook('south')
    valueOf(await tablet.device.keepScope(scopeOf('south')))
    await tablet.sync()
    // Change numbers of a new time say nothing of what was sent in the old one.
    await server.rows('UPDATE project SET seq = seq + 1000')
    await backedUp('first')
    tablet.setClock(31 * 60_000)
    await tablet.sync()
    expect(await kept()).toBe(1)
    tablet.lock()
    await tablet.signInToLook('lin')
    await tablet.sync()
    expect(await onServer(server, patient)).toMatchObject({ weight: 65 })
  })
})

describe('a page that names a photograph, with what else was sent of its patient', () => {
  /** A patient who was enrolled here, with a photograph: both at the server. */
  async function photographed(): Promise<{
    readonly patientId: string
    readonly id: string
    readonly content: Uint8Array
  }> {
    const { projectId, north } = server.world.study
    const identity = { name: '张三', mobile: null, email: null, birthDate: null }
    const { patientId } = valueOf(
      await tablet.device.enrolPatient({
        projectId,
        centerId: north,
        initials: 'ZS',
        sex: 'F',
        enrolledOn: null,
        identity,
      }),
    )
    await tablet.sync()
    const page = await tablet.open(patientId)
    const content = png(300, 200, 5000)
    const id = await page.attach('photos', '舌象.png', 'image/png', content)
    await page.leave()
    await tablet.sync()
    return { patientId, id, content }
  }

  beforeEach(async () => {
    await releaseWithPhotos(server.world)
    await tablet.signIn('lin')
  })

  test('stays as long as the photograph lies here: all of it comes again to a server from an older backup than any that it kept', async () => {
    const older = await server.backUp(folder)
    const { patientId, id, content } = await photographed()
    await backedUp('first')
    await tablet.sync()
    await server.restoreFrom(older)
    expect(await onServer(server, patientId)).toEqual({})
    await tablet.signIn('lin')
    tablet.setClock(3 * 60_000)
    await tablet.sync()
    await tablet.sync()
    expect(await tablet.storage.work.files.get(id)).toMatchObject({ state: 'sent' })
    expect(await onServer(server, patientId)).toMatchObject({ photos: [{ id }] })
    expect(Buffer.compare(await contentOf(server.world, server.world.people.lin, id), content)).toBe(0)
  })

  test('goes with the next backup after that', async () => {
    const { id } = await photographed()
    const other = await enrol(server.world)
    await tablet.sync()
    await tablet.enter(other, 'weight', '65')
    await tablet.sync()
    expect(await kept()).toBe(3)
    await backedUp('first')
    await tablet.sync()
    expect(await kept()).toBe(2)
    tablet.setClock(15 * DAY)
    await tablet.sync()
    expect(await tablet.storage.work.files.get(id)).toMatchObject({ dropped: 1 })
    await enrol(server.world)
    await backedUp('second')
    await tablet.sync()
    expect(await kept()).toBe(0)
  })
})
