import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#core/ids.ts'
import type { QueryRaise } from '#core/api/calls/review/query.ts'
import type { OperationBody } from '#core/api/sync/operation.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { queueableCalls } from '#core/sync/protocol/operation.ts'
import type { QueueableCall } from '#core/sync/protocol/operation.ts'
import type { PlannedOperation } from '#offline/outbox/plannedOperation.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { actPlace, pageAct, patientAct, queueAt } from '#tests/scenarios/support/drafts.ts'
import type { DraftOf } from '#tests/scenarios/support/drafts.ts'
import { bookedAs, conflictsOf } from '#tests/scenarios/support/facts.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { Tablet } from '#tests/scenarios/support/ward.ts'
import {
  call,
  change,
  enrol,
  enrolment,
  event,
  item,
  planFolder,
  questionOn,
  save,
  visitOf,
  vitals,
} from '#tests/server/support/world.ts'

/**
 * The answer is lost after the commit, for every call that can wait in an outbox: sent again it has one effect, one set
 * of audit rows and one receipt, and the tablet shows what is so. A call without a story here does not compile.
 */

const server = serverForAllTests()
/** The tablet at which a story happens: of a coordinator, unless the story is another person's. */
let tablet: Tablet
let coordinators: Tablet
let patient: string
beforeAll(async () => {
  coordinators = await tabletOf('lin')
})
beforeEach(async () => {
  tablet = coordinators
  tablet.comeBack()
  patient = await enrol(server.world)
  await tablet.sync()
})

/** A tablet that somebody has unpacked and signed in at. */
async function tabletOf(account: string): Promise<Tablet> {
  const unpacked = await Tablet.unpacked(server)
  await unpacked.signIn(account)
  return unpacked
}

interface Story {
  readonly draft: PlannedOperation
  /** Actions in the audit trail that it leaves, once each. */
  readonly audit: readonly string[]
  /** What the tablet shows of it afterwards, and what that has to be. */
  readonly screen: () => Promise<unknown>
  readonly shows: object
}

const reason = { code: 'transcription', text: '' } as const
const content = (value: ItemContent['value']): ItemContent => ({ value, missing: null })

async function listed(): Promise<object> {
  const { patients } = valueOf(await tablet.device.patients(server.world.study.projectId, { size: 500 }))
  return patients.find(({ id }) => id === patient) ?? { gone: true }
}

async function page(target = vitals(server.world, patient)): Promise<object> {
  const { data, status, mark, server: row } = valueOf(await tablet.device.entry(server.world.study.projectId, target))
  return { values: data.values, status, mark, deleted: row?.deleted, conflicts: row?.conflicts }
}

