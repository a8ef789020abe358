import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { pageAct, queueAt } from '#tests/scenarios/support/drafts.ts'
import { bookedAs, conflictsOf } from '#tests/scenarios/support/facts.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { changeMember, movePatient, releaseWithout } from '#tests/scenarios/support/study.ts'
import { Tablet, onServer } from '#tests/scenarios/support/ward.ts'
import { change, enrol, setStatus, vitals } from '#tests/server/support/world.ts'

/** The behaviours that a CRC will test. Others: answerLost.test.ts, failingTablet.test.ts, poisonedRecord.test.ts. */

const server = serverForAllTests()
let patient: string
let tablet: Tablet
beforeEach(async () => {
  patient = await enrol(server.world)
  tablet = await Tablet.unpacked(server)
  await tablet.signIn('lin')
})

const identity = { name: '王五', mobile: null, email: null, birthDate: null }

/** What the tablet lists for a person to look at, of the patient. */
async function attention(of = tablet, id = patient): Promise<readonly object[]> {
  return valueOf(await of.device.attention()).filter(({ patientId }) => patientId === id)
}

/** The operations of the patient and their pages at the server, oldest first. */
function operations(id = patient): Promise<
  readonly {
    key: string
    call: string
    outcome: string
    reason: string | null
    author: string
    carried_by: string | null
    crf_version_id: string | null
  }[]
> {
  return server.rows(
    `SELECT o.key, o.call, o.outcome, o.reason, o.author, o.carried_by, o.crf_version_id FROM operation o
     WHERE (o.entity_id = $1 OR o.body->'target'->>'patientId' = $1::text) AND o.device_id = ANY ($2) ORDER BY o.seq`,
    [id, [tablet.deviceId]],
  )
}

describe('13.1 airplane mode', () => {
  test('cold start, PIN, a visit entered, the browser closed, the battery out: everything is there, and arrives once', async () => {
    tablet.goOffline()
    tablet = tablet.crash()
    await expect(tablet.see(patient)).rejects.toThrow('nobody is at the tablet')
    await tablet.unlock('lin')

    const { projectId, north } = server.world.study
    const enrolled = valueOf(
      await tablet.device.enrolPatient({
        projectId,
        centerId: north,
        initials: 'WW',
        sex: 'M',
        enrolledOn: null,
        identity,
      }),
    )
    await tablet.enter(patient, 'height', '170')
    const page = await tablet.open(enrolled.patientId)
    page.type('weight', '65')
    page.type('note', '晨起空腹')
    // The hand still types when the power goes: what was journalled is on the disk, no save was made of it.
    await tablet.flushTyping()
    tablet = tablet.crash()
    await tablet.unlock('lin')

    expect(await tablet.see(patient)).toMatchObject({ data: { values: { height: 170 } }, mark: 'local' })
    expect(await tablet.see(enrolled.patientId)).toMatchObject({
      data: { values: { weight: 65, note: '晨起空腹' } },
      recovered: 2,
      mark: 'local',
    })
    const listed = valueOf(await tablet.device.patients(projectId, { no: enrolled.no ?? '' }))
    expect(listed.patients).toMatchObject([{ id: enrolled.patientId, no: enrolled.no, identity, sync: 'local' }])

    tablet.comeBack()
    await tablet.takeToken('lin')
    expect(await tablet.sync()).toMatchObject({ acknowledged: 3, error: null })
    expect(await onServer(server, patient)).toMatchObject({ height: 170 })
    expect(await onServer(server, enrolled.patientId)).toMatchObject({ weight: 65, note: '晨起空腹' })
    expect(await tablet.unsent()).toBe(0)
    for (const { key } of [...(await operations()), ...(await operations(enrolled.patientId))]) {
      expect((await bookedAs(server, key)).operations).toBe(1)
    }
  })

  test('one that was opened and closed again and again recovers what was typed once', async () => {
    tablet.goOffline()
    const page = await tablet.open(patient)
    page.type('note', '一')
    await tablet.flushTyping()
    for (let start = 0; start < 3; start += 1) {
      tablet = tablet.crash()
      await tablet.unlock('lin')
    }
    expect(await tablet.unsent()).toBe(1)
    expect((await tablet.see(patient)).data.values).toEqual({ note: '一' })
  })
})

