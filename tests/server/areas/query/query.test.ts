import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { QueryRow } from '#core/api/sync/rows.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { applyHeld } from '#server/areas/entry/held.ts'
import { verifyChain } from '#server/areas/audit/chain.ts'
import { act, ask, counts, raise, shown, trail } from '#tests/server/areas/query/support.ts'
import type { Named } from '#tests/server/areas/query/support.ts'
import type { Person } from '#tests/server/support/world.ts'
import {
  addMember,
  call,
  change,
  countRows,
  enrol,
  item,
  operationOf,
  pull,
  push,
  queryPlace,
  questionOn,
  refusal,
  save,
  setStatus,
  vitals,
} from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

const world = worldForAllTests()
let pi: Person
let patient: string
beforeAll(async () => {
  pi = await addMember(world.services, world.study, 'pi', 'PI', [world.study.north])
  await world.services.pool.query('INSERT INTO device (id) VALUES ($1)', [pi.deviceId])
})
beforeEach(async () => {
  patient = await enrol(world)
})

/** The query as somebody is shown it; null where they are not. */
async function seenBy(who: Person, { id }: Pick<Named, 'id'>): Promise<QueryRow | null> {
  return (await shown(world, who, { patientId: patient })).find(({ query }) => query.id === id)?.query ?? null
}

const words = (query: QueryRow | null) =>
  query?.thread.map(({ act: deed, byName, role, state, text }) => [deed, byName.split(' ')[0], role, state, text])

describe('a question of the monitor about a field', () => {
  it('is answered, asked again, answered and closed; each sees the thread with the value at every step', async () => {
    const { lin, wu, monitor } = world.people
    await save(world, lin, change(vitals(world, patient), { weight: 560 }))
    const asked = await ask(world, monitor, patient, { text: '体重 560 kg？', isUrgent: true, dueOn: '2026-12-01' })
    expect(await seenBy(lin, asked)).toMatchObject({
      source: 'monitor',
      state: 'open',
      isUrgent: true,
      dueOn: '2026-12-01',
      centerId: world.study.north,
      place: { ...vitals(world, patient), table: null, rid: null, code: 'weight' },
    })
    await save(world, lin, change(vitals(world, patient), { weight: item('weight', 560, 56) }))
    await act(world, lin, asked, 'answer', { text: '已改', category: 'corrected' })
    expect(await seenBy(monitor, asked)).toMatchObject({ state: 'answered' })
    await act(world, monitor, asked, 'requery', { text: '病历上是 65' })
    await save(world, wu, change(vitals(world, patient), { weight: item('weight', 56, 65) }))
    await act(world, wu, asked, 'answer', { text: null, category: 'corrected' })
    const { query: closed } = await act(world, monitor, asked, 'close')
    expect(closed).toMatchObject({ state: 'closed', askedAt: asked.askedAt })
    expect(words(await seenBy(lin, asked))).toEqual([
      ['raise', 'monitor', 'CRA', 'open', '体重 560 kg？'],
      ['answer', 'lin', 'CRC', 'answered', '已改'],
      ['requery', 'monitor', 'CRA', 'open', '病历上是 65'],
      ['answer', 'wu', 'CRC', 'answered', null],
      ['close', 'monitor', 'CRA', 'closed', null],
    ])
    expect(closed?.thread.map(({ content }) => content?.value)).toEqual([560, 56, 56, 65, 65])
    expect(closed?.thread.map(({ category }) => category)).toEqual([null, 'corrected', null, 'corrected', null])
  })

  it('stands in the audit trail with who, the states and the words of every step', async () => {
    const { lin, monitor, manager } = world.people
    const asked = await ask(world, monitor, patient, { text: '请核对' })
    await act(world, lin, asked, 'answer', { text: '无误', category: 'confirmed' })
    await act(world, monitor, asked, 'close')
    await act(world, manager, asked, 'reopen', { text: '还有疑问' })
    await act(world, lin, asked, 'comment', { text: '等病历' })
    const booked = await trail(world, patient)
    expect(booked).toMatchObject([
      { action: 'query.raise', who: 'monitor (测试)', old: null, to: { state: 'open', text: '请核对' } },
      {
        action: 'query.answer',
        who: 'lin (测试)',
        old: { state: 'open' },
        to: { state: 'answered', text: '无误', category: 'confirmed', effect: 'applied' },
      },
      { action: 'query.close', who: 'monitor (测试)', old: { state: 'answered' }, to: { state: 'closed' } },
      { action: 'query.reopen', who: 'manager (测试)', old: { state: 'closed' }, to: { state: 'open' } },
      { action: 'query.comment', who: 'lin (测试)', old: { state: 'open' }, to: { state: 'open', text: '等病历' } },
    ])
    expect(booked[0]?.to).toMatchObject({ no: asked.no })
    const { records } = await call(world, pi, 'audit.list', {
      query: { projectId: world.study.projectId, patientId: patient, kind: 'queries', current: 1, size: 10 },
    })
    expect(records.map(({ action, prop }) => [action, prop])).toEqual(
      ['comment', 'reopen', 'close', 'answer', 'raise'].map((deed) => [`query.${deed}`, 'weight']),
    )
    expect(await verifyChain(world.services.pool, world.study.projectId)).toMatchObject({ holds: true })
  })

  it('has the next number of its project, however many ask at once, and a refused one takes none', async () => {
    const { monitor, manager } = world.people
    const { no: first } = await ask(world, monitor, patient)
    const place = queryPlace(world, patient, { code: 'contact' })
    expect(await refusal(ask(world, monitor, patient, { place }))).toBe('forbidden')
    const rows = await Promise.all(
      [monitor, manager, monitor, manager].map((who) => ask(world, who, patient, { isCandidate: who === manager })),
    )
    expect(rows.map(({ no }) => no).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4].map((more) => first + more))
    expect(rows.map(({ source }) => source)).toEqual(['monitor', 'dataManagement', 'monitor', 'dataManagement'])
  })

  it('is refused without words, with an id that is taken, and to who only enters', async () => {
    const { lin, monitor } = world.people
    const question = questionOn(world, patient)
    await raise(world, monitor, question)
    expect(await refusal(raise(world, monitor, { ...question, text: '又一个' }))).toBe('invalid')
    expect(await refusal(ask(world, lin, patient))).toBe('forbidden')
    const empty = { ...questionOn(world, patient), text: ' ' }
    const wordless = { id: question.id, projectId: world.study.projectId, patientId: patient, act: 'answer' as const }
    const ops = [
      operationOf(world, monitor, { call: 'query.raise', entityId: empty.id, body: empty as never }),
      operationOf(world, lin, {
        call: 'query.act',
        entityId: question.id,
        body: { ...wordless, text: ' ', category: null },
      }),
    ]
    for (const [at, who] of [monitor, lin].entries()) {
      const op = ops[at]
      if (op === undefined) continue
      expect((await push(world, who, [op])).get(op.key)).toMatchObject({ t: 'refused', error: { code: 'invalid' } })
    }
  })
})

