import { beforeEach, describe, expect, it } from 'vitest'
import type { GapRow } from '#core/api/calls/review/double.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import { runMigrations } from '#server/jobs/migration.ts'
import { addDrug } from '#tests/server/support/drugs.ts'
import { enrolForDoubleEntry, inPass } from '#tests/server/support/passes.ts'
import { releaseRenamed, renameColumns } from '#tests/server/support/release.ts'
import { call, change, event, item, operationOf, push, refusal, save } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/**
 * The page of the first pass was deleted, that of the second was not: whoever merges says whether it exists, and what
 * it holds. Lin has the first pass, Wu the second.
 */

const world = worldForEachTest()
let patient: string
beforeEach(async () => {
  patient = await enrolForDoubleEntry(world)
})

const at = (pass: 1 | 2) => inPass(world, patient, pass)

/** A release calls the note a remark. */
const RENAMED = [[null, 'note', 'remark']] as const

/** Who has the pass deletes its page, as it is on their tablet. */
async function deletePage(pass: 1 | 2 = 1) {
  const { rows } = await world.services.pool.query<{ rev: number }>('SELECT rev FROM entry WHERE id = $1', [
    entryId(at(pass)),
  ])
  const body = {
    target: at(pass),
    seenRev: rows[0]?.rev ?? 0,
    reason: { code: 'transcription' as const, text: '录错页面' },
  }
  return call(world, pass === 1 ? world.people.lin : world.people.wu, 'entry.delete', {
    query: { id: entryId(at(pass)) },
    pass,
    body,
  })
}

/** Whoever has the pass says whether its page is deleted. */
async function decideDeleted(pass: 1 | 2, conflictId: string, isDeleted: boolean): Promise<void> {
  const deleted = (value: boolean) => ({ value, missing: null })
  const decision = {
    conflictId,
    target: at(pass),
    choice: isDeleted ? ('server' as const) : ('mine' as const),
    seen: deleted(true),
    to: deleted(isDeleted),
    reason: { code: 'transcription' as const, text: '' },
  }
  await call(world, pass === 1 ? world.people.lin : world.people.wu, 'conflict.resolve', {
    id: entryId(at(pass)),
    pass,
    body: decision,
  })
}

const check = () => call(world, world.people.manager, 'double.gapCheck', { id: patient })
const shown = ({ table, code, first, second }: GapRow) => [
  table === null ? code : `${table}.${code}`,
  first.value,
  second.value,
]

/** Takes what the second pass says, but for some fields. */
async function merge(firstOf: readonly string[] = []) {
  const { gaps, compared } = await check()
  const choices = gaps.map(({ id, code }) => ({
    id,
    choose: firstOf.includes(code) ? ('first' as const) : ('second' as const),
  }))
  return call(world, world.people.manager, 'double.merge', { body: { patientId: patient, compared, choices } })
}

interface Stored {
  readonly version_id: string
  readonly deleted: boolean
  readonly status: string
  readonly values: Readonly<Record<string, JsonValue>>
  readonly missing: Readonly<Record<string, JsonValue>>
}

async function stored(pass: 1 | 2): Promise<Stored> {
  const { rows } = await world.services.pool.query<Stored>(
    'SELECT version_id, deleted, status, "values", missing FROM entry WHERE id = $1',
    [entryId(at(pass))],
  )
  const [row] = rows
  if (row === undefined) throw new Error('no entry')
  return row
}

/** What the merge has written of the first pass. */
async function trail(): Promise<readonly (readonly unknown[])[]> {
  const { rows } = await world.database.ownerPool.query<
    Record<'action' | 'prop' | 'reason_code' | 'old' | 'new', unknown>
  >(
    `SELECT a.action, a.prop, a.reason_code, v.old_value AS old, v.new_value AS new FROM audit a JOIN audit_value v ON v.audit_id = a.id
     WHERE a.entry_id = $1 AND a.seq = (SELECT max(seq) FROM audit WHERE action = 'double.merge') ORDER BY a.ord`,
    [entryId(at(1))],
  )
  return rows.map((row) => [row.action, row.prop, row.reason_code, row.old, row.new])
}

const said = (value: number | null) => ({ value, missing: null })

