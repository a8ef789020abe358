import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { queueableCalls } from '#core/sync/protocol/operation.ts'
import type { Outcome } from '#core/sync/protocol/operation.ts'
import { applyAllHeld, applyHeld } from '#server/areas/entry/held.ts'
import { verifyChain } from '#server/areas/audit/chain.ts'
import type { Person, World } from '#tests/server/support/world.ts'
import {
  addMember,
  addVersion,
  call,
  change,
  countRows,
  enrol,
  enrolment,
  event,
  makeWorld,
  planFolder,
  questionOn,
  refusal,
  save,
  setStatus,
  visitOf,
  vitals,
  VITALS,
} from '#tests/server/support/world.ts'

/**
 * Every write that may wait in an outbox, against everything that can be said to it besides yes: the typed answer of
 * the contract, and nothing half-written.
 */

/** One act, ready to be sent any number of times by anybody. */
interface Sent {
  /** Sends it; `other` with another body, `project` as if it were of another project. */
  readonly send: (
    who: Person,
    key: string,
    variant?: { readonly other?: boolean; readonly project?: string },
  ) => Promise<{ receipt: { outcome: Outcome; reason: string | null } }>
  /** Tables it writes to when it is applied. */
  readonly effects: readonly Parameters<typeof countRows>[1][]
  /** Who does it, where they are not those who enter data. */
  readonly cast?: Cast
  /** The answer to a repeated request has its receipt only: its author does not see what identifies patients. */
  readonly receiptOnly?: true
}

/** People to each of whom the server answers otherwise. */
interface Cast {
  readonly author: Person
  readonly colleague: Person
  readonly withoutRight: Person
  readonly ofOtherCenter: Person
}

type Prepare = (world: World) => Promise<Sent>

const reason = { code: 'other' as const, text: '录错' }

