import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { QueryRow } from '#core/api/sync/rows.ts'
import { newId } from '#core/ids.ts'
import type { FileReference } from '#core/files/reference.ts'
import { keepHouse } from '#server/jobs/housekeeping.ts'
import { png } from '#tests/core/files/samples.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { Tablet } from '#tests/scenarios/support/ward.ts'
import { contentOf } from '#tests/server/areas/attachment/support.ts'
import { act, ask, shown } from '#tests/server/areas/query/support.ts'
import { enrol, queryPlace, refusal, setStatus } from '#tests/server/support/world.ts'

/** Photographs with what is asked and answered on a ward whose network comes and goes. */

const server = serverForAllTests()
let tablet: Tablet
let patient: string
let asked: QueryRow
beforeAll(async () => {
  tablet = await Tablet.unpacked(server)
  await tablet.signIn('lin')
})
beforeEach(async () => {
  tablet.comeBack()
  tablet.interpose((request, arrive) => arrive(request))
  patient = await enrol(server.world)
  asked = await ask(server.world, server.world.people.monitor, patient)
  await tablet.sync()
})

const project = () => server.world.study.projectId
const picture = (bytes = 700_000): Blob => {
  const content = png(800, 600, bytes)
  for (let at = 64; at < bytes; at += 65_536) crypto.getRandomValues(content.subarray(at, Math.min(bytes, at + 65_536)))
  return new Blob([content])
}

/** A photograph on the tablet, for what is about to be said in a query. */
async function take(content = picture(), queryId = asked.id, at = tablet): Promise<FileReference> {
  const file = { name: '化验单.png', type: 'image/png', content, thumb: null }
  return valueOf(await at.device.takeQueryFile(project(), { queryId, patientId: patient }, file))
}

async function answer(files: FileReference[], at = tablet): Promise<void> {
  const deed = { act: 'answer', text: '见附件', category: 'confirmed', files } as const
  expect(await at.device.actOnQuery(project(), asked, deed)).toMatchObject({ ok: true })
}

const stateOf = async (id: string, at = tablet) =>
  valueOf(await at.device.queryFileStandings(asked.id)).get(id)?.state ?? 'gone'
const atServer = async (id: string) =>
  (await server.rows<{ state: string }>('SELECT state FROM attachment WHERE id = $1', [id]))[0]?.state ?? 'none'
/** What the monitor reads in the thread of the files. */
const read = async () =>
  (await shown(server.world, server.world.people.monitor, { patientId: patient }))
    .find(({ query }) => query.id === asked.id)
    ?.query.thread.at(-1)
    ?.files?.map(({ name, state }) => `${name} ${state}`)
async function expectWhole(content: Blob, { id }: FileReference): Promise<void> {
  const there = await contentOf(server.world, server.world.people.monitor, id)
  expect(Buffer.compare(there, Buffer.from(await content.arrayBuffer()))).toBe(0)
}

test('an answer with a photograph, given without a network, is in the thread at once and counts; the answer goes first, the photograph follows', async () => {
  tablet.goOffline()
  const content = picture()
  const photo = await take(content)
  await answer([photo])
  expect(valueOf(await tablet.device.unsent()).unsent).toBe(2)
  const [view] = valueOf(await tablet.device.patientQueries(project(), patient))
  expect(view?.query.thread.at(-1)).toMatchObject({ unsent: true, files: [{ ...photo, state: 'expected' }] })
  expect(await stateOf(photo.id)).toBe('waiting')
  const { lines } = valueOf(await tablet.device.patientFiles(project(), patient))
  expect(lines).toMatchObject([{ reference: photo, page: null, isNamed: true, query: { id: asked.id, no: asked.no } }])

  tablet.comeBack()
  const order: string[] = []
  tablet.interpose((request, arrive) => {
    const path = new URL(request.url).pathname
    if (path.includes('/attach/') || path.endsWith('/push')) order.push(path.split('/').at(-1) ?? '')
    return arrive(request)
  })
  await tablet.sync()
  expect(order.slice(0, 5)).toEqual(['push', 'start', 'piece', 'piece', 'finish'])
  expect(await read()).toEqual(['化验单.png stored'])
  await expectWhole(content, photo)
  expect(await stateOf(photo.id)).toBe('stored')
  expect(valueOf(await tablet.device.unsent()).unsent).toBe(0)
  // The other tablets of the center learn that it has come with their next pull.
  await tablet.sync()
  tablet.goOffline()
  const [later] = valueOf(await tablet.device.patientQueries(project(), patient))
  expect(later?.query.thread.at(-1)).toMatchObject({ files: [{ id: photo.id, state: 'stored' }] })
})