describe('a page that was deleted in the first pass and not in the second', () => {
  it('comes back as what the second says where that is chosen, with lines that say so, and nothing that was deleted with it comes along', async () => {
    await save(
      world,
      world.people.lin,
      change(at(1), {
        height: 170,
        weight: 65,
        smokes: '1',
        signs: item('signs', null, null, { to: { value: null, missing: { m: 'ND', reason: '' } } }),
      }),
    )
    const rid = await addDrug(world, world.people.lin, at(1), { drug: '黄芪' })
    await deletePage()
    await save(world, world.people.wu, change(at(2), { height: 171, smokes: '1', note: '二录' }))
    const taken = await addDrug(world, world.people.wu, at(2), { drug: '甘草' })
    expect((await check()).gaps.map(shown)).toEqual([
      ['height', null, 171],
      ['smokes', null, '1'],
      ['note', null, '二录'],
      ['drugs.drugs', null, { drug: '甘草' }],
    ])
    expect(await merge(['note'])).toMatchObject({ state: 'merged' })
    const page = await stored(1)
    expect(page).toMatchObject({ deleted: false, status: 'process', missing: {} })
    const { drugs, ...others } = page.values
    expect(others).toEqual({ height: 171, smokes: '1' })
    expect(drugs).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ _rid: rid, _deleted: true }),
        expect.objectContaining({ _rid: taken, drug: '甘草' }),
      ]),
    )
    const lines: readonly unknown[] = await trail()
    expect(lines).toContainEqual(['entry.restore', null, 'adjudication', { deleted: true, rev: 3 }, { deleted: false }])
    expect(lines).toEqual(
      expect.arrayContaining([
        ['item.update', 'height', 'adjudication', said(170), said(171)],
        ['item.update', 'weight', 'adjudication', said(65), said(null)],
        ['item.update', 'signs', 'adjudication', { value: null, missing: { m: 'ND', reason: '' } }, said(null)],
      ]),
    )
    expect((await trail()).filter(([action]) => action === 'row.delete')).toHaveLength(1)
    // Those who enter the first pass see it again, and go on with it.
    expect(await call(world, world.people.lin, 'entry.list', { query: { patientId: patient } })).toMatchObject([
      { deleted: false, conflicts: 0, values: { height: 171 } },
    ])
    expect(
      (await save(world, world.people.lin, change(at(1), { height: item('height', 171, 172) }))).receipt.outcome,
    ).toBe('applied')
  })

  it('comes back, with a line of its own, also where both had entered the same', async () => {
    await save(world, world.people.lin, change(at(1), { height: 170 }))
    await deletePage()
    await save(world, world.people.wu, change(at(2), { height: 170 }))
    await merge()
    expect(await stored(1)).toMatchObject({ deleted: false, values: { height: 170 } })
    expect((await trail()).map(([action]) => action)).toContain('entry.restore')
  })

  it('stays deleted, as it was, where nothing of the second is chosen', async () => {
    await save(world, world.people.lin, change(at(1), { height: 170 }))
    await deletePage()
    await save(world, world.people.wu, change(at(2), { height: 171 }))
    expect(await merge(['height'])).toMatchObject({ state: 'merged' })
    expect(await stored(1)).toMatchObject({ deleted: true, values: { height: 170 } })
    expect(await trail()).toEqual([])
  })

  it('is waited for while it is open whether it is deleted, and merged once that is decided', async () => {
    await save(world, world.people.lin, change(at(1), { height: 170 }))
    await deletePage()
    await save(world, world.people.wu, change(at(2), { height: 171 }))
    const { conflicts } = await save(world, world.people.lin, change(at(1), { height: item('height', 170, 172) }))
    expect(conflicts).toMatchObject([{ code: '_deleted' }])
    expect(await refusal(merge())).toBe('invalid')
    await decideDeleted(1, conflicts[0]?.id ?? '', true)
    await merge()
    expect(await stored(1)).toMatchObject({ deleted: false, values: { height: 171 } })
  })

  it('is compared and merged as it is under the later release of the two', async () => {
    await save(world, world.people.lin, change(at(1), { note: '一录', height: 170 }))
    await save(world, world.people.wu, change(at(2), { note: '二录' }))
    const id = await releaseRenamed(world, renameColumns(RENAMED), RENAMED)
    await save(world, world.people.lin, change(at(1), { weight: 65 }), { crfId: id })
    await deletePage()
    expect((await check()).gaps.map(shown)).toEqual([['remark', null, '二录']])
    await merge()
    expect(await stored(1)).toMatchObject({ deleted: false, version_id: id, values: { remark: '二录' } })
    await runMigrations(world.services)
    expect(await stored(1)).toMatchObject({ version_id: id, values: { remark: '二录' } })
  })

  it('is brought along where the second stands under a later release', async () => {
    await save(world, world.people.lin, change(at(1), { note: '一录', height: 170 }))
    await deletePage()
    await save(world, world.people.wu, change(at(2), { note: '二录' }))
    const id = await releaseRenamed(world, renameColumns(RENAMED), RENAMED)
    await save(world, world.people.wu, change(at(2), { height: 171 }), { crfId: id })
    await merge()
    expect(await stored(1)).toMatchObject({ deleted: false, version_id: id, values: { remark: '二录', height: 171 } })
    expect(Object.keys((await stored(1)).values).toSorted()).toEqual(['height', 'remark'])
  })
})

