import { unzipSync, strFromU8 } from 'fflate'
import { beforeAll, describe, expect, it } from 'vitest'
import type { BodyOf } from '#core/api/call.ts'
import type { CallOf } from '#core/api/table.ts'
import { newId } from '#core/ids.ts'
import { MASK } from '#core/form/definition/mask.ts'
import { makeGround, putEntry } from '#tests/server/areas/search/ground.ts'
import type { SearchGround } from '#tests/server/areas/search/ground.ts'
import { act, ask } from '#tests/server/areas/query/support.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addMember, call, enrol, refusal } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** The grid of a page over all subjects: what each reader sees of it, in which order, and the same in files. */

const world = worldForAllTests()
let ground: SearchGround
let manager: Person
let first: string
let second: string
let southern: string
const rids = [newId(), newId(), newId()] as const
let entry: string

type Question = BodyOf<CallOf<'database.rows'>>

beforeAll(async () => {
  const { services, study, people } = world
  ground = await makeGround(world)
  manager = await addMember(services, study, 'manager 2', 'DBD', [study.north, study.south])
  await services.pool.query('INSERT INTO device (id) VALUES ($1)', [manager.deviceId])
  first = await enrol(world)
  second = await enrol(world)
  southern = await enrol(world, people.south, study.south)
  const [baseline, next] = ground.visits
  const drugs = rids.map((rid, at) => ({
    _rid: rid,
    _ord: `V${at}`,
    drug: `药${at}`,
    dose: 10 * at,
    ...(at === 1 ? { _deleted: true } : {}),
  }))
  entry = await putEntry(world, ground, {
    patientId: first,
    centerId: study.north,
    folderId: baseline,
    values: { sbp: 150, arm: 'L', signs: ['a', 'c'], contact: '李四', span: ['2026-01-01', '2026-01-05'], drugs },
    missing: { taken: { m: 'ND', reason: '设备故障' } },
    status: 'other',
  })
  await putEntry(world, ground, {
    patientId: first,
    centerId: study.north,
    folderId: next,
    values: { sbp: 128, arm: 'R', note: '=1+1' },
    hidden: ['arm'],
  })
  await putEntry(world, ground, {
    patientId: second,
    centerId: study.north,
    folderId: baseline,
    values: { sbp: '约90', contact: '王五' },
  })
  await putEntry(world, ground, { patientId: southern, centerId: study.south, folderId: baseline, values: { sbp: 90 } })
  for (const more of [{ deleted: true }, { status: 'init' as const }])
    await putEntry(world, ground, {
      patientId: second,
      centerId: study.north,
      folderId: more.status === 'init' ? next : ground.visits[2],
      values: { sbp: 1 },
      ...more,
    })
})

function question(more: Partial<Question> = {}): Question {
  return {
    projectId: world.study.projectId,
    pageId: ground.pageId,
    table: null,
    columns: ['sbp'],
    filters: [],
    sort: null,
    offset: 0,
    size: 200,
    ...more,
  }
}
const read = (more: Partial<Question> = {}, who: Person = manager) =>
  call(world, who, 'database.rows', { body: question(more) })
const cells = async (more: Partial<Question> = {}, who: Person = manager) =>
  (await read(more, who)).rows.map((row) => (row.cells.length === 1 ? row.cells[0] : row.cells))

