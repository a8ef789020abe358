import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { wipe } from '#offline/db/wipe.ts'
import { PIECE_BYTES } from '#offline/files/keep.ts'
import { runCycle } from '#offline/sync/cycle.ts'
import type { FileStanding } from '#src/data/shapes/fileTypes.ts'
import { keepHouse } from '#server/jobs/housekeeping.ts'
import { png } from '#tests/core/files/samples.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { changeMember } from '#tests/scenarios/support/study.ts'
import { DyingWorker } from '#tests/scenarios/support/dyingWorker.ts'
import { Tablet, onServer } from '#tests/scenarios/support/ward.ts'
import { contentOf, releaseWithPhotos } from '#tests/server/areas/attachment/support.ts'
import { enrol, enrolment, setStatus, vitals } from '#tests/server/support/world.ts'

/** Photographs of a ward whose network comes and goes: whole, once, and after what they belong to. */

const server = serverForAllTests()
let tablet: Tablet
let patient: string
let target: EntryTarget
beforeAll(async () => {
  await releaseWithPhotos(server.world)
  tablet = await Tablet.unpacked(server)
  await tablet.signIn('lin')
})
beforeEach(async () => {
  tablet.comeBack()
  tablet.interpose((request, arrive) => arrive(request))
  patient = await enrol(server.world)
  target = vitals(server.world, patient)
  await tablet.sync()
})

/** What people entered goes, and no photograph. */
const filesGetNowhere = (request: Request, arrive: (request: Request) => Promise<Response>): Promise<Response> =>
  request.url.includes('/attach/') ? Promise.reject(new TypeError('reset')) : arrive(request)

/** Two pieces and a bit. */
function photograph(bytes = 2 * PIECE_BYTES + 1000): Uint8Array<ArrayBuffer> {
  const content = png(3000, 2000, bytes)
  for (let at = 64; at < bytes; at += 65_536) crypto.getRandomValues(content.subarray(at, Math.min(bytes, at + 65_536)))
  return content
}

async function takePhoto(
  at: Tablet = tablet,
  content = photograph(),
  patientId = patient,
): Promise<{ readonly id: string; readonly content: Uint8Array }> {
  const page = await at.open(patientId)
  const id = await page.attach('photos', '舌象.png', 'image/png', content)
  await page.leave()
  return { id, content }
}

async function arrived(id: string): Promise<{ readonly state: string; readonly stored: number }> {
  const rows = await server.rows<{ state: string }>('SELECT state FROM attachment WHERE id = $1', [id])
  const booked = await server.rows(
    `SELECT 1 FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.action = 'attachment.store' AND v.new_value ->> 'id' = $1`,
    [id],
  )
  return { state: rows[0]?.state ?? 'none', stored: booked.length }
}

async function expectWhole({ id, content }: { readonly id: string; readonly content: Uint8Array }): Promise<void> {
  expect(await arrived(id)).toEqual({ state: 'stored', stored: 1 })
  expect(Buffer.compare(await contentOf(server.world, server.world.people.lin, id), content)).toBe(0)
}

/** What the tablet itself knows of a file. */
async function standingOf(id: string): Promise<FileStanding | undefined> {
  tablet.goOffline()
  return valueOf(await tablet.device.fileStandings(server.world.study.projectId, entryId(target))).get(id)
}

