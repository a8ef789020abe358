import { Pool } from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { isPlainEntry } from '#core/api/sync/plainEntry.ts'
import type { PullLine } from '#core/api/sync/pull.ts'
import { rowKinds } from '#core/api/sync/rows.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { Remaining, readPlace } from '#server/areas/sync/firstPull.ts'
import { call, change, enrol, pull, refusal, save, vitals } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** A first download: patients before what was entered, and that patient by patient, taken up wherever it broke. */

const world = worldForAllTests()
let north: string
beforeAll(async () => {
  const { projectId, north: centerId } = world.study
  north = scopeText({ kind: 'center', projectId, centerId, pass: 1 })
})

async function lines(from: string, scope = north): Promise<readonly PullLine[]> {
  const { lin } = world.people
  const all: PullLine[] = []
  for await (const line of await call(world, lin, 'sync.pull', {
    query: { scope, cursor: 0, from, deviceId: lin.deviceId },
  }))
    all.push(line)
  return all
}

const puts = (all: readonly PullLine[]) => all.flatMap((line) => (line.t === 'put' ? [line] : []))

describe('a first download', () => {
  it('brings patients first, then patient by patient what was entered, then conflicts: the same rows as in the order of changes', async () => {
    const { lin, wu } = world.people
    const patients = [await enrol(world), await enrol(world), await enrol(world)]
    for (const patient of patients.toReversed()) await save(world, lin, change(vitals(world, patient), { height: 170 }))
    await save(world, wu, change(vitals(world, patients[0] ?? ''), { height: 171 }))
    const all = await lines('')
    expect(puts(all).map(({ kind }) => kind)).toEqual([
      'patient',
      'patient',
      'patient',
      'entry',
      'entry',
      'entry',
      'conflict',
    ])
    expect(
      puts(all).flatMap((line) => (line.kind === 'entry' ? [(line.row as { patientId: string }).patientId] : [])),
    ).toEqual(patients.toSorted())
    const before = await pull(world, lin, north)
    const byId = (some: readonly PullLine[]) =>
      puts(some)
        .map(({ kind, id, seq, row }) => ({ kind, id, seq, row }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    expect(byId(all)).toEqual(byId(before))
    expect(all[0]).toMatchObject({ t: 'start', total: 7 })
    expect(all.at(-1)).toEqual(before.at(-1))
    for (const { kind, row } of puts(all))
      expect(rowKinds[kind].safeParse(row)).toMatchObject({ success: true, data: row })
  })

  it('brings entries that a tablet takes in at a quick look', async () => {
    const rows = puts(await lines('')).filter(({ kind }) => kind === 'entry')
    expect(rows.map(({ row }) => isPlainEntry(row))).toContain(true)
  })

  it('can be taken up at any of its places, and skips nothing that is written meanwhile', async () => {
    const { lin, wu } = world.people
    for (let at = 0; at < 12; at += 1)
      await save(world, lin, change(vitals(world, await enrol(world)), { height: 160 + at }))
    const seen = new Map<string, number>()
    let from: string | null = ''
    let end = 0
    const places: string[] = []
    while (from !== null) {
      let next: string | null = null
      for (const line of await lines(from)) {
        if (line.t === 'put') seen.set(line.id, line.seq)
        if (line.t === 'end') end = line.cursor
        if (line.t !== 'cursor') continue
        expect(line.cursor).toBe(0)
        next = line.from ?? null
        break
      }
      if (next !== null) places.push(next)
      // Somebody goes on working in between, on a page that was sent already and on a new patient.
      if (places.length < 5) await save(world, wu, change(vitals(world, await enrol(world, wu)), { height: 150 }))
      from = next
    }
    expect(new Set(places).size).toBe(places.length)
    for (const line of await pull(world, lin, north, end)) if (line.t === 'put') seen.set(line.id, line.seq)
    const { rows } = await world.services.pool.query<{ id: string; seq: number }>(
      `SELECT row_id AS id, seq FROM change WHERE center_id = $1`,
      [world.study.north],
    )
    expect(rows.filter(({ id, seq }) => seen.get(id) !== seq)).toEqual([])
  })

  it('is in the order of changes for who does not ask for places, and for what is common to a project', async () => {
    expect(
      (await pull(world, world.people.lin, north)).some((line) => line.t === 'cursor' && line.from !== undefined),
    ).toBe(false)
    expect(
      (await lines('', world.study.projectId)).some((line) => line.t === 'cursor' && line.from !== undefined),
    ).toBe(false)
  })

  it('looks up each change once, also on tables that have just been filled or restored and of which the database knows nothing yet', async () => {
    const patient = await enrol(world)
    await save(world, world.people.lin, change(vitals(world, patient), { height: 170 }))
    const { north: centerId, projectId } = world.study
    // Of its own: a connection remembers the text of a statement by its name.
    const own = new Pool(world.services.pool.options)
    const client = await own.connect()
    try {
      await client.query('BEGIN')
      await client.query(
        `WITH made AS (INSERT INTO patient SELECT (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'no', 'N' || n, 'no_seq', 10000 + n))).* FROM patient p, generate_series(1, 800) n WHERE p.id = $1 RETURNING id),
           filled AS (INSERT INTO entry SELECT (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(), 'patient_id', m.id))).* FROM entry e, made m WHERE e.patient_id = $1 RETURNING id)
         INSERT INTO change SELECT $2::uuid, 'entry', id, 1, $3::uuid, 1::smallint FROM filled UNION ALL SELECT $2::uuid, 'patient', id, 1, $3::uuid, NULL FROM made`,
        [patient, projectId, centerId],
      )
      const values = [projectId, ['patient', 'visit', 'entry', 'conflict'], centerId]
      const remaining = await Remaining.after(
        client,
        readPlace('', 1_000_000),
        'c.project_id = $1 AND c.kind = ANY ($2) AND c.center_id = $3',
        values,
      )
      let brought = 0
      for (let batch = await remaining.next(client, 200); batch !== null; batch = await remaining.next(client, 200))
        brought += batch.length
      const { rows } = await client.query<{ read: number }>(
        `SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) AS read FROM pg_stat_xact_user_tables WHERE relname = 'change'`,
      )
      expect(brought).toBeGreaterThan(1600)
      expect(rows[0]?.read).toBeLessThan(20 * brought)
    } finally {
      await client.query('ROLLBACK')
      client.release()
      await own.end()
    }
  })

  it('refuses a place that was never given', async () => {
    expect(await refusal(lines('12.x.nonsense'))).toBe('invalid')
  })
})
