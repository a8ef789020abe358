import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { MigrationMappings } from '#core/study/migration/migrationMappings.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { migrationWork, runMigrations } from '#server/jobs/migration.ts'
import { startJobs } from '#server/jobs/runner.ts'
import { releaseTested, testedVersion, vitalsColumns } from '#tests/server/support/release.ts'
import type { World } from '#tests/server/support/world.ts'
import {
  call,
  change,
  enrol,
  event,
  item,
  makeWorld,
  operationOf,
  pull,
  push,
  refusal,
  save,
  setStatus,
  vitals,
} from '#tests/server/support/world.ts'

/** What was entered before a release, and what comes of it after: in its place, or kept beside, and never away. */

let world: World
let patient: string
beforeEach(async () => {
  world = await makeWorld()
  patient = await enrol(world)
})
afterEach(() => world.close())

const page = () => vitals(world, patient)
const RID = newId()

/**
 * Smoking is written Y and N, one of two signs is gone, the note is called a remark, contact and dose are gone, a pulse
 * is new.
 */
const NEXT: readonly Column[] = [
  ...vitalsColumns.flatMap((column): readonly Column[] => {
    switch (column.prop) {
      case 'smokes':
        return [
          {
            ...column,
            dicData: [
              { label: '是', value: 'Y' },
              { label: '否', value: 'N' },
            ],
          },
        ]
      case 'packs':
        return [{ ...column, zl: { show: "page.smokes == 'Y'" } }]
      case 'signs':
        return [
          {
            ...column,
            dicData: [{ label: '甲', value: 'a' }],
            zl: { ...column.zl, labels: { zh: '体征', en: 'Signs' } },
          },
        ]
      case 'note':
        return [{ ...column, prop: 'remark', zl: { ...column.zl, labels: { zh: '附注', en: 'Remark' } } }]
      case 'contact':
        return []
      case 'drugs':
        return [
          { ...column, children: { column: (column.children?.column ?? []).filter(({ prop }) => prop !== 'dose') } },
        ]
      default:
        return [column]
    }
  }),
  { prop: 'pulse', label: '脉搏', type: 'number' },
]
const renamed = (): MigrationMappings => ({
  fields: [{ pageId: world.study.vitalsId, table: null, from: 'note', to: 'remark' }],
  choices: [],
})

const everything: Readonly<Record<string, JsonValue>> = {
  height: 170,
  weight: 65,
  smokes: '1',
  packs: 2,
  signs: ['a', 'b'],
  note: '晨起',
  contact: '家属 138',
}

async function enterAll(target: EntryTarget = page()): Promise<void> {
  const rows = [{ table: 'drugs', rid: RID, to: { deleted: false, order: 'a' }, base: null, seen: null, reason: null }]
  const body = change(target, everything, { rows })
  await save(
    world,
    world.people.lin,
    {
      ...body,
      items: [
        ...body.items,
        item('drug', null, '丹参', { table: 'drugs', rid: RID }),
        item('dose', null, 3, { table: 'drugs', rid: RID }),
      ],
    },
    { as: 'entry.smartSave' },
  )
}

/** Releases the next version with the rename, and gives its id and its task. */
async function release(
  columns: readonly Column[] = NEXT,
  more: { readonly no?: number; readonly withoutEvents?: boolean; readonly mappings?: MigrationMappings } = {},
): Promise<{ readonly id: string; readonly task: string | null }> {
  const id = await testedVersion(world, { no: 2, columns, ...more })
  return { id, task: await releaseTested(world, id, more.mappings ?? renamed()) }
}

interface Stored {
  readonly version_id: string
  readonly values: Readonly<Record<string, JsonValue>>
  readonly retired: Readonly<
    Record<string, { readonly value: JsonValue; readonly label?: string; readonly text?: string }>
  >
  readonly status: string
  readonly rev: number
  readonly hidden: readonly string[]
}