test('a photograph taken without a network is on the tablet at once, counts as unsent, and arrives after the value that names it', async () => {
  tablet.goOffline()
  const photo = await takePhoto()
  expect(await standingOf(photo.id)).toMatchObject({ state: 'waiting', share: 0 })
  expect(valueOf(await tablet.device.unsent()).unsent).toBe(2)
  const seen = valueOf(await tablet.device.fileContent(server.world.study.projectId, photo.id))
  expect(Buffer.compare(Buffer.from(await seen.arrayBuffer()), photo.content)).toBe(0)

  tablet.comeBack()
  const asked: string[] = []
  tablet.interpose((request, arrive) => {
    asked.push(new URL(request.url).pathname.replace(/.*\/(attach)\/[^/]+/, '$1'))
    return arrive(request)
  })
  await tablet.sync()
  expect(asked.filter((path) => path.startsWith('attach'))).toEqual([
    'attach/start',
    'attach/piece',
    'attach/piece',
    'attach/piece',
    'attach/finish',
  ])
  expect(asked.indexOf('/api/edc/sync/push')).toBeLessThan(asked.indexOf('attach/start'))
  expect((await onServer(server, patient))['photos']).toMatchObject([{ id: photo.id, name: '舌象.png' }])
  await expectWhole(photo)
  expect(await standingOf(photo.id)).toMatchObject({ state: 'stored', share: 1 })
  tablet.comeBack()
  expect(valueOf(await tablet.device.unsent()).unsent).toBe(0)
  await tablet.sync()
  expect(asked.filter((path) => path === 'attach/start')).toHaveLength(1)
})

test('the app dies with the photograph on the disk: it is sent by the next start', async () => {
  tablet.goOffline()
  const page = await tablet.open(patient)
  const content = photograph()
  const id = await page.attach('photos', '舌象.png', 'image/png', content)
  await tablet.flushTyping()
  tablet = tablet.crash()
  await tablet.unlock('lin')
  tablet.comeBack()
  await tablet.takeToken('lin')
  await tablet.sync()
  await expectWhole({ id, content })
  expect((await onServer(server, patient))['photos']).toMatchObject([{ id }])
})

test('over a network that breaks all the time a photograph comes whole, once, going on where it was', async () => {
  const photo = await takePhoto()
  let turn = 0
  tablet.interpose(async (request, arrive) => {
    turn += 1
    const isFile = request.url.includes('/attach/')
    // Every second request about a file gets nowhere, every third answer is lost.
    if (isFile && turn % 2 === 0) throw new TypeError('connection reset')
    const answer = await arrive(request)
    if (isFile && turn % 3 === 0) throw new TypeError('connection reset')
    return answer
  })
  for (let cycles = 0; cycles < 4; cycles += 1) await tablet.sync()
  await expectWhole(photo)
  expect(turn).toBeGreaterThan(10)
})

test('what is entered while a photograph is on its way goes between two of its pieces', async () => {
  const photo = await takePhoto()
  const order: string[] = []
  let entered = false
  tablet.interpose(async (request, arrive) => {
    const path = new URL(request.url).pathname
    if (path.endsWith('/piece') && !entered) {
      entered = true
      await tablet.enter(patient, 'height', '171')
    }
    if (path.endsWith('/piece') || path.endsWith('/push')) order.push(path.endsWith('/push') ? 'data' : 'piece')
    return arrive(request)
  })
  await tablet.sync()
  expect(order.join(' ')).toMatch(/^data piece data piece piece/)
  expect((await onServer(server, patient))['height']).toBe(171)
  await expectWhole(photo)
})

test('the server starts anew in the middle: the photograph goes on from the piece that it has', async () => {
  const photo = await takePhoto()
  const from: string[] = []
  tablet.interpose(async (request, arrive) => {
    const url = new URL(request.url)
    if (url.pathname.endsWith('/piece')) from.push(url.searchParams.get('from') ?? '')
    if (from.length === 2 && url.pathname.endsWith('/piece')) throw new TypeError('connection reset')
    return arrive(request)
  })
  await tablet.sync()
  await server.restart()
  tablet.interpose((request, arrive) => {
    const url = new URL(request.url)
    if (url.pathname.endsWith('/piece')) from.push(url.searchParams.get('from') ?? '')
    return arrive(request)
  })
  await tablet.sync()
  expect(from.filter((byte) => byte === '0')).toHaveLength(1)
  await expectWhole(photo)
})

test('a colleague carries what one left: the value in its author’s name, and the photograph with it', async () => {
  const shared = await Tablet.unpacked(server)
  await shared.signIn('lin')
  shared.goOffline()
  const photo = await takePhoto(shared)
  shared.lock()
  shared.comeBack()
  await shared.signIn('wu')
  await shared.sync()
  await expectWhole(photo)
  const [row] = await server.rows<{ author: string }>('SELECT author FROM attachment WHERE id = $1', [photo.id])
  expect(row?.author).toBe(server.world.people.lin.userId)
})

