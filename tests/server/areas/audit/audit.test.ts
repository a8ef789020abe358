import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import { verifyChain } from '#server/areas/audit/chain.ts'
import type { World } from '#tests/server/support/world.ts'
import { call, change, enrol, event, item, makeWorld, refusal, save, setStatus, vitals } from '#tests/server/support/world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
  await work()
})
afterAll(() => world.close())

/** What a day brings: enrolments, saves, conflicts, submits, removals, a pause. */
async function work(): Promise<void> {
  const { lin, wu } = world.people
  const patients = await Promise.all(Array.from({ length: 6 }, () => enrol(world)))
  await Promise.all(
    patients.flatMap((patient) => [
      save(world, lin, change(vitals(world, patient), { height: 170.25, note: '晨起 "x" \\ \u2028', contact: '王五' })),
      save(world, wu, change(vitals(world, patient), { height: 171, weight: 1e-7 })),
    ]),
  )
  const [first = '', second = ''] = patients
  await save(world, lin, change(event(world, first, newId()), { term: '恶心' }), { as: 'entry.submit' })
  await save(world, lin, change(event(world, second, newId()), { term: item('term', null, '头痛', { reason: { code: 'other', text: '补' } }) }), { as: 'entry.insert' })
  await call(world, lin, 'patient.remove', { body: { id: second, projectId: world.study.projectId, reason: { code: 'other', text: '误' } } })
  await setStatus(world, 'stop')
  await save(world, lin, change(vitals(world, first), { note: item('note', null, 'y') }))
  await setStatus(world, 'process')
}

const verify = () => verifyChain(world.services.pool, world.study.projectId)

describe('the chain', () => {
  it('holds after a day’s work, for the project and for the system', async () => {
    const { manager } = world.people
    const report = await call(world, manager, 'audit.verify', { query: { projectId: world.study.projectId } })
    expect(report).toMatchObject({ holds: true, firstBroken: null })
    expect(report.checked).toBeGreaterThan(40)
    expect(await verifyChain(world.services.pool, null)).toMatchObject({ holds: true })
  })

  it('has the head of every receipt among its links', async () => {
    const { rowCount } = await world.services.pool.query(
      `SELECT 1 FROM operation o LEFT JOIN audit_link l ON l.project_id = o.project_id AND l.seq = o.seq AND l.head = o.head WHERE l.seq IS NULL`,
    )
    expect(rowCount).toBe(0)
  })

  it('cannot be written to by the server, only added to', async () => {
    const { pool } = world.services
    for (const table of ['audit', 'audit_value', 'audit_link']) {
      for (const sql of [`DELETE FROM ${table}`, `TRUNCATE ${table} CASCADE`, `UPDATE ${table} SET ${table === 'audit_value' ? 'salt' : 'seq'} = NULL`]) {
        await expect(pool.query(sql)).rejects.toMatchObject({ code: '42501' })
      }
    }
    await expect(pool.query('DELETE FROM operation')).rejects.toMatchObject({ code: '42501' })
    await expect(pool.query('DELETE FROM entry')).rejects.toMatchObject({ code: '42501' })
  })
})