describe('13.2 two tablets, one subject', () => {
  test('different fields are merged without a task; the same field is one, with both authors', async () => {
    const other = await Tablet.unpacked(server)
    await other.signIn('wu')
    for (const one of [tablet, other]) one.goOffline()
    await tablet.enter(patient, 'height', '170')
    await tablet.enter(patient, 'note', '晨起')
    await other.enter(patient, 'weight', '65')
    await other.enter(patient, 'note', '餐后')
    for (const one of [tablet, other]) one.comeBack()
    await tablet.sync()
    await other.sync()
    await tablet.sync()
    const { lin, wu } = server.world.people
    expect(await onServer(server, patient)).toMatchObject({ height: 170, weight: 65, note: '晨起' })
    const tasks = await server.rows(
      'SELECT prop, server_by, mine_by FROM conflict c JOIN entry e ON e.id = c.entry_id WHERE e.patient_id = $1',
      [patient],
    )
    expect(tasks).toEqual([{ prop: 'note', server_by: lin.userId, mine_by: wu.userId }])
    for (const one of [tablet, other])
      expect(await attention(one)).toMatchObject([{ kind: 'conflict', fieldCode: 'note' }])
  })
})

describe('13.3 a new version is published', () => {
  test('while there is a draft: the draft keeps its version, and what has no place any more is not lost', async () => {
    const old = server.world.study.versionId
    tablet.goOffline()
    await tablet.enter(patient, 'weight', '65')
    const page = await tablet.open(patient)
    page.type('note', '晨起空腹')
    await tablet.flushTyping()
    const released = await releaseWithout(server.world, 2, 'note')
    // The tablet meets the new version before what was being typed is saved.
    tablet.comeBack()
    await tablet.sync()
    tablet = tablet.crash()
    await tablet.unlock('lin')
    await tablet.takeToken('lin')
    await tablet.sync()

    expect((await operations()).map(({ crf_version_id, outcome }) => [crf_version_id, outcome])).toEqual([
      [old, 'applied'],
      [old, 'applied'],
    ])
    expect(await onServer(server, patient)).toMatchObject({ weight: 65, note: '晨起空腹' })
    expect((await tablet.see(patient)).versionId).toBe(released)

    // A colleague brings the page to the new version: what only the old one had stays where it is.
    const other = await Tablet.unpacked(server)
    await other.signIn('wu')
    await other.enter(patient, 'pulse2', '72')
    await other.sync()
    const [entry] = await server.rows<{ version_id: string; values: object }>(
      'SELECT version_id, "values" FROM entry WHERE patient_id = $1',
      [patient],
    )
    expect(entry).toMatchObject({ version_id: released, values: { weight: 65, note: '晨起空腹', pulse2: 72 } })
  })

  test('while a save waits, and a colleague has brought the page to the new version: its value is kept beside the data', async () => {
    tablet.goOffline()
    await tablet.enter(patient, 'signs', 'a')
    await tablet.enter(patient, 'packs', '2')
    await releaseWithout(server.world, 3, 'note', 'packs')
    const other = await Tablet.unpacked(server)
    await other.signIn('wu')
    await other.enter(patient, 'pulse3', '72')
    await other.sync()
    tablet.comeBack()
    await tablet.sync()
    const [entry] = await server.rows<{ values: object; retired: object }>(
      'SELECT "values", retired FROM entry WHERE patient_id = $1',
      [patient],
    )
    expect(entry).toMatchObject({
      values: { pulse3: 72 },
      retired: { packs: { value: 2, by: server.world.people.lin.userId } },
    })
    expect(await tablet.unsent()).toBe(0)
    const [{ key } = { key: '' }] = await operations()
    expect((await bookedAs(server, key)).audit).toMatchObject([
      { action: 'item.update', prop: 'signs' },
      { action: 'item.retire', prop: 'packs' },
    ])
  })
})

describe('13.4 the role is revoked while the tablet is away', () => {
  afterEach(() => changeMember(server.world, server.world.people.lin, {}))

  test.each([
    ['the person pauses', { status: 'pause' as const }],
    ['the role may no longer enter data', { userRole: 'CRA' as const }],
  ])('%s: the data are held for a decision, with a receipt, and the tablet says so', async (_what, change) => {
    const { world } = server
    tablet.goOffline()
    await tablet.enter(patient, 'weight', '65')
    await changeMember(world, world.people.lin, change)
    tablet.comeBack()
    await tablet.sync()
    expect(await onServer(server, patient)).toEqual({})
    expect(await operations()).toMatchObject([
      { outcome: 'inbox', reason: 'right_withdrawn', author: world.people.lin.userId },
    ])
    expect(await tablet.unsent()).toBe(0)
    expect(await attention()).toMatchObject([{ kind: 'inbox', reason: 'right_withdrawn' }])
    const [kept] = await server.rows<{ items: readonly object[] }>(
      `SELECT body->'items' AS items FROM operation o JOIN inbox i ON i.op_key = o.key WHERE o.body->'target'->>'patientId' = $1`,
      [patient],
    )
    expect(kept?.items).toMatchObject([{ code: 'weight', to: { value: 65 } }])
  })
})