test('whoever is at work and may not carry it leaves it waiting: it comes once somebody is there who may', async () => {
  const shared = await Tablet.unpacked(server)
  await shared.signIn('lin')
  shared.interpose(filesGetNowhere)
  const photo = await takePhoto(shared)
  await shared.sync()
  shared.lock()
  await shared.signIn('wu')
  shared.interpose((request, arrive) => arrive(request))
  await changeMember(server.world, server.world.people.wu, { status: 'pause' })
  try {
    shared.setClock(3 * 60_000)
    await shared.sync()
    expect(await shared.storage.work.files.get(photo.id)).toMatchObject({ state: 'unsent', problem: null })
    expect(await arrived(photo.id)).toMatchObject({ stored: 0 })
  } finally {
    await changeMember(server.world, server.world.people.wu, {})
  }
  shared.lock()
  await shared.signIn('lin')
  shared.setClock(20 * 60_000)
  await shared.sync()
  await expectWhole(photo)
})

test('a colleague carries the photograph of a patient whose enrolment waits for a decision, too', async () => {
  const { world } = server
  const { lin } = world.people
  const shared = await Tablet.unpacked(server)
  await shared.signIn('lin')
  await shared.sync()
  shared.goOffline()
  const { initials, sex, enrolledOn, identity } = enrolment(world, newId())
  const { patientId } = valueOf(
    await shared.device.enrolPatient({
      projectId: world.study.projectId,
      centerId: world.study.north,
      initials,
      sex,
      enrolledOn,
      identity,
    }),
  )
  const photo = await takePhoto(shared, photograph(), patientId)
  await changeMember(world, lin, { status: 'pause' })
  try {
    shared.comeBack()
    shared.interpose(filesGetNowhere)
    await shared.takeToken('lin')
    await shared.sync()
    const [enrolled] = await server.rows<{ outcome: string }>('SELECT outcome FROM operation WHERE entity_id = $1', [
      patientId,
    ])
    expect(enrolled?.outcome).toBe('inbox')
    shared.lock()
    shared.interpose((request, arrive) => arrive(request))
    await shared.signIn('wu')
    shared.setClock(3 * 60_000)
    await shared.sync()
    expect(await arrived(photo.id)).toEqual({ state: 'stored', stored: 1 })
    expect(await shared.storage.work.files.get(photo.id)).toMatchObject({ state: 'sent' })
    // Whoever decides sees what they decide on, and only they.
    expect(Buffer.compare(await contentOf(world, world.people.manager, photo.id), photo.content)).toBe(0)
    for (const person of [world.people.wu, world.people.south])
      await expect(contentOf(world, person, photo.id)).rejects.toThrow('not_found')
  } finally {
    await changeMember(world, lin, {})
  }
})

test('one that an older app gave up for the right of whoever was at work is on its way again', async () => {
  tablet.interpose(filesGetNowhere)
  const photo = await takePhoto()
  await tablet.sync()
  await tablet.storage.work.files.update(photo.id, { state: 'rejected', problem: 'not_found' })
  tablet.interpose((request, arrive) => arrive(request))
  await tablet.sync()
  expect(await tablet.storage.work.files.get(photo.id)).toMatchObject({ state: 'sent', problem: null })
  await expectWhole(photo)
})

test('a photograph whose page is held by a pause waits with it at the server, and shows when the project goes on', async () => {
  tablet.goOffline()
  const photo = await takePhoto()
  await setStatus(server.world, 'stop')
  tablet.comeBack()
  await tablet.sync()
  expect(await arrived(photo.id)).toEqual({ state: 'stored', stored: 1 })
  expect(await onServer(server, patient)).toEqual({})
  await setStatus(server.world, 'process')
  await keepHouse(server.world.services)
  await tablet.sync()
  await tablet.sync()
  expect((await onServer(server, patient))['photos']).toMatchObject([{ id: photo.id }])
  expect((await tablet.see(patient)).data.values['photos']).toMatchObject([{ id: photo.id }])
})

