import { beforeAll, expect, it } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import { addVersion, call, change, enrol, item, refusal, save, vitals } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** Fields whose value no two patients share. */

const OPTION = JSON.stringify({
  column: [
    { prop: 'card', label: '就诊卡号', type: 'input', unique: true },
    { prop: 'idno', label: '身份证号', type: 'input', unique: true, zl: { identifier: true } },
    { prop: 'lot', label: '批号', type: 'input' },
  ],
})

const world = worldForAllTests()
let crfId: string
beforeAll(async () => {
  crfId = newId()
  await addVersion(world.services.pool, world.study, world.people.admin, { id: crfId, no: 2, vitals: OPTION })
})

async function patients(count: number) {
  const made = []
  for (let at = 0; at < count; at += 1) made.push(vitals(world, await enrol(world)))
  return made as [ReturnType<typeof vitals>, ReturnType<typeof vitals>]
}
const write = (
  body: ReturnType<typeof change>,
  as: 'entry.save' | 'entry.smartSave' | 'entry.submit',
  who = world.people.lin,
) => save(world, who, body, { crfId, as })
const ask = (target: ReturnType<typeof vitals>, code: string, value: JsonValue, who = world.people.lin) =>
  call(world, who, 'entry.unique', { id: entryId(target), body: { target, code, value }, crfId })

it('a value that another patient has is taken when it is saved, said where rules are asked for, and bounces a submit', async () => {
  const [one, two] = await patients(2)
  await write(change(one, { card: 'A1' }), 'entry.submit')
  const saved = await write(change(two, { card: 'A1', lot: 'x' }), 'entry.save')
  expect(saved.entry?.values).toMatchObject({ card: 'A1' })
  const smart = await write(change(two, { lot: item('lot', 'x', 'y') }), 'entry.smartSave')
  expect(smart.error).toEqual({ card: '与已有记录重复' })
  const submitted = await write(change(two, { lot: item('lot', 'y', 'z') }), 'entry.submit')
  expect(submitted).toMatchObject({
    submitted: { done: false, why: 'invalid' },
    error: { card: '与已有记录重复' },
    entry: { status: 'process' },
  })
  const mended = await write(change(two, { card: item('card', 'A1', 'A2') }), 'entry.submit')
  expect(mended).toMatchObject({ submitted: { done: true }, entry: { status: 'other', values: { card: 'A2' } } })
})

it('of two submits of the same value at the same moment one goes through', async () => {
  const [one, two] = await patients(2)
  const answers = await Promise.all([
    write(change(one, { card: 'B1' }), 'entry.submit'),
    write(change(two, { card: 'B1' }), 'entry.submit'),
  ])
  expect(answers.map(({ submitted }) => submitted?.done === true).toSorted((a, b) => Number(a) - Number(b))).toEqual([
    false,
    true,
  ])
})

it('the same patient may have it on another day, and a removed patient has it no longer', async () => {
  const [one, two] = await patients(2)
  await write(change(one, { card: 'C1' }), 'entry.submit')
  await call(world, world.people.lin, 'patient.remove', {
    body: { id: one.patientId, projectId: world.study.projectId, reason: { code: 'other', text: '误入组' } },
  })
  expect((await write(change(two, { card: 'C1' }), 'entry.submit')).submitted).toMatchObject({ done: true })
  expect(
    (
      await write(
        change(two, { lot: item('lot', null, '再次', { reason: { code: 'clarification', text: '' } }) }),
        'entry.submit',
      )
    ).submitted,
  ).toMatchObject({ done: true })
})

it('whoever enters it may ask beforehand, and hears no more than whether it is taken', async () => {
  const [one, two] = await patients(2)
  await write(change(one, { card: 'D1', idno: '330' }), 'entry.save')
  expect(await ask(two, 'card', 'D1')).toEqual({ taken: true })
  expect(await ask(two, 'card', 'D2')).toEqual({ taken: false })
  expect(await ask(one, 'card', 'D1')).toEqual({ taken: false })
  expect(await refusal(ask(two, 'lot', 'D1'))).toBe('not_found')
  expect(await refusal(ask({ ...two, patientId: newId() }, 'card', 'D1'))).toBe('not_found')
  expect(await refusal(ask(two, 'card', 'D1', world.people.south))).toBe('not_found')
  expect(await refusal(ask(two, 'card', 'D1', world.people.monitor))).toBe('forbidden')
})