describe('somebody with the owner’s login', () => {
  const owner = async (sql: string) => world.database.ownerPool.query(sql)
  const tampering: Readonly<Record<string, readonly [does: string, undoes: string]>> = {
    'who changes a value': [
      `CREATE TABLE kept AS SELECT v.* FROM audit_value v JOIN audit a ON a.id = v.audit_id WHERE a.action = 'item.update' ORDER BY a.seq, a.ord LIMIT 1;
       UPDATE audit_value SET new_value = '{"value": 999, "missing": null}' WHERE audit_id = (SELECT audit_id FROM kept)`,
      `UPDATE audit_value v SET new_value = kept.new_value FROM kept WHERE kept.audit_id = v.audit_id; DROP TABLE kept`,
    ],
    'who changes an author': [
      `CREATE TABLE kept AS SELECT id, user_name FROM audit WHERE action = 'patient.enrol' ORDER BY seq LIMIT 1;
       UPDATE audit SET user_name = 'nobody' WHERE id = (SELECT id FROM kept)`,
      `UPDATE audit a SET user_name = kept.user_name FROM kept WHERE kept.id = a.id; DROP TABLE kept`,
    ],
    'who puts a row into the past': [
      `INSERT INTO audit (id, project_id, seq, ord, format, action, user_name, occurred_at, received_at, value_hash, row_hash)
       SELECT gen_random_uuid(), project_id, seq, 999, 1, 'item.update', 'x', now(), now(), 'x', 'x' FROM audit_link WHERE project_id IS NOT NULL ORDER BY seq LIMIT 1`,
      `DELETE FROM audit WHERE ord = 999`,
    ],
    'who takes a row away': [
      `CREATE TABLE kept AS SELECT * FROM audit WHERE action = 'patient.identify' ORDER BY seq LIMIT 1;
       CREATE TABLE kept_value AS SELECT * FROM audit_value WHERE audit_id = (SELECT id FROM kept);
       DELETE FROM audit_value WHERE audit_id = (SELECT id FROM kept); DELETE FROM audit WHERE id = (SELECT id FROM kept)`,
      `INSERT INTO audit SELECT * FROM kept; INSERT INTO audit_value SELECT * FROM kept_value; DROP TABLE kept; DROP TABLE kept_value`,
    ],
    'who cuts the end off': [
      `CREATE TABLE kept AS SELECT * FROM audit_link WHERE project_id IS NOT NULL ORDER BY seq DESC LIMIT 1;
       DELETE FROM audit_link l USING kept WHERE l.project_id = kept.project_id AND l.seq = kept.seq`,
      `INSERT INTO audit_link SELECT * FROM kept; DROP TABLE kept`,
    ],
  }

  it.each(Object.entries(tampering))('%s is found out', async (_what, [does, undoes]) => {
    await owner(does)
    const report = await verify()
    await owner(undoes)
    expect(report.holds).toBe(false)
    expect(report.firstBroken).toBeGreaterThan(0)
    expect(await verify()).toMatchObject({ holds: true })
  })

  it('who redacts a value by the procedure leaves the chain whole', async () => {
    await owner(`CREATE TABLE kept AS SELECT v.* FROM audit_value v JOIN audit a ON a.id = v.audit_id WHERE a.action = 'patient.identify' LIMIT 1;
      DELETE FROM audit_value WHERE audit_id = (SELECT audit_id FROM kept)`)
    expect(await verify()).toMatchObject({ holds: true })
    await owner('INSERT INTO audit_value SELECT * FROM kept; DROP TABLE kept')
  })
})

describe('the trail', () => {
  const trail = (who: keyof World['people'], size = 500) =>
    call(world, world.people[who], 'audit.list', { query: { projectId: world.study.projectId, current: 1, size } })

  it('shows who changed what, newest first', async () => {
    const { records, total } = await trail('manager')
    expect(total).toBe(records.length)
    expect(records.map(({ seq }) => seq)).toEqual(records.map(({ seq }) => seq).toSorted((a, b) => b - a))
    expect(records.find(({ action }) => action === 'entry.submit')).toMatchObject({ oldValue: 'init', newValue: 'other', role: 'CRC' })
    expect(records[0]).toMatchObject({ action: 'operation.held', reasonCode: 'project_stopped' })
  })

  it('is read on from any of its lines, however long it is', async () => {
    const whole = (await trail('manager')).records
    const read: string[] = []
    for (let before: string | undefined; ; ) {
      const query = { projectId: world.study.projectId, current: 1, size: 7, ...(before === undefined ? {} : { before }) }
      const { records } = await call(world, world.people.manager, 'audit.list', { query })
      const last = records.at(-1)
      if (last === undefined) break
      read.push(...records.map(({ id }) => id))
      before = `${last.seq}.${last.ord}`
    }
    expect(read).toEqual(whole.map(({ id }) => id))
  })

  it('masks what identifies a patient, in patients and on pages', async () => {
    const { records } = await trail('monitor')
    expect(records.find(({ action }) => action === 'patient.identify')).toMatchObject({ newValue: '***' })
    const contact = records.find(({ prop }) => prop === 'contact')
    expect(contact).toMatchObject({ newValue: '***' })
    expect(JSON.stringify(records)).not.toMatch(/张三|王五/)
  })

  it('is for those with the right, within their project and centers', async () => {
    expect(await refusal(trail('lin'))).toBe('forbidden')
    expect(await refusal(trail('stranger'))).toBe('not_found')
  })
})