test('two people add to the same field: both photographs are there', async () => {
  const other = await Tablet.unpacked(server)
  await other.signIn('wu')
  for (const one of [tablet, other]) one.goOffline()
  const [mine, theirs] = [await takePhoto(), await takePhoto(other)]
  for (const one of [tablet, other]) {
    one.comeBack()
    await one.sync()
  }
  await tablet.sync()
  expect((await onServer(server, patient))['photos']).toMatchObject(
    [mine, theirs].map(({ id }) => ({ id })).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  )
  await expectWhole(mine)
  await expectWhole(theirs)
})

test('a photograph that is taken out again before anything was sent is named by nothing: it waits for nobody, and can be given up', async () => {
  tablet.goOffline()
  const page = await tablet.open(patient)
  const id = await page.attach('photos', '舌象.png', 'image/png', photograph(5000))
  await page.flush()
  page.set('photos', null)
  await page.leave()
  tablet.comeBack()
  await tablet.sync()
  tablet.setClock(3 * 60_000)
  try {
    await tablet.sync()
  } finally {
    tablet.setClock(0)
  }
  const [known] = await server.rows<{ id: string }>('SELECT id FROM attachment WHERE id = $1', [id])
  // The journal of what was typed names it, but no value ever did.
  expect(known).toBeUndefined()
  expect(await standingOf(id)).toMatchObject({ state: 'loose' })
  expect(valueOf(await tablet.device.unsent()).unsent).toBe(0)
  expect(await tablet.device.discardFile(id)).toMatchObject({ ok: true })
  expect(await tablet.storage.work.filePieces.where('id').equals(id).count()).toBe(0)
})

/** A photograph that is on the tablet and in no field: it was taken out again before anything was sent. */
async function looseOne(): Promise<{
  readonly id: string
  readonly content: Uint8Array
  readonly reference: JsonValue
}> {
  tablet.goOffline()
  const page = await tablet.open(patient)
  const content = photograph(5000)
  const id = await page.attach('photos', '舌象.png', 'image/png', content)
  await page.flush()
  const reference = page.shown('photos')
  page.set('photos', null)
  await page.leave()
  tablet.comeBack()
  await tablet.sync()
  tablet.setClock(3 * 60_000)
  try {
    await tablet.sync()
  } finally {
    tablet.setClock(0)
  }
  expect(await standingOf(id)).toMatchObject({ state: 'loose' })
  return { id, content, reference }
}

test('a photograph that was in no field and is put into one again is on its way again from that save on, and comes', async () => {
  const photo = await looseOne()
  const page = await tablet.open(patient)
  page.set('photos', photo.reference)
  await page.leave()
  expect(await standingOf(photo.id)).toMatchObject({ state: 'waiting' })
  expect(valueOf(await tablet.device.unsent()).unsent).toBe(2)
  tablet.comeBack()
  await tablet.sync()
  await expectWhole(photo)
  expect((await onServer(server, patient))['photos']).toMatchObject([{ id: photo.id }])
})

test('what the server does not take is said and stays on the tablet until somebody decides', async () => {
  const page = await tablet.open(patient)
  const id = await page.attach('photos', 'x.png', 'image/png', new TextEncoder().encode('<html>'))
  await page.leave()
  await tablet.sync()
  expect(await standingOf(id)).toMatchObject({ state: 'rejected', problem: 'type_forged' })
  expect(await tablet.device.fileContent(server.world.study.projectId, id)).toMatchObject({ ok: true })
  expect(valueOf(await tablet.device.unsent()).unsent).toBe(1)

  // Taken out of its field it is named by nothing, and may be given up.
  const again = await tablet.open(patient)
  again.set('photos', null)
  await again.leave()
  const { lines } = valueOf(await tablet.device.patientFiles(server.world.study.projectId, patient))
  expect(lines).toMatchObject([{ reference: { id }, isNamed: false, standing: { state: 'rejected' } }])
  expect(await tablet.device.discardFile(id)).toMatchObject({ ok: true })
  tablet.comeBack()
  await tablet.sync()
  expect(valueOf(await tablet.device.unsent()).unsent).toBe(0)
})