async function stored(target: EntryTarget = page()): Promise<Stored | undefined> {
  const { rows } = await world.services.pool.query<Stored>(
    'SELECT version_id, "values", retired, status, rev, hidden FROM entry WHERE id = $1',
    [entryId(target)],
  )
  return rows[0]
}

interface TrailLine {
  readonly prop: string | null
  readonly old_value: JsonValue
  readonly new_value: JsonValue
  readonly reason_code: string | null
  readonly user_id: string
}

async function trail(action: string): Promise<readonly TrailLine[]> {
  const { rows } = await world.database.ownerPool.query<TrailLine>(
    `SELECT a.prop, v.old_value, v.new_value, a.reason_code, a.user_id FROM audit a JOIN audit_value v ON v.audit_id = a.id
     WHERE a.patient_id = $1 AND a.action = $2 ORDER BY a.seq, a.ord`,
    [patient, action],
  )
  return rows
}

const result = (id: string) => call(world, world.people.admin, 'task.result', { id, query: {} })

describe('a release', () => {
  it('brings what was entered to it: in its place, converted, or kept beside the data with its words', async () => {
    await enterAll()
    const { id } = await release()
    await runMigrations(world.services)
    const entry = await stored()
    expect(entry).toMatchObject({
      version_id: id,
      rev: 2,
      values: {
        height: 170,
        weight: 65,
        smokes: 'Y',
        packs: 2,
        signs: ['a', 'b'],
        remark: '晨起',
        drugs: [{ _rid: RID, drug: '丹参' }],
      },
      retired: {
        contact: { value: '家属 138', text: '家属 138' },
        [`${RID}.dose`]: { value: 3, label: '剂量', text: '3' },
      },
    })
    expect(Object.keys(entry?.values ?? {})).not.toContain('note')
    // What a person sees of a page is as the new rules have it: packs are shown where somebody smokes.
    expect(entry?.hidden).toEqual([])
  })

  it('says in the trail of each value what became of it, in the name of whoever released', async () => {
    await enterAll()
    await release()
    await runMigrations(world.services)
    const { userId } = world.people.admin
    const why = { reason_code: 'migration', user_id: userId }
    expect(await trail('item.migrate')).toEqual(
      expect.arrayContaining([
        { prop: 'smokes', old_value: { value: '1', missing: null }, new_value: { value: 'Y', missing: null }, ...why },
        {
          prop: 'remark',
          old_value: { value: '晨起', missing: null },
          new_value: { value: '晨起', missing: null },
          ...why,
        },
      ]),
    )
    expect((await trail('item.retire')).map(({ prop }) => prop)).toEqual(['dose', 'contact'])
    expect(await trail('item.unconverted')).toMatchObject([{ prop: 'signs', new_value: { value: ['a', 'b'] } }])
    expect(await trail('entry.migrate')).toMatchObject([{ old_value: 'V1.0', new_value: 'V2.0' }])
    expect(await trail('patient.migrate')).toMatchObject([
      { new_value: { version: 'V2.0', converted: 2, retired: 2, unconverted: 1 } },
    ])
    const chain = await call(world, world.people.admin, 'audit.verify', { query: { projectId: world.study.projectId } })
    expect(chain.holds).toBe(true)
  })

  it('is pulled by tablets, with what is retired, masked for whoever may not see it', async () => {
    await enterAll()
    const scope = scopeText({ kind: 'center', projectId: world.study.projectId, centerId: world.study.north, pass: 1 })
    const lines = await pull(world, world.people.lin, scope)
    const end = lines.at(-1)
    const cursor = end?.t === 'end' ? end.cursor : 0
    await release()
    await runMigrations(world.services)
    const after = await pull(world, world.people.lin, scope, cursor)
    expect(after.find((line) => line.t === 'put' && line.id === entryId(page()))).toMatchObject({
      kind: 'entry',
      row: { retired: { contact: { value: '家属 138' } } },
    })
    const [seen] = await call(world, world.people.monitor, 'entry.list', { query: { patientId: patient } })
    expect(seen?.retired?.['contact']).toMatchObject({ value: '***', text: '***' })
  })

  it('begins no task where nobody is enrolled, and none after the first release of a project', async () => {
    const other = await makeWorld()
    try {
      const id = await testedVersion(other, { no: 2, columns: NEXT })
      expect(await releaseTested(other, id, { fields: [], choices: [] })).toBeNull()
    } finally {
      await other.close()
    }
  })

  it('refuses a word about a field that is not there, and nothing is released', async () => {
    const id = await testedVersion(world, { no: 2, columns: NEXT })
    const wrong = { fields: [{ pageId: world.study.vitalsId, table: null, from: 'note', to: 'nowhere' }], choices: [] }
    expect(await refusal(releaseTested(world, id, wrong))).toBe('invalid')
    const { rows } = await world.services.pool.query(`SELECT 1 FROM crf_version WHERE id = $1 AND profile = 'test'`, [
      id,
    ])
    expect(rows).toHaveLength(1)
  })

  it('leaves a page that it does not have as it was, to be read; a later release does not archive it again', async () => {
    const target = event(world, patient, '0')
    await save(world, world.people.lin, change(target, { term: '皮疹' }))
    const before = await stored(target)
    await release(NEXT, { withoutEvents: true })
    await runMigrations(world.services)
    expect(await stored(target)).toEqual(before)
    expect(await trail('entry.archive')).toHaveLength(1)
    // What comes for it late still has its place there.
    await save(world, world.people.wu, change(target, { term: item('term', '皮疹', '皮疹加重') }))
    expect((await stored(target))?.values).toEqual({ term: '皮疹加重' })
    await release(NEXT, { no: 3, withoutEvents: true, mappings: { fields: [], choices: [] } })
    await runMigrations(world.services)
    expect(await trail('entry.archive')).toHaveLength(1)
  })

  it.each(['frozen', 'locked'])('brings a %s page along, and no rule touches it', async (control) => {
    await enterAll()
    await world.services.pool.query('UPDATE entry SET control = $2, status = $3 WHERE id = $1', [
      entryId(page()),
      control,
      'other',
    ])
    const calculates = NEXT.map((column): Column =>
      column.prop === 'bmi' ? { ...column, zl: { calculate: 'page.weight' } } : column,
    )
    const { id } = await release(calculates)
    await runMigrations(world.services)
    expect(await stored()).toMatchObject({
      version_id: id,
      status: 'other',
      values: { smokes: 'Y', bmi: 22.49134948096886 },
    })
  })

  it('lets files and their regions follow the field that they belong to, also where two fields change their codes with each other', async () => {
    await save(world, world.people.lin, change(page(), { note: 'a', contact: 'b' }))
    const [file, other] = [newId(), newId()]
    const { pool } = world.services
    for (const [id, prop] of [
      [file, 'note'],
      [other, 'contact'],
    ]) {
      await pool.query(
        `INSERT INTO attachment (id, project_id, patient_id, entry_id, pass, prop, name, type, size, hash, author, state, started_at, touched_at)
         VALUES ($1, $2, $3, $4, 1, $5, 'x.jpg', 'image/jpeg', 1, 'h', $6, 'stored', now(), now())`,
        [id, world.study.projectId, patient, entryId(page()), prop, world.people.lin.userId],
      )
      await pool.query(
        `INSERT INTO attachment_region (id, attachment_id, project_id, entry_id, prop, x, y, width, height, note, created_by, created_at, updated_by, updated_at)
         VALUES ($1, $2, $3, $4, $5, 0, 0, 1, 1, '', $6, now(), $6, now())`,
        [newId(), id, world.study.projectId, entryId(page()), prop, world.people.lin.userId],
      )
    }
    const pageId = world.study.vitalsId
    await release(vitalsColumns, {
      mappings: {
        fields: [
          { pageId, table: null, from: 'note', to: 'contact' },
          { pageId, table: null, from: 'contact', to: 'note' },
        ],
        choices: [],
      },
    })
    await runMigrations(world.services)
    expect((await stored())?.values).toMatchObject({ note: 'b', contact: 'a' })
    const { rows } = await pool.query(
      'SELECT a.id, a.prop, r.prop AS region FROM attachment a JOIN attachment_region r ON r.attachment_id = a.id ORDER BY a.id',
    )
    expect(rows).toEqual([
      { id: file, prop: 'contact', region: 'contact' },
      { id: other, prop: 'note', region: 'note' },
    ])
  })

  it('calculates what the new version calculates otherwise; a page that says something else now waits to be submitted again', async () => {
    await enterAll()
    await world.services.pool.query(`UPDATE entry SET status = 'other' WHERE id = $1`, [entryId(page())])
    const calculates = NEXT.map((column): Column =>
      column.prop === 'bmi' ? { ...column, zl: { calculate: 'page.weight + 1.0' } } : column,
    )
    await release(calculates)
    await runMigrations(world.services)
    expect(await stored()).toMatchObject({ status: 'process', values: { bmi: 66 } })
    expect(await trail('item.calculate')).toMatchObject([{}, { prop: 'bmi', new_value: { value: 66 } }])
  })
})

