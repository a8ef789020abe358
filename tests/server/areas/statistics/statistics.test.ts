import { beforeEach, describe, expect, it } from 'vitest'
import type { StatisticsColumns, StatisticsTables } from '#core/api/calls/data/statistics.ts'
import type { DataSetDefinition } from '#core/dataset/definition.ts'
import { columnsFor } from '#server/areas/statistics/columns.ts'
import type { ColumnLimits } from '#server/areas/statistics/columns.ts'
import { AS_IS, define, entered } from '#tests/server/areas/dataset/support.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addMember, call, refusal } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/** Columns for statistics: whose they are, what is never in them, and what they are joined with. */

const world = worldForEachTest()
let investigator: Person
beforeEach(async () => {
  investigator = await addMember(world.services, world.study, 'pi', 'PI', [world.study.north])
  await world.services.pool.query('INSERT INTO device (id, last_user_id) VALUES ($1, $2)', [
    investigator.deviceId,
    investigator.userId,
  ])
})

function tables(who: Person, definition: DataSetDefinition = define()): Promise<StatisticsTables> {
  return call(world, who, 'statistics.tables', { body: { projectId: world.study.projectId, definition } })
}

function columns(
  who: Person,
  variables: readonly string[],
  { table = 'VS', definition = define() }: { table?: string; definition?: DataSetDefinition } = {},
): Promise<StatisticsColumns> {
  const body = { projectId: world.study.projectId, definition, table, variables: [...variables] }
  return call(world, who, 'statistics.columns', { body })
}

const cellsOf = ({ columns: read }: StatisticsColumns, name: string) =>
  read.find((column) => column.name === name)?.cells ?? []

describe('who asks', () => {
  it('needs the right to export, and is of the project', async () => {
    const { lin, monitor, stranger } = world.people
    for (const who of [lin, monitor]) {
      expect(await refusal(tables(who))).toBe('forbidden')
      expect(await refusal(columns(who, ['height']))).toBe('forbidden')
    }
    expect(await refusal(tables(stranger))).toBe('not_found')
    expect(await refusal(columns(stranger, ['height']))).toBe('not_found')
  })

  it('gets the subjects of their centers, and of another center none even where it is named', async () => {
    await entered(world, { height: 171 })
    await entered(world, { height: 181 }, { who: world.people.south, center: world.study.south })
    expect(cellsOf(await columns(investigator, ['height']), 'height')).toEqual([171])
    expect(new Set(cellsOf(await columns(world.people.manager, ['height']), 'height'))).toEqual(new Set([171, 181]))
    const south = define({ centers: [world.study.south] })
    expect(await columns(investigator, ['height'], { definition: south })).toMatchObject({ rows: 0 })
    expect((await tables(investigator)).subjects).toBe(1)
  })

  it('gets nothing of a pass that they do not read', async () => {
    await entered(world, { height: 171 })
    await world.services.pool.query('UPDATE member SET entry_pass = 2 WHERE user_id = $1', [investigator.userId])
    const both = define({ passes: 'both' })
    expect(await columns(investigator, ['height'], { definition: both })).toMatchObject({ rows: 0 })
  })
})

describe('data as they are', () => {
  it('are refused to everybody, and so is a row for each subject', async () => {
    const { admin, manager } = world.people
    for (const who of [admin, manager])
      for (const definition of [define({ deidentify: AS_IS }), define({ shape: 'flat' })]) {
        expect(await refusal(tables(who, definition))).toBe('invalid')
        expect(await refusal(columns(who, ['height'], { definition }))).toBe('invalid')
      }
  })

  it('are not in the tables: a field that identifies is no variable, and cannot be asked for', async () => {
    await entered(world, { height: 171, contact: '王五的电话' })
    const { admin, manager } = world.people
    for (const who of [admin, manager]) {
      const told = await tables(who)
      const names = told.tables.flatMap(({ variables }) => variables.map(({ name }) => name))
      expect(names).toContain('height')
      for (const hidden of ['contact', 'name', 'mobile', 'initials', 'subject_id']) expect(names).not.toContain(hidden)
      for (const hidden of ['contact', 'subjects.name', 'subject_id'])
        expect(await refusal(columns(who, ['height', hidden]))).toBe('invalid')
      const all = told.tables.find(({ name }) => name === 'VS')?.variables.map(({ name }) => name) ?? []
      const read = JSON.stringify(await columns(who, [...all.slice(0, 22), 'subjects.sex']))
      expect(read).not.toContain('王五')
      expect(read).not.toContain('张三')
    }
  })
})