describe('the rows of a page', () => {
  it('are of the subjects whom the reader sees, by center, subject and visit, without what is deleted or was never begun', async () => {
    expect(await cells()).toEqual([150, 128, '约90', 90])
    expect(await cells({}, world.people.monitor)).toEqual([150, 128, '约90'])
    expect(await cells({}, world.people.south)).toEqual([90])
    const { total, rows } = await read({ offset: 1, size: 2 })
    expect(total).toBe(4)
    expect(rows.map(({ cells: [one] }) => one)).toEqual([128, '约90'])
    expect(rows[0]).toMatchObject({ folderName: '访视2', folderNo: 1, pageNo: 1, versionNo: 2, status: 'process' })
  })

  it('have the columns that are asked for, in that order: codes, missing reasons, and nothing of what rules hide', async () => {
    const columns = ['arm', 'taken', 'span_end', 'signs']
    expect((await read({ columns })).rows.map((row) => row.cells)).toEqual([
      ['L', { m: 'ND', reason: '设备故障' }, '2026-01-05', 'a; c'],
      [null, null, null, null],
      [null, null, null, null],
      [null, null, null, null],
    ])
  })

  it('are narrowed down by what is in a field, by center, visit, status and subject', async () => {
    const { study } = world
    const by = (column: string, test: Question['filters'][number]['test']) => cells({ filters: [{ column, test }] })
    expect(await by('sbp', { op: 'ge', value: 128 })).toEqual([150, 128])
    expect(await by('sbp', { op: 'between', from: 80, to: 130 })).toEqual([128, 90])
    expect(await by('arm', { op: 'filled' })).toEqual([150])
    expect(await by('arm', { op: 'empty' })).toEqual(['约90', 90])
    expect(await by('taken', { op: 'missing', reason: 'ND' })).toEqual([150])
    expect(await by('signs', { op: 'oneOf', values: ['c', 'b'] })).toEqual([150])
    expect(await by('span_start', { op: 'lt', value: '2026-01-02' })).toEqual([150])
    expect(await by('note', { op: 'contains', value: '1+' })).toEqual([128])
    expect(await cells({ centerId: study.south })).toEqual([90])
    expect(await cells({ folderId: ground.visits[1] })).toEqual([128])
    expect(await cells({ status: 'submitted' })).toEqual([150])
    const no = (await read()).rows[0]?.patientNo ?? ''
    expect(await cells({ words: no.toLowerCase() })).toEqual([150, 128])
    expect(await refusal(by('sbp', { op: 'contains', value: '1' }))).toBe('invalid')
    expect(await refusal(by('nowhere', { op: 'filled' }))).toBe('invalid')
  })

  it('are put in the order of a column or a key', async () => {
    const sorted = (by: NonNullable<Question['sort']>['by'], down = false) => cells({ sort: { by, down } })
    expect(await sorted({ column: 'sbp' })).toEqual([90, 128, 150, '约90'])
    expect(await sorted({ column: 'sbp' }, true)).toEqual([150, 128, 90, '约90'])
    expect(await sorted({ key: 'visit' }, true)).toEqual([128, 150, '约90', 90])
    for (const key of ['subject', 'center', 'version', 'status', 'savedAt', 'savedBy'] as const)
      expect((await sorted({ key })).length).toBe(4)
  })

  it('are of one pass for who enters in it, and of subjects of their own for who sees no others', async () => {
    const { services, study } = world
    const other = await addMember(services, study, 'pass 2', 'CRC', [study.north])
    await services.pool.query('UPDATE member SET entry_pass = 2 WHERE user_id = $1', [other.userId])
    expect(await cells({}, other)).toEqual([])
    const own = await addMember(services, study, 'own only', 'CRC', [study.north])
    await services.pool.query(`UPDATE member SET data_scope = 'self' WHERE user_id = $1`, [own.userId])
    expect(await cells({}, own)).toEqual([])
  })

  it('are those whom a kept search finds', async () => {
    const id = newId()
    const condition = {
      kind: 'field',
      field: { pageId: ground.pageId, table: null, code: 'sbp', part: null },
      at: { which: 'any' },
      test: { op: 'gt', value: 140 },
    } as const
    const body = { id, projectId: world.study.projectId, name: '高', condition, isShared: false }
    await call(world, manager, 'search.save', { body })
    expect(await cells({ searchId: id })).toEqual([150, 128])
    expect(await refusal(read({ searchId: id }, world.people.monitor))).toBe('not_found')
  })
})

describe('the rows of a table', () => {
  it('are the rows that are not deleted, in their order', async () => {
    const { rows, total } = await read({ table: 'drugs', columns: ['drug', 'dose'] })
    expect(total).toBe(2)
    expect(rows.map((row) => [row.rid, ...row.cells])).toEqual([
      [rids[0], '药0', 0],
      [rids[2], '药2', 20],
    ])
    const filters = [{ column: 'dose', test: { op: 'gt', value: 5 } }] as const
    expect(
      (await read({ table: 'drugs', columns: ['drug'], filters: [...filters] })).rows.map((row) => row.cells),
    ).toEqual([['药2']])
    expect(await refusal(read({ table: 'nowhere' }))).toBe('not_found')
  })
})

describe('what identifies a subject', () => {
  it('is masked for who may not see it, who can neither filter nor sort by it', async () => {
    const { monitor, lin } = world.people
    const columns = ['contact']
    expect(await cells({ columns }, lin)).toEqual(['李四', null, '王五'])
    expect(await cells({ columns }, monitor)).toEqual([MASK, null, MASK])
    const filters = [{ column: 'contact', test: { op: 'contains' as const, value: '李' } }]
    expect(await cells({ columns, filters }, lin)).toEqual(['李四'])
    expect(await refusal(read({ columns, filters }, monitor))).toBe('forbidden')
    const sort = { by: { column: 'contact' }, down: false }
    expect(await refusal(read({ columns, sort }, monitor))).toBe('forbidden')
    const listed = async (who: Person) => {
      const query = { projectId: world.study.projectId, pageId: ground.pageId }
      return (await call(world, who, 'database.columns', { query })).find(({ name }) => name === 'contact')?.isMasked
    }
    expect([await listed(lin), await listed(monitor)]).toEqual([false, true])
  })
})