describe('what comes late or twice', () => {
  it('two answers are both kept; one to a closed query is for whoever closes to read', async () => {
    const { lin, wu, monitor } = world.people
    const asked = await ask(world, monitor, patient)
    await act(world, lin, asked, 'answer', { text: '无误' })
    await act(world, wu, asked, 'answer', { text: '有误' })
    await act(world, monitor, asked, 'close')
    expect(await seenBy(monitor, asked)).toMatchObject({ state: 'closed' })
    await act(world, pi, asked, 'answer', { text: '请再看' })
    const query = await seenBy(monitor, asked)
    expect(query).toMatchObject({ state: 'answered' })
    expect(query?.thread.map(({ text, effect }) => [text, effect])).toEqual([
      ['请核对原始病历', 'applied'],
      ['无误', 'applied'],
      ['有误', 'applied'],
      [null, 'applied'],
      ['请再看', 'late'],
    ])
    const late = await shown(world, monitor, { waits: '1', patientId: patient })
    expect(late.map(({ query: { id } }) => id)).toEqual([asked.id])
  })

  it('of two who close the second was overtaken, and nothing that was said is lost', async () => {
    const { lin, monitor, manager } = world.people
    const asked = await ask(world, monitor, patient)
    await act(world, lin, asked, 'answer')
    await act(world, monitor, asked, 'close')
    const before = await seenBy(monitor, asked)
    const { receipt, query } = await act(world, manager, asked, 'close', { text: '我也看了' })
    expect(receipt).toMatchObject({ outcome: 'applied' })
    expect(query).toMatchObject({ state: 'closed', stateAt: before?.stateAt })
    expect(query?.thread.at(-1)).toMatchObject({ act: 'close', effect: 'overtaken', text: '我也看了' })
    expect((await trail(world, patient)).at(-1)).toMatchObject({
      action: 'query.close',
      old: { state: 'closed' },
      to: { state: 'closed', effect: 'overtaken', text: '我也看了' },
    })
  })

  it('of two who ask again and close at once, both are in the thread, in one order', async () => {
    const { lin, monitor, manager } = world.people
    const asked = await ask(world, monitor, patient)
    await act(world, lin, asked, 'answer')
    await Promise.all([act(world, monitor, asked, 'requery'), act(world, manager, asked, 'close')])
    const query = await seenBy(lin, asked)
    const [, , ...both] = query?.thread ?? []
    // Who asks again after the closing comes too late; who closes what is asked again does not.
    const orders = [
      [
        ['requery', 'applied'],
        ['close', 'applied'],
      ],
      [
        ['close', 'applied'],
        ['requery', 'overtaken'],
      ],
    ]
    expect(orders).toContainEqual(both.map(({ act: deed, effect }) => [deed, effect]))
    expect(query).toMatchObject({ state: 'closed' })
  })

  it('a word to a cancelled query is kept, and it has been cancelled since it was', async () => {
    const { lin, monitor } = world.people
    const asked = await ask(world, monitor, patient)
    const { query: cancelled } = await act(world, monitor, asked, 'cancel', { text: '问错了' })
    const { query } = await act(world, lin, asked, 'answer', { text: '已核对' })
    expect(query).toMatchObject({ state: 'cancelled', stateAt: cancelled?.stateAt })
    expect(query?.thread.at(-1)).toMatchObject({ act: 'answer', effect: 'late', text: '已核对' })
  })

  it('a request that is repeated has its effect once: one turn, one number', async () => {
    const { lin, monitor } = world.people
    const question = questionOn(world, patient)
    const [asking, answering] = [newId(), newId()]
    await raise(world, monitor, question, { key: asking })
    await raise(world, monitor, question, { key: asking })
    const named = { id: question.id, patientId: patient }
    const first = await act(world, lin, named, 'answer', { key: answering })
    const turns = await countRows(world, 'query_act')
    expect(await act(world, lin, named, 'answer', { key: answering })).toEqual(first)
    expect(await countRows(world, 'query_act')).toBe(turns)
    expect((await seenBy(lin, named))?.thread.map(({ key }) => key)).toEqual([asking, answering])
    expect((await ask(world, monitor, patient)).no).toBe((first.query?.no ?? 0) + 1)
    expect(await refusal(act(world, lin, named, 'answer', { key: answering, text: '别的' }))).toBe('key_reused')
  })

  it('what a tablet brings at once is taken in the order in which it was said', async () => {
    const { lin, monitor } = world.people
    const question = questionOn(world, patient)
    const asks = operationOf(world, monitor, { call: 'query.raise', entityId: question.id, body: question as never })
    const deed = (of: 'comment' | 'cancel', text: string, seq: number) =>
      operationOf(world, monitor, {
        call: 'query.act',
        entityId: question.id,
        seq,
        body: { id: question.id, projectId: world.study.projectId, patientId: patient, act: of, text, category: null },
      })
    const ops = [asks, deed('comment', '见附件', 2), deed('cancel', '问错了', 3)]
    const answers = await push(world, monitor, ops)
    expect(ops.map(({ key }) => answers.get(key)?.t)).toEqual(['taken', 'taken', 'taken'])
    expect(words(await seenBy(lin, question))).toMatchObject([
      ['raise', 'monitor', 'CRA', 'open', question.text],
      ['comment', 'monitor', 'CRA', 'open', '见附件'],
      ['cancel', 'monitor', 'CRA', 'cancelled', '问错了'],
    ])
  })
})

