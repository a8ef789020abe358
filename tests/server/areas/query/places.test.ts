import { beforeEach, describe, expect, it } from 'vitest'
import type { QueryRaise } from '#core/api/calls/review/query.ts'
import { ApiFailure } from '#core/api/errors.ts'
import { MASK } from '#core/form/definition/mask.ts'
import { newId } from '#core/ids.ts'
import type { QueryPlace } from '#core/review/queryThread.ts'
import { applyHeld } from '#server/areas/entry/held.ts'
import { act, ask, askedByRule, raise, shown, trail } from '#tests/server/areas/query/support.ts'
import { startDoubleEntry } from '#tests/server/support/passes.ts'
import type { Person } from '#tests/server/support/world.ts'
import {
  addVersion,
  call,
  change,
  enrol,
  planFolder,
  queryPlace,
  questionOn,
  refusal,
  save,
  setStatus,
  visitOf,
  vitals,
  VITALS,
} from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

const world = worldForEachTest()
let patient: string
beforeEach(async () => {
  patient = await enrol(world)
})

/** A place in the casebook of the patient, the vital signs where nothing else is said. */
const at = (part: Partial<QueryPlace> = {}): QueryPlace => queryPlace(world, patient, part)
const nothing = { folderId: null, folderRepeat: null, pageId: null, pageRepeat: null, pass: null } as const
const ofPage = { pageId: null, pageRepeat: null, pass: null } as const

/** What is wrong with a question, by the contract's words; null where it is taken. */
async function fault(place: QueryPlace, who: Person = world.people.monitor, more: { crfId?: string } = {}) {
  try {
    await ask(world, who, place.patientId, { place }, more)
    return null
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    const [first] = error.error.fields ?? []
    return first === undefined ? error.error.code : `${error.error.code} ${first.code}`
  }
}

