import '#tests/src/data/support/indexedDb.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { MemberRow, QueryRow } from '#core/api/sync/rows.ts'
import { newId } from '#core/ids.ts'
import type { QueryState } from '#core/review/query.ts'
import { readPatientQueries, readQueries } from '#src/data/lists/readQueries.ts'
import type { QueryFilter } from '#src/data/shapes/queryTypes.ts'
import type { Api } from '#src/session/api.ts'
import { CENTER, CENTER_SCOPE, FOLDER, PAGE, PROJECT, VERSION, valueOf } from '#tests/offline/support/tablet.ts'
import { enrolled, project, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'

/** Queries on a tablet without a network: what was pulled, with what was said here over it. */

const AT = '2026-11-21T08:00:00.000Z'
const ALL: QueryFilter = { sort: '-no', current: 1, size: 100 }

let at: Ward
let patientId: string
let seq = 20
beforeEach(async () => {
  at = await ward()
  patientId = (await enrolled(at, '01-001')).id
  await asCrc(['query_answer', 'patient_sensitive'])
})

async function asCrc(permissions: (typeof project)['permissions']): Promise<void> {
  seq += 1
  await at.pulled(PROJECT, [{ kind: 'project', id: PROJECT, seq, row: { ...project, permissions } }])
}

/** A query of a monitor about the weight, as the server tells it. */
function asked(no: number, state: QueryState = 'open', change: Partial<QueryRow> = {}): QueryRow {
  const id = newId()
  return {
    id,
    no,
    patientId,
    centerId: CENTER,
    place: {
      patientId,
      folderId: FOLDER,
      folderRepeat: '0',
      pageId: PAGE,
      pageRepeat: '0',
      parentEntryId: null,
      pass: 1,
      table: null,
      rid: null,
      code: 'weight',
    },
    versionId: VERSION,
    source: 'monitor',
    rule: null,
    state,
    wasAsked: state !== 'candidate',
    isUrgent: false,
    dueOn: null,
    askedAt: state === 'candidate' ? null : AT,
    stateAt: AT,
    thread: [
      {
        key: newId(),
        act: 'raise',
        effect: 'applied',
        state: 'open',
        text: `问题 ${no}`,
        category: null,
        content: { value: 165, missing: null },
        by: newId(),
        byName: '郑监查',
        role: 'CRA',
        at: AT,
        receivedAt: AT,
      },
    ],
    masked: false,
    updatedAt: AT,
    ...change,
  }
}

async function pulled(...rows: readonly QueryRow[]): Promise<void> {
  seq += 1
  await at.pulled(
    CENTER_SCOPE,
    rows.map((row) => ({ kind: 'query', id: row.id, seq, row })),
  )
}

const listed = async (filter: Partial<QueryFilter> = {}) =>
  valueOf(await at.device.queries(PROJECT, { ...ALL, ...filter })).queries

describe('a site', () => {
  test('reads what it was asked without a network: in the list, of the patient, and counted', async () => {
    await pulled(asked(1), asked(2, 'answered'), asked(3, 'closed'))
    expect((await listed()).map(({ query }) => query.no)).toEqual([3, 2, 1])
    expect((await listed({ waits: '1' })).map(({ query }) => query.no)).toEqual([1])
    expect(valueOf(await at.device.patientQueries(PROJECT, patientId))).toHaveLength(3)
    expect(valueOf(await at.device.queryFigures(PROJECT))).toMatchObject({ open: 1, answered: 1, closed: 1, waits: 1 })
    expect((await listed({ words: '问题 2' })).map(({ query }) => query.no)).toEqual([2])
  })

  test('counts what is not settled by visit, with its own answer, and whether it waits for the site', async () => {
    const query = asked(1)
    await pulled(query, asked(2), asked(3, 'answered'), asked(4, 'closed'), asked(5, 'candidate'))
    const about = { ...asked(6), place: { ...query.place, folderId: null, pageId: null, code: null } }
    await pulled(about)
    const other = (await enrolled(at, '01-002')).id
    const read = async () => valueOf(await at.device.queriesByVisit(PROJECT))
    const visit = { patientId, folderId: FOLDER }
    const whole = { patientId, folderId: null, unsettled: 1, waits: 1 }
    const sorted = async () => (await read()).get(patientId)?.toSorted((a) => (a.folderId === null ? 1 : -1))
    expect(await sorted()).toEqual([{ ...visit, unsettled: 3, waits: 2 }, whole])
    expect((await read()).get(other)).toBeUndefined()
    expectWritten(await at.device.actOnQuery(PROJECT, query, { act: 'answer', text: '核实无误', category: null }))
    expect(await sorted()).toEqual([{ ...visit, unsettled: 3, waits: 1 }, whole])
    await asCrc(['patient_sensitive'])
    expect(await read()).toEqual(new Map())
  })

  test('is told at home how many wait for it, without a network and with what it has answered', async () => {
    const query = asked(1)
    await pulled(query, asked(2), asked(3, 'answered'))
    const waiting = async () => valueOf(await at.device.home()).map(({ counts }) => counts?.queries)
    expect(await waiting()).toEqual([2])
    expectWritten(await at.device.actOnQuery(PROJECT, query, { act: 'answer', text: '核实无误', category: null }))
    expect(await waiting()).toEqual([1])
  })

  test('is shown nothing that nobody has decided to ask, though a colleague has it on the tablet', async () => {
    await pulled(asked(1), asked(2, 'candidate'), { ...asked(3, 'cancelled'), wasAsked: false })
    expect((await listed()).map(({ query }) => query.no)).toEqual([1])
    expect(valueOf(await at.device.queryFigures(PROJECT))).toMatchObject({ candidate: 0, cancelled: 0 })
  })

  test('answers: the answer is on the disk, and the query is answered here as it will be there', async () => {
    const query = asked(1)
    await pulled(query)
    expectWritten(
      await at.device.actOnQuery(PROJECT, query, { act: 'answer', text: '核实无误', category: 'confirmed' }),
    )
    at = await at.crash()
    const [view] = await listed()
    expect(view?.query).toMatchObject({ state: 'answered' })
    expect(view?.query.thread.at(-1)).toMatchObject({
      act: 'answer',
      text: '核实无误',
      category: 'confirmed',
      unsent: true,
      byName: at.crc.owner.realName,
    })
    expect(valueOf(await at.device.queryFigures(PROJECT))).toMatchObject({ open: 0, answered: 1, waits: 0 })
  })

  test('answers twice: both answers stay, one after the other', async () => {
    const query = asked(1)
    await pulled(query)
    for (const text of ['请稍候', '已更正为 65'])
      expectWritten(await at.device.actOnQuery(PROJECT, query, { act: 'answer', text, category: null }))
    const [view] = await listed()
    expect(view?.query.thread.map(({ text }) => text)).toEqual(['问题 1', '请稍候', '已更正为 65'])
    expect(await at.crc.storage.work.outbox.count()).toBe(2)
  })

  test('sees that its answer may come late where the query was closed meanwhile', async () => {
    const query = asked(1)
    await pulled(query)
    expectWritten(await at.device.actOnQuery(PROJECT, query, { act: 'answer', text: '核实无误', category: null }))
    await pulled({ ...query, state: 'closed' })
    const [view] = await listed()
    expect(view?.query.state).toBe('answered')
    expect(view?.query.thread.at(-1)).toMatchObject({ effect: 'late' })
  })

  test('finds an answer once, when the server has told of it before this tablet knows that it was taken', async () => {
    const query = asked(1)
    await pulled(query)
    expectWritten(await at.device.actOnQuery(PROJECT, query, { act: 'answer', text: '核实无误', category: null }))
    const [row] = await at.crc.storage.work.outbox.toArray()
    const answers = query.thread.map((turn) => ({
      ...turn,
      key: row?.key ?? '',
      act: 'answer' as const,
      text: '核实无误',
    }))
    await pulled({ ...query, state: 'answered', thread: [...query.thread, ...answers] })
    const [view] = await listed()
    expect(view?.query.thread).toHaveLength(2)
  })
})

describe('a query that is given to somebody', () => {
  const member = (userId: string, status: MemberRow['status'] = 'active'): MemberRow => ({
    id: userId,
    userId,
    realName: '吴护士',
    userRole: 'CRC',
    userRoleName: 'CRC',
    status,
    lastLoginTime: null,
  })
  const staffed = (...members: readonly MemberRow[]) => {
    seq += 1
    return at.pulled(
      PROJECT,
      members.map((row) => ({ kind: 'member', id: row.id, seq, row })),
    )
  }
  const wu = newId()

  test('is taken without a network by who answers it, and given back; it waits as before', async () => {
    const me = at.crc.owner.userId
    const query = asked(1)
    await staffed(member(me), member(wu))
    await pulled(query, asked(2))
    const give = async (assignee: string | null) =>
      expectWritten(await at.device.actOnQuery(PROJECT, query, { act: 'assign', text: null, category: null, assignee }))
    await give(me)
    expect((await listed({ assigned: '1' })).map(({ query: { no, state } }) => [no, state])).toEqual([[1, 'open']])
    const [view] = await listed({ assigned: '1' })
    expect(view?.query.thread.at(-1)).toMatchObject({ act: 'assign', assignee: me, unsent: true })
    expect(view?.query.assigneeName).toBe(at.crc.owner.realName)
    await give(wu)
    expect((await listed()).find(({ query: { no } }) => no === 1)?.query.assigneeName).toBe('吴护士')
    await give(null)
    expect(await listed({ assigned: '1' })).toEqual([])
    expect(valueOf(await at.device.queryFigures(PROJECT))).toMatchObject({ open: 2, waits: 2 })
  })

  test('is everybody’s again once that person has left', async () => {
    await staffed(member(at.crc.owner.userId), member(wu))
    await pulled(asked(1, 'open', { assigneeId: wu, assigneeName: '吴护士' }))
    expect((await listed())[0]?.query.assigneeId).toBe(wu)
    await staffed(member(wu, 'pause'))
    expect((await listed())[0]?.query).toMatchObject({ assigneeId: null, assigneeName: null })
  })

  test('by a site that did not know of the answer stays in the thread and changes nothing', async () => {
    const me = at.crc.owner.userId
    const query = asked(1)
    await pulled(query)
    expectWritten(
      await at.device.actOnQuery(PROJECT, query, { act: 'assign', text: null, category: null, assignee: me }),
    )
    await pulled({ ...query, state: 'answered' })
    const [view] = await listed()
    expect(view?.query).toMatchObject({ state: 'answered' })
    expect(view?.query.assigneeId ?? null).toBeNull()
    expect(view?.query.thread.at(-1)).toMatchObject({ act: 'assign', effect: 'overtaken' })
  })
})

describe('who reviews', () => {
  test('asks without a network about a subject who is here: it has no number until the server gives one', async () => {
    await asCrc(['query_add', 'query_close', 'data_review', 'patient_sensitive'])
    const { place } = asked(1)
    expectWritten(
      await at.device.raiseQuery(PROJECT, VERSION, {
        place,
        text: '请核对',
        isCandidate: false,
        isUrgent: true,
        dueOn: '2026-12-01',
      }),
    )
    const [view] = await listed()
    expect(view?.query).toMatchObject({ no: 0, state: 'open', isUrgent: true, dueOn: '2026-12-01' })
    expect(view?.acts).toContain('close')
  })

  test('sees online what they asked before the server has it, at the head of the list and of the patient', async () => {
    await asCrc(['query_add', 'query_close', 'data_review', 'patient_sensitive'])
    const { place } = asked(1)
    expectWritten(
      await at.device.raiseQuery(PROJECT, VERSION, {
        place,
        text: '请核对',
        isCandidate: true,
        isUrgent: false,
        dueOn: null,
      }),
    )
    const online = { ...at.context, online: () => true, api: knowingNoQuery }
    expect(valueOf(await readQueries(online, PROJECT, ALL))).toMatchObject({
      total: 1,
      queries: [{ patientNo: '01-001', query: { no: 0, state: 'candidate', thread: [{ unsent: true }] } }],
    })
    expect(valueOf(await readQueries(online, PROJECT, { ...ALL, current: 2 })).queries).toEqual([])
    expect(valueOf(await readQueries(online, PROJECT, { ...ALL, state: ['closed'] })).total).toBe(0)
    expect(valueOf(await readPatientQueries(online, PROJECT, patientId))).toHaveLength(1)
  })

  test('is told where the patient is not on this device and nobody can be asked', async () => {
    const elsewhere = { ...asked(1), patientId: newId() }
    const done = await at.device.actOnQuery(PROJECT, elsewhere, { act: 'comment', text: '…', category: null })
    expect(done).toEqual({ ok: false, error: { code: 'not_kept' } })
  })
})

/** A server that has nothing of what was asked here. */
const knowingNoQuery: Api = {
  call: (() => Promise.resolve({ ok: true, value: { records: [], total: 0 } })) as unknown as Api['call'],
}

/** What was written must be on the disk. */
function expectWritten(done: Awaited<ReturnType<Ward['device']['actOnQuery']>>): void {
  expect(done).toMatchObject({ ok: true })
}
