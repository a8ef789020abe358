import { describe, expect, it } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { SaveResult } from '#core/api/calls/entry.ts'
import type { EntryChange } from '#core/sync/entryChange.ts'
import type { Operation } from '#core/sync/protocol/operation.ts'
import type { PushAnswer } from '#core/api/sync/push.ts'
import { verifyChain } from '#server/areas/audit/chain.ts'
import { directAct } from '#server/operations/act.ts'
import { takeIn } from '#server/operations/takeIn.ts'
import { mayBePlain, takeBatch } from '#server/operations/batch.ts'
import type { PlainAct } from '#server/operations/batch.ts'
import type { Person } from '#tests/server/support/world.ts'
import {
  call,
  change,
  countRows,
  enrol,
  item,
  operationOf,
  push,
  save,
  setStatus,
  vitals,
} from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

const world = worldForAllTests()

function saveOf(author: Person, body: EntryChange, more: Partial<Operation> = {}): Operation {
  return operationOf(world, author, {
    call: 'entry.save',
    entityId: entryId(body.target),
    body: body,
    ...more,
  })
}

function actOf(author: Person, body: EntryChange, as: PlainAct['call'] = 'entry.save'): PlainAct {
  const { services, study } = world
  const acted = {
    at: '2026-11-02T01:02:03.004Z',
    offsetMinutes: 480,
    driftMs: -40,
    deviceId: author.deviceId,
    appVersion: '1.0.0',
  }
  const online = {
    services,
    actor: author,
    acted,
    key: newId(),
    protocol: 1,
    language: 'zh' as const,
    ip: '127.0.0.1',
    crfId: study.versionId,
    pass: 1 as const,
  }
  return directAct(online, { call: as, body, projectId: study.projectId, entityId: entryId(body.target) })
}

function together(acts: readonly PlainAct[]) {
  return takeBatch(world.services, acts.filter(mayBePlain))
}

function receiptOf(answer: Exclude<PushAnswer, { t: 'end' }> | undefined) {
  if (answer?.t !== 'taken') throw new Error(`not taken: ${JSON.stringify(answer)}`)
  return answer.receipt
}

/** In how many transactions the links of these operations were made. */
async function transactionsOf(keys: readonly string[]): Promise<number> {
  const { rows } = await world.services.pool.query<{ n: number }>(
    `SELECT count(DISTINCT l.xmin::text) AS n FROM operation o JOIN audit_link l ON l.project_id = o.project_id AND l.seq = o.seq WHERE o.key = ANY ($1)`,
    [keys],
  )
  return rows[0]?.n ?? 0
}

/**
 * What a save left behind, without what differs from save to save: ids, keys, places in the chain, times of the server.
 */
async function leftOf(key: string) {
  const { rows: operations } = await world.services.pool.query<{ entity_id: string }>(
    `SELECT entity_id, author, call, project_id, center_id, crf_version_id, pass, device_id, acted_at, outcome, reason, body->'items' AS items
     FROM operation WHERE key = $1`,
    [key],
  )
  const entry = operations[0]?.entity_id ?? ''
  const { rows: entries } = await world.services.pool.query(
    `SELECT e.center_id, e.folder_id, e.folder_repeat, e.page_id, e.page_repeat, e.parent_entry_id, e.pass, e.version_id, e.status, e.control, e.rev,
       e."values", e.missing, e.hidden, e.retired, e.data_hash, e.submitted_hash, e.submitted_by, e.submitted_at, e.deleted, e.updated_by
     FROM entry e WHERE e.id = $1`,
    [entry],
  )
  const { rows: audit } = await world.services.pool.query(
    `SELECT a.ord, a.format, a.action, a.call, a.center_id, a.table_prop, a.prop, a.version_id, a.pass, a.reason_code, a.user_id, a.user_name, a.role,
       a.carried_by, a.device_id, a.occurred_at, a.occurred_offset_minutes, a.clock_drift_ms, a.app_version, a.ip, v.old_value, v.new_value, v.reason_text
     FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.op_key = $1 ORDER BY a.ord`,
    [key],
  )
  const { rows: conflicts } = await world.services.pool.query(
    `SELECT table_prop, rid, prop, base, server, mine, server_by, server_at, mine_by, mine_at, state FROM conflict WHERE op_key = $1 ORDER BY prop`,
    [key],
  )
  const { rows: changed } = await world.services.pool.query(
    `SELECT c.kind, c.center_id, c.pass, c.seq = o.seq AS "isOwn" FROM change c JOIN operation o ON o.entity_id = c.row_id WHERE o.key = $1
     UNION ALL SELECT c.kind, c.center_id, c.pass, c.seq = o.seq FROM change c JOIN conflict k ON k.id = c.row_id JOIN operation o ON o.key = k.op_key WHERE o.key = $1`,
    [key],
  )
  const [operation] = operations
  return { operation: { ...operation, entity_id: '' }, entries, audit, conflicts, changed }
}

