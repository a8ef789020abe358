import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import { verifyChain } from '#server/areas/audit/chain.ts'
import type { ChainProblem } from '#server/areas/audit/chain.ts'
import { commitProject } from '#server/database/commit.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { serverStamp } from '#server/http/runOnce.ts'
import type { World } from '#tests/server/support/world.ts'
import { call, change, enrol, event, item, refusal, save, setStatus, vitals } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

const world = worldForAllTests()
beforeAll(async () => {
  await work()
})

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
  await save(
    world,
    lin,
    change(event(world, second, newId()), {
      term: item('term', null, '头痛', { reason: { code: 'other', text: '补' } }),
    }),
    { as: 'entry.insert' },
  )
  await call(world, lin, 'patient.remove', {
    body: { id: second, projectId: world.study.projectId, reason: { code: 'other', text: '误' } },
  })
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
      for (const sql of [
        `DELETE FROM ${table}`,
        `TRUNCATE ${table} CASCADE`,
        `UPDATE ${table} SET ${table === 'audit_value' ? 'salt' : 'seq'} = NULL`,
      ]) {
        await expect(pool.query(sql)).rejects.toMatchObject({ code: '42501' })
      }
    }
    await expect(pool.query('DELETE FROM operation')).rejects.toMatchObject({ code: '42501' })
    await expect(pool.query('DELETE FROM entry')).rejects.toMatchObject({ code: '42501' })
  })
})

/** Takes everything of the trail after a place away, and lets the project name what is left as its end. */
function cut(to: string): string {
  const after = `project_id IS NOT NULL AND seq > (SELECT ${to} FROM kept_project)`
  return `
    CREATE TABLE kept_project AS SELECT id, seq, head FROM project WHERE seq > 5;
    CREATE TABLE kept_link AS SELECT * FROM audit_link WHERE ${after}; CREATE TABLE kept AS SELECT * FROM audit WHERE ${after};
    CREATE TABLE kept_value AS SELECT * FROM audit_value WHERE audit_id IN (SELECT id FROM kept);
    DELETE FROM audit_value WHERE audit_id IN (SELECT id FROM kept); DELETE FROM audit WHERE id IN (SELECT id FROM kept); DELETE FROM audit_link WHERE ${after};
    UPDATE project p SET seq = (SELECT ${to} FROM kept_project),
      head = coalesce((SELECT l.head FROM audit_link l WHERE l.project_id = p.id ORDER BY l.seq DESC LIMIT 1), repeat('0', 64)) FROM kept_project k WHERE k.id = p.id`
}