const stories: Readonly<Record<QueueableCall, () => Promise<Story>>> = {
  'patient.save': async () => {
    patient = newId()
    const draft = patientAct(server.world, 'patient.save', patient, enrolment(server.world, patient))
    return {
      draft,
      audit: ['patient.enrol', 'patient.identify'],
      screen: listed,
      shows: { no: expect.stringMatching(/^N01-\d{3}$/) as string, sync: 'received' },
    }
  },
  'patient.update': async () => {
    const body = {
      id: patient,
      projectId: server.world.study.projectId,
      fields: [{ field: 'initials' as const, to: 'LS', base: 'ZS' }],
      reason: null,
    }
    return {
      draft: patientAct(server.world, 'patient.update', patient, body),
      audit: ['patient.update'],
      screen: listed,
      shows: { initials: 'LS', sync: 'received' },
    }
  },
  'patient.remove': async () => {
    const body = { id: patient, projectId: server.world.study.projectId, reason }
    return {
      draft: patientAct(server.world, 'patient.remove', patient, body),
      audit: ['patient.remove'],
      screen: listed,
      shows: { gone: true },
    }
  },
  'visit.save': async () => ({
    draft: draftOf('visit.save', {
      ...visitOf(server.world, patient),
      fields: [{ field: 'actualDate', to: '2026-11-03', base: null }],
      reason: null,
    }),
    audit: ['visit.make', 'visit.update'],
    screen: visit,
    shows: { row: { actualDate: '2026-11-03' }, sync: 'received' },
  }),
  'visit.update': async () => {
    await said('0')
    const fields = [{ field: 'actualDate' as const, to: '2026-11-03', base: null }]
    return {
      draft: draftOf('visit.update', { ...visitOf(server.world, patient), fields, reason: null }),
      audit: ['visit.update'],
      screen: visit,
      shows: { row: { actualDate: '2026-11-03' }, sync: 'received' },
    }
  },
  'visit.remove': async () => {
    await planFolder(server.world, { kind: 'unscheduled' })
    const repeat = newId()
    await said(repeat)
    await planFolder(server.world, null)
    return {
      draft: draftOf('visit.remove', { ...visitOf(server.world, patient, repeat), reason }),
      audit: ['visit.remove'],
      screen: () => visit(repeat),
      shows: { status: 'removed', sync: 'received' },
    }
  },
  'folder.config': async () => ({
    draft: draftOf('folder.config', {
      ...folderOf(),
      fields: [{ field: 'order', to: '4', base: null }],
      reason: null,
    }),
    audit: ['visit.make', 'folder.order'],
    screen: visit,
    shows: { row: { order: 4 }, sync: 'received' },
  }),
  'folder.remove': async () => ({
    draft: draftOf('folder.remove', { ...folderOf(), reason }),
    audit: ['visit.make', 'folder.remove'],
    screen: visit,
    shows: { status: 'notApplicable', sync: 'received' },
  }),
  'entry.save': () => ofPage('entry.save', ['entry.create', 'item.update', 'entry.status'], 'process'),
  'entry.smartSave': () => ofPage('entry.smartSave', ['entry.create', 'item.update', 'entry.status'], 'process'),
  'entry.submit': () => ofPage('entry.submit', ['entry.create', 'item.update', 'entry.submit'], 'other'),
  'entry.insert': () => ofRepeat('entry.insert'),
  'entry.smartInsert': () => ofRepeat('entry.smartInsert'),
  'entry.delete': async () => {
    const { world } = server
    const target = event(world, patient, newId())
    await save(world, world.people.wu, change(target, { term: '头痛' }), { as: 'entry.insert' })
    await tablet.sync()
    const draft = pageAct(world, 'entry.delete', target, { target, seenRev: 1, reason })
    return { draft, audit: ['entry.delete'], screen: () => page(target), shows: { deleted: true, mark: 'received' } }
  },
  'query.raise': async () => {
    tablet = await tabletOf('monitor')
    const question = questionOn(server.world, patient)
    return {
      draft: draftOf('query.raise', question),
      audit: ['query.raise'],
      screen: query,
      shows: { state: 'open', thread: [{ act: 'raise', text: question.text }] },
    }
  },
  'query.act': async () => {
    const { id, projectId } = await asked()
    const deed = { act: 'answer', text: '已核对', category: null } as const
    return {
      draft: draftOf('query.act', { id, projectId, patientId: patient, ...deed }),
      audit: ['query.answer'],
      screen: query,
      shows: { state: 'answered', thread: [{ act: 'raise' }, { act: 'answer', text: '已核对', effect: 'applied' }] },
    }
  },
  'conflict.resolve': async () => {
    const { world } = server
    const target = vitals(world, patient)
    await save(world, world.people.wu, change(target, { weight: 65 }))
    await save(world, world.people.lin, change(target, { weight: item('weight', null, 56) }))
    await tablet.sync()
    const [conflict] = await conflictsOf(server, patient)
    const [seen, to] = [content(65), content(56)]
    const body = { target, conflictId: conflict?.id ?? '', choice: 'mine' as const, seen, to, reason }
    const draft = pageAct(world, 'conflict.resolve', target, body)
    return {
      draft,
      audit: ['item.update', 'conflict.resolve'],
      screen: page,
      shows: { values: { weight: 56 }, mark: 'received', conflicts: 0 },
    }
  },
}

/** Something that was said of a visit before, which the tablet has. */
async function said(repeat: string): Promise<void> {
  await call(server.world, server.world.people.wu, 'visit.save', {
    body: { ...visitOf(server.world, patient, repeat), fields: [], reason: null },
  })
  await tablet.sync()
}

/** What concerns the folder of the visit as a whole. */
function folderOf() {
  const { folderRepeat: _folderRepeat, ...folder } = visitOf(server.world, patient)
  return folder
}

function draftOf<Call extends Extract<QueueableCall, `${'visit' | 'folder' | 'query'}.${string}`>>(
  call: Call,
  body: OperationBody<Call> & { readonly id: string },
): DraftOf<Call> {
  return {
    ...actPlace(server.world, patient),
    call,
    crfVersionId: server.world.study.versionId,
    entityId: body.id,
    body,
  }
}

/** A question of the monitor about the patient, which the tablet has. */
async function asked(): Promise<QueryRaise> {
  const question = questionOn(server.world, patient)
  await call(server.world, server.world.people.monitor, 'query.raise', { body: question })
  await tablet.sync()
  return question
}

