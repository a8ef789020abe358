import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import { entryId } from '#core/derivedIds.ts'
import type { QueryPlace } from '#core/review/queryThread.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { queryRow } from '#core/api/sync/rows.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { runMigrations } from '#server/jobs/migration.ts'
import { act, ask, raise, shown } from '#tests/server/areas/query/support.ts'
import type { Person } from '#tests/server/support/world.ts'
import {
  call,
  change,
  enrol,
  event,
  item,
  pull,
  queryPlace,
  questionOn,
  save,
  vitals,
} from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

import { columnOf, columns, ends, migrate, queriesOf, release, renamed, submit, trail, turnAgain } from './support.ts'

/** Queries follow their fields to a release, and end with what it takes away. */

const world = worldForEachTest()
let patient: string
beforeEach(async () => {
  patient = await enrol(world)
})

const page = (): EntryTarget => vitals(world, patient)
const at = (part: Partial<QueryPlace> = {}): QueryPlace => queryPlace(world, patient, part)
const RID = newId()

/** The note is called a remark. */
const remark = () => columns({ note: { ...columnOf('note'), prop: 'remark' } })
const asRemark = () => ({ mappings: renamed(world, [null, 'note', 'remark']) })
const withoutNote = () => columns({ note: null })

const askAbout = (code: string | null, more: Parameters<typeof ask>[3] = {}) =>
  ask(world, world.people.monitor, patient, { place: at({ code }), ...more })

const places = async () =>
  (await queriesOf(world)).map(({ place: { table, code } }) => [table, code].filter((part) => part !== null).join('.'))

