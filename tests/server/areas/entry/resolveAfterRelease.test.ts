import { beforeEach, describe, expect, it } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { ConflictChoice } from '#core/sync/conflict.ts'
import type { ConflictRow } from '#core/api/sync/rows.ts'
import { runMigrations } from '#server/jobs/migration.ts'
import { addDrug } from '#tests/server/support/drugs.ts'
import { releaseRenamed, renameColumns, smokingByLetter, vitalsColumns } from '#tests/server/support/release.ts'
import type { Renamed } from '#tests/server/support/release.ts'
import { call, change, enrol, item, refusal, save, vitals } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/**
 * A conflict that stood open when a release came is decided about the same item and the same row, whichever version was
 * on screen.
 */

const world = worldForEachTest()
let patient: string
beforeEach(async () => {
  patient = await enrol(world)
})

const page = () => vitals(world, patient)
const content = (value: JsonValue) => ({ value, missing: null })
const RID = newId()

const RENAMED = [
  [null, 'note', 'remark'],
  [null, 'drugs', 'herbs'],
  ['drugs', 'drug', 'herb'],
] as const
/**
 * The note is called a remark, smoking is written Y and N, the table of drugs is called herbs, and a drug in it a herb.
 */
const NEXT = smokingByLetter(renameColumns(RENAMED))
const WITHOUT_DRUGS = vitalsColumns.filter(({ prop }) => prop !== 'drugs')

const release = (columns: readonly Column[] = NEXT, renamed: Renamed = RENAMED, no = 2) =>
  releaseRenamed(world, columns, renamed, no)
const turn = () => runMigrations(world.services)

/** Lin has written something, and Wu, who had not seen it, something else. */
async function conflictAbout(code: string, lin: JsonValue, wu: JsonValue): Promise<ConflictRow> {
  await save(world, world.people.lin, change(page(), { [code]: lin }))
  return only((await save(world, world.people.wu, change(page(), { [code]: wu }))).conflicts)
}

/** Wu has deleted the row of a drug in which Lin has just entered something else. */
async function deletedAndEdited(): Promise<ConflictRow> {
  await addDrug(world, world.people.lin, page(), { rid: RID, drug: '丹参', dose: 3 })
  const of = { table: 'drugs', rid: RID }
  await save(world, world.people.lin, change(page(), {}, { items: [item('dose', 3, 6, of)] }))
  const rows = [
    {
      ...of,
      to: { deleted: true, order: 'a' },
      base: { deleted: false, order: 'a' },
      seen: { drug: '丹参', dose: 3 },
      reason: null,
    },
  ]
  return only((await save(world, world.people.wu, change(page(), {}, { rows }))).conflicts)
}

function only(conflicts: readonly ConflictRow[]): ConflictRow {
  const [conflict] = conflicts
  if (conflict === undefined || conflicts.length > 1) throw new Error(`${conflicts.length} conflicts`)
  return conflict
}

interface Said {
  readonly choice: ConflictChoice
  readonly seen: JsonValue
  readonly to: JsonValue
}

function decide({ id: conflictId }: ConflictRow, { choice, seen, to }: Said, crfId = world.study.versionId) {
  const body = {
    target: page(),
    conflictId,
    choice,
    seen: content(seen),
    to: content(to),
    reason: { code: 'clarification' as const, text: '核对原始病历' },
  }
  return call(world, world.people.lin, 'conflict.resolve', { id: entryId(page()), body, crfId })
}

interface Stored {
  readonly values: Readonly<Record<string, JsonValue>>
  readonly retired: Readonly<Record<string, unknown>>
  readonly deleted: boolean
}

async function stored(): Promise<Stored> {
  const { rows } = await world.services.pool.query<Stored>(
    'SELECT "values", retired, deleted FROM entry WHERE id = $1',
    [entryId(page())],
  )
  const [row] = rows
  if (row === undefined) throw new Error('no entry')
  return row
}

const open = async () => (await world.services.pool.query(`SELECT 1 FROM conflict WHERE state = 'open'`)).rowCount