/** The one query of the patient. */
async function query(): Promise<object> {
  const [view] = valueOf(await tablet.device.patientQueries(server.world.study.projectId, patient))
  return view?.query ?? { gone: true }
}

async function visit(repeat = '0'): Promise<object> {
  const { visits } = valueOf(await tablet.device.casebook(patient, server.world.study.projectId))
  return visits.find(({ folderRepeat }) => folderRepeat === repeat) ?? { gone: true }
}

async function ofPage(
  call: 'entry.save' | 'entry.smartSave' | 'entry.submit',
  audit: readonly string[],
  status: string,
): Promise<Story> {
  const target = vitals(server.world, patient)
  const draft = pageAct(server.world, call, target, change(target, { height: 170 }))
  return { draft, audit, screen: page, shows: { values: { height: 170 }, status, mark: 'received' } }
}

async function ofRepeat(call: 'entry.insert' | 'entry.smartInsert'): Promise<Story> {
  const target = event(server.world, patient, newId())
  const draft = pageAct(server.world, call, target, change(target, { term: '头痛' }))
  return {
    draft,
    audit: ['entry.create', 'item.update', 'entry.status'],
    screen: () => page(target),
    shows: { values: { term: '头痛' }, mark: 'received' },
  }
}

describe.each(queueableCalls)('the answer to %s is lost after the commit', (call) => {
  test('of a push: sent again it has one effect, one set of audit rows and one receipt', async () => {
    const { draft, audit, screen, shows } = await stories[call]()
    const key = await queueAt(tablet, draft)
    tablet.loseAnswers()
    expect((await tablet.sync()).error?.code).toBe('offline')
    const first = await bookedAs(server, key)
    expect(first.audit.map(({ action }) => action).toSorted()).toEqual(audit.toSorted())
    expect(await tablet.unsent()).toBe(1)

    tablet.comeBack()
    expect(await tablet.sync()).toMatchObject({ acknowledged: 1, error: null })
    expect(await bookedAs(server, key)).toEqual({ operations: 1, audit: first.audit })
    expect(await tablet.unsent()).toBe(0)
    const receipts = valueOf(await tablet.device.receipts()).filter((receipt) => receipt.key === key)
    expect(receipts).toMatchObject([{ outcome: 'applied', seq: first.audit[0]?.seq }])
    expect(await screen()).toMatchObject(shows)
    expect(valueOf(await tablet.device.attention()).filter(({ patientId }) => patientId === patient)).toEqual([])
  })

  test('of the call itself: repeated with its key it is answered as the first time was, and does nothing', async () => {
    const { draft, audit, screen, shows } = await stories[call]()
    const key = newId()
    tablet.loseAnswers()
    expect(await direct(draft, key)).toEqual({ ok: false, error: { code: 'offline' } })
    const first = await bookedAs(server, key)
    expect(first.audit.map(({ action }) => action).toSorted()).toEqual(audit.toSorted())

    tablet.comeBack()
    expect(valueOf(await direct(draft, key))).toMatchObject({
      receipt: { key, outcome: 'applied', seq: first.audit[0]?.seq },
    })
    expect(await bookedAs(server, key)).toEqual({ operations: 1, audit: first.audit })
    await tablet.sync()
    expect(await screen()).toMatchObject(shows)
  })
})

/** The same act asked of the server at once, as an online screen does. */
function direct(
  { call, projectId, crfVersionId, entityId, body }: PlannedOperation,
  key: string,
): Promise<
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: { readonly code: string } }
> {
  const context = { key, projectId, ...(crfVersionId === null ? {} : { crfId: crfVersionId }), body: body as never }
  switch (call) {
    case 'patient.save':
    case 'patient.update':
    case 'patient.remove':
    case 'visit.save':
    case 'visit.update':
    case 'visit.remove':
    case 'folder.config':
    case 'query.raise':
    case 'query.act':
      return tablet.api.call(call, context)
    case 'folder.remove':
      return tablet.api.call(call, { ...context, params: { id: server.world.study.folderId } })
    case 'entry.delete':
      return tablet.api.call(call, { ...context, query: { id: entityId } })
    case 'entry.save':
    case 'entry.smartSave':
    case 'entry.submit':
    case 'entry.insert':
    case 'entry.smartInsert':
    case 'conflict.resolve':
      return tablet.api.call(call, { ...context, params: { id: entityId } })
  }
}