describe('a query about a field that a release calls otherwise', () => {
  it('stands on the field of now, with its thread as it was, and the trail says where it was', async () => {
    await submit(world, page(), { note: '晨起' })
    const asked = await askAbout('note')
    const id = await migrate(world, remark(), asRemark())
    const [query] = await queriesOf(world)
    expect(query).toMatchObject({ id: asked.id, state: 'open', versionId: id, place: { code: 'remark' } })
    expect(query?.thread).toEqual(asked.thread)
    expect(await trail(world, 'query.migrate')).toEqual([
      {
        prop: 'remark',
        old: { table: null, code: 'note' },
        to: { table: null, code: 'remark', asked: true },
        reason: 'migration',
        text: 'V1.0 → V2.0: note → remark',
      },
    ])
    const { projectId } = world.study
    expect(await call(world, world.people.admin, 'audit.verify', { query: { projectId } })).toMatchObject({
      holds: true,
    })
    await turnAgain(world)
    expect(await trail(world, 'query.migrate')).toHaveLength(1)
  })

  it('tells its site nothing anew, for nothing more is asked, and its tablets where it stands', async () => {
    const { lin } = world.people
    await submit(world, page(), { note: '晨起' })
    await askAbout('note')
    const notices = async () =>
      (await call(world, lin, 'notice.list', { query: { status: '0', current: 1, size: 50 } })).records
    const [first] = await notices()
    await call(world, lin, 'notice.click', { body: { noticeIds: [first?.id ?? ''] } })
    const { projectId, north: centerId } = world.study
    const scope = scopeText({ kind: 'center', projectId, centerId, pass: 1 })
    const end = (await pull(world, lin, scope)).at(-1)
    await migrate(world, remark(), asRemark())
    expect(await notices()).toEqual([])
    const lines = await pull(world, lin, scope, end?.t === 'end' ? end.cursor : 0)
    expect(
      lines.flatMap((line) => (line.t === 'put' && line.kind === 'query' ? [queryRow.parse(line.row).place.code] : [])),
    ).toEqual(['remark'])
  })

  it('is answered from a tablet that has not seen the release, and closed', async () => {
    await submit(world, page(), { note: '晨起' })
    const asked = await askAbout('note')
    await migrate(world, remark(), asRemark())
    await act(world, world.people.lin, asked, 'answer', { seen: { value: '晨起', missing: null } })
    await act(world, world.people.monitor, asked, 'close')
    expect(await queriesOf(world)).toMatchObject([{ state: 'closed', place: { code: 'remark' } }])
  })

  it('that is over, or stands on a page that nobody has begun, follows it as well', async () => {
    const over = await askAbout('note')
    await act(world, world.people.lin, over, 'answer')
    await act(world, world.people.monitor, over, 'close')
    await askAbout('note')
    await migrate(world, remark(), asRemark())
    expect(await places()).toEqual(['remark', 'remark'])
    expect((await queriesOf(world)).map(({ state }) => state)).toEqual(['closed', 'open'])
  })

  it('of a row, and about a row as a whole, follows its table and its column', async () => {
    const row = { table: 'drugs', rid: RID }
    for (const code of ['drug', '_row']) await askAbout(code, { place: at({ ...row, code }) })
    const drugs = columnOf('drugs')
    const column = (drugs.children?.column ?? []).map((one) => (one.prop === 'drug' ? { ...one, prop: 'herb' } : one))
    await migrate(world, columns({ drugs: { ...drugs, prop: 'herbs', children: { column } } }), {
      mappings: renamed(world, [null, 'drugs', 'herbs'], ['drugs', 'drug', 'herb']),
    })
    expect(await places()).toEqual(['herbs.herb', 'herbs._row'])
    expect((await queriesOf(world)).map(({ place: { rid } }) => rid)).toEqual([RID, RID])
  })

  it('goes with its page where a save brings that along before the subject’s turn', async () => {
    await submit(world, page(), { note: '晨起' })
    await askAbout('note')
    const crfId = await release(world, remark(), asRemark())
    await save(world, world.people.lin, change(page(), { height: 170 }), { crfId })
    expect(await places()).toEqual(['remark'])
    // Asked under the release while the subject still waits for their turn, it is where it belongs already.
    await ask(world, world.people.monitor, patient, { place: at({ code: 'remark' }) }, { crfId })
    await runMigrations(world.services)
    expect(await places()).toEqual(['remark', 'remark'])
    expect(await trail(world, 'query.migrate')).toHaveLength(1)
  })

  it('asked on a tablet that has not seen the release arrives at the field of now', async () => {
    await submit(world, page(), { note: '晨起', smokes: '1' })
    const id = await migrate(
      world,
      columns({
        note: { ...columnOf('note'), prop: 'remark' },
        smokes: { ...columnOf('smokes'), dicData: [{ label: '是', value: 'Y' }] },
      }),
      asRemark(),
    )
    const said = { seen: { value: '晨起', missing: null } }
    const query = await askAbout('note', said)
    expect(query).toMatchObject({ versionId: id, place: { code: 'remark' }, thread: [{ content: said.seen }] })
    // What its asker saw is written as it is there by now.
    const smokes = await askAbout('smokes', { seen: { value: '1', missing: null } })
    expect(smokes.thread[0]?.content).toEqual({ value: 'Y', missing: null })
  })
})