describe('a decision about a field that a release renamed', () => {
  it.each(['mine', 'new'] as const)('by a tablet that was away (%s) is about the field of now', async (choice) => {
    const conflict = await conflictAbout('note', '晨起', '餐后')
    await release()
    await turn()
    const decided = await decide(conflict, { choice, seen: '晨起', to: choice === 'mine' ? '餐后' : '睡前' })
    expect(decided).toMatchObject({
      receipt: { outcome: 'applied' },
      conflicts: [{ id: conflict.id, code: 'remark', state: 'resolved' }],
    })
    expect(await stored()).toMatchObject({ values: { remark: choice === 'mine' ? '餐后' : '睡前' }, retired: {} })
    expect(await open()).toBe(0)
  })

  it('under the new version, before the patient’s turn, is about the field of now', async () => {
    const conflict = await conflictAbout('note', '晨起', '餐后')
    const id = await release()
    await decide(conflict, { choice: 'mine', seen: '晨起', to: '餐后' }, id)
    expect(await stored()).toMatchObject({ values: { remark: '餐后' }, retired: {} })
    expect(await open()).toBe(0)
    await turn()
    expect(await stored()).toMatchObject({ values: { remark: '餐后' }, retired: {} })
  })

  it('under a release between that of the entry and that of the patient is about the field of now', async () => {
    const conflict = await conflictAbout('note', '晨起', '餐后')
    const second = await release()
    await release(
      NEXT.map((column): Column => (column.prop === 'remark' ? { ...column, prop: 'comment' } : column)),
      [[null, 'remark', 'comment']],
      3,
    )
    await turn()
    await decide(conflict, { choice: 'mine', seen: '晨起', to: '餐后' }, second)
    expect(await stored()).toMatchObject({ values: { comment: '餐后' }, retired: {} })
  })

  it('that changed its code with another is about its own', async () => {
    const conflict = await conflictAbout('note', '晨起', '餐后')
    await release(vitalsColumns, [
      [null, 'note', 'contact'],
      [null, 'contact', 'note'],
    ])
    await turn()
    await decide(conflict, { choice: 'mine', seen: '晨起', to: '餐后' })
    expect(await stored()).toMatchObject({ values: { contact: '餐后' }, retired: {} })
    expect((await stored()).values).not.toHaveProperty('note')
  })

  it('inside of a table that was renamed as well stays in its row', async () => {
    await addDrug(world, world.people.lin, page(), { rid: RID, drug: '丹参', dose: 3 })
    const of = { table: 'drugs', rid: RID }
    await save(world, world.people.lin, change(page(), {}, { items: [item('drug', '丹参', '红花', of)] }))
    const conflict = only(
      (await save(world, world.people.wu, change(page(), {}, { items: [item('drug', '丹参', '川芎', of)] }))).conflicts,
    )
    await release()
    await turn()
    await decide(conflict, { choice: 'mine', seen: '红花', to: '川芎' })
    expect(await stored()).toMatchObject({ values: { herbs: [{ _rid: RID, herb: '川芎', dose: 3 }] }, retired: {} })
  })

  it('and that another has decided already stands again as a conflict about the field of now', async () => {
    const conflict = await conflictAbout('note', '晨起', '餐后')
    await decide(conflict, { choice: 'server', seen: '晨起', to: '晨起' })
    await release()
    await turn()
    const again = await decide(conflict, { choice: 'mine', seen: '晨起', to: '餐后' })
    expect(again.receipt.outcome).toBe('conflict')
    expect(again.conflicts.filter(({ state }) => state === 'open')).toMatchObject([
      { code: 'remark', server: content('晨起'), mine: content('餐后') },
    ])
    expect(await stored()).toMatchObject({ values: { remark: '晨起' }, retired: {} })
  })
})