const prepared: Readonly<Record<string, Prepare>> = {
  'patient.save': async (world) => {
    const id = newId()
    return {
      send: (who, key, { other = false, project = world.study.projectId } = {}) =>
        call(world, who, 'patient.save', {
          key,
          body: { ...enrolment(world, id, other ? { initials: 'LS' } : {}), projectId: project },
        }),
      effects: ['patient'],
    }
  },
  'patient.update': async (world) => {
    const id = await enrol(world)
    return {
      send: (who, key, { other = false, project = world.study.projectId } = {}) =>
        call(world, who, 'patient.update', {
          key,
          body: { id, projectId: project, fields: [{ field: 'initials', to: other ? 'A' : 'B', base: 'ZS' }], reason },
        }),
      effects: [],
    }
  },
  'patient.remove': async (world) => {
    const id = await enrol(world)
    return {
      send: (who, key, { other = false, project = world.study.projectId } = {}) =>
        call(world, who, 'patient.remove', {
          key,
          body: { id, projectId: project, reason: other ? { ...reason, text: 'x' } : reason },
        }),
      effects: [],
    }
  },
  'visit.save': async (world) => {
    const visit = visitOf(world, await enrol(world))
    return {
      send: (who, key, { other = false, project = world.study.projectId } = {}) =>
        call(world, who, 'visit.save', {
          key,
          body: {
            ...visit,
            projectId: project,
            fields: [{ field: 'actualDate', to: other ? '2026-11-04' : '2026-11-03', base: null }],
            reason: null,
          },
        }),
      effects: ['visit'],
    }
  },
  'visit.update': async (world) => {
    const visit = visitOf(world, await enrol(world))
    await call(world, world.people.lin, 'visit.save', { body: { ...visit, fields: [], reason: null } })
    return {
      send: (who, key, { other = false, project = world.study.projectId } = {}) =>
        call(world, who, 'visit.update', {
          key,
          body: {
            ...visit,
            projectId: project,
            fields: [{ field: 'actualDate', to: other ? '2026-11-04' : '2026-11-03', base: null }],
            reason,
          },
        }),
      effects: [],
    }
  },
  'visit.remove': async (world) => {
    await planFolder(world, { kind: 'unscheduled' })
    const visit = visitOf(world, await enrol(world), newId())
    await call(world, world.people.lin, 'visit.save', { body: { ...visit, fields: [], reason: null } })
    return {
      send: (who, key, { other = false, project = world.study.projectId } = {}) =>
        call(world, who, 'visit.remove', {
          key,
          body: { ...visit, projectId: project, reason: other ? { ...reason, text: 'x' } : reason },
        }),
      effects: [],
    }
  },
  'folder.config': async (world) => {
    const { folderRepeat: _, ...folder } = visitOf(world, await enrol(world))
    return {
      send: (who, key, { other = false, project = world.study.projectId } = {}) =>
        call(world, who, 'folder.config', {
          key,
          body: {
            ...folder,
            projectId: project,
            fields: [{ field: 'order', to: other ? '2' : '3', base: null }],
            reason,
          },
        }),
      effects: ['visit'],
    }
  },
  'folder.remove': async (world) => {
    const { folderRepeat: _, ...folder } = visitOf(world, await enrol(world))
    return {
      send: (who, key, { other = false, project = world.study.projectId } = {}) =>
        call(world, who, 'folder.remove', {
          key,
          id: folder.folderId,
          body: { ...folder, projectId: project, reason: other ? { ...reason, text: 'x' } : reason },
        }),
      effects: ['visit'],
    }
  },
  ...Object.fromEntries(
    (['entry.save', 'entry.smartSave', 'entry.submit', 'entry.insert', 'entry.smartInsert'] as const).map(
      (as): [string, Prepare] => [
        as,
        async (world) => {
          const patient = await enrol(world)
          const inserts = as === 'entry.insert' || as === 'entry.smartInsert'
          const target = inserts ? event(world, patient, newId()) : vitals(world, patient)
          return {
            send: (who, key, { other = false, project = world.study.projectId } = {}) =>
              save(world, who, change(target, { [inserts ? 'term' : 'note']: other ? 'b' : 'a' }), {
                as,
                key,
                projectId: project,
              }),
            effects: ['entry'],
          }
        },
      ],
    ),
  ),
  'entry.delete': async (world) => {
    const target = event(world, await enrol(world), newId())
    await save(world, world.people.lin, change(target, { term: '头痛' }), { as: 'entry.insert' })
    return {
      send: (who, key, { other = false, project = world.study.projectId } = {}) =>
        call(world, who, 'entry.delete', {
          key,
          projectId: project,
          query: { id: entryId(target) },
          body: { target, seenRev: 1, reason: other ? { ...reason, text: 'x' } : reason },
        }),
      effects: [],
    }
  },
  'query.raise': async (world) => {
    const { lin, monitor, manager } = world.people
    const question = questionOn(world, await enrol(world))
    const southern = await addMember(world.services, world.study, `monitor ${newId()}`, 'CRA', [world.study.south])
    return {
      send: (who, key, { other = false, project = world.study.projectId } = {}) =>
        call(world, who, 'query.raise', {
          key,
          body: { ...question, projectId: project, text: other ? '日期也请核对' : question.text },
        }),
      effects: ['query', 'query_act'],
      cast: { author: monitor, colleague: manager, withoutRight: lin, ofOtherCenter: southern },
      receiptOnly: true,
    }
  },
  'query.act': async (world) => {
    const patientId = await enrol(world)
    const { id } = await call(world, world.people.monitor, 'query.raise', { body: questionOn(world, patientId) }).then(
      ({ query }) => query ?? { id: '' },
    )
    return {
      send: (who, key, { other = false, project = world.study.projectId } = {}) =>
        call(world, who, 'query.act', {
          key,
          body: { id, projectId: project, patientId, act: 'answer', text: other ? '无误' : '已核对', category: null },
        }),
      effects: ['query_act'],
    }
  },
  'conflict.resolve': async (world) => {
    const target = vitals(world, await enrol(world))
    await save(world, world.people.lin, change(target, { weight: 65 }))
    const { conflicts } = await save(world, world.people.wu, change(target, { weight: 56 }))
    const content = (value: number) => ({ value, missing: null })
    return {
      send: (who, key, { other = false, project = world.study.projectId } = {}) =>
        call(world, who, 'conflict.resolve', {
          key,
          projectId: project,
          id: entryId(target),
          body: {
            target,
            conflictId: conflicts[0]?.id ?? '',
            choice: other ? 'server' : 'mine',
            seen: content(65),
            to: content(other ? 65 : 56),
            reason,
          },
        }),
      effects: [],
    }
  },
}

const TABLES = [
  'operation',
  'patient',
  'visit',
  'entry',
  'conflict',
  'query',
  'query_act',
  'inbox',
  'audit',
  'audit_link',
] as const

async function everything(world: World): Promise<readonly number[]> {
  return Promise.all(TABLES.map((table) => countRows(world, table)))
}

let world: World
const ownWorld = () => {
  beforeAll(async () => {
    world = await makeWorld()
  })
  afterAll(() => world.close())
}

/** An act that can be sent, and who does it. */
async function ready(prepare: Prepare): Promise<Sent & Cast> {
  const { lin, wu, monitor, south } = world.people
  const sent = await prepare(world)
  return {
    ...sent,
    ...(sent.cast ?? { author: lin, colleague: wu, withoutRight: monitor, ofOtherCenter: south }),
  }
}

it('every such write is among these cases', () => {
  expect(Object.keys(prepared).toSorted()).toEqual([...queueableCalls].toSorted())
})

