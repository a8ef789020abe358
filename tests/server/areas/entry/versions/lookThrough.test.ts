import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { ConflictRow } from '#core/api/sync/rows.ts'
import { lookThrough } from '#server/areas/entry/versions/lookThrough.ts'
import { restore } from '#server/backup/restore.ts'
import { writeBackup } from '#server/backup/write.ts'
import { runMigrations } from '#server/jobs/migration.ts'
import { asOlderVersion } from '#tests/scenarios/support/olderSchema.ts'
import { createEmptyDatabase } from '#tests/server/support/database.ts'
import { releaseTested, testedVersion, vitalsColumns } from '#tests/server/support/release.ts'
import {
  call,
  change,
  enrol,
  event,
  item,
  operationOf,
  pull,
  push,
  save,
  setStatus,
  vitals,
} from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/** What stood before a newer version of the server came, at its first start. */

const world = worldForEachTest()
let patient: string
beforeEach(async () => {
  patient = await enrol(world)
})

const page = () => vitals(world, patient)
const content = (value: JsonValue) => ({ value, missing: null })
const owner = () => world.database.ownerPool
const verify = () => call(world, world.people.admin, 'audit.verify', { query: { projectId: world.study.projectId } })

async function booked(action: string) {
  const { rows } = await owner().query<{
    prop: string | null
    version: string
    user: string
    old: JsonValue
    now: JsonValue
  }>(
    `SELECT a.prop, a.version_id AS version, a.user_name AS "user", v.old_value AS old, v.new_value AS now FROM audit a JOIN audit_value v ON v.audit_id = a.id
     WHERE a.action = $1 ORDER BY a.seq, a.ord`,
    [action],
  )
  return rows
}

/** Rows of a kind that a tablet fetches which had everything up to a change number. */
async function fetched(cursor: number, kind: string, scope: string): Promise<readonly JsonValue[]> {
  return (await pull(world, scope.endsWith('/2') ? world.people.wu : world.people.lin, scope, cursor)).flatMap((line) =>
    line.t === 'put' && line.kind === kind ? [line.row] : [],
  )
}

async function seq(): Promise<number> {
  return (
    (await owner().query<{ seq: number }>('SELECT seq FROM project WHERE id = $1', [world.study.projectId])).rows[0]
      ?.seq ?? Number.NaN
  )
}