/** An answer without ids, hashes of the payload, places in the chain and times of the server. */
function saidOf(result: SaveResult | undefined, entry: string, patient: string): unknown {
  const conflicts = result?.conflicts.map((conflict) => ({ ...conflict, id: '' }))
  const text = JSON.stringify({ ...result, conflicts })
    .replaceAll(entry, 'ENTRY')
    .replaceAll(patient, 'PATIENT')
  return JSON.parse(text, (key, value: unknown) =>
    ['key', 'opKey', 'seq', 'head', 'payloadHash', 'receivedAt', 'updatedAt'].includes(key) ? '' : value,
  )
}

describe('saves that are taken together', () => {
  it('share a transaction where they are neighbours in an envelope, each with its own place in the chain', async () => {
    const { lin } = world.people
    const patients = await Promise.all(Array.from({ length: 6 }, () => enrol(world)))
    const ops = patients.map((patient, at) =>
      saveOf(lin, change(vitals(world, patient), { height: 160 + at, note: `"${at}" \\ 晨起` })),
    )
    const answers = await push(world, lin, ops)
    const receipts = ops.map(({ key }) => receiptOf(answers.get(key)))
    const [first = 0] = receipts.map(({ seq }) => seq)
    expect(receipts.map(({ seq }) => seq - first)).toEqual([0, 1, 2, 3, 4, 5])
    expect(new Set(receipts.map(({ head }) => head)).size).toBe(6)
    expect(await transactionsOf(ops.map(({ key }) => key))).toBeLessThan(6)
    expect(await verifyChain(world.services.pool, world.study.projectId)).toMatchObject({ holds: true })
  })

  it('leave and answer what each would have left and answered alone', async () => {
    const { lin } = world.people
    const row = newId()
    const steps: ((patient: string) => EntryChange)[] = [
      (patient) =>
        change(
          vitals(world, patient),
          {
            height: item('height', null, 170, { reason: { code: 'other', text: '补录' } }),
            weight: 65,
            smokes: '0',
            packs: item('packs', null, null, { to: { value: null, missing: { m: 'NA', reason: '不吸烟' } } }),
            signs: ['a', 'b'],
            contact: '王五',
          },
          {
            journal: [
              {
                table: null,
                rid: null,
                code: 'height',
                from: { value: null, missing: null },
                to: { value: 170, missing: null },
                at: '2026-11-02T00:59:00.000Z',
              },
            ],
          },
        ),
      (patient) =>
        change(
          vitals(world, patient),
          { weight: item('weight', 65, 66), drug: item('drug', null, '阿司匹林', { table: 'drugs', rid: row }) },
          {
            rows: [
              { table: 'drugs', rid: row, to: { deleted: false, order: 'a0' }, base: null, seen: null, reason: null },
            ],
          },
        ),
      (patient) =>
        change(vitals(world, patient), { height: item('height', 170, 20), smokes: item('smokes', '0', '1') }),
      // What stands there already, and what collides.
      (patient) => change(vitals(world, patient), { weight: item('weight', 66, 66) }),
      (patient) =>
        change(vitals(world, patient), {
          weight: item('weight', 60, 61, { reason: { code: 'transcription', text: '' } }),
          note: item('note', null, '收缩压偏高'),
        }),
      (patient) => change(vitals(world, patient), { weight: item('weight', 60, 61) }),
    ]
    const [alone, ofSeveral, other] = await Promise.all([enrol(world), enrol(world), enrol(world)])
    for (const [at, step] of steps.entries()) {
      const as = at === 2 ? 'entry.smartSave' : 'entry.save'
      const [one, mine] = [actOf(lin, step(alone), as), actOf(lin, step(ofSeveral), as)]
      const expected = await takeIn(world.services, one)
      const answers = await together([mine, actOf(lin, step(other), as)])
      expect(answers.size).toBe(2)
      expect(saidOf(answers.get(mine.key)?.result, mine.entityId, ofSeveral)).toEqual(
        saidOf(expected.result, one.entityId, alone),
      )
      expect(await leftOf(mine.key)).toEqual(await leftOf(one.key))
      const again = await takeIn(world.services, mine)
      expect(again).toEqual({ ...answers.get(mine.key), replayed: true })
    }
  })

  it('hold none of the others back where one of them is refused, collides or goes to the inbox', async () => {
    const { lin, wu } = world.people
    const patients = await Promise.all(Array.from({ length: 5 }, () => enrol(world)))
    const [a = '', b = '', c = '', d = '', e = ''] = patients
    await save(world, wu, change(vitals(world, b), { height: 171 }))
    await save(world, wu, change(vitals(world, d), { height: 171 }))
    await world.database.ownerPool.query(`UPDATE entry SET control = 'locked' WHERE patient_id = $1`, [d])
    const ops = [
      saveOf(lin, change(vitals(world, a), { height: 160 })),
      saveOf(lin, change(vitals(world, b), { height: 172 })),
      saveOf(lin, change(vitals(world, c), { nothing: 'like it' })),
      saveOf(lin, change(vitals(world, d), { weight: 70 })),
      saveOf(lin, change(vitals(world, e), { height: 161 })),
    ]
    const answers = await push(world, lin, ops)
    const outcomes = ops.map(({ key }) => {
      const answer = answers.get(key)
      return answer?.t === 'taken' ? answer.receipt.outcome : answer?.error.code
    })
    expect(outcomes).toEqual(['applied', 'conflict', 'invalid', 'inbox', 'applied'])
    const { rowCount } = await world.services.pool.query('SELECT FROM operation WHERE key = $1', [ops[2]?.key])
    expect(rowCount).toBe(0)
  })

  it('do not wait for a page that somebody else is writing', async () => {
    const { lin } = world.people
    const [busy, free] = await Promise.all([enrol(world), enrol(world)])
    await save(world, lin, change(vitals(world, busy), { height: 170 }))
    const writer = await world.services.pool.connect()
    try {
      await writer.query('BEGIN')
      await writer.query('SELECT FROM entry WHERE patient_id = $1 FOR UPDATE', [busy])
      const acts = [
        actOf(lin, change(vitals(world, busy), { weight: 70 })),
        actOf(lin, change(vitals(world, free), { weight: 71 })),
      ]
      const answers = await together(acts)
      expect([...answers.keys()]).toEqual([acts[1]?.key])
    } finally {
      await writer.query('ROLLBACK')
      writer.release()
    }
  })

  it('are not applied after their author’s right was withdrawn, nor to a paused project', async () => {
    const { wu } = world.people
    const patient = await enrol(world)
    const act = actOf(wu, change(vitals(world, patient), { height: 170 }))
    const { rows } = await world.database.ownerPool.query<{ id: string }>(
      `UPDATE member SET status = 'pause' WHERE user_id = $1 RETURNING id`,
      [wu.userId],
    )
    expect((await together([act])).size).toBe(0)
    await world.database.ownerPool.query(`UPDATE member SET status = 'active' WHERE id = $1`, [rows[0]?.id])
    await setStatus(world, 'stop')
    expect((await together([act])).size).toBe(0)
    await setStatus(world, 'process')
    expect((await together([act])).size).toBe(1)
  })

  it('have one effect where the same comes twice, in one envelope or in two at once', async () => {
    const { lin } = world.people
    const patients = await Promise.all(Array.from({ length: 3 }, () => enrol(world)))
    const ops = patients.map((patient) => saveOf(lin, change(vitals(world, patient), { height: 170 })))
    const before = await countRows(world, 'operation')
    const [one, two] = await Promise.all([push(world, lin, [...ops, ...ops]), push(world, lin, ops.toReversed())])
    for (const { key } of ops) expect(receiptOf(one.get(key))).toEqual(receiptOf(two.get(key)))
    expect(await countRows(world, 'operation')).toBe(before + 3)
    const { rows } = await world.services.pool.query<{ rev: number }>(
      'SELECT rev FROM entry WHERE patient_id = ANY ($1)',
      [patients],
    )
    expect(rows.map(({ rev }) => rev)).toEqual([1, 1, 1])
  })
})