describe('a decision whose choices a release writes otherwise', () => {
  it('is taken in the words that stood on screen, though the screen had the new version already', async () => {
    const conflict = await conflictAbout('smokes', '1', '0')
    const id = await release()
    await decide(conflict, { choice: 'mine', seen: '1', to: '0' }, id)
    expect(await stored()).toMatchObject({ values: { smokes: 'N' }, retired: {} })
    expect(await open()).toBe(0)
  })

  it('is taken so after the patient’s turn as well, by who had not seen it', async () => {
    const conflict = await conflictAbout('smokes', '1', '0')
    const id = await release()
    await turn()
    await decide(conflict, { choice: 'server', seen: '1', to: '1' }, id)
    expect(await stored()).toMatchObject({ values: { smokes: 'Y' }, retired: {} })
    expect(await open()).toBe(0)
  })

  it('is taken in the new words, where only the version on screen was old', async () => {
    const conflict = await conflictAbout('smokes', '1', '0')
    await release()
    await turn()
    await decide(conflict, { choice: 'mine', seen: 'Y', to: 'N' })
    expect(await stored()).toMatchObject({ values: { smokes: 'N' }, retired: {} })
  })

  it('is refused for a value that nobody offered', async () => {
    const conflict = await conflictAbout('smokes', '1', '0')
    await release()
    await turn()
    expect(await refusal(decide(conflict, { choice: 'mine', seen: '1', to: '1' }))).toBe('invalid')
    expect(await open()).toBe(1)
  })
})

describe('a decision about a row that one deleted and the other edited', () => {
  it('is about the row in the table of now', async () => {
    const conflict = await deletedAndEdited()
    await release()
    await turn()
    await decide(conflict, { choice: 'mine', seen: false, to: true })
    expect(await stored()).toMatchObject({
      deleted: false,
      values: { herbs: [{ _rid: RID, herb: '丹参', _deleted: true }] },
    })
  })

  it('under the new version, before the patient’s turn, is about the row in the table of now', async () => {
    const conflict = await deletedAndEdited()
    const id = await release()
    await decide(conflict, { choice: 'mine', seen: false, to: true }, id)
    expect(await stored()).toMatchObject({
      deleted: false,
      values: { herbs: [{ _rid: RID, herb: '丹参', _deleted: true }] },
    })
  })

  it.each(['before', 'after'])('deletes nothing else where its table is gone, %s the patient’s turn', async (when) => {
    const conflict = await deletedAndEdited()
    const id = await release(WITHOUT_DRUGS, [])
    if (when === 'after') await turn()
    const decided = await decide(
      conflict,
      { choice: 'mine', seen: false, to: true },
      when === 'after' ? world.study.versionId : id,
    )
    expect(decided).toMatchObject({
      receipt: { outcome: 'applied' },
      conflicts: [{ id: conflict.id, state: 'resolved' }],
    })
    expect(await stored()).toMatchObject({ deleted: false, retired: { drugs: { value: [{ drug: '丹参', dose: 6 }] } } })
  })
})

/** The note is gone, and the contact is called note. */
const TAKEN = vitalsColumns.flatMap((column): readonly Column[] =>
  column.prop === 'note' ? [] : column.prop === 'contact' ? [{ ...column, prop: 'note' }] : [column],
)
const TAKES: Renamed = [[null, 'contact', 'note']]
/** The drug of a row is gone, and its dose is called drug. */
const TAKEN_IN_ROWS = vitalsColumns.map((column): Column =>
  column.prop === 'drugs'
    ? { ...column, children: { column: [{ prop: 'drug', label: '剂量', type: 'number' }] } }
    : column,
)

async function conflictAndContact(): Promise<ConflictRow> {
  await save(world, world.people.lin, change(page(), { contact: '家属 138' }))
  return conflictAbout('note', '晨起', '餐后')
}

/** Decisions in the trail: under which version each stands, and what it says. */
async function decisions() {
  const { rows } = await world.database.ownerPool.query<{
    prop: string
    version: string
    choice: string
    value: JsonValue
  }>(
    `SELECT a.prop, a.version_id AS version, v.new_value->>'choice' AS choice, v.new_value->'to'->'value' AS value
     FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.action = 'conflict.resolve' ORDER BY a.seq, a.ord`,
  )
  return rows
}