describe.each(Object.entries(prepared))('%s', (_call, prepare) => {
  ownWorld()

  it('sent again with the same key has one effect and the same answer', async () => {
    const { send, author, receiptOnly } = await ready(prepare)
    const key = newId()
    const first = await send(author, key)
    const before = await everything(world)
    expect(await send(author, key)).toEqual(receiptOnly === undefined ? first : { ...first, query: null })
    expect(await everything(world)).toEqual(before)
  })

  it('sent twice at once has one effect and one answer', async () => {
    const { send, author, receiptOnly } = await ready(prepare)
    const key = newId()
    const [one, two] = await Promise.all([send(author, key), send(author, key)])
    const compared = receiptOnly === undefined ? [one, two] : [one.receipt, two.receipt]
    expect(compared[0]).toEqual(compared[1])
    expect(
      await world.services.pool.query(
        'SELECT 1 FROM audit_link l JOIN operation o USING (project_id, seq) WHERE o.key = $1',
        [key],
      ),
    ).toMatchObject({ rowCount: 1 })
  })

  it('with the same key and another body, or by another user: key_reused, nothing written', async () => {
    const { send, author, colleague } = await ready(prepare)
    const key = newId()
    await send(author, key)
    const before = await everything(world)
    expect(await refusal(send(author, key, { other: true }))).toBe('key_reused')
    expect(await refusal(send(colleague, key))).toBe('key_reused')
    expect(await refusal(send(world.people.stranger, key))).toBe('key_reused')
    expect(await everything(world)).toEqual(before)
  })

  it('without the right: forbidden; by a stranger or from another center: not_found; nothing written', async () => {
    const { send, withoutRight, ofOtherCenter } = await ready(prepare)
    const before = await everything(world)
    expect(await refusal(send(withoutRight, newId()))).toBe('forbidden')
    expect(await refusal(send(world.people.stranger, newId()))).toBe('not_found')
    expect(await refusal(send(ofOtherCenter, newId()))).toBe('not_found')
    expect(await everything(world)).toEqual(before)
  })

  it('for another project: not_found, nothing written', async () => {
    const { send, author } = await ready(prepare)
    const before = await everything(world)
    expect(await refusal(send(author, newId(), { project: newId() }))).toBe('not_found')
    expect(await everything(world)).toEqual(before)
  })

  it('in a paused project: held with a receipt, and applied when the project goes on', async () => {
    const { send, effects, author } = await ready(prepare)
    await setStatus(world, 'stop')
    const before = await Promise.all(effects.map((table) => countRows(world, table)))
    const key = newId()
    const held = await send(author, key)
    expect(held.receipt).toMatchObject({ outcome: 'held', reason: 'project_stopped' })
    expect(await Promise.all(effects.map((table) => countRows(world, table)))).toEqual(before)
    expect(await send(author, key)).toEqual(held)

    await setStatus(world, 'process')
    expect(await applyHeld(world.services, world.study.projectId)).toBe(1)
    expect((await send(author, key)).receipt).toMatchObject({ outcome: 'applied', reason: null })
    expect(await Promise.all(effects.map((table) => countRows(world, table)))).toEqual(before.map((count) => count + 1))
    expect(await applyHeld(world.services, world.study.projectId)).toBe(0)
    expect(await verifyChain(world.services.pool, world.study.projectId)).toMatchObject({ holds: true })
  })

  it('in a closed project, or under a right that was withdrawn: into the inbox with a receipt, nothing applied', async () => {
    const { send, effects, author } = await ready(prepare)
    const { manager } = world.people
    const before = await Promise.all(effects.map((table) => countRows(world, table)))
    await world.services.pool.query(`UPDATE member SET status = 'pause' WHERE user_id = $1`, [author.userId])
    expect((await send(author, newId())).receipt).toMatchObject({ outcome: 'inbox', reason: 'right_withdrawn' })
    await world.services.pool.query(`UPDATE member SET status = 'active' WHERE user_id = $1`, [author.userId])
    await world.services.pool.query(
      `UPDATE member_center SET removed = true WHERE member_id = (SELECT id FROM member WHERE user_id = $1)`,
      [author.userId],
    )
    expect((await send(author, newId())).receipt).toMatchObject({ outcome: 'inbox', reason: 'center_changed' })
    await world.services.pool.query(
      `UPDATE member_center SET removed = false WHERE member_id = (SELECT id FROM member WHERE user_id = $1)`,
      [author.userId],
    )
    await setStatus(world, 'close')
    expect((await send(author, newId())).receipt).toMatchObject({ outcome: 'inbox', reason: 'project_closed' })
    expect(await Promise.all(effects.map((table) => countRows(world, table)))).toEqual(before)

    const inbox = await call(world, manager, 'sync.inbox', {
      query: { projectId: world.study.projectId, current: 1, size: 10 },
    })
    expect(inbox.records.map((record) => record.reason)).toEqual([
      'right_withdrawn',
      'center_changed',
      'project_closed',
    ])
  })
})