describe('a question is about', () => {
  it('a field, of a row too, the row, the page, the visit or the patient, on a page that nobody has begun', async () => {
    const { monitor, lin } = world.people
    const rid = newId()
    const places: readonly QueryPlace[] = [
      at({ code: 'weight' }),
      at({ table: 'drugs', rid, code: 'dose' }),
      at({ table: 'drugs', rid, code: '_row' }),
      at({ code: 'drugs' }),
      at(),
      at({ pageId: world.study.eventId, pageRepeat: newId(), code: 'term' }),
      at(ofPage),
      at(nothing),
    ]
    for (const place of places) expect(await ask(world, monitor, patient, { place })).toMatchObject({ place })
    const lines = await shown(world, lin)
    expect(lines.map(({ query }) => query.place)).toEqual(places)
    expect(lines.map(({ query }) => query.thread[0]?.content)).toEqual(places.map(() => null))
    for (const { query } of lines) await act(world, lin, query, 'answer')
    expect((await trail(world, patient)).map(({ to }) => to)).toHaveLength(2 * places.length)
  })

  it('what the field of a row holds, once it is there; a row as a whole has no value of its own', async () => {
    const { monitor, lin } = world.people
    const rid = newId()
    await save(
      world,
      lin,
      change(
        vitals(world, patient),
        { drug: { table: 'drugs', rid, code: 'drug', to: value('甘草'), base: value(null), isShow: 1, reason: null } },
        { rows: [{ table: 'drugs', rid, to: { deleted: false, order: 'V' }, base: null, seen: null, reason: null }] },
      ),
    )
    const of = async (code: string, row = rid) =>
      (await ask(world, monitor, patient, { place: at({ table: 'drugs', rid: row, code }) })).thread[0]?.content ?? null
    expect(await of('drug')).toEqual(value('甘草'))
    expect(await of('dose')).toEqual(value(null))
    expect(await of('drug', newId())).toBe(null)
    expect(await of('_row')).toBe(null)
    const base = { deleted: false, order: 'V' }
    const row = { table: 'drugs', rid, to: { ...base, deleted: true }, base, seen: { drug: '甘草' }, reason: null }
    await save(world, lin, change(vitals(world, patient), {}, { rows: [row] }))
    const ended = (await shown(world, lin)).filter(({ query }) => query.state === 'closed')
    expect(ended.map(({ query: { place, thread } }) => [place.code, thread.at(-1)?.content ?? null])).toEqual([
      ['drug', value('甘草')],
      ['dose', value(null)],
      ['drug', null],
      ['_row', null],
    ])
  })
  const value = (of: string | null) => ({ value: of, missing: null })

  it('nothing that the project never had', async () => {
    const row = { table: 'drugs', rid: newId() }
    expect(await fault(at({ code: 'colour' }))).toBe('invalid unknown_field')
    expect(await fault(at({ code: 'constructor' }))).toBe('invalid unknown_field')
    expect(await fault(at({ ...row, code: 'weight' }))).toBe('invalid unknown_field')
    expect(await fault(at({ table: 'note', rid: newId(), code: '_row' }))).toBe('invalid unknown_field')
    expect(await fault(at({ pageId: newId() }))).toBe('invalid unknown_page')
    expect(await fault(at({ folderId: newId() }))).toBe('invalid unknown_page')
    expect(await fault(at({ ...ofPage, folderId: newId() }))).toBe('invalid unknown_folder')
    expect(await fault(at({ folderRepeat: newId() }))).toBe('invalid unknown_visit')
    expect(await fault(at({ ...ofPage, folderRepeat: newId() }))).toBe('invalid unknown_visit')
    expect(await fault(at({ pageRepeat: newId() }))).toBe('invalid not_repeatable')
    expect(await shown(world, world.people.manager)).toEqual([])
  })

  it('a visit that a person made, once it is made', async () => {
    await planFolder(world, { kind: 'unscheduled' })
    const repeat = newId()
    const visit = visitOf(world, patient, repeat)
    expect(await fault(at({ ...ofPage, folderRepeat: repeat }))).toBe('invalid unknown_visit')
    await call(world, world.people.lin, 'visit.save', { body: { ...visit, fields: [], reason: null } })
    expect(await fault(at({ ...ofPage, folderRepeat: repeat }))).toBe(null)
    expect(await fault(at({ folderRepeat: repeat, code: 'weight' }))).toBe(null)
  })

  it('what another version had: it waits for a decision, as an entry there does', async () => {
    const { admin, monitor, manager } = world.people
    const crfId = newId()
    const { column } = JSON.parse(VITALS) as { column: readonly { readonly prop: string }[] }
    const without = JSON.stringify({ column: column.filter(({ prop }) => prop !== 'note') })
    await addVersion(world.services.pool, world.study, admin, { id: crfId, no: 2, vitals: without })
    const question = questionOn(world, patient, { place: at({ code: 'note' }) })
    const { query, receipt } = await raise(world, monitor, question, { crfId })
    expect([query, receipt]).toMatchObject([null, { outcome: 'inbox', reason: 'no_place_in_version' }])
    const detail = await call(world, manager, 'sync.inboxDetail', {
      id: receipt.key,
      query: { projectId: world.study.projectId },
    })
    expect(detail).toMatchObject({
      folderId: world.study.folderId,
      items: [{ to: { value: question.text } }],
    })
  })
})

describe('nobody asks or answers', () => {
  it('about patients of other centers, or of another patient than the query is of', async () => {
    const { monitor, south, lin, stranger } = world.people
    const southern = await enrol(world, south, world.study.south)
    expect(await fault(queryPlace(world, southern, { code: 'weight' }))).toBe('not_found')
    expect(await fault(queryPlace(world, newId(), { code: 'weight' }))).toBe('not_found')
    const asked = await ask(world, monitor, patient)
    expect(await refusal(act(world, south, asked, 'answer'))).toBe('not_found')
    expect(await refusal(act(world, stranger, asked, 'answer'))).toBe('not_found')
    expect(await refusal(act(world, lin, { ...asked, patientId: await enrol(world) }, 'answer'))).toBe('not_found')
    expect(await shown(world, south)).toEqual([])
    expect(await refusal(shown(world, stranger))).toBe('not_found')
  })

  it('across the passes of double entry, but for who compares them', async () => {
    const { lin, wu, monitor, manager } = world.people
    await startDoubleEntry(world)
    const [first, second] = [at({ code: 'weight' }), at({ code: 'weight', pass: 2 })]
    expect(await fault(second)).toBe('not_found')
    const ofFirst = await ask(world, monitor, patient, { place: first })
    const ofSecond = await ask(world, manager, patient, { place: second })
    const ofPatient = await ask(world, monitor, patient, { place: at(nothing) })
    const ids = async (who: Person) => (await shown(world, who)).map(({ query }) => query.id)
    expect(await ids(lin)).toEqual([ofFirst.id, ofPatient.id])
    expect(await ids(monitor)).toEqual([ofFirst.id, ofPatient.id])
    expect(await ids(wu)).toEqual([ofSecond.id, ofPatient.id])
    expect(await ids(manager)).toEqual([ofFirst.id, ofSecond.id, ofPatient.id])
    expect(await refusal(act(world, lin, ofSecond, 'answer'))).toBe('not_found')
    expect(await refusal(act(world, wu, ofFirst, 'answer', { pass: 2 }))).toBe('not_found')
    expect(await refusal(act(world, wu, ofSecond, 'answer', { pass: 2 }))).toBe(null)
    expect(await refusal(act(world, manager, ofSecond, 'close'))).toBe(null)
  })
})