describe('13.4 the way out', () => {
  afterEach(() => changeMember(server.world, server.world.people.lin, {}))

  /** What a coordinator entered after their role was withdrawn, as it waits for a supervisor. */
  async function waiting(): Promise<string> {
    tablet.goOffline()
    await tablet.enter(patient, 'weight', '65')
    await changeMember(server.world, server.world.people.lin, { userRole: 'CRA' })
    tablet.comeBack()
    await tablet.sync()
    return (await operations())[0]?.key ?? ''
  }

  async function decide(key: string, decision: 'release' | 'return'): Promise<void> {
    const desk = await Tablet.unpacked(server)
    await desk.takeToken('manager')
    const body = { projectId: server.world.study.projectId, decision, note: '已与研究者核对' }
    valueOf(await desk.api.call('sync.inboxDecide', { params: { id: key }, body }))
  }

  test('a supervisor releases it: it stands in its author’s name, with the decision beside it, and the tablet learns of it', async () => {
    const key = await waiting()
    await decide(key, 'release')
    expect(await onServer(server, patient)).toEqual({ weight: 65 })
    const { lin, manager } = server.world.people
    const trail = await server.rows(
      `SELECT action, user_id AS "by" FROM audit WHERE patient_id = $1 AND action IN ('item.update', 'inbox.release') ORDER BY seq, ord`,
      [patient],
    )
    expect(trail).toEqual(
      expect.arrayContaining([
        { action: 'item.update', by: lin.userId },
        { action: 'inbox.release', by: manager.userId },
      ]),
    )
    expect(await operations()).toMatchObject([{ key, outcome: 'applied' }])
    await tablet.sync()
    await tablet.sync()
    expect(await attention()).toEqual([])
    expect(await tablet.unsent()).toBe(0)
  })

  test('a supervisor returns it: it is in no data, and not lost', async () => {
    const key = await waiting()
    await decide(key, 'return')
    await tablet.sync()
    expect(await onServer(server, patient)).toEqual({})
    expect(await operations()).toMatchObject([{ key, outcome: 'inbox' }])
    expect(await tablet.storage.work.receipts.get(key)).toMatchObject({ outcome: 'inbox' })
  })
})

describe('13.5 the subject is moved to another site while the tablet is away', () => {
  test('what was entered for them is in the arrivals inbox of the new site, what was entered for others goes through', async () => {
    const { study } = server.world
    const stays = await enrol(server.world)
    await tablet.sync()
    tablet.goOffline()
    await tablet.enter(patient, 'weight', '65')
    await tablet.enter(stays, 'weight', '66')
    await movePatient(server.world, patient, study.south)
    tablet.comeBack()
    await tablet.sync()
    expect(await onServer(server, patient)).toEqual({})
    expect(await onServer(server, stays)).toEqual({ weight: 66 })
    expect(await operations()).toMatchObject([{ outcome: 'inbox', reason: 'center_changed' }])
    expect(await tablet.unsent()).toBe(0)
    const kept = await server.rows(
      `SELECT i.center_id FROM inbox i JOIN operation o ON o.key = i.op_key WHERE o.body->'target'->>'patientId' = $1`,
      [patient],
    )
    expect(kept).toEqual([{ center_id: study.south }])
  })

  test('who looks after both sites goes on as before', async () => {
    const { study, people } = server.world
    await changeMember(server.world, people.lin, { centerIds: [study.north, study.south] })
    try {
      tablet.goOffline()
      await tablet.enter(patient, 'weight', '65')
      await movePatient(server.world, patient, study.south)
      tablet.comeBack()
      await tablet.sync()
      expect(await onServer(server, patient)).toEqual({ weight: 65 })
    } finally {
      await changeMember(server.world, people.lin, {})
    }
  })

  test('a stranger to both sites is told no more than that there is no such patient', async () => {
    const { study } = server.world
    const far = await enrol(server.world, server.world.people.south, study.south)
    const target = vitals(server.world, far)
    const other = await Tablet.unpacked(server)
    await other.signIn('wu')
    const key = await queueAt(other, pageAct(server.world, 'entry.save', target, change(target, { weight: 65 })))
    await other.sync()
    expect(await other.storage.work.outbox.get(key)).toMatchObject({ state: 'rejected', error: { code: 'not_found' } })
  })
})

