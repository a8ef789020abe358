import { beforeEach, describe, expect, it } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { act, correct, review, states, submitted, trail } from '#tests/server/areas/review/support.ts'
import { call, change, countRows, enrol, event, refusal, save, setStatus, vitals } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** Verifying the values of a page: what is marked, what is left, and what a later change makes of it. */

const world = worldForAllTests()
let page: EntryTarget
beforeEach(async () => {
  page = await submitted(world)
})

describe('a page that is verified', () => {
  it('has every field marked by who looked at it, and the trail says so', async () => {
    const { monitor } = world.people
    const { review: after, refused } = await act(
      world,
      monitor,
      page,
      'verify',
      { height: 170, weight: 65 },
      { method: 'onSite' },
    )
    expect(refused).toEqual([])
    expect(after.sdv.items).toMatchObject([
      { code: 'height', state: 'verified', byName: 'monitor (测试)', method: 'onSite', note: null },
      { code: 'weight', state: 'verified' },
    ])
    expect(after.dmr.items).toEqual([])
    expect(await trail(world, page.patientId)).toMatchObject([
      {
        action: 'review.verify',
        prop: 'height',
        who: 'monitor (测试)',
        old: { state: null },
        to: { state: 'verified', track: 'sdv', method: 'onSite', note: null, value: 170, missing: null },
      },
      { action: 'review.verify', prop: 'weight' },
    ])
  })

  it('leaves what holds another value than on the screen, what is not there, what cannot be seen, and what a rule gives', async () => {
    const { monitor } = world.people
    await correct(world, page, 'note', null, '随访')
    await correct(world, page, 'contact', null, '李四')
    const { refused } = await act(world, monitor, page, 'verify', {
      height: 170,
      weight: 56,
      packs: 3,
      nowhere: 1,
      contact: '***',
      bmi: 22.49,
    })
    expect(refused.map(({ code, why }) => [code, why])).toEqual([
      ['weight', 'value'],
      ['packs', 'gone'],
      ['nowhere', 'gone'],
      ['contact', 'masked'],
      ['bmi', 'calculated'],
    ])
    expect(await states(world, monitor, page)).toEqual({ height: 'verified' })
  })

  it('says of a field that somebody else was faster with that it is marked already', async () => {
    const { monitor } = world.people
    await act(world, monitor, page, 'verify', { height: 170 })
    const { refused } = await act(world, monitor, page, 'verify', { height: 170 })
    expect(refused).toMatchObject([{ code: 'height', why: 'state' }])
    expect(await trail(world, page.patientId)).toHaveLength(1)
  })

  it('is verified once, however often the request comes', async () => {
    const { monitor } = world.people
    const key = newId()
    const first = await act(world, monitor, page, 'verify', { height: 170 }, { key })
    const links = await countRows(world, 'audit_link')
    expect(await act(world, monitor, page, 'verify', { height: 170 }, { key })).toEqual(first)
    expect(await countRows(world, 'audit_link')).toBe(links)
    expect(await refusal(act(world, monitor, page, 'verify', { weight: 65 }, { key }))).toBe('key_reused')
  })

  it('is taken back and exempt with a reason', async () => {
    const { monitor } = world.people
    await act(world, monitor, page, 'verify', { height: 170, weight: 65 })
    await act(world, monitor, page, 'unverify', { height: 170 })
    await act(world, monitor, page, 'exempt', { smokes: '0' })
    expect(await states(world, monitor, page)).toEqual({ height: 'withdrawn', weight: 'verified', smokes: 'exempt' })
    expect((await trail(world, page.patientId)).at(-1)).toMatchObject({
      action: 'review.exempt',
      to: { state: 'exempt', note: '原始记录缺失', value: '0' },
    })
  })
})