describe('a candidate', () => {
  /** Ids of queries that the site is told of, by whichever road. */
  async function told(who: Person): Promise<readonly string[]> {
    const { projectId, north } = world.study
    const center = scopeText({ kind: 'center', projectId, centerId: north, pass: 1 })
    const pulled = await pull(world, who, center)
    const since = await pull(world, who, center, 1)
    const ofPatient = await Array.fromAsync(
      await call(world, who, 'sync.pull', {
        query: { scope: center, cursor: 0, deviceId: who.deviceId, patientId: patient },
      }),
    )
    return [
      ...(await shown(world, who)).map(({ query }) => query.id),
      ...[...pulled, ...since, ...ofPatient].flatMap((line) =>
        (line.t === 'put' || line.t === 'drop') && line.kind === 'query' ? [line.id] : [],
      ),
    ]
  }

  async function booked(who: Person): Promise<readonly string[]> {
    const { records } = await call(world, who, 'audit.list', {
      query: { projectId: world.study.projectId, patientId: patient, current: 1, size: 100 },
    })
    return records.flatMap(({ action, call: of }) => (of?.startsWith('query.') === true ? [action] : []))
  }

  /** What the history of the field tells of, once somebody has entered it. */
  async function history(): Promise<readonly string[]> {
    await save(world, world.people.lin, change(vitals(world, patient), { weight: 56 }))
    const { records } = await call(world, world.people.lin, 'audit.field', {
      id: entryId(vitals(world, patient)),
      query: { projectId: world.study.projectId, prop: 'weight', current: 1, size: 10 },
    })
    return records.map(({ action }) => action)
  }

  it('is not told of to the site: not in lists, figures, what tablets pull or the trail, nor by the kind of a refusal', async () => {
    const { lin, monitor, manager } = world.people
    const before = await counts(world, lin)
    const candidate = await ask(world, monitor, patient, { isCandidate: true, text: '或许有误' })
    expect(candidate).toMatchObject({ state: 'candidate', wasAsked: false, askedAt: null })
    await act(world, manager, candidate, 'comment', { text: '我看可以' })
    expect(await seenBy(manager, candidate)).toMatchObject({ state: 'candidate' })
    const hidden = async () => {
      for (const who of [lin, pi]) {
        expect(await told(who)).not.toContain(candidate.id)
        for (const deed of ['answer', 'comment', 'close', 'promote'] as const) {
          const nowhere = { id: newId(), patientId: patient }
          expect(await refusal(act(world, who, candidate, deed))).toBe(await refusal(act(world, who, nowhere, deed)))
        }
        expect(await refusal(act(world, who, candidate, 'answer'))).toBe('not_found')
      }
      expect(await counts(world, lin)).toEqual(before)
      expect(await booked(pi)).toEqual([])
    }
    await hidden()
    expect(await booked(monitor)).toEqual(['query.comment', 'query.raise'])
    await act(world, manager, candidate, 'reject', { text: '不必问' })
    await hidden()
    expect(await history()).not.toContain('query.raise')
    expect(await booked(monitor)).toEqual(['query.reject', 'query.comment', 'query.raise'])
    expect(await seenBy(manager, candidate)).toMatchObject({ state: 'cancelled', wasAsked: false })
  })

  it('that is asked is told of in all these places, and waits for the site', async () => {
    const { lin, monitor, manager } = world.people
    const candidate = await ask(world, monitor, patient, { isCandidate: true })
    const before = await counts(world, lin)
    const { query } = await act(world, manager, candidate, 'promote')
    expect(query).toMatchObject({ state: 'open', wasAsked: true, askedAt: query?.stateAt })
    for (const who of [lin, pi]) expect((await told(who)).filter((id) => id === candidate.id)).toHaveLength(4)
    expect(await counts(world, lin)).toEqual({ ...before, open: before.open + 1, waits: before.waits + 1 })
    expect(await booked(pi)).toEqual(['query.promote', 'query.raise'])
    expect(await refusal(act(world, lin, candidate, 'answer'))).toBe(null)
  })

  it('that was held while the project was paused is not told of either, until it is asked', async () => {
    const { monitor, manager } = world.people
    const question = questionOn(world, patient, { isCandidate: true })
    const candidate = { id: question.id, patientId: patient }
    await setStatus(world, 'stop')
    await raise(world, monitor, question)
    expect(await booked(pi)).toEqual([])
    expect(await booked(monitor)).toEqual(['operation.held'])
    await setStatus(world, 'process')
    await applyHeld(world.services, world.study.projectId)
    expect(await booked(pi)).toEqual([])
    await act(world, manager, candidate, 'promote')
    expect(await booked(pi)).toEqual(await booked(monitor))
    expect(await booked(pi)).toEqual(expect.arrayContaining(['query.promote', 'query.raise', 'operation.held']))
  })

  it('is decided by who proposed it or by who manages the data, not by another monitor', async () => {
    const { monitor } = world.people
    const other = await addMember(world.services, world.study, 'monitor 2', 'CRA', [world.study.north])
    const candidate = await ask(world, monitor, patient, { isCandidate: true })
    expect(await seenBy(other, candidate)).toMatchObject({ state: 'candidate' })
    expect(await refusal(act(world, other, candidate, 'promote'))).toBe('forbidden')
    expect((await act(world, monitor, candidate, 'promote')).query).toMatchObject({ state: 'open' })
  })
})
