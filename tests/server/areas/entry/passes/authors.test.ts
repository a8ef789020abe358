import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import type { JsonValue } from '#core/json.ts'
import { claimPasses } from '#server/areas/entry/passes/authors.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addMember, call, change, enrol, operationOf, push, refusal, vitals } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/**
 * Two passes tell something only if two people entered them. Lin begins with the first pass of each patient, Wu with
 * the second.
 */

const world = worldForAllTests()
let patient: string
beforeAll(async () => {
  await world.services.pool.query(`UPDATE project SET config = config || '{"isDouble": 1}'`)
})
beforeEach(async () => {
  await switchTo(world.people.lin, 1)
  await switchTo(world.people.wu, 2)
  patient = await enrol(world)
})

/** An administrator assigns another pass. */
async function switchTo(who: Person, pass: 1 | 2): Promise<void> {
  await world.services.pool.query(
    'UPDATE member SET former_passes = array_append(former_passes, entry_pass), entry_pass = $2, rights_rev = rights_rev + 1 WHERE user_id = $1',
    [who.userId, pass],
  )
}

const page = (pass: 1 | 2, id = patient) => ({ ...vitals(world, id), pass })

async function enter(who: Person, pass: 1 | 2, values: Readonly<Record<string, JsonValue>>, id = patient) {
  const target = page(pass, id)
  return call(world, who, 'entry.save', { id: entryId(target), pass, body: change(target, values) })
}

/** The same on a tablet, which sends it later. */
function onTablet(who: Person, pass: 1 | 2, values: Readonly<Record<string, JsonValue>>, id = patient) {
  const target = page(pass, id)
  return operationOf(world, who, {
    call: 'entry.save',
    entityId: entryId(target),
    pass,
    body: change(target, values),
  })
}

async function valuesOf(pass: 1 | 2): Promise<unknown> {
  const { rows } = await world.services.pool.query<{ values: unknown }>('SELECT "values" FROM entry WHERE id = $1', [
    entryId(page(pass)),
  ])
  return rows[0]?.values ?? null
}

const inbox = { outcome: 'inbox', reason: 'other_pass' }