describe('a decision about a field that a release removed, where another field has its code now', () => {
  it.each(['server', 'mine', 'new'] as const)(
    'touches no field (%s), is kept beside the data, and stands in the trail as of that field',
    async (choice) => {
      const conflict = await conflictAndContact()
      await release(TAKEN, TAKES)
      await turn()
      const to = { server: '晨起', mine: '餐后', new: '睡前' }[choice]
      const decided = await decide(conflict, { choice, seen: '晨起', to })
      expect(decided).toMatchObject({
        receipt: { outcome: 'applied' },
        conflicts: [{ id: conflict.id, code: 'note', formerVersionId: world.study.versionId, state: 'resolved' }],
      })
      expect(await stored()).toMatchObject({
        values: { note: '家属 138' },
        retired: { note: { value: to, label: '备注' } },
      })
      expect(await open()).toBe(0)
      expect(await decisions()).toEqual([{ prop: 'note', version: world.study.versionId, choice, value: to }])
      expect(
        await call(world, world.people.admin, 'audit.verify', { query: { projectId: world.study.projectId } }),
      ).toMatchObject({ holds: true })
    },
  )

  it('touches none before the patient’s turn either, on a screen that had the release', async () => {
    const conflict = await conflictAndContact()
    const id = await release(TAKEN, TAKES)
    await decide(conflict, { choice: 'mine', seen: '晨起', to: '餐后' }, id)
    expect(await stored()).toMatchObject({
      values: { note: '家属 138' },
      retired: { note: { value: '餐后', label: '备注' } },
    })
    await turn()
    expect(await stored()).toMatchObject({ values: { note: '家属 138' }, retired: { note: { value: '餐后' } } })
    expect(await open()).toBe(0)
  })

  it('keeps what stood, though the screen showed the other field as what stands', async () => {
    const conflict = await conflictAndContact()
    const id = await release(TAKEN, TAKES)
    await turn()
    await decide(conflict, { choice: 'server', seen: '家属 138', to: '家属 138' }, id)
    expect(await stored()).toMatchObject({ values: { note: '家属 138' }, retired: { note: { value: '晨起' } } })
    expect(await decisions()).toMatchObject([{ choice: 'server', value: '晨起' }])
  })

  it('is told to be about that field, with what stood in it', async () => {
    const conflict = await conflictAndContact()
    await release(TAKEN, TAKES)
    await turn()
    const { records } = await call(world, world.people.lin, 'conflict.list', {
      query: { projectId: world.study.projectId, current: 1, size: 10 },
    })
    expect(records).toMatchObject([
      {
        id: conflict.id,
        code: 'note',
        formerVersionId: world.study.versionId,
        server: content('晨起'),
        mine: content('餐后'),
        current: content('晨起'),
      },
    ])
  })

  it('follows no other field through a later release', async () => {
    const conflict = await conflictAndContact()
    await release(TAKEN, TAKES)
    await release(
      TAKEN.map((column): Column => (column.prop === 'note' ? { ...column, prop: 'relative' } : column)),
      [[null, 'note', 'relative']],
      3,
    )
    await turn()
    const decided = await decide(conflict, { choice: 'mine', seen: '晨起', to: '餐后' })
    expect(decided.conflicts).toMatchObject([
      { code: 'note', formerVersionId: world.study.versionId, state: 'resolved' },
    ])
    expect(await stored()).toMatchObject({
      values: { relative: '家属 138' },
      retired: { note: { value: '餐后', label: '备注' } },
    })
    expect((await stored()).values).not.toHaveProperty('note')
  })

  it('is about the field as the last release called it that had it', async () => {
    const conflict = await conflictAbout('note', '晨起', '餐后')
    const second = await release()
    const gone = NEXT.flatMap((column): readonly Column[] =>
      column.prop === 'remark' ? [] : column.prop === 'contact' ? [{ ...column, prop: 'remark' }] : [column],
    )
    await release(gone, [[null, 'contact', 'remark']], 3)
    await save(world, world.people.lin, change(page(), { contact: '家属 138' }))
    await turn()
    // The tablet was away since the first version.
    await decide(conflict, { choice: 'mine', seen: '晨起', to: '餐后' })
    expect(await stored()).toMatchObject({ values: { remark: '家属 138' }, retired: { remark: { value: '餐后' } } })
    expect(await decisions()).toMatchObject([{ prop: 'remark', version: second, choice: 'mine' }])
  })

  it('touches no row either', async () => {
    await addDrug(world, world.people.lin, page(), { rid: RID, drug: '丹参', dose: 3 })
    const of = { table: 'drugs', rid: RID }
    await save(world, world.people.lin, change(page(), {}, { items: [item('drug', '丹参', '红花', of)] }))
    const conflict = only(
      (await save(world, world.people.wu, change(page(), {}, { items: [item('drug', '丹参', '川芎', of)] }))).conflicts,
    )
    await release(TAKEN_IN_ROWS, [['drugs', 'dose', 'drug']])
    await turn()
    await decide(conflict, { choice: 'mine', seen: '红花', to: '川芎' })
    expect(await stored()).toMatchObject({
      values: { drugs: [{ _rid: RID, drug: 3 }] },
      retired: { [`${RID}.drug`]: { value: '川芎' } },
    })
    expect(await open()).toBe(0)
  })

  it('touches none where the field is there under another code, and neither value could stand in it', async () => {
    const conflict = await conflictAndContact()
    const filed = TAKEN.concat({ prop: 'papers', label: '附件', type: 'upload' })
    await release(filed, [...TAKES, [null, 'note', 'papers']])
    await turn()
    await decide(conflict, { choice: 'mine', seen: '晨起', to: '餐后' })
    expect(await stored()).toMatchObject({ values: { note: '家属 138' }, retired: { note: { value: '餐后' } } })
    expect((await stored()).values).not.toHaveProperty('papers')
    expect(await open()).toBe(0)
  })

  it('leaves what another has decided, with a line of its own', async () => {
    const conflict = await conflictAndContact()
    await release(TAKEN, TAKES)
    await turn()
    await decide(conflict, { choice: 'server', seen: '晨起', to: '晨起' })
    expect((await decide(conflict, { choice: 'mine', seen: '晨起', to: '餐后' })).receipt.outcome).toBe('applied')
    expect(await stored()).toMatchObject({ values: { note: '家属 138' }, retired: { note: { value: '晨起' } } })
    expect(await open()).toBe(0)
    expect(await decisions()).toMatchObject([{ choice: 'server' }, { choice: 'mine', value: '餐后' }])
  })

  it('puts its value over no other that is kept beside the data under the same code', async () => {
    await save(world, world.people.lin, change(page(), { contact: '家属 138', note: '晨起' }))
    await save(world, world.people.lin, change(page(), { note: item('note', '晨起', null) }))
    const conflict = only(
      (await save(world, world.people.wu, change(page(), { note: item('note', '晨起', '餐后') }))).conflicts,
    )
    await release(TAKEN, TAKES)
    await release(
      TAKEN.filter(({ prop }) => prop !== 'note'),
      [],
      3,
    )
    await turn()
    expect(await stored()).toMatchObject({ retired: { note: { value: '家属 138' } } })
    await decide(conflict, { choice: 'mine', seen: null, to: '餐后' })
    expect(await stored()).toMatchObject({
      retired: { note: { value: '家属 138' }, 'note#2': { value: '餐后', label: '备注' } },
    })
  })
})