describe('a page that was deleted in the second pass', () => {
  /** Something of the second pass that stays, so that there is one to merge. */
  const enterEvent = () => call(world, world.people.wu, 'entry.save', eventOf('皮疹'))
  const eventOf = (term: string) => {
    const target = { ...event(world, patient, newId()), pass: 2 as const }
    return { id: entryId(target), pass: 2 as const, body: change(target, { term }) }
  }
  const standing = async (pass: 1 | 2) =>
    (
      await world.services.pool.query(
        `SELECT control, deleted, unexplained, (SELECT count(*)::integer FROM conflict c WHERE c.entry_id = e.id AND state = 'open') AS open FROM entry e WHERE id = $1`,
        [entryId(at(pass))],
      )
    ).rows[0] as unknown

  it.each(['there', 'deleted'] as const)(
    'is locked by the merge like the others, and waits for no reason any more: the page of the first pass is %s',
    async (first) => {
      const { lin, wu } = world.people
      await save(world, lin, change(at(1), { height: 170 }))
      if (first === 'deleted') await deletePage()
      await call(world, wu, 'entry.submit', {
        id: entryId(at(2)),
        pass: 2,
        body: change(at(2), { height: 170, smokes: '0', note: 'a' }),
      })
      await push(world, wu, [
        operationOf(world, wu, {
          call: 'entry.save',
          entityId: entryId(at(2)),
          pass: 2,
          body: change(at(2), { height: item('height', 170, 171) }) as never,
        }),
      ])
      await deletePage(2)
      await enterEvent()
      expect(await standing(2)).toMatchObject({ control: 'open', deleted: true, unexplained: [{ code: 'height' }] })
      expect(await merge(['height'])).toMatchObject({ state: 'merged' })
      expect(await standing(2)).toEqual({ control: 'locked', deleted: true, unexplained: [], open: 0 })
      // The tablets of the second pass hear of it.
      const entries = await call(world, wu, 'entry.list', { query: { patientId: patient } })
      expect(entries.find(({ id }) => id === entryId(at(2)))).toMatchObject({ deleted: true, unexplained: [] })
      expect((await deletePage(2)).receipt).toMatchObject({ outcome: 'inbox', reason: 'locked' })
    },
  )

  it('is waited for while it is open whether it is deleted: what comes back is compared, what stays deleted is not', async () => {
    const { lin, wu } = world.people
    await save(world, lin, change(at(1), { height: 170 }))
    await save(world, wu, change(at(2), { height: 171 }))
    await deletePage(2)
    await enterEvent()
    const { conflicts } = await save(world, wu, change(at(2), { height: item('height', 171, 172) }))
    expect(conflicts).toMatchObject([{ code: '_deleted' }])
    await expect(merge()).rejects.toMatchObject({
      error: { code: 'invalid', fields: [{ path: `entry.${entryId(at(2))}`, code: 'conflict' }] },
    })
    await decideDeleted(2, conflicts[0]?.id ?? '', false)
    expect((await check()).gaps.map(shown)).toContainEqual(['height', 170, 172])
    await merge()
    expect(await stored(1)).toMatchObject({ values: { height: 172 } })
    expect(await standing(2)).toEqual({ control: 'locked', deleted: false, unexplained: [], open: 0 })
  })
})