describe('marks', () => {
  it('tell of queries that the reader sees, conflicts, and what was verified', async () => {
    const { study, people, database } = world
    const place = {
      patientId: first,
      folderId: ground.visits[0],
      folderRepeat: '0',
      pageId: ground.pageId,
      pageRepeat: '0',
      parentEntryId: null,
      pass: 1 as const,
      table: null,
      rid: null,
    }
    const said = { crfId: ground.versionId }
    await ask(world, people.monitor, first, { place: { ...place, code: 'sbp' } }, said)
    const answered = await ask(world, people.monitor, first, { place: { ...place, code: 'arm' } }, said)
    await act(world, people.lin, answered, 'answer')
    for (const [track, prop, state] of [
      ['sdv', 'sbp', 'verified'],
      ['dmr', 'arm', 'changed'],
    ])
      await database.ownerPool.query(
        `INSERT INTO review_mark (entry_id, track, prop, project_id, state, content, by_user, at) VALUES ($1, $2, $3, $4, $5, '{}', $6, now())`,
        [entry, track, prop, study.projectId, state, people.monitor.userId],
      )
    const marks = async (who: Person) =>
      (await read({}, who)).rows[0]?.marks.map(({ code, is }) => `${code} ${is}`).toSorted()
    expect(await marks(people.monitor)).toEqual(['arm answeredQuery', 'arm changed', 'sbp openQuery', 'sbp sdv'])
    expect(await marks(people.lin)).toEqual(['arm answeredQuery', 'sbp openQuery'])
  })
})

describe('pages and columns', () => {
  it('are told with their visits and tables to who looks or searches, and to nobody else', async () => {
    const { study, people } = world
    const pages = await call(world, manager, 'database.pages', { query: { projectId: study.projectId } })
    const page = pages.find(({ pageId }) => pageId === ground.pageId)
    expect(page).toMatchObject({ name: '血压', isFormer: false, tables: [{ code: 'drugs', label: '用药' }] })
    expect(page?.folders.map(({ name }) => name)).toEqual(['访视1', '访视2', '访视3'])
    expect(pages.find(({ pageId }) => pageId === study.vitalsId)?.isFormer).toBe(true)
    const query = { projectId: study.projectId, pageId: ground.pageId }
    const columns = await call(world, manager, 'database.columns', { query })
    expect(columns.map(({ name }) => name)).toEqual([
      'sbp',
      'taken',
      'clock',
      'span_start',
      'span_end',
      'note',
      'arm',
      'signs',
      'contact',
    ])
    expect(columns.find(({ name }) => name === 'arm')?.codes).toEqual([
      { code: 'L', label: '左' },
      { code: 'R', label: '右' },
    ])
    expect(await refusal(call(world, people.stranger, 'database.columns', { query }))).toBe('not_found')
  })
})

describe('a file', () => {
  const exported = async (
    name: string,
    more: Partial<BodyOf<CallOf<'database.export'>>> = {},
    who: Person = manager,
  ) => {
    const { offset: _, size: __, ...asked } = question()
    const body = { ...asked, keys: ['subject' as const, 'visit' as const], values: 'labels' as const, ...more }
    const { body: stream } = await call(world, who, 'database.export', { params: { name }, body })
    return Buffer.concat((await stream.toArray()).map((part: string | Uint8Array) => Buffer.from(part)))
  }
  const columns = ['arm', 'sbp', 'taken', 'note']

  it('holds what the grid shows: its rows, columns and order, in words', async () => {
    const sort = { by: { column: 'sbp' }, down: true }
    const text = (await exported('数据.csv', { columns, sort })).toString('utf8')
    const { rows } = await read({ columns, sort })
    const lines = text.trimEnd().split('\r\n')
    expect(lines[0]).toBe('\uFEFF受试者编号,访视,测量手臂,收缩压 (mmHg),测量日期,备注')
    expect(lines.slice(1)).toEqual([
      `${rows[0]?.patientNo},访视1,左,150,未做,`,
      `${rows[1]?.patientNo},访视2,,128,,'=1+1`,
      `${rows[2]?.patientNo},访视1,,90,,`,
      `${rows[3]?.patientNo},访视1,,约90,,`,
    ])
    const filters = [{ column: 'sbp', test: { op: 'gt' as const, value: 140 } }]
    expect((await exported('数据.csv', { columns: ['arm'], filters, values: 'codes' })).toString('utf8')).toContain(
      ',L\r\n',
    )
    const sheet = unzipSync(new Uint8Array(await exported('数据.xlsx', { columns, sort })))
    const xml = strFromU8(sheet['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
    for (const word of ['收缩压 (mmHg)', '150', '未做', '约90']) expect(xml).toContain(word)
  })

  it('is booked with what was asked and how many rows, and is for who may export', async () => {
    await exported('数据.csv', { columns })
    const { rows } = await world.database.ownerPool.query<{ said: object }>(
      `SELECT v.new_value AS said FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.action = 'database.export' ORDER BY a.seq DESC LIMIT 1`,
    )
    expect(rows[0]?.said).toMatchObject({ name: '数据.csv', pageId: ground.pageId, columns, count: 4 })
    expect(await refusal(exported('数据.csv', { columns }, world.people.monitor))).toBe('forbidden')
  })
})