describe('a field that tells who the patient is', () => {
  it('is not asked about by who may not see it, nor a table with such a column', async () => {
    const { admin, monitor } = world.people
    expect(await fault(at({ code: 'contact' }))).toBe('forbidden')
    const { column } = JSON.parse(VITALS) as { column: readonly object[] }
    const kin = {
      prop: 'kin',
      label: '亲属',
      type: 'dynamic',
      children: { column: [{ prop: 'called', label: '姓名', type: 'input', zl: { identifier: true } }] },
    }
    const crfId = newId()
    await addVersion(world.services.pool, world.study, admin, {
      id: crfId,
      no: 2,
      vitals: JSON.stringify({ column: [...column, kin] }),
    })
    const row = { table: 'kin', rid: newId() }
    for (const part of [{ ...row, code: 'called' }, { ...row, code: '_row' }, { code: 'kin' }])
      expect(await fault(at(part), monitor, { crfId })).toBe('forbidden')
    expect(await fault(at({ code: 'drugs' }), monitor, { crfId })).toBe(null)
  })

  it('has queries of which others learn that they are there: neither words nor value, by no road', async () => {
    const { lin, monitor, manager } = world.people
    await save(world, lin, change(vitals(world, patient), { contact: '13900001111' }))
    const asked = await askedByRule(world, patient, { place: { code: 'contact' } })
    await ask(world, monitor, patient, { text: '超出范围' })
    await act(world, lin, asked, 'answer', { text: '家属 13900001111', category: 'confirmed' })
    const { query: closed } = await act(world, manager, asked, 'close', { text: '见 13900001111' })
    expect(closed).toMatchObject({ masked: true, state: 'closed' })
    expect(JSON.stringify(closed)).not.toContain('13900001111')
    const [whole] = await shown(world, lin, { words: '13900001111' })
    expect(whole?.query).toMatchObject({ masked: false, thread: [{ content: { value: '13900001111' } }, {}, {}] })
    for (const who of [monitor, manager]) {
      const seen = await shown(world, who)
      expect(seen).toHaveLength(2)
      expect(seen[0]?.query).toMatchObject({ id: asked.id, masked: true, state: 'closed' })
      expect(seen[0]?.query.thread.map(({ text, content }) => [text, content?.value])).toEqual([
        [MASK, MASK],
        [MASK, MASK],
        [MASK, MASK],
      ])
      expect(await shown(world, who, { words: '13900001111' })).toEqual([])
      // By its number it is found, and by what is said of other fields these are.
      const numbered = await shown(world, who, { words: String(whole?.query.no) })
      expect(numbered.map(({ query }) => query.id)).toContain(asked.id)
      expect(await shown(world, who, { words: '超出' })).toHaveLength(1)
      const { records } = await call(world, who, 'audit.list', {
        query: { projectId: world.study.projectId, patientId: patient, kind: 'queries', current: 1, size: 10 },
      })
      expect(records).toHaveLength(3)
      expect(JSON.stringify(records)).not.toContain('13900001111')
    }
  })

  it('is not told of in the inbox either, where an answer waits', async () => {
    const { lin, manager } = world.people
    const asked = await askedByRule(world, patient, { place: { code: 'contact' } })
    const plain = await askedByRule(world, patient)
    await setStatus(world, 'close')
    const detail = async (of: typeof asked) => {
      const { receipt } = await act(world, lin, of, 'answer', { text: '家属 13900001111' })
      expect(receipt).toMatchObject({ outcome: 'inbox', reason: 'project_closed' })
      return call(world, manager, 'sync.inboxDetail', {
        id: receipt.key,
        query: { projectId: world.study.projectId },
      })
    }
    expect(await detail(plain)).toMatchObject({ items: [{ to: { value: '家属 13900001111' } }] })
    expect(await detail(asked)).toMatchObject({ items: [{ to: { value: MASK } }] })
  })
})