/** Signs can be several before, and one alone after. */
const ONE_SIGN = vitalsColumns.map((column): Column =>
  column.prop === 'signs' ? { ...column, type: 'radio' } : column,
)

describe('a decision about a field of which a release made another kind', () => {
  it.each([
    ['before', 'server', ['a'], {}],
    ['before', 'mine', ['a', 'b'], { signs: { value: ['a', 'b'], label: '体征' } }],
    ['before', 'new', ['b', 'a'], { signs: { value: ['b', 'a'], label: '体征' } }],
    ['after', 'server', ['a'], {}],
    ['after', 'mine', ['a', 'b'], { signs: { value: ['a', 'b'], label: '体征' } }],
    ['after', 'new', ['b', 'a'], { signs: { value: ['b', 'a'], label: '体征' } }],
  ] as const)(
    '%s the patient’s turn, where the value that waited cannot stand in it (%s), leaves what stands and keeps what was chosen beside it',
    async (when, choice, to, retired) => {
      const conflict = await conflictAbout('signs', ['a'], ['a', 'b'])
      const id = await release(ONE_SIGN, [])
      if (when === 'after') await turn()
      const decided = await decide(conflict, { choice, seen: ['a'], to }, when === 'after' ? world.study.versionId : id)
      expect(decided).toMatchObject({
        receipt: { outcome: 'applied' },
        conflicts: [{ id: conflict.id, code: 'signs', formerVersionId: world.study.versionId, state: 'resolved' }],
      })
      const now = await stored()
      expect(now).toMatchObject({ values: { signs: 'a' }, retired })
      expect(Object.keys(now.retired)).toEqual(Object.keys(retired))
      expect(await open()).toBe(0)
      expect(await decisions()).toEqual([{ prop: 'signs', version: world.study.versionId, choice, value: to }])
    },
  )

  it.each(['before', 'after'])(
    '%s the patient’s turn, where what stood cannot stand in it, takes the value that waited, or leaves it empty',
    async (when) => {
      const conflict = await conflictAbout('signs', ['a', 'b'], ['b'])
      const id = await release(ONE_SIGN, [])
      if (when === 'after') await turn()
      const decided = await decide(
        conflict,
        { choice: 'mine', seen: ['a', 'b'], to: ['b'] },
        when === 'after' ? world.study.versionId : id,
      )
      expect(decided).toMatchObject({
        receipt: { outcome: 'applied' },
        conflicts: [{ id: conflict.id, state: 'resolved' }],
      })
      expect(await stored()).toMatchObject({ values: { signs: 'b' }, retired: { signs: { value: ['a', 'b'] } } })
      expect(await open()).toBe(0)
    },
  )

  it.each(['before', 'after'])(
    '%s the patient’s turn, where what stood cannot stand in it, keeps that beside the data if it is to stay',
    async (when) => {
      const conflict = await conflictAbout('signs', ['a', 'b'], ['b'])
      const id = await release(ONE_SIGN, [])
      if (when === 'after') await turn()
      await decide(
        conflict,
        { choice: 'server', seen: ['a', 'b'], to: ['a', 'b'] },
        when === 'after' ? world.study.versionId : id,
      )
      expect((await stored()).values).not.toHaveProperty('signs')
      expect(await stored()).toMatchObject({ retired: { signs: { value: ['a', 'b'] } } })
      expect(await open()).toBe(0)
    },
  )

  it('asks in the words of now on a screen that has them', async () => {
    const conflict = await conflictAbout('signs', ['a', 'b'], ['b'])
    const id = await release(ONE_SIGN, [])
    await turn()
    await decide(conflict, { choice: 'mine', seen: null, to: 'b' }, id)
    expect(await stored()).toMatchObject({ values: { signs: 'b' } })
    expect(await open()).toBe(0)
  })

  it('keeps another value beside the data that was entered before the release and cannot stand in it', async () => {
    const conflict = await conflictAbout('signs', ['a'], ['b'])
    await release(ONE_SIGN, [])
    await turn()
    const decided = await decide(conflict, { choice: 'new', seen: ['a'], to: ['a', 'b'] })
    expect(decided).toMatchObject({
      receipt: { outcome: 'applied' },
      conflicts: [{ id: conflict.id, state: 'resolved' }],
    })
    expect(await stored()).toMatchObject({
      values: { signs: 'a' },
      retired: { signs: { value: ['a', 'b'], label: '体征' } },
    })
    expect(await open()).toBe(0)
    expect(await decisions()).toMatchObject([
      { prop: 'signs', version: world.study.versionId, choice: 'new', value: ['a', 'b'] },
    ])
  })
})