describe('columns', () => {
  it('come in the order in which they are asked for, and what is told of its subject beside each row', async () => {
    await entered(world, { height: 171, weight: null, smokes: '1' })
    await entered(world, { height: 181, smokes: '0' }, { who: world.people.south, center: world.study.south })
    const asked = ['subjects.center', 'height', 'subject_key', 'subjects.subject_key', 'subjects.sex', 'weight']
    const read = await columns(world.people.manager, asked)
    expect(read.columns.map(({ name }) => name)).toEqual(asked)
    expect(read.rows).toBe(2)
    expect(cellsOf(read, 'subjects.subject_key')).toEqual(cellsOf(read, 'subject_key'))
    const centers = cellsOf(read, 'subjects.center').map((center, at) => [center, cellsOf(read, 'height')[at]])
    expect(new Set(centers.map(([center]) => center)).size).toBe(2)
    expect(new Set(centers.map(([, height]) => height))).toEqual(new Set([171, 181]))
    expect(read.columns.find(({ name }) => name === 'subjects.sex')?.codes.map(({ code }) => code)).toEqual(['F', 'M'])
  })

  it('say the visits of their page in the order of the casebook', async () => {
    await entered(world)
    const read = await columns(world.people.manager, ['visit'])
    const [column] = read.columns
    expect(column?.codes.length).toBeGreaterThan(0)
    expect(column?.codes.map(({ code }) => code)).toContain(column?.cells[0])
    const told = await tables(world.people.manager)
    const variable = told.tables.find(({ name }) => name === 'VS')?.variables.find(({ name }) => name === 'visit')
    expect(variable?.codes).toEqual(column?.codes)
  })

  it('are of submitted pages only, where the definition says so', async () => {
    await entered(world, { height: 171 }, { submit: false })
    await entered(world, { height: 172, weight: 65, smokes: '0' })
    const submitted = define({ entries: 'submitted' })
    expect(cellsOf(await columns(world.people.manager, ['height'], { definition: submitted }), 'height')).toEqual([172])
  })

  it('are refused for a table or variable that there is not, and for one twice', async () => {
    const { manager } = world.people
    expect(await refusal(columns(manager, ['nowhere']))).toBe('invalid')
    expect(await refusal(columns(manager, ['height'], { table: 'NOWHERE' }))).toBe('invalid')
    expect(await refusal(columns(manager, ['height', 'height']))).toBe('invalid')
    expect(await refusal(columns(manager, ['height'], { table: 'retired' }))).toBe('invalid')
  })

  it('are refused as a whole where one answer could not hold them: never a part of them', async () => {
    await entered(world, { height: 171 })
    await entered(world, { height: 172 })
    const { manager } = world.people
    const body = {
      projectId: world.study.projectId,
      definition: define(),
      table: 'VS',
      variables: ['height', 'weight'],
    }
    const within = (limits: ColumnLimits) => columnsFor(world.services, manager, body, limits)
    expect(await within({ rows: 2, cells: 4 })).toMatchObject({ rows: 2 })
    expect(await refusal(within({ rows: 1, cells: 4 }))).toBe('too_much_work')
    expect(await refusal(within({ rows: 2, cells: 3 }))).toBe('too_much_work')
  })
})