describe('while the project', () => {
  it('is paused, a question and its answer are held, and have their effect when it goes on', async () => {
    const { lin, monitor } = world.people
    const question: QueryRaise = questionOn(world, patient)
    const named = { id: question.id, patientId: patient }
    await setStatus(world, 'stop')
    const waiting = [await raise(world, monitor, question), await act(world, lin, named, 'answer', { text: '已核对' })]
    for (const { query, receipt } of waiting)
      expect([query, receipt]).toMatchObject([null, { outcome: 'held', reason: 'project_stopped' }])
    expect(await shown(world, monitor)).toEqual([])
    await setStatus(world, 'process')
    expect(await applyHeld(world.services, world.study.projectId)).toBe(2)
    expect(await shown(world, monitor)).toMatchObject([
      {
        query: {
          no: 1,
          state: 'answered',
          thread: [
            { act: 'raise', by: monitor.userId },
            { act: 'answer', by: lin.userId },
          ],
        },
      },
    ])
  })

  it('is closed, they wait for a decision; what is released has its effect, whatever its author may by then', async () => {
    const { lin, monitor, manager } = world.people
    const asked = await ask(world, monitor, patient)
    await setStatus(world, 'close')
    expect((await raise(world, monitor, questionOn(world, patient))).receipt).toMatchObject({ outcome: 'inbox' })
    const { receipt, query } = await act(world, lin, asked, 'answer', { text: '已核对' })
    expect([query, receipt]).toMatchObject([null, { outcome: 'inbox', reason: 'project_closed' }])
    await setStatus(world, 'process')
    await world.services.pool.query(`UPDATE member SET role = 'CRA', former_roles = '{CRC}' WHERE user_id = $1`, [
      lin.userId,
    ])
    await call(world, manager, 'sync.inboxDecide', {
      id: receipt.key,
      body: { projectId: world.study.projectId, decision: 'release', note: '' },
    })
    expect((await shown(world, monitor)).map(({ query: { state, thread } }) => [state, thread.at(-1)?.text])).toEqual([
      ['answered', '已核对'],
    ])
  })

  it('goes on, late answers of who may not answer any more wait for a decision', async () => {
    const { lin, monitor } = world.people
    const asked = await ask(world, monitor, patient)
    await world.services.pool.query(`UPDATE member SET role = 'CRA', former_roles = '{CRC}' WHERE user_id = $1`, [
      lin.userId,
    ])
    expect((await act(world, lin, asked, 'answer')).receipt).toMatchObject({
      outcome: 'inbox',
      reason: 'right_withdrawn',
    })
  })
  it('goes on, what a monitor says of a candidate waits too where they answer for the site by now', async () => {
    const { monitor, manager } = world.people
    const candidate = await ask(world, monitor, patient, { isCandidate: true })
    await world.services.pool.query(`UPDATE member SET role = 'CRC', former_roles = '{CRA}' WHERE user_id = $1`, [
      monitor.userId,
    ])
    const { receipt, query } = await act(world, monitor, candidate, 'comment', { text: '源文件另有记录' })
    expect([query, receipt]).toMatchObject([null, { outcome: 'inbox', reason: 'right_withdrawn' }])
    await call(world, manager, 'sync.inboxDecide', {
      id: receipt.key,
      body: { projectId: world.study.projectId, decision: 'release', note: '' },
    })
    const [shownHere] = await shown(world, manager)
    expect(shownHere?.query).toMatchObject({ state: 'candidate' })
    expect(shownHere?.query.thread.at(-1)).toMatchObject({ act: 'comment', text: '源文件另有记录' })
  })
})