describe('a value that changes after it was verified', () => {
  it('has to be verified again, and no other field of its page', async () => {
    const { monitor } = world.people
    await act(world, monitor, page, 'verify', { height: 170, weight: 65, smokes: '0' })
    await correct(world, page, 'weight', 65, 66)
    expect(await states(world, monitor, page)).toEqual({ height: 'verified', weight: 'changed', smokes: 'verified' })
    expect((await trail(world, page.patientId)).at(-1)).toMatchObject({
      action: 'review.changed',
      prop: 'weight',
      who: 'lin (测试)',
      old: { state: 'verified' },
      to: { state: 'changed', track: 'sdv', value: 66, missing: null },
    })
  })

  it('stays to be verified when the old value comes back', async () => {
    const { monitor } = world.people
    await act(world, monitor, page, 'verify', { weight: 65 })
    await correct(world, page, 'weight', 65, 66)
    await correct(world, page, 'weight', 66, 65)
    expect(await states(world, monitor, page)).toEqual({ weight: 'changed' })
    await act(world, monitor, page, 'verify', { weight: 65 })
    expect(await states(world, monitor, page)).toEqual({ weight: 'verified' })
  })

  it('changes the marks of both tracks, which know nothing of each other', async () => {
    const { monitor, manager } = world.people
    await act(world, monitor, page, 'verify', { weight: 65, height: 170 })
    await act(world, manager, page, 'verify', { weight: 65 }, { track: 'dmr' })
    await act(world, manager, page, 'exempt', { height: 170 }, { track: 'dmr' })
    await correct(world, page, 'weight', 65, 66)
    await correct(world, page, 'height', 170, 171)
    expect(await states(world, monitor, page)).toEqual({ weight: 'changed', height: 'changed' })
    // What is exempt stays so, whatever it holds.
    expect(await states(world, manager, page, 'dmr')).toEqual({ weight: 'changed', height: 'exempt' })
  })

  it('is told of a value that is hidden once it is shown again', async () => {
    const { monitor } = world.people
    const smoker = await submitted(world, { height: 170, smokes: '1', packs: 2 })
    await act(world, monitor, smoker, 'verify', { packs: 2 })
    await correct(world, smoker, 'smokes', '1', '0')
    expect(await states(world, monitor, smoker)).toEqual({ packs: 'verified' })
    await correct(world, smoker, 'packs', 2, 3)
    expect(await states(world, monitor, smoker)).toEqual({ packs: 'verified' })
    await correct(world, smoker, 'smokes', '0', '1')
    expect(await states(world, monitor, smoker)).toEqual({ packs: 'changed' })
  })
})

describe('who asks for what is not theirs', () => {
  it('finds nothing of a center, a patient or a page that they may not see', async () => {
    const { monitor, south } = world.people
    const far = await submitted(world, { height: 150 }, { who: south, center: world.study.south })
    expect(await refusal(act(world, monitor, far, 'verify', { height: 150 }))).toBe('not_found')
    expect(await refusal(review(world, monitor, far))).toBe('not_found')
    expect(await refusal(review(world, monitor, vitals(world, await enrol(world))))).toBe('not_found')
  })

  it('cannot verify in a track that they do not check, nor see anything as who enters', async () => {
    const { monitor, manager, lin } = world.people
    expect(await refusal(act(world, monitor, page, 'verify', { height: 170 }, { track: 'dmr' }))).toBe('forbidden')
    expect(await refusal(act(world, manager, page, 'verify', { height: 170 }))).toBe('forbidden')
    expect(await refusal(act(world, lin, page, 'verify', { height: 170 }))).toBe('forbidden')
    expect(await refusal(review(world, lin, page))).toBe('forbidden')
  })
})

describe('what stands still', () => {
  it('is still verified where it is frozen, and not where it is locked', async () => {
    const { monitor } = world.people
    const control = (to: string) =>
      world.database.ownerPool.query('UPDATE entry SET control = $2 WHERE id = $1', [entryId(page), to])
    await control('frozen')
    await act(world, monitor, page, 'verify', { height: 170 })
    await control('locked')
    expect(await refusal(act(world, monitor, page, 'verify', { weight: 65 }))).toBe('locked')
    expect(await states(world, monitor, page)).toEqual({ height: 'verified' })
  })

  it('takes no mark while the project is stopped, not even one that would be left', async () => {
    const { monitor } = world.people
    await setStatus(world, 'stop')
    const refusals = [
      await refusal(act(world, monitor, page, 'verify', { height: 170 })),
      await refusal(act(world, monitor, page, 'verify', { height: 171 })),
    ]
    await setStatus(world, 'process')
    expect(refusals).toEqual(['project_stopped', 'project_stopped'])
  })

  it('is not found once its page is deleted', async () => {
    const { monitor, lin } = world.people
    const target = event(world, page.patientId, newId())
    await save(world, lin, change(target, { term: '头痛' }))
    await act(world, monitor, target, 'verify', { term: '头痛' })
    const body = { target, reason: { code: 'other' as const, text: '误建' }, seenRev: 1 }
    await call(world, lin, 'entry.delete', { query: { id: entryId(target) }, body })
    expect(await refusal(act(world, monitor, target, 'unverify', { term: '头痛' }))).toBe('not_found')
  })
})