describe('an open conflict', () => {
  const NO_NOTE = vitalsColumns.filter(({ prop }) => prop !== 'note')
  const called = (from: string, to: string, columns: readonly Column[]) =>
    columns.map((column): Column => (column.prop === from ? { ...column, prop: to } : column))

  async function release(
    no: number,
    columns: readonly Column[],
    renamed: readonly (readonly [string, string])[],
  ): Promise<string> {
    const id = await testedVersion(world, { no, columns })
    await releaseTested(world, id, {
      fields: renamed.map(([from, to]) => ({ pageId: world.study.vitalsId, table: null, from, to })),
      choices: [],
    })
    await runMigrations(world.services)
    return id
  }

  /** Lin and Wu differ about the note. */
  async function conflictAboutNote(): Promise<ConflictRow> {
    await save(world, world.people.lin, change(page(), { contact: '家属 138' }))
    await save(world, world.people.lin, change(page(), { note: '晨起' }))
    const [conflict] = (await save(world, world.people.wu, change(page(), { note: '餐后' }))).conflicts
    if (conflict === undefined) throw new Error('no conflict')
    return conflict
  }

  /** As an older server left it, which knew of no former field. */
  async function leftAs(code: string, { server = '晨起', mine = '餐后' } = {}): Promise<void> {
    await owner().query('UPDATE conflict SET prop = $1, server = $2, mine = $3, former_version_id = NULL', [
      code,
      JSON.stringify(content(server)),
      JSON.stringify(content(mine)),
    ])
  }

  const conflicts = async () =>
    (
      await call(world, world.people.lin, 'conflict.list', {
        query: { projectId: world.study.projectId, current: 1, size: 10 },
      })
    ).records

  it('on a field that a release had removed, and whose code another has, is about that field again, and decided beside the data', async () => {
    const { id } = await conflictAboutNote()
    await release(2, called('contact', 'note', NO_NOTE), [['contact', 'note']])
    await leftAs('note')
    const before = await seq()
    await lookThrough(world.services)
    expect(await conflicts()).toMatchObject([
      { id, code: 'note', formerVersionId: world.study.versionId, current: content('晨起') },
    ])
    const { projectId, north } = world.study
    expect(await fetched(before, 'conflict', `${projectId}/${north}/1`)).toMatchObject([
      { id, formerVersionId: world.study.versionId },
    ])
    expect((await booked('conflict.migrate')).at(-1)).toMatchObject({
      prop: 'note',
      version: world.study.versionId,
      user: 'server',
      now: { server: content('晨起'), mine: content('餐后') },
    })
    expect(await verify()).toMatchObject({ holds: true })

    const body = {
      target: page(),
      conflictId: id,
      choice: 'mine' as const,
      seen: content('晨起'),
      to: content('餐后'),
      reason: { code: 'clarification' as const, text: '核对' },
    }
    await call(world, world.people.lin, 'conflict.resolve', { id: entryId(page()), body })
    const [entry] = await call(world, world.people.lin, 'entry.list', { query: { patientId: patient } })
    expect(entry?.values).toMatchObject({ note: '家属 138' })
    expect((await owner().query<{ retired: JsonValue }>('SELECT retired FROM entry')).rows).toMatchObject([
      { retired: { note: { value: '餐后' } } },
    ])
  })

  it('that had gone on with the other field through a later release comes back to its own', async () => {
    await conflictAboutNote()
    await release(2, called('contact', 'note', NO_NOTE), [['contact', 'note']])
    await release(3, called('contact', 'relative', NO_NOTE), [['note', 'relative']])
    await leftAs('relative')
    await lookThrough(world.services)
    expect(await conflicts()).toMatchObject([
      { code: 'note', formerVersionId: world.study.versionId, server: content('晨起'), mine: content('餐后') },
    ])
  })

  it('is about the field as the last release called it that had it', async () => {
    await conflictAboutNote()
    const second = await release(2, called('note', 'remark', vitalsColumns), [['note', 'remark']])
    await release(3, called('contact', 'remark', NO_NOTE), [['contact', 'remark']])
    await leftAs('remark')
    await lookThrough(world.services)
    expect(await conflicts()).toMatchObject([
      { code: 'remark', formerVersionId: second, server: content('晨起'), mine: content('餐后') },
    ])
  })

  it('on a field that is there, under whatever code, stays as it is', async () => {
    await conflictAboutNote()
    await release(2, called('note', 'remark', vitalsColumns), [['note', 'remark']])
    const [before, at] = [await conflicts(), await seq()]
    await lookThrough(world.services)
    expect(await conflicts()).toEqual(before)
    expect(await seq()).toBe(at)
  })

  it('of which the trail does not tell how it was opened stays as it is', async () => {
    await conflictAboutNote()
    await release(2, called('contact', 'note', NO_NOTE), [['contact', 'note']])
    await leftAs('note')
    await owner().query('UPDATE conflict SET op_key = gen_random_uuid()')
    await lookThrough(world.services)
    expect((await conflicts()).map(({ formerVersionId }) => formerVersionId ?? null)).toEqual([null])
  })

  it('is looked through once, and again where a backup of an older server was restored; also of a closed project', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'zl-look-through-'))
    const restored = await createEmptyDatabase()
    try {
      await lookThrough(world.services)
      await conflictAboutNote()
      await release(2, called('contact', 'note', NO_NOTE), [['contact', 'note']])
      await leftAs('note')
      await setStatus(world, 'close')
      await lookThrough(world.services)
      const formers = async (pool: typeof restored.ownerPool) =>
        (await pool.query<{ former: string | null }>('SELECT former_version_id AS former FROM conflict')).rows.map(
          ({ former }) => former,
        )
      expect(await formers(owner())).toEqual([null])
      const { file } = await writeBackup(owner(), { folder, passphrase: null })
      await restore({
        file: await asOlderVersion(file, 33),
        passphrase: null,
        databaseUrl: restored.url,
        appDatabaseUrl: restored.appUrl,
        dataDir: folder,
        replace: false,
      })
      await lookThrough({ ...world.services, pool: restored.pool })
      expect(await formers(restored.ownerPool)).toEqual([world.study.versionId])
    } finally {
      await restored.drop()
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe('changes without a reason', () => {
  const at = (pass: 1 | 2): EntryTarget => ({ ...page(), pass })
  const listed = async (pass: 1 | 2) =>
    (
      await owner().query<{ unexplained: readonly JsonValue[] }>('SELECT unexplained FROM entry WHERE id = $1', [
        entryId(at(pass)),
      ])
    ).rows[0]?.unexplained

  beforeEach(async () => {
    await owner().query(`UPDATE project SET config = config || '{"isDouble": 1}'`)
    await owner().query('UPDATE member SET entry_pass = 2 WHERE user_id = $1', [world.people.wu.userId])
  })

  /** In both passes a submitted height was changed, and nobody said why. */
  async function changedWithoutReason(): Promise<void> {
    const { lin, wu } = world.people
    for (const [who, pass, to] of [
      [lin, 1, 171],
      [wu, 2, 172],
    ] as const) {
      await call(world, who, 'entry.submit', { id: entryId(at(pass)), pass, body: change(at(pass), { height: 170 }) })
      await push(world, who, [
        operationOf(world, who, {
          call: 'entry.save',
          entityId: entryId(at(pass)),
          pass,
          body: change(at(pass), { height: item('height', 170, to) }) as never,
        }),
      ])
    }
  }

  it('on the locked pages of a merged second pass are asked about no more; all others are', async () => {
    await changedWithoutReason()
    const { rows } = await owner().query<{ id: string; unexplained: JsonValue }>(
      'SELECT id, unexplained FROM entry WHERE pass = 2',
    )
    const found = await call(world, world.people.manager, 'double.gapCheck', { id: patient })
    await call(world, world.people.manager, 'double.merge', {
      body: {
        patientId: patient,
        compared: found.compared,
        choices: found.gaps.map(({ id }) => ({ id, choose: 'second' })),
      } as never,
    })
    // As a merge left them that an older server made.
    for (const { id, unexplained } of rows)
      await owner().query('UPDATE entry SET unexplained = $2 WHERE id = $1', [id, JSON.stringify(unexplained)])
    await owner().query('UPDATE entry SET unexplained = $2 WHERE id = $1', [
      entryId(at(1)),
      JSON.stringify(rows[0]?.unexplained),
    ])
    const before = await seq()
    await lookThrough(world.services)
    expect(await listed(2)).toEqual([])
    expect(await listed(1)).toHaveLength(1)
    const { projectId, north } = world.study
    expect(await fetched(before, 'entry', `${projectId}/${north}/2`)).toMatchObject([
      { id: entryId(at(2)), unexplained: [], values: { height: 172 } },
    ])
    expect(await booked('entry.unasked')).toMatchObject([{ user: 'server', old: 1, now: 0 }])
    expect(await verify()).toMatchObject({ holds: true })
  })

  it('of a second pass that is not merged stay', async () => {
    await changedWithoutReason()
    await lookThrough(world.services)
    expect([await listed(1), await listed(2)]).toMatchObject([[{ code: 'height' }], [{ code: 'height' }]])
    expect(await booked('entry.unasked')).toEqual([])
  })
})

describe('a conflict on a page of the second pass', () => {
  const at = (): EntryTarget => ({ ...page(), pass: 2 })
  const enter = (values: Parameters<typeof change>[1]) =>
    call(world, world.people.wu, 'entry.save', { id: entryId(at()), pass: 2, body: change(at(), values) })
  const open = async () =>
    (
      await call(world, world.people.wu, 'conflict.list', {
        query: { projectId: world.study.projectId, current: 1, size: 10, state: 'open' },
      })
    ).records

  beforeEach(async () => {
    await owner().query(`UPDATE project SET config = config || '{"isDouble": 1}'`)
    await owner().query('UPDATE member SET entry_pass = 2 WHERE user_id = $1', [world.people.wu.userId])
  })

  /** Wu deleted the page, and what was entered on it elsewhere came after. */
  async function deletedAndEdited(): Promise<ConflictRow> {
    const { wu } = world.people
    await call(world, wu, 'entry.save', { id: entryId(event2), pass: 2, body: change(event2, { term: '皮疹' }) })
    await enter({ height: 171 })
    const { rows } = await owner().query<{ rev: number }>('SELECT rev FROM entry WHERE id = $1', [entryId(at())])
    await call(world, wu, 'entry.delete', {
      query: { id: entryId(at()) },
      pass: 2,
      body: { target: at(), seenRev: rows[0]?.rev ?? 0, reason: { code: 'transcription', text: '录错页面' } },
    })
    const [conflict] = (await enter({ height: item('height', 171, 172) })).conflicts
    if (conflict === undefined) throw new Error('no conflict')
    return conflict
  }
  let event2: EntryTarget
  beforeEach(() => {
    event2 = { ...event(world, patient, newId()), pass: 2 }
  })

  /** As an older server merged, which did not wait for what was open on deleted pages. */
  async function mergedBeside(): Promise<void> {
    await owner().query(`UPDATE conflict SET state = 'resolved'`)
    const found = await call(world, world.people.manager, 'double.gapCheck', { id: patient })
    await call(world, world.people.manager, 'double.merge', {
      body: {
        patientId: patient,
        compared: found.compared,
        choices: found.gaps.map(({ id }) => ({ id, choose: 'second' as const })),
      },
    })
    await owner().query(`UPDATE conflict SET state = 'open'`)
    await owner().query(`UPDATE entry SET control = 'open' WHERE deleted`)
  }

  it('that was deleted, of a patient merged since, is closed with what stands: nobody can decide it any more, and what waited can still be read', async () => {
    const { id } = await deletedAndEdited()
    await mergedBeside()
    const before = await seq()
    await lookThrough(world.services)
    expect(await open()).toEqual([])
    const deleted = { value: true, missing: null }
    const closed = {
      id,
      state: 'resolved',
      mine: { value: false, missing: null },
      resolution: { choice: 'server', to: deleted, byName: 'server', reason: { code: 'migration', text: '' } },
    }
    const { projectId, north } = world.study
    const scope = `${projectId}/${north}/2`
    expect(await fetched(before, 'conflict', scope)).toMatchObject([closed])
    expect(await fetched(before, 'entry', scope)).toMatchObject([
      { id: entryId(at()), deleted: true, conflicts: 0, values: { height: 172 } },
    ])
    expect((await booked('conflict.resolve')).at(-1)).toMatchObject({
      prop: '_deleted',
      user: 'server',
      version: world.study.versionId,
      now: { choice: 'server', to: deleted },
    })
    expect(await verify()).toMatchObject({ holds: true })
    await lookThrough(world.services)
    expect(await booked('conflict.resolve')).toHaveLength(1)
  })

  it('that an unmerged patient has stays, and so does one of the first pass', async () => {
    const { id } = await deletedAndEdited()
    await lookThrough(world.services)
    expect(await open()).toMatchObject([{ id }])
    await mergedBeside()
    await owner().query('UPDATE entry SET pass = 1 WHERE id = $1', [entryId(at())])
    await owner().query(`UPDATE setting SET value = 'true' WHERE key = 'look_through'`)
    await lookThrough(world.services)
    expect((await owner().query('SELECT state FROM conflict')).rows).toEqual([{ state: 'open' }])
  })
})
