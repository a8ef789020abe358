import { unzipSync } from 'fflate'
import { beforeAll, describe, expect, it } from 'vitest'
import { readSheets } from '#core/exchange/sheet/readSheets.ts'
import { newId } from '#core/ids.ts'
import { addMember, call, enrolment, refusal } from '#tests/server/support/world.ts'
import type { Person } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** The list of patients as a spreadsheet: who gets it, what is in it, and what the trail says of it. */

const world = worldForAllTests()
let pi: Person
beforeAll(async () => {
  pi = await addMember(world.services, world.study, 'pi', 'PI', [world.study.north])
  await world.services.pool.query('INSERT INTO device (id) VALUES ($1)', [pi.deviceId])
  for (const initials of ['ZSF', '=1+1', '<b>&"'])
    await call(world, world.people.lin, 'patient.save', {
      body: enrolment(world, newId(), { initials, sex: initials === 'ZSF' ? 'F' : 'M' }),
    })
  await call(world, world.people.south, 'patient.save', {
    body: enrolment(world, newId(), { centerId: world.study.south, initials: 'SOUTH' }),
  })
})

async function sheet(who: Person, query: object = {}): Promise<readonly (readonly string[])[]> {
  const { body, type, name } = await call(world, who, 'patient.excel', {
    params: { name: '受试者.xlsx' },
    query: { projectId: world.study.projectId, ...query },
  })
  expect(type).toContain('spreadsheetml')
  expect(name).toBe('受试者.xlsx')
  const parts: Buffer[] = []
  for await (const part of body) parts.push(part as Buffer)
  const bytes = Buffer.concat(parts)
  const files = unzipSync(bytes)
  expect(new TextDecoder().decode(files['xl/worksheets/sheet1.xml'])).not.toMatch(/<f[ >]/)
  expect(Object.keys(files)).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/workbook.xml',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/worksheets/sheet1.xml',
  ])
  const read = readSheets(bytes)
  if (!read.ok) throw new Error(read.error.kind)
  expect(read.sheets.map((one) => one.name)).toEqual(['受试者'])
  return read.sheets.flatMap(({ rows }) => rows.map(({ cells }) => cells))
}

describe('the spreadsheet of patients', () => {
  it('has the patients of the list in its order, without what identifies them', async () => {
    const [head, ...rows] = await sheet(pi)
    expect(head).toEqual(['受试者编号', '姓名缩写', '性别', '入组日期', '研究中心', '状态'])
    expect(rows.map(([no]) => no)).toEqual(['N01-001', 'N01-002', 'N01-003'])
    expect(rows[0]).toEqual(['N01-001', 'ZSF', '女', '2026-11-02', '北院', '在组'])
    expect(JSON.stringify(rows)).not.toContain('张三')
  })

  it('is narrowed down as the list is, and to the reader’s centers', async () => {
    expect((await sheet(pi, { sex: 'F' })).length).toBe(2)
    expect((await sheet(world.people.manager)).map(([, initials]) => initials)).toContain('SOUTH')
  })

  it('makes no formula of what somebody entered', async () => {
    const rows = await sheet(pi)
    expect(rows[2]?.[1]).toBe("'=1+1")
    expect(rows[3]?.[1]).toBe('<b>&"')
  })

  it('is booked with its filter and how many patients it holds', async () => {
    await sheet(pi, { sex: 'M' })
    const { rows } = await world.services.pool.query(
      `SELECT v.new_value AS said FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.action = 'patient.export' ORDER BY a.seq DESC LIMIT 1`,
    )
    expect(rows).toEqual([{ said: { name: '受试者.xlsx', filter: { sex: 'M' }, count: 2, identified: false } }])
  })

  it('is for who may export', async () => {
    expect(await refusal(sheet(world.people.lin))).toBe('forbidden')
    expect(await refusal(sheet(pi, { projectId: newId() }))).toBe('not_found')
  })

  it('of thousands is made in parts, and none of them is left out', async () => {
    await world.services.pool.query(
      `INSERT INTO patient (id, project_id, center_id, no, no_seq, mark, created_by)
       SELECT gen_random_uuid(), $1, $2, 'N01-' || (1000 + n), 1000 + n, '0000', $3 FROM generate_series(1, 3000) AS n`,
      [world.study.projectId, world.study.north, world.people.lin.userId],
    )
    const rows = await sheet(pi)
    expect(rows).toHaveLength(3004)
    expect(rows.at(-1)?.[0]).toBe('N01-4000')
  })
})