describe('whoever entered one pass of a patient', () => {
  it('never enters the other, also after their pass was switched; it is kept for a decision', async () => {
    const { lin, wu } = world.people
    await enter(lin, 1, { weight: 65 })
    await enter(wu, 2, { weight: 56 })
    await switchTo(lin, 2)
    await switchTo(wu, 1)
    expect((await enter(lin, 2, { note: 'mine again' })).receipt).toMatchObject(inbox)
    expect((await enter(wu, 1, { note: 'mine again' })).receipt).toMatchObject(inbox)
    expect([await valuesOf(1), await valuesOf(2)]).toEqual([{ weight: 65 }, { weight: 56 }])
  })

  it('enters it for other patients, whom they have not entered', async () => {
    const { lin } = world.people
    const other = await enrol(world)
    await enter(lin, 1, { weight: 65 })
    await switchTo(lin, 2)
    expect((await enter(lin, 2, { weight: 70 }, other)).receipt.outcome).toBe('applied')
  })

  it('does not delete a page of the other either', async () => {
    const { lin, wu } = world.people
    await enter(lin, 1, { weight: 65 })
    const { entry } = await enter(wu, 2, { weight: 56 })
    await switchTo(lin, 2)
    const removal = { target: page(2), seenRev: entry?.rev ?? 0, reason: { code: 'transcription' as const, text: '' } }
    expect(
      (await call(world, lin, 'entry.delete', { query: { id: entryId(page(2)) }, pass: 2, body: removal })).receipt,
    ).toMatchObject(inbox)
    expect(await valuesOf(2)).toEqual({ weight: 56 })
  })

  it('is found out among many saves of a tablet that come at once', async () => {
    const { lin } = world.people
    const others = [await enrol(world), await enrol(world)]
    await enter(lin, 1, { weight: 65 })
    await switchTo(lin, 2)
    const ops = [onTablet(lin, 2, { weight: 1 }), ...others.map((id) => onTablet(lin, 2, { weight: 70 }, id))]
    const answers = await push(world, lin, ops)
    expect(ops.map(({ key }) => answers.get(key))).toMatchObject([
      { receipt: inbox },
      { receipt: { outcome: 'applied' } },
      { receipt: { outcome: 'applied' } },
    ])
    // The second time all of it is known, and they still are apart.
    const again = [onTablet(lin, 2, { note: 'a' }), ...others.map((id) => onTablet(lin, 2, { note: 'a' }, id))]
    const later = await push(world, lin, again)
    expect(again.map(({ key }) => later.get(key))).toMatchObject([
      { receipt: inbox },
      { receipt: { outcome: 'applied' } },
      { receipt: { outcome: 'applied' } },
    ])
    await switchTo(lin, 1)
    const back = others.map((id) => onTablet(lin, 1, { note: 'b' }, id))
    const answered = await push(world, lin, back)
    expect(back.map(({ key }) => answered.get(key))).toMatchObject([{ receipt: inbox }, { receipt: inbox }])
  })

  it('is the author, not whoever carries what they entered', async () => {
    const { lin, wu } = world.people
    await enter(lin, 1, { weight: 65 })
    await switchTo(lin, 2)
    const late = onTablet(lin, 2, { weight: 66 })
    expect((await push(world, wu, [late], lin.deviceId)).get(late.key)).toMatchObject({
      receipt: inbox,
    })
    expect((await enter(wu, 2, { weight: 56 })).receipt.outcome).toBe('applied')
    // Nor has the carrier entered anything of what they bring.
    const third = await addMember(world.services, world.study, `third${Date.now()}`, 'CRC', [world.study.north])
    const brought = onTablet(wu, 2, { note: 'brought' })
    expect((await push(world, third, [brought], wu.deviceId)).get(brought.key)).toMatchObject({
      receipt: { outcome: 'applied' },
    })
    expect(
      await world.services.pool.query('SELECT 1 FROM pass_author WHERE user_id = $1', [third.userId]),
    ).toMatchObject({ rowCount: 0 })
  })

  it('cannot have it released: it can only be returned, and what was entered stays readable', async () => {
    const { lin, manager } = world.people
    const { projectId } = world.study
    await enter(lin, 1, { weight: 65 })
    await switchTo(lin, 2)
    const { key } = (await enter(lin, 2, { note: 'kept' })).receipt
    const decide = (decision: 'release' | 'return') =>
      call(world, manager, 'sync.inboxDecide', { id: key, body: { projectId, decision, note: '换人录入' } })
    const detail = () => call(world, manager, 'sync.inboxDetail', { id: key, query: { projectId } })
    expect(await refusal(decide('release'))).toBe('other_pass')
    expect(await detail()).toMatchObject({ barred: 'other_pass', line: { state: 'open', reason: 'other_pass' } })
    expect(await valuesOf(2)).toBeNull()
    expect(await decide('return')).toMatchObject({ state: 'returned' })
    expect(await detail()).toMatchObject({ items: [{ code: 'note', to: { value: 'kept' } }] })
  })

  it('is asked for again when late work is released that went to the inbox for another reason', async () => {
    const { lin, manager } = world.people
    const { projectId } = world.study
    const early = onTablet(lin, 1, { weight: 65 })
    await switchTo(lin, 2)
    expect((await enter(lin, 2, { weight: 66 })).receipt.outcome).toBe('applied')
    expect((await push(world, lin, [early])).get(early.key)).toMatchObject({
      receipt: { outcome: 'inbox', reason: 'right_withdrawn' },
    })
    expect(
      await refusal(
        call(world, manager, 'sync.inboxDecide', {
          id: early.key,
          body: { projectId, decision: 'release', note: 'x' },
        }),
      ),
    ).toBe('other_pass')
    expect(await valuesOf(1)).toBeNull()
  })

  it('is one of them also when two writes cross', async () => {
    const { lin } = world.people
    const claim = (pass: 1 | 2) =>
      withTransaction(world.services.pool, (transaction) =>
        claimPasses(transaction, [{ patientId: patient, userId: lin.userId, pass }]),
      )
    const said = await Promise.all([claim(1), claim(2)])
    expect(said.filter(Boolean)).toHaveLength(1)
  })
})

describe('whoever compares the passes of a patient', () => {
  it('has entered neither: not the comparison, nor accepting, merging or giving up is for an author, whatever their role is now', async () => {
    const { lin, wu, manager } = world.people
    await enter(lin, 1, { weight: 65 })
    await enter(wu, 2, { weight: 56 })
    const { compared, gaps } = await call(world, manager, 'double.gapCheck', { id: patient })
    const id = gaps[0]?.id ?? ''
    const other = await enrol(world)
    await world.services.pool.query(`UPDATE member SET role = 'DBD' WHERE user_id = ANY ($1)`, [
      [lin.userId, wu.userId],
    ])
    for (const who of [lin, wu]) {
      expect(await refusal(call(world, who, 'double.gapCheck', { id: patient }))).toBe('own_entry')
      expect(await refusal(call(world, who, 'double.list', { id: patient }))).toBe('own_entry')
      expect(
        await refusal(
          call(world, who, 'double.gapIgnore', { body: { dataIdList: [id], isIgnoreGap: 1, reason: 'x' } }),
        ),
      ).toBe('own_entry')
      expect(
        await refusal(
          call(world, who, 'double.merge', {
            body: { patientId: patient, compared, choices: [{ id, choose: 'first' }] },
          }),
        ),
      ).toBe('own_entry')
      expect(
        await refusal(call(world, who, 'double.destroy', { query: { patientId: patient }, body: { reason: 'x' } })),
      ).toBe('own_entry')
      expect(await refusal(call(world, who, 'double.gapCheck', { id: other }))).toBeNull()
    }
    await world.services.pool.query(`UPDATE member SET role = 'CRC' WHERE user_id = ANY ($1)`, [
      [lin.userId, wu.userId],
    ])
    expect(
      (
        await call(world, manager, 'double.merge', {
          body: { patientId: patient, compared, choices: [{ id, choose: 'first' }] },
        })
      ).state,
    ).toBe('merged')
    // Who decided has entered nothing by it.
    expect(await refusal(call(world, manager, 'double.gapCheck', { id: patient }))).toBeNull()
  })
})