describe('saves of several people at the same time', () => {
  it('each get their own answer, in fewer transactions than there are saves', async () => {
    const { lin, wu, south } = world.people
    const north = await Promise.all(Array.from({ length: 12 }, () => enrol(world)))
    const there = await Promise.all(Array.from({ length: 4 }, () => enrol(world, south, world.study.south)))
    const keys: string[] = []
    const saves = [
      ...north.map((patient, at) => ({ patient, who: at % 2 === 0 ? lin : wu })),
      ...there.map((patient) => ({ patient, who: south })),
    ]
    const results = await Promise.all(
      saves.map(({ patient, who }, at) => {
        const key = newId()
        keys.push(key)
        return save(world, who, change(vitals(world, patient), { height: 150 + at }), { key })
      }),
    )
    expect(results.map(({ entry }) => [entry?.values['height'], entry?.updatedBy])).toEqual(
      saves.map(({ who }, at) => [150 + at, who.userId]),
    )
    expect(results.map(({ receipt }) => receipt.key)).toEqual(keys)
    expect(await transactionsOf(keys)).toBeLessThan(keys.length)
    expect(await verifyChain(world.services.pool, world.study.projectId)).toMatchObject({ holds: true })
  })

  it('are refused one by one where the right is missing', async () => {
    const { lin, monitor } = world.people
    const patient = await enrol(world)
    const body = change(vitals(world, patient), { height: 170 })
    const [mine, theirs] = await Promise.allSettled([
      save(world, lin, body),
      call(world, monitor, 'entry.save', { id: entryId(body.target), body }),
    ])
    expect(mine.status).toBe('fulfilled')
    expect(theirs).toMatchObject({ status: 'rejected', reason: { error: { code: 'forbidden' } } })
  })
})