test('a center is not given up, nor a tablet cleared, while a photograph is on it alone', async () => {
  const away = await Tablet.unpacked(server)
  await away.signIn('lin')
  await away.sync()
  const content = photograph(5000)
  const page = await away.open(patient)
  await page.attach('photos', '舌象.png', 'image/png', content)
  await page.leave()
  away.interpose(filesGetNowhere)
  await away.sync()
  expect(await away.unsent()).toBe(0)
  const { projectId, north } = server.world.study
  expect(await away.device.dropScope(`${projectId}/${north}/1`)).toEqual({ done: false, unsent: 1 })
  expect(valueOf(await wipe(away.storage, null))).toEqual({ done: false, unsent: 1, typed: 0 })
})

describe('a server that was restored from a backup', () => {
  test('is offered the photographs that it has lost', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'zl-attach-backup-'))
    try {
      const before = await server.backUp(folder)
      const photo = await takePhoto()
      await tablet.sync()
      await expectWhole(photo)
      await server.restoreFrom(before)
      expect(await arrived(photo.id)).toEqual({ state: 'none', stored: 0 })
      await tablet.signIn('lin')
      await tablet.sync()
      await tablet.sync()
      await expectWhole(photo)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('is offered a page that names a photograph which was said to be in no field: it comes with it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'zl-attach-backup-'))
    try {
      const before = await server.backUp(folder)
      tablet.interpose(filesGetNowhere)
      const photo = await takePhoto()
      await tablet.sync()
      await server.restoreFrom(before)
      // As an app said it that did not look at what it had sent.
      await tablet.storage.work.files.update(photo.id, { state: 'loose' })
      tablet.interpose((request, arrive) => arrive(request))
      await tablet.signIn('lin')
      await tablet.sync()
      await tablet.sync()
      await expectWhole(photo)
      expect(await onServer(server, patient)).toMatchObject({ photos: [{ id: photo.id }] })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('has forgotten the page that names a photograph: it is in its field all the same, and comes when the page has come again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'zl-attach-backup-'))
    try {
      const before = await server.backUp(folder)
      tablet.interpose(filesGetNowhere)
      const photo = await takePhoto()
      await tablet.sync()
      expect(await onServer(server, patient)).toMatchObject({ photos: [{ id: photo.id }] })
      await server.restoreFrom(before)
      // For a while nothing can be fetched here, and so nothing is offered either.
      await changeMember(server.world, server.world.people.lin, { status: 'pause' })
      tablet.interpose((request, arrive) => arrive(request))
      await tablet.takeToken('lin')
      tablet.setClock(3 * 60_000)
      await tablet.sync()
      expect(await standingOf(photo.id)).toMatchObject({ state: 'waiting' })
      tablet.comeBack()
      await changeMember(server.world, server.world.people.lin, {})
      await tablet.sync()
      await tablet.sync()
      await expectWhole(photo)
      expect(await onServer(server, patient)).toMatchObject({ photos: [{ id: photo.id }] })
    } finally {
      tablet.setClock(0)
      await rm(folder, { recursive: true, force: true })
    }
  })
})

test.each(['before', 'after'] as const)(
  'a worker that is killed %s any of its steps leaves the photograph to the next, who brings it whole and once',
  async (when) => {
    let end = { died: true, steps: 0 }
    let runs = 0
    while (end.died) {
      runs += 1
      const content = photograph(PIECE_BYTES + 500)
      const photo = await takePhoto(tablet, content, await enrolled())
      end = await DyingWorker.run(tablet.name, { at: runs, when }, tablet.syncContext(), runCycle)
      await tablet.sync()
      await expectWhole(photo)
      expect(await tablet.storage.work.files.get(photo.id)).toMatchObject({ state: 'sent' })
    }
    expect(runs).toBeGreaterThan(15)
  },
  300_000,
)

async function enrolled(): Promise<string> {
  const id = await enrol(server.world)
  await tablet.sync()
  return id
}