test('the answer has arrived and the photograph has not: the thread says so, a lock and a dead app lose nothing', async () => {
  tablet.interpose((request, arrive) =>
    request.url.includes('/attach/') ? Promise.reject(new TypeError('reset')) : arrive(request),
  )
  const content = picture()
  const photo = await take(content)
  await answer([photo])
  await tablet.sync()
  expect(await read()).toEqual(['化验单.png expected'])
  tablet = tablet.crash()
  await tablet.unlock('lin')
  tablet.comeBack()
  await tablet.takeToken('lin')
  tablet.setClock(5 * 60_000)
  await tablet.sync()
  tablet.setClock(0)
  expect(await read()).toEqual(['化验单.png stored'])
  await expectWhole(content, photo)
})

test('a photograph that is chosen and not sent waits for its words, however long; one that is taken out again is gone', async () => {
  const content = picture(5000)
  const [photo, other] = [await take(content), await take(picture(5000))]
  expect(await tablet.device.discardQueryFile(other.id)).toMatchObject({ ok: true })
  expect(await tablet.storage.work.filePieces.where('id').equals(other.id).count()).toBe(0)
  await tablet.sync()
  tablet.setClock(3 * 60_000)
  await tablet.sync()
  expect(await stateOf(photo.id)).toBe('loose')
  await answer([photo])
  expect(await stateOf(photo.id)).toBe('waiting')
  // What was said with it is not taken back by removing it.
  await tablet.device.discardQueryFile(photo.id)
  await tablet.sync()
  tablet.setClock(0)
  expect(await read()).toEqual(['化验单.png stored'])
  await expectWhole(content, photo)
  await tablet.device.discardQueryFile(photo.id)
  expect(await stateOf(photo.id)).toBe('stored')
})

test('a question that is raised here has its photograph before it has a number, and both wait out a pause', async () => {
  const other = await Tablet.unpacked(server)
  await other.signIn('monitor')
  await other.sync()
  await setStatus(server.world, 'stop')
  const content = picture(5000)
  const id = newId()
  const photo = await take(content, id, other)
  const question = {
    id,
    place: queryPlace(server.world, patient, { code: 'weight' }),
    text: '见附件',
    files: [photo],
    isCandidate: false,
    isUrgent: false,
    dueOn: null,
  }
  expect(await other.device.raiseQuery(project(), server.world.study.versionId, question)).toMatchObject({
    ok: true,
    id,
  })
  await other.sync()
  expect(await atServer(photo.id)).toBe('stored')
  expect(await refusal(contentOf(server.world, server.world.people.lin, photo.id))).toBe('not_found')
  await setStatus(server.world, 'process')
  await keepHouse(server.world.services)
  await tablet.sync()
  const [view] = valueOf(await tablet.device.patientQueries(project(), patient))
  expect(view?.query).toMatchObject({ id, thread: [{ files: [{ id: photo.id, state: 'stored' }] }] })
  await expectWhole(content, photo)
})

test('at a desk that keeps no center, the words go to the server at once, and the file survives on the device until it has come', async () => {
  const { world } = server
  await act(world, world.people.lin, asked, 'answer')
  const desk = await Tablet.unpacked(server)
  await desk.signInToLook('monitor')
  const content = picture()
  const photo = await take(content, asked.id, desk)
  const deed = { act: 'requery', text: '请核对附件', category: null, files: [photo] } as const
  expect(await desk.device.actOnQuery(project(), asked, { ...deed, files: [photo] })).toMatchObject({ ok: true })
  expect(await read()).toEqual(['化验单.png expected'])
  expect(await stateOf(photo.id, desk)).toBe('waiting')
  desk.lock()
  await desk.signInToLook('monitor')
  await desk.sync()
  expect(await read()).toEqual(['化验单.png stored'])
  await expectWhole(content, photo)
})

test('a server that was restored from a backup is offered the answer again with its photograph', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zl-query-backup-'))
  try {
    const before = await server.backUp(folder)
    const content = picture(5000)
    const photo = await take(content)
    await answer([photo])
    await tablet.sync()
    expect(await read()).toEqual(['化验单.png stored'])
    await server.restoreFrom(before)
    expect(await atServer(photo.id)).toBe('none')
    await tablet.signIn('lin')
    for (let cycles = 0; cycles < 3; cycles += 1) await tablet.sync()
    expect(await read()).toEqual(['化验单.png stored'])
    await expectWhole(content, photo)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