describe('a page that is frozen or locked', () => {
  ownWorld()

  it.each(['frozen', 'locked'] as const)('%s: the save goes to the inbox', async (control) => {
    const { lin } = world.people
    const target = vitals(world, await enrol(world))
    await save(world, lin, change(target, { note: 'a' }))
    await world.services.pool.query('UPDATE entry SET control = $2 WHERE id = $1', [entryId(target), control])
    const late = await save(world, lin, change(target, { height: 170 }))
    expect(late).toMatchObject({ entry: null, receipt: { outcome: 'inbox', reason: control } })
  })
})

describe('a page that the version on screen does not have', () => {
  ownWorld()

  it('although the project once had it: the save goes to the inbox', async () => {
    const { lin, admin } = world.people
    const versionId = newId()
    await addVersion(world.services.pool, world.study, admin, { id: versionId, no: 2, vitals: VITALS })
    await world.services.pool.query('DELETE FROM crf_page WHERE version_id = $1 AND page_id = $2', [
      versionId,
      world.study.eventId,
    ])
    const target = event(world, await enrol(world), newId())
    const saved = await save(world, lin, change(target, { term: '头痛' }), { as: 'entry.insert', crfId: versionId })
    expect(saved).toMatchObject({ entry: null, receipt: { outcome: 'inbox', reason: 'no_place_in_version' } })
  })

  it('in a version that is no release, or cannot be read: refused', async () => {
    const { lin, admin } = world.people
    const { pool } = world.services
    const target = vitals(world, await enrol(world))
    const [test, broken] = [newId(), newId()]
    await addVersion(pool, world.study, admin, { id: test, no: 3, vitals: VITALS })
    await pool.query(`UPDATE crf_version SET profile = 'test' WHERE id = $1`, [test])
    await addVersion(pool, world.study, admin, { id: broken, no: 4, vitals: '{"column": "none"}' })
    expect(await refusal(save(world, lin, change(target, { note: 'x' }), { crfId: test }))).toBe('invalid')
    expect(await refusal(save(world, lin, change(target, { note: 'x' }), { crfId: broken }))).toBe('page_unreadable')
  })
})

describe('a project that is paused while a save is under way', () => {
  ownWorld()

  it('never has a save crossing the pause: each is applied before it or held after it', async () => {
    const { lin } = world.people
    const patients = await Promise.all(Array.from({ length: 8 }, () => enrol(world)))
    const saves = patients.map((patient) => save(world, lin, change(vitals(world, patient), { note: 'x' })))
    await setStatus(world, 'stop')
    const outcomes = (await Promise.all(saves)).map(({ receipt }) => receipt)
    const { rows } = await world.services.pool.query<{ seq: number }>('SELECT seq FROM project WHERE id = $1', [
      world.study.projectId,
    ])
    expect(outcomes.every(({ outcome }) => outcome === 'applied' || outcome === 'held')).toBe(true)
    expect(rows[0]?.seq).toBe(await countRows(world, 'audit_link'))
    await setStatus(world, 'process')
    await applyHeld(world.services, world.study.projectId)
    expect(await countRows(world, 'entry')).toBe(8)
  })
})

describe('operations held while the project was paused', () => {
  ownWorld()

  it('are applied in order of arrival, and what does not fit any more goes to the inbox', async () => {
    const { lin } = world.people
    await setStatus(world, 'stop')
    const patient = newId()
    await call(world, lin, 'patient.save', { body: enrolment(world, patient) })
    await save(world, lin, change(vitals(world, patient), { note: 'first' }))
    const orphan = newId()
    await save(world, lin, change(vitals(world, newId()), { note: 'of nobody' }), { key: orphan })
    await setStatus(world, 'process')
    expect(await applyHeld(world.services, world.study.projectId)).toBe(3)
    const [entry] = await call(world, lin, 'entry.list', { query: { patientId: patient } })
    expect(entry?.values).toMatchObject({ note: 'first' })
    // What a server that ended in the middle left behind is taken up at the next start.
    await setStatus(world, 'stop')
    await save(world, lin, change(vitals(world, patient), { height: 170 }))
    await setStatus(world, 'process')
    expect(await applyAllHeld(world.services)).toBe(1)
    expect(await applyAllHeld(world.services)).toBe(0)
    const { rows } = await world.services.pool.query(
      'SELECT o.outcome, i.state, i.note FROM operation o JOIN inbox i ON i.op_key = o.key WHERE o.key = $1',
      [orphan],
    )
    expect(rows).toEqual([{ outcome: 'inbox', state: 'open', note: 'not_found' }])
  })
})