const uncut = `
  INSERT INTO audit_link SELECT * FROM kept_link; INSERT INTO audit SELECT * FROM kept; INSERT INTO audit_value SELECT * FROM kept_value;
  UPDATE project p SET seq = k.seq, head = k.head FROM kept_project k WHERE k.id = p.id;
  DROP TABLE kept_project; DROP TABLE kept_link; DROP TABLE kept_value; DROP TABLE kept`

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
    'who changes when something happened': [
      `CREATE TABLE kept AS SELECT id, occurred_at FROM audit WHERE action = 'item.update' ORDER BY seq LIMIT 1;
       UPDATE audit SET occurred_at = occurred_at - interval '1 day' WHERE id = (SELECT id FROM kept)`,
      `UPDATE audit a SET occurred_at = kept.occurred_at FROM kept WHERE kept.id = a.id; DROP TABLE kept`,
    ],
    'who swaps two rows': [
      `CREATE TABLE kept AS SELECT a.id, a.seq, a.ord FROM audit a WHERE (a.project_id, a.seq) IN (SELECT project_id, seq FROM audit WHERE project_id IS NOT NULL GROUP BY project_id, seq HAVING count(*) > 1 ORDER BY seq LIMIT 1) ORDER BY a.ord LIMIT 2;
       UPDATE audit SET ord = 5000 + ord WHERE id IN (SELECT id FROM kept);
       UPDATE audit a SET ord = (SELECT max(k.ord) + min(k.ord) FROM kept k) - (a.ord - 5000) WHERE id IN (SELECT id FROM kept)`,
      `UPDATE audit SET ord = 5000 + ord WHERE id IN (SELECT id FROM kept); UPDATE audit a SET ord = kept.ord FROM kept WHERE kept.id = a.id; DROP TABLE kept`,
    ],
    'who moves a row into the chain of the system': [
      `CREATE TABLE kept AS SELECT id, project_id, ord FROM audit WHERE action = 'item.update' ORDER BY seq LIMIT 1;
       UPDATE audit SET project_id = NULL, ord = 999 WHERE id = (SELECT id FROM kept)`,
      `UPDATE audit a SET project_id = kept.project_id, ord = kept.ord FROM kept WHERE kept.id = a.id; DROP TABLE kept`,
    ],
    'who erases the values of one row': [
      `CREATE TABLE kept AS SELECT v.* FROM audit_value v JOIN audit a ON a.id = v.audit_id WHERE a.action = 'item.update' ORDER BY a.seq, a.ord LIMIT 1;
       DELETE FROM audit_value WHERE audit_id = (SELECT audit_id FROM kept)`,
      `INSERT INTO audit_value SELECT * FROM kept; DROP TABLE kept`,
    ],
    'who erases all values': [
      `CREATE TABLE kept AS SELECT * FROM audit_value; DELETE FROM audit_value`,
      `INSERT INTO audit_value SELECT * FROM kept; DROP TABLE kept`,
    ],
    'who cuts the end off in all tables of the trail': [cut('seq - 5'), uncut],
    'who cuts the chain to nothing': [cut('0'), uncut],
    'who changes a receipt': [
      `CREATE TABLE kept AS SELECT key, result FROM operation WHERE result #>> '{receipt,head}' IS NOT NULL ORDER BY seq LIMIT 1;
       UPDATE operation SET result = jsonb_set(result, '{receipt,head}', to_jsonb(repeat('a', 64))) WHERE key = (SELECT key FROM kept)`,
      `UPDATE operation o SET result = kept.result FROM kept WHERE kept.key = o.key; DROP TABLE kept`,
    ],
    'who changes what an operation names': [
      `CREATE TABLE kept AS SELECT key, head FROM operation WHERE seq IS NOT NULL ORDER BY seq LIMIT 1; UPDATE operation SET head = repeat('a', 64) WHERE key = (SELECT key FROM kept)`,
      `UPDATE operation o SET head = kept.head FROM kept WHERE kept.key = o.key; DROP TABLE kept`,
    ],
    'who changes the data behind the trail': [
      `CREATE TABLE kept AS SELECT id, "values" FROM entry WHERE "values" ? 'height' ORDER BY id LIMIT 1;
       UPDATE entry SET "values" = "values" || '{"height": 999}' WHERE id = (SELECT id FROM kept)`,
      `UPDATE entry e SET "values" = kept."values" FROM kept WHERE kept.id = e.id; DROP TABLE kept`,
    ],
    'who changes the head that the project names': [
      `CREATE TABLE kept AS SELECT id, head FROM project WHERE seq > 0; UPDATE project p SET head = repeat('a', 64) FROM kept WHERE kept.id = p.id`,
      `UPDATE project p SET head = kept.head FROM kept WHERE kept.id = p.id; DROP TABLE kept`,
    ],
    'who cuts the end off': [
      `CREATE TABLE kept AS SELECT * FROM audit_link WHERE project_id IS NOT NULL ORDER BY seq DESC LIMIT 1;
       DELETE FROM audit_link l USING kept WHERE l.project_id = kept.project_id AND l.seq = kept.seq`,
      `INSERT INTO audit_link SELECT * FROM kept; DROP TABLE kept`,
    ],
  }

  const found: Readonly<Record<string, ChainProblem>> = {
    'who erases the values of one row': 'values',
    'who erases all values': 'values',
    'who cuts the end off in all tables of the trail': 'operation',
    'who cuts the chain to nothing': 'operation',
    'who changes a receipt': 'operation',
    'who changes what an operation names': 'operation',
    'who changes the data behind the trail': 'entry',
    'who changes the head that the project names': 'head',
  }

  it.each(Object.entries(tampering))('%s is found out', async (what, [does, undoes]) => {
    await owner(does)
    const report = await verify()
    await owner(undoes)
    expect(report).toMatchObject({ holds: false, problem: found[what] ?? 'link' })
    expect(report.firstBroken).toBeGreaterThan(0)
    expect(await verify()).toMatchObject({ holds: true, problem: null, redacted: 0 })
  })
})

describe('the trail', () => {
  const trail = (who: keyof World['people'], size = 500) =>
    call(world, world.people[who], 'audit.list', { query: { projectId: world.study.projectId, current: 1, size } })

  it('shows who changed what, newest first', async () => {
    const { records, total } = await trail('manager')
    expect(total).toBe(records.length)
    expect(records.map(({ seq }) => seq)).toEqual(records.map(({ seq }) => seq).toSorted((a, b) => b - a))
    expect(records.find(({ action }) => action === 'entry.submit')).toMatchObject({
      oldValue: 'init',
      newValue: 'other',
      role: 'CRC',
    })
    expect(records[0]).toMatchObject({ action: 'operation.held', reasonCode: 'project_stopped' })
  })

  it('is read on from any of its lines, however long it is', async () => {
    const whole = (await trail('manager')).records
    const read: string[] = []
    for (let before: string | undefined; ;) {
      const query = {
        projectId: world.study.projectId,
        current: 1,
        size: 7,
        ...(before === undefined ? {} : { before }),
      }
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

describe('a redaction', () => {
  it('by the procedure leaves the chain whole, and is counted; values that are gone without it are missed', async () => {
    const { projectId } = world.study
    const [row] = (
      await world.database.ownerPool.query(
        `SELECT id FROM audit WHERE action = 'patient.identify' ORDER BY seq LIMIT 1`,
      )
    ).rows as { id: string }[]
    const auditId = row?.id ?? ''
    await world.database.ownerPool.query(
      `CREATE TABLE kept AS SELECT * FROM audit_value WHERE audit_id = '${auditId}'; DELETE FROM audit_value WHERE audit_id = '${auditId}'`,
    )
    expect(await verify()).toMatchObject({ holds: false, problem: 'values' })
    await withTransaction(world.services.pool, (transaction) =>
      commitProject(transaction, {
        projectId,
        statuses: ['process'],
        stamp: serverStamp(world.services),
        changes: [],
        audit: [{ action: 'audit.redact', new: { auditId }, reasonText: '误录他人信息' }],
      }),
    )
    expect(await verify()).toMatchObject({ holds: true, redacted: 1 })
    await world.database.ownerPool.query('INSERT INTO audit_value SELECT * FROM kept; DROP TABLE kept')
  })
})