describe('a query about what a release takes away', () => {
  it('ends with that as its cause, with what the field held, and nobody waits for it any more', async () => {
    await submit(world, page(), { note: '晨起' })
    await askAbout('note')
    await askAbout('weight')
    const over = await askAbout('note')
    await act(world, world.people.lin, over, 'answer')
    await act(world, world.people.monitor, over, 'close')
    await migrate(world, withoutNote())
    expect(await ends(world)).toEqual(['closed gone', 'open raise', 'closed close'])
    const [gone] = await queriesOf(world)
    expect(gone?.thread.at(-1)).toMatchObject({ by: null, content: { value: '晨起' }, effect: 'applied' })
    expect(gone).toMatchObject({ versionId: world.study.versionId, place: { code: 'note' } })
    expect(await trail(world, 'query.gone')).toMatchObject([
      { prop: 'note', old: { state: 'open' }, to: { state: 'closed' }, reason: 'migration' },
    ])
    await turnAgain(world)
    expect(await ends(world)).toEqual(['closed gone', 'open raise', 'closed close'])
  })

  it('tells its site nothing of it where nobody had decided to ask', async () => {
    const { lin, manager, monitor } = world.people
    await submit(world, page(), { note: '晨起' })
    await askAbout('note', { isCandidate: true })
    await askAbout('note', { isCandidate: true })
    await act(world, monitor, (await queriesOf(world))[1] ?? { id: '', patientId: '' }, 'reject', { text: '不必' })
    const lines = async (who: Person, versionId: string) => {
      const query = { projectId: world.study.projectId, prop: 'remark', versionId, current: 1, size: 50 }
      const { records } = await call(world, who, 'audit.field', { id: entryId(page()), query })
      return records.map(({ action }) => action).filter((action) => action.startsWith('query.'))
    }
    const second = await migrate(world, remark(), asRemark())
    const asked = ['query.reject', 'query.raise', 'query.raise']
    expect(await lines(manager, second)).toEqual(['query.migrate', 'query.migrate', ...asked])
    expect(await lines(lin, second)).toEqual([])
    await migrate(world, columns({ note: null }), { no: 3 })
    expect(await ends(world)).toEqual(['cancelled gone', 'cancelled reject'])
    const former = { projectId: world.study.projectId, patientId: patient, kind: 'queries' as const }
    const { records } = await call(world, manager, 'audit.list', { query: { ...former, current: 1, size: 50 } })
    expect(records.map(({ action }) => action)).toEqual(['query.gone', 'query.migrate', 'query.migrate', ...asked])
    expect(await lines(manager, second)).toEqual(['query.gone', 'query.migrate', 'query.migrate', ...asked])
    expect(await lines(lin, second)).toEqual([])
  })

  it('ends with its page; what is asked about the archived page later stays', async () => {
    const target = event(world, patient, '0')
    await save(world, world.people.lin, change(target, { term: '皮疹' }))
    const onEvent = { ...at({ pageId: world.study.eventId }), code: 'term' }
    await ask(world, world.people.monitor, patient, { place: onEvent })
    await ask(world, world.people.monitor, patient, { place: { ...onEvent, code: null } })
    await migrate(world, columns({}), { withoutEvents: true })
    expect(await ends(world)).toEqual(['closed gone', 'closed gone'])
    expect((await queriesOf(world))[0]?.thread.at(-1)?.content).toMatchObject({ value: '皮疹' })
    await ask(world, world.people.monitor, patient, { place: onEvent })
    await migrate(world, columns({}), { no: 3, withoutEvents: true })
    expect(await ends(world)).toEqual(['closed gone', 'closed gone', 'open raise'])
  })

  it('asked on a tablet that has not seen the release waits for a decision', async () => {
    await submit(world, page(), { note: '晨起' })
    await migrate(world, withoutNote())
    const { query, receipt } = await raise(
      world,
      world.people.monitor,
      questionOn(world, patient, { place: at({ code: 'note' }) }),
    )
    expect([query, receipt]).toMatchObject([null, { outcome: 'inbox', reason: 'no_place_in_version' }])
    expect(await shown(world, world.people.manager)).toEqual([])
  })

  it('ends where a save brings its page along before the subject’s turn', async () => {
    await submit(world, page(), { note: '晨起' })
    await askAbout('note')
    const crfId = await release(world, withoutNote())
    await save(world, world.people.lin, change(page(), { height: item('height', null, 170) }), { crfId })
    expect(await ends(world)).toEqual(['closed gone'])
    await runMigrations(world.services)
    expect(await ends(world)).toEqual(['closed gone'])
    const { rows } = await world.services.pool.query(`SELECT ended_at FROM notice WHERE kind = 'query_site'`)
    expect(rows).toHaveLength(2)
    expect(rows).not.toContainEqual({ ended_at: null })
  })
})
