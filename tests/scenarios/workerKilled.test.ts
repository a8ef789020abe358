import { beforeAll, expect, test } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { EntryChangeCall } from '#core/api/sync/operation.ts'
import type { EntryChange, EntryTarget } from '#core/sync/entryChange.ts'
import type { Author } from '#offline/outbox/outbox.ts'
import { runCycle } from '#offline/sync/cycle.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { expectConverged } from '#tests/scenarios/support/converged.ts'
import { pageAct, queueAt } from '#tests/scenarios/support/drafts.ts'
import { DyingWorker } from '#tests/scenarios/support/dyingWorker.ts'
import { bookedAs } from '#tests/scenarios/support/facts.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { Tablet } from '#tests/scenarios/support/ward.ts'
import { announce, change, enrol, event, vitals } from '#tests/server/support/world.ts'

/**
 * The sync worker is killed at every step of a cycle over a rich outbox and two scopes, before the step and after it:
 * whatever came of it, the next worker brings everything to the server once and all news to the tablet, and nothing
 * says that it is still under way.
 */

const server = serverForAllTests()
let tablet: Tablet
let wu: Author
beforeAll(async () => {
  tablet = await Tablet.unpacked(server)
  await tablet.signIn('wu')
  wu = tablet.author
  tablet.lock()
  await tablet.signIn('lin')
})

interface Shift {
  /** The project's change number before it. */
  readonly since: number
  readonly patientId: string
  readonly no: string | null
  /** Keys of what the server takes, with the actions that each leaves in the audit trail. */
  readonly taken: ReadonlyMap<string, readonly string[]>
  readonly refused: string
}

/** A day's work without a network, in the names of two people; meanwhile there is news at the server. */
async function fillOutbox(): Promise<Shift> {
  const { world } = server
  const { study, people } = world
  const [project] = await server.rows<{ seq: number }>('SELECT seq FROM project WHERE id = $1', [study.projectId])
  const [ofWu, odd] = [await enrol(world, people.wu), await enrol(world, people.wu)]
  await announce(world.services.pool, study, people.admin, [{ kind: 'center', rowId: study.south }])
  const identity = { name: '李四', mobile: null, email: null, birthDate: null }
  const enrolled = {
    projectId: study.projectId,
    centerId: study.north,
    initials: 'LS',
    sex: 'M',
    enrolledOn: null,
    identity,
  } as const
  const { patientId, no } = valueOf(await tablet.device.enrolPatient(enrolled))
  const [enrolment] = await tablet.storage.work.outbox.where('patientId').equals(patientId).primaryKeys()
  const [first, second] = [vitals(world, patientId), event(world, patientId, newId())]
  const [made, saved] = [
    ['entry.create', 'item.update', 'entry.status'],
    ['entry.create', 'entry.status', 'item.calculate', 'item.update', 'item.update'],
  ]
  const queue = (call: EntryChangeCall, target: EntryTarget, body: EntryChange, author?: Author) =>
    queueAt(tablet, pageAct(world, call, target, body), author)
  return {
    since: project?.seq ?? 0,
    patientId,
    no,
    taken: new Map([
      [enrolment ?? '', ['patient.enrol', 'patient.identify']],
      [await queue('entry.save', first, change(first, { height: 170, weight: 65 })), saved],
      [await queue('entry.insert', second, change(second, { term: '头痛' })), made],
      [await queue('entry.submit', second, change(second, {})), ['entry.submit']],
      [await queue('entry.save', vitals(world, ofWu), change(vitals(world, ofWu), { weight: 70 }), wu), made],
    ]),
    refused: await queue('entry.save', vitals(world, odd), change(vitals(world, odd), { nonsense: 1 })),
  }
}

/** What has to be so once another worker has had its turn. */
async function expectWhole({ patientId, no, taken, refused }: Shift): Promise<void> {
  const { work } = tablet.storage
  for (const [key, actions] of taken) {
    const { operations, audit } = await bookedAs(server, key)
    expect(operations).toBe(1)
    expect(audit.map(({ action }) => action).toSorted()).toEqual(actions.toSorted())
    expect(new Set(audit.map(({ seq }) => seq)).size).toBe(1)
    expect(await work.receipts.get(key)).toMatchObject({ outcome: 'applied', seq: audit[0]?.seq })
  }
  expect((await work.outbox.toArray()).map(({ key, state }) => [key, state])).toEqual([[refused, 'rejected']])
  expect(await bookedAs(server, refused)).toEqual({ operations: 0, audit: [] })
  expect(await work.meta.bulkGet(['syncing', 'pullProgress', 'paused'])).toMatchObject([
    { value: false },
    { value: null },
    { value: null },
  ])
  const [patient] = await server.rows<{ no: string }>('SELECT no FROM patient WHERE id = $1', [patientId])
  expect(patient?.no).toBe(no)
  const pages = await server.rows<{ id: string; rev: number; status: string }>(
    'SELECT id, rev, status FROM entry WHERE patient_id = $1 ORDER BY rev',
    [patientId],
  )
  expect(pages).toEqual([
    { id: entryId(vitals(server.world, patientId)), rev: 1, status: 'process' },
    { id: expect.any(String) as string, rev: 2, status: 'other' },
  ])
}

test.each(['before', 'after'] as const)(
  'killed %s any of its steps, the work is there once after the next worker’s turn',
  async (when) => {
    const numbers = new Set<string | null>()
    let end = { died: true, steps: 0 }
    let shifts = 0
    while (end.died) {
      shifts += 1
      await tablet.storage.work.outbox.clear()
      const shift = await fillOutbox()
      numbers.add(shift.no)
      end = await DyingWorker.run(tablet.name, { at: shifts, when }, tablet.syncContext(), runCycle)
      await tablet.sync()
      try {
        await expectWhole(shift)
        await expectConverged(server, tablet, server.world.people.lin, shift.since)
      } catch (broken) {
        throw new Error(`killed ${when} step ${shifts} of ${end.steps}`, { cause: broken })
      }
    }
    // The last worker came to its end: every step was the last of one of the others.
    expect(shifts).toBeGreaterThan(40)
    expect(shifts).toBeGreaterThan(end.steps)
    expect(numbers.size).toBe(shifts)
    await expectConverged(server, tablet, server.world.people.lin)
  },
  300_000,
)
