import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { GapCheck } from '#core/api/calls/review/double.ts'
import { referencesIn } from '#core/files/reference.ts'
import { entryId } from '#core/derivedIds.ts'
import { png } from '#tests/core/files/samples.ts'
import { contentOf, fileOf, releaseWithPhotos, upload } from '#tests/server/areas/attachment/support.ts'
import type { TestFile } from '#tests/server/areas/attachment/support.ts'
import { testFiles } from '#tests/server/support/files.ts'
import type { Person, World } from '#tests/server/support/world.ts'
import { call, change, enrol, makeWorld, refusal, vitals } from '#tests/server/support/world.ts'

/** Photographs in double entry: each pass takes its own, and one of them stands. */

let world: World
let crfId: string
let patient: string
beforeAll(async () => {
  const made = await makeWorld()
  world = { ...made, services: { ...made.services, files: testFiles().files } }
  crfId = await releaseWithPhotos(world)
  await world.services.pool.query(`UPDATE project SET config = config || '{"isDouble": 1}'`)
  await world.services.pool.query('UPDATE member SET entry_pass = 2 WHERE user_id = $1', [world.people.wu.userId])
})
afterAll(() => world.close())
beforeEach(async () => {
  patient = await enrol(world)
})

const photo = (width: number): TestFile => fileOf(png(width, 480, 3000))
const check = (): Promise<GapCheck> => call(world, world.people.manager, 'double.gapCheck', { id: patient, crfId })

/** Names a photograph in a pass; its content comes as well unless it is still on its way. */
async function take(who: Person, pass: 1 | 2, file: TestFile, arrives = true): Promise<void> {
  const target = { ...vitals(world, patient), pass }
  await call(world, who, 'entry.save', {
    id: entryId(target),
    pass,
    crfId,
    body: change(target, { photos: [{ ...file.reference }] }),
  })
  if (arrives) await upload(world, who, target, file)
}

async function takeSecond(found: GapCheck): Promise<unknown> {
  const choices = found.gaps.map(({ id }) => ({ id, choose: 'second' as const }))
  return call(world, world.people.manager, 'double.merge', {
    body: { patientId: patient, compared: found.compared, choices },
  })
}

it('the same photograph in both passes is no difference', async () => {
  const { lin, wu } = world.people
  const content = png(640, 480, 3000)
  await take(lin, 1, fileOf(content))
  await take(wu, 2, fileOf(content))
  expect((await check()).gaps).toEqual([])
})

it('the one of the second pass that is taken is a file of the first, with its content', async () => {
  const { lin, wu } = world.people
  const second = photo(800)
  await take(lin, 1, photo(640))
  await take(wu, 2, second)
  await takeSecond(await check())
  const [entry] = await call(world, lin, 'entry.list', { query: { patientId: patient } })
  const [reference] = referencesIn(entry?.values['photos'] ?? null)
  expect(reference).toMatchObject({ hash: second.reference.hash })
  expect(reference?.id).not.toBe(second.reference.id)
  expect(await contentOf(world, lin, reference?.id ?? '')).toEqual(Buffer.from(second.content))
  expect(await call(world, lin, 'attachment.ofPage', { query: { id: entry?.id ?? '' } })).toMatchObject([
    { state: 'stored' },
  ])
})

it('one whose content has not come yet cannot be taken: nothing is merged', async () => {
  const { lin, wu } = world.people
  await take(lin, 1, photo(640))
  await take(wu, 2, photo(800), false)
  const found = await check()
  expect(await refusal(takeSecond(found))).toBe('invalid')
  expect((await check()).state).toBe('open')
})