describe('what is entered meanwhile', () => {
  it('under the old version, before the patient’s turn, is brought along', async () => {
    const { id } = await release()
    await enterAll()
    await runMigrations(world.services)
    expect(await stored()).toMatchObject({ version_id: id, values: { remark: '晨起', smokes: 'Y' } })
  })

  it('under the old version, after it, is mapped as it comes: renamed, rewritten, or kept beside the data', async () => {
    await enterAll()
    const { id } = await release()
    await runMigrations(world.services)
    const late = change(page(), {
      note: item('note', '晨起', '餐后'),
      smokes: item('smokes', '1', '0'),
      contact: item('contact', '家属 138', '家属 139'),
      weight: item('weight', 65, 66),
    })
    const op = operationOf(world, world.people.lin, {
      call: 'entry.save',
      entityId: entryId(page()),
      body: late,
    })
    expect([...(await push(world, world.people.lin, [op])).values()]).toMatchObject([
      { t: 'taken', receipt: { outcome: 'applied' } },
    ])
    expect(await stored()).toMatchObject({
      version_id: id,
      values: { remark: '餐后', smokes: 'N', weight: 66 },
      retired: { contact: { value: '家属 139' } },
    })
  })

  it('under the old version meets another’s will as a conflict in the words of now', async () => {
    await enterAll()
    const { id } = await release()
    await runMigrations(world.services)
    await save(world, world.people.wu, change(page(), { smokes: item('smokes', 'Y', 'N') }), { crfId: id })
    const answer = await save(world, world.people.lin, change(page(), { smokes: item('smokes', '1', null) }))
    expect(answer.conflicts).toMatchObject([
      { code: 'smokes', server: { value: 'N' }, mine: { value: null }, base: { value: 'Y' } },
    ])
  })

  it('under the new version, before the patient’s turn, brings the page along first', async () => {
    await enterAll()
    const { id } = await release()
    // The tablet has the release and still shows what was written before it.
    await save(world, world.people.wu, change(page(), { smokes: item('smokes', '1', 'N'), pulse: 72 }), { crfId: id })
    expect(await stored()).toMatchObject({
      version_id: id,
      values: { smokes: 'N', pulse: 72, remark: '晨起' },
      retired: { contact: { value: '家属 138' } },
    })
    await runMigrations(world.services)
    expect(await trail('entry.migrate')).toHaveLength(1)
    expect(await stored()).toMatchObject({ values: { smokes: 'N', pulse: 72 } })
  })

  it('under the new version by somebody who had not seen the migration yet, is no conflict with it', async () => {
    await enterAll()
    const { id } = await release()
    await runMigrations(world.services)
    const answer = await save(world, world.people.wu, change(page(), { smokes: item('smokes', '1', 'N') }), {
      crfId: id,
    })
    expect(answer.conflicts).toEqual([])
    // Once somebody has changed it since, it is one.
    await save(world, world.people.lin, change(page(), { smokes: item('smokes', 'N', 'Y') }), { crfId: id })
    const again = await save(world, world.people.wu, change(page(), { smokes: item('smokes', '1', 'N') }), {
      crfId: id,
    })
    expect(again.conflicts).toMatchObject([{ code: 'smokes' }])
  })

  it('of a patient who is enrolled afterwards, under the old version, is mapped as well', async () => {
    const { id } = await release()
    await runMigrations(world.services)
    const late = await enrol(world)
    await save(world, world.people.lin, change(vitals(world, late), { note: '晨起', smokes: '0' }))
    expect(await stored(vitals(world, late))).toMatchObject({ version_id: id, values: { remark: '晨起', smokes: 'N' } })
  })

  it('as a conflict that stands open asks in the new words, and is decided in the old ones too', async () => {
    await enterAll()
    await save(world, world.people.wu, change(page(), { smokes: item('smokes', null, '0') }))
    const { rows: open } = await world.services.pool.query<{ id: string }>('SELECT id FROM conflict')
    const [{ id: conflictId } = { id: '' }] = open
    await release()
    await runMigrations(world.services)
    const { rows } = await world.services.pool.query('SELECT server, mine FROM conflict')
    expect(rows).toEqual([{ server: { value: 'Y', missing: null }, mine: { value: 'N', missing: null } }])
    // Decided on a tablet that was away, in the words of the version before.
    const body = {
      target: page(),
      conflictId,
      choice: 'mine' as const,
      seen: { value: '1', missing: null },
      to: { value: '0', missing: null },
      reason: { code: 'transcription' as const, text: '' },
    }
    await call(world, world.people.lin, 'conflict.resolve', { id: entryId(page()), body })
    expect(await stored()).toMatchObject({ values: { smokes: 'N' } })
  })
})