describe('13.6 the study changes while the tablet is away', () => {
  afterEach(() => setStatus(server.world, 'process'))

  /** An administrator changes the status of the study. */
  async function study(status: 'stop' | 'process' | 'close'): Promise<void> {
    const desk = await Tablet.unpacked(server)
    await desk.takeToken('admin')
    valueOf(await desk.api.call('project.changeStatus', { query: { projectId: server.world.study.projectId, status } }))
  }

  async function awayWork(): Promise<string> {
    const { projectId, north } = server.world.study
    tablet.goOffline()
    const { patientId } = valueOf(
      await tablet.device.enrolPatient({
        projectId,
        centerId: north,
        initials: 'WW',
        sex: 'M',
        enrolledOn: null,
        identity,
      }),
    )
    const page = await tablet.open(patientId)
    page.type('height', '170')
    await page.submit()
    await tablet.enter(patientId, 'contact', '家属')
    await tablet.giveReasons(patientId, { code: 'new_source', text: '' })
    return patientId
  }

  test('stopped: everything is held, stays on the screen, and is applied in its order when the study goes on', async () => {
    patient = await awayWork()
    await study('stop')
    tablet.comeBack()
    await tablet.sync()
    expect((await operations()).map(({ call, outcome }) => [call, outcome])).toEqual([
      ['patient.save', 'held'],
      ['entry.submit', 'held'],
      ['entry.save', 'held'],
    ])
    expect(await attention()).toMatchObject([{ kind: 'held' }, { kind: 'held' }, { kind: 'held' }])
    expect((await tablet.see(patient)).data.values).toMatchObject({ height: 170, contact: '家属' })

    await study('process')
    await tablet.sync()
    await tablet.sync()
    expect((await operations()).map(({ outcome }) => outcome)).toEqual(['applied', 'applied', 'applied'])
    expect(await onServer(server, patient)).toMatchObject({ height: 170, contact: '家属' })
    expect(await tablet.see(patient)).toMatchObject({
      mark: 'received',
      data: { values: { height: 170, contact: '家属' } },
    })
    expect(await attention()).toEqual([])
  })

  test('closed: everything is in the arrivals inbox, none of it in the data', async () => {
    patient = await awayWork()
    await study('close')
    tablet.comeBack()
    await tablet.sync()
    expect((await operations()).map(({ outcome, reason }) => [outcome, reason])).toEqual(
      Array.from({ length: 3 }, () => ['inbox', 'project_closed']),
    )
    expect(await server.rows('SELECT 1 FROM patient WHERE id = $1', [patient])).toEqual([])
    expect(await tablet.unsent()).toBe(0)
    expect(await attention()).toMatchObject([{ kind: 'inbox' }, { kind: 'inbox' }, { kind: 'inbox' }])
  })

  test.each(['frozen', 'locked'])(
    'a page is %s: what comes for it is in the arrivals inbox, what is beside it goes through',
    async (control) => {
      await tablet.enter(patient, 'height', '170')
      await tablet.sync()
      const free = await enrol(server.world)
      await tablet.sync()
      tablet.goOffline()
      await tablet.enter(patient, 'weight', '65')
      await tablet.enter(free, 'weight', '66')
      await server.rows('UPDATE entry SET control = $2 WHERE patient_id = $1', [patient, control])
      tablet.comeBack()
      await tablet.sync()
      expect(await onServer(server, patient)).toEqual({ height: 170 })
      expect(await onServer(server, free)).toEqual({ weight: 66 })
      expect(await attention()).toMatchObject([{ kind: 'inbox', reason: control }])
    },
  )
})

describe('13.10 a second person at the same tablet', () => {
  test('sees the draft, adds their own, and each change stands in the name of who made it', async () => {
    tablet.lock()
    await tablet.signIn('wu')
    tablet.lock()
    await tablet.unlock('lin')
    tablet.goOffline()
    await tablet.enter(patient, 'weight', '65')
    tablet.lock()

    await tablet.unlock('wu')
    expect((await tablet.see(patient)).data.values).toEqual({ weight: 65 })
    await tablet.enter(patient, 'height', '170')
    expect((await tablet.see(patient)).data.values).toMatchObject({ weight: 65, height: 170 })
    tablet.comeBack()
    await tablet.takeToken('wu')
    expect(await tablet.sync()).toMatchObject({ acknowledged: 2, error: null })

    const { lin, wu } = server.world.people
    expect((await operations()).map(({ author, carried_by }) => [author, carried_by])).toEqual([
      [lin.userId, wu.userId],
      [wu.userId, null],
    ])
    const values = await server.rows(
      `SELECT prop, user_id AS "by" FROM audit WHERE patient_id = $1 AND action = 'item.update' ORDER BY seq`,
      [patient],
    )
    expect(values).toEqual([
      { prop: 'weight', by: lin.userId },
      { prop: 'height', by: wu.userId },
    ])
    expect(await conflictsOf(server, patient)).toEqual([])
  })
})