describe('the task', () => {
  it('runs patient by patient, says how far it is, and ends with a log of everything that does not stand as it was', async () => {
    await enterAll()
    await enrol(world)
    const { task } = await release()
    expect(await result(task ?? '')).toMatchObject({
      type: 'migration',
      status: 0,
      finishedCount: 0,
      totalCount: 2,
      source: 'V2.0',
      log: null,
    })
    await runMigrations(world.services)
    const done = await result(task ?? '')
    expect(done).toMatchObject({ status: 1, finishedCount: 2, totalCount: 2 })
    expect(done.log).toContain('转换\t基线 / 生命体征 / 吸烟\t是 (1) → 是 (Y)')
    expect(done.log).toContain('停用\t基线 / 生命体征 / 用药 / 剂量\t3')
    expect(done.log).toContain('未转换\t基线 / 生命体征 / 体征\t甲, b')
    expect(done.log).toMatch(
      /^数据迁移日志\n版本\tV1\.0 → V2\.0\n发布人\t.+\n开始\t\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\n结束\t.+\n受试者\t已迁移 2，未迁移 0\n合计\t保持 \d+，转换 \d+，停用 \d+，未转换 \d+，归档页面 \d+，提出质疑 0，关闭质疑 0\n\n/,
    )
    // Whoever reads English has it in English, whoever released.
    const english = (
      await call(world, world.people.admin, 'task.result', { id: task ?? '', query: {}, language: 'en' })
    ).log
    expect(english).toContain('Data migration log\nVersion\tV1.0 → V2.0')
    expect(english).toContain('retired\t基线 / 生命体征 / 用药 / 剂量\t3')
    // What identifies a patient is in no log.
    expect(done.log).not.toContain('138')
    expect(done.log).toContain('***')
  })

  it('is told to whoever released, and to those who could have', async () => {
    const { task } = await release()
    const asked = { id: task ?? '', query: {} }
    expect(await refusal(call(world, world.people.lin, 'task.result', asked))).toBe('not_found')
    expect(await refusal(call(world, world.people.stranger, 'task.result', asked))).toBe('not_found')
    expect(await refusal(call(world, world.people.admin, 'task.result', { id: newId(), query: {} }))).toBe('not_found')
  })

  it('that was stopped between two patients is taken up by the next server, and nobody has two turns', async () => {
    const others = [await enrol(world), await enrol(world)]
    for (const one of [patient, ...others]) await enterAll(vitals(world, one))
    const { task } = await release()
    const stop = new AbortController()
    const now = world.services.now
    let turns = 0
    // The server is told to stop while the first patient has their turn.
    const dying = { ...world.services, now: () => ((turns += 1) === 2 ? (stop.abort(), now()) : now()) }
    await runMigrations(dying, stop.signal)
    expect(await result(task ?? '')).toMatchObject({ status: 0, finishedCount: 1, totalCount: 3 })
    const next = startJobs(world.services, [migrationWork(world.services)], { everyMs: 5 })
    while ((await result(task ?? '')).status === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await next.stop()
    expect(await result(task ?? '')).toMatchObject({ status: 1, finishedCount: 3 })
    const { rows } = await world.database.ownerPool.query(`SELECT patient_id FROM audit WHERE action = 'entry.migrate'`)
    expect(new Set(rows.map(({ patient_id: id }) => id as string))).toEqual(new Set([patient, ...others]))
    expect(rows).toHaveLength(3)
  })

  it('waits while the project is paused, and says so where it was closed', async () => {
    await enterAll()
    const { task } = await release()
    await setStatus(world, 'stop')
    await runMigrations(world.services)
    expect(await result(task ?? '')).toMatchObject({ status: 0, finishedCount: 0 })
    await setStatus(world, 'close')
    await runMigrations(world.services)
    expect(await result(task ?? '')).toMatchObject({ status: 2, finishedCount: 0 })
    expect((await stored())?.version_id).toBe(world.study.versionId)
  })

  it('goes on with the others where one patient cannot be brought along, whose data stay as they are', async () => {
    await enterAll()
    const other = await enrol(world)
    await enterAll(vitals(world, other))
    const { task } = await release()
    await world.database.ownerPool.query(
      `ALTER TABLE entry ADD CONSTRAINT broken CHECK (patient_id <> '${patient}' OR migrated_rev IS NULL)`,
    )
    await runMigrations(world.services)
    expect(await result(task ?? '')).toMatchObject({ status: 2, finishedCount: 2, totalCount: 2 })
    expect((await result(task ?? '')).log).toContain('未迁移')
    expect((await stored(vitals(world, other)))?.values).toMatchObject({ smokes: 'Y' })
    expect((await stored())?.version_id).toBe(world.study.versionId)
  })
})

describe('whom a migration left behind', () => {
  const running = (person = world.people.admin) =>
    call(world, person, 'version.migrationTask', { query: { projectId: world.study.projectId } })
  const again = (crfId: string, person = world.people.admin) =>
    call(world, person, 'version.migrationAgain', { query: { crfId } })
  const breakPatient = () =>
    world.database.ownerPool.query(
      `ALTER TABLE entry ADD CONSTRAINT broken CHECK (patient_id <> '${patient}' OR migrated_rev IS NULL) NOT VALID`,
    )
  const mend = () => world.database.ownerPool.query('ALTER TABLE entry DROP CONSTRAINT broken')

  it('is brought along when somebody who may release says so, with a line in the trail, and the others have no second turn', async () => {
    await enterAll()
    const other = await enrol(world)
    await enterAll(vitals(world, other))
    const { id, task } = await release()
    await breakPatient()
    await runMigrations(world.services)
    expect(await running()).toEqual({ taskId: task, crfId: id, status: 2, left: 1 })
    expect((await result(task ?? '')).log).toContain('未迁移，数据保持原版本：服务器异常 (internal)')
    await mend()
    const next = await again(id)
    expect(await running()).toEqual({ taskId: next.taskId, crfId: id, status: 0, left: 1 })
    await runMigrations(world.services)
    expect(await result(next.taskId)).toMatchObject({ status: 1, finishedCount: 1, totalCount: 1 })
    expect(await stored()).toMatchObject({ version_id: id, values: { remark: '晨起', smokes: 'Y' } })
    expect(await running()).toBeNull()
    const { rows } = await world.database.ownerPool.query(
      `SELECT user_id, v.new_value FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE action = 'version.migrateAgain'`,
    )
    expect(rows).toEqual([{ user_id: world.people.admin.userId, new_value: { task: next.taskId, patients: 1 } }])
    const { rows: turns } = await world.database.ownerPool.query(
      `SELECT patient_id FROM audit WHERE action = 'patient.migrate' ORDER BY seq`,
    )
    expect(turns.map(({ patient_id: one }) => one as string)).toEqual([other, patient])
  })

  it('has no second turn while the first goes on, where nobody is left, and for a release that is not the newest', async () => {
    await enterAll()
    const { id } = await release()
    expect(await refusal(again(id))).toBe('transition_refused')
    await runMigrations(world.services)
    expect(await refusal(again(id))).toBe('transition_refused')
    const later = await release(NEXT, { no: 3, mappings: { fields: [], choices: [] } })
    await breakPatient()
    await runMigrations(world.services)
    expect(await refusal(again(id))).toBe('transition_refused')
    await mend()
    await again(later.id)
    await runMigrations(world.services)
    expect((await stored())?.version_id).toBe(later.id)
  })

  it('of two who ask at once one begins it', async () => {
    await enterAll()
    const { id } = await release()
    await breakPatient()
    await runMigrations(world.services)
    const asked = await Promise.allSettled([again(id), again(id)])
    expect(asked.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('is known to everybody who may release, and told to nobody else', async () => {
    await enterAll()
    const { id, task } = await release()
    await world.services.pool.query(`UPDATE member SET role = 'PM' WHERE user_id = $1`, [world.people.south.userId])
    expect(await running(world.people.south)).toEqual({ taskId: task, crfId: id, status: 0, left: 1 })
    expect(await refusal(running(world.people.lin))).toBe('forbidden')
    expect(await refusal(running(world.people.stranger))).toBe('not_found')
    expect(await refusal(again(id, world.people.lin))).toBe('forbidden')
    expect(await refusal(again(id, world.people.stranger))).toBe('not_found')
  })

  it('and was brought to a later release meanwhile, is not taken back to an earlier one', async () => {
    await enterAll()
    const first = await release()
    const second = await release(NEXT, { no: 3, mappings: { fields: [], choices: [] } })
    const { pool } = world.services
    // Another server has the first, and waits for this patient there while the later one comes.
    await pool.query(`UPDATE job SET leased_by = id, leased_until = now() + interval '1 hour' WHERE id = $1`, [
      first.task,
    ])
    await runMigrations(world.services)
    expect(await result(first.task ?? '')).toMatchObject({ status: 0 })
    await pool.query('UPDATE job SET leased_by = NULL, leased_until = NULL WHERE id = $1', [first.task])
    await runMigrations(world.services)
    expect(await result(first.task ?? '')).toMatchObject({ status: 1 })
    const { rows } = await pool.query('SELECT migrated_to FROM patient WHERE id = $1', [patient])
    expect(rows).toEqual([{ migrated_to: second.id }])
  })
})

describe('before a release', () => {
  const plan = (crfId: string, mappings?: MigrationMappings) =>
    call(world, world.people.admin, 'version.migrationPlan', {
      query: { crfId },
      body: mappings === undefined ? {} : { mappings },
    })

  it('the plan names every field and choice with what becomes of it', async () => {
    const id = await testedVersion(world, { no: 2, columns: NEXT, withoutEvents: true })
    const without = await plan(id)
    const kinds = Object.groupBy(without.lines, ({ kind }) => kind)
    expect(kinds.retired?.map(({ code, table }) => [table, code])).toEqual([
      ['drugs', 'dose'],
      [null, 'contact'],
      [null, 'note'],
    ])
    expect(kinds.new?.map(({ code, labelEn }) => [code, labelEn])).toEqual([
      ['remark', 'Remark'],
      ['pulse', null],
    ])
    expect(without.lines.find(({ code }) => code === 'smokes')).toMatchObject({
      kind: 'converted',
      choices: [
        { value: '1', to: 'Y', by: 'label' },
        { value: '0', to: 'N', by: 'label' },
      ],
    })
    expect(without).toMatchObject({ patients: 1, archived: [{ pageName: '不良事件' }], problems: [] })
    const mapped = await plan(id, renamed())
    expect(mapped.lines.find(({ code }) => code === 'note')).toMatchObject({ kind: 'mapped', to: { code: 'remark' } })
  })

  it('a dry run tells of each patient what would become of what was entered, and changes nothing', async () => {
    await enterAll()
    await save(world, world.people.lin, change(event(world, patient, '0'), { term: '皮疹' }))
    const other = await enrol(world)
    const before = await stored()
    const id = await testedVersion(world, { no: 2, columns: NEXT, withoutEvents: true })
    const { records, total } = await call(world, world.people.admin, 'version.migrationCheck', {
      query: { crfId: id, current: 1, size: 10 },
      body: { mappings: renamed() },
    })
    expect(total).toBe(2)
    expect(records.find(({ patientId }) => patientId === patient)).toMatchObject({
      counts: { converted: 2, retired: 2, unconverted: 1, archived: 1 },
    })
    expect(
      records.flatMap(({ items }) =>
        items.flatMap(({ kind, label, labelEn }) => (kind === 'unconverted' ? [[label, labelEn]] : [])),
      ),
    ).toEqual([['体征', 'Signs']])
    expect(records.find(({ patientId }) => patientId === other)).toMatchObject({
      counts: { mapped: 0, retired: 0 },
      items: [],
    })
    expect(await stored()).toEqual(before)
  })

  it('and its log tell whoever sees one center nothing of the others: neither their subjects nor what was entered there', async () => {
    await enterAll()
    await world.services.pool.query(`UPDATE member SET role = 'PM' WHERE user_id = $1`, [world.people.south.userId])
    const id = await testedVersion(world, { no: 2, columns: NEXT })
    const { records } = await call(world, world.people.south, 'version.migrationCheck', {
      query: { crfId: id, current: 1, size: 10 },
      body: {},
    })
    expect(records).toEqual([])
    const task = await releaseTested(world, id)
    await runMigrations(world.services)
    const { log } = await call(world, world.people.south, 'task.result', { id: task ?? '', query: {} })
    expect(log).not.toContain('备注')
    expect(log).not.toContain('晨起')
    expect((await result(task ?? '')).log).toContain('停用\t基线 / 生命体征 / 备注\t晨起')
  })

  it('is for those who may release, and for a version that is not released', async () => {
    const id = await testedVersion(world, { no: 2, columns: NEXT })
    expect(
      await refusal(call(world, world.people.lin, 'version.migrationPlan', { query: { crfId: id }, body: {} })),
    ).toBe('forbidden')
    expect(await refusal(plan(world.study.versionId))).toBe('transition_refused')
  })
})
