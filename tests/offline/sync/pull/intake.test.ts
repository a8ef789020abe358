import { afterEach, describe, expect, test, vi } from 'vitest'
import { asJson } from '#core/json.ts'
import type { PullLine } from '#core/api/sync/pull.ts'
import { runCycle } from '#offline/sync/cycle.ts'
import { CENTER_SCOPE, PROJECT, syncOf, valueOf } from '#tests/offline/support/tablet.ts'
import { patientRow, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'

/** A center that is given up, or given up and chosen again, while it is being downloaded. */

afterEach(() => {
  vi.restoreAllMocks()
})

function patientLine(seq: number): PullLine {
  const row = patientRow(`0${seq}`)
  return { t: 'put', kind: 'patient', id: row.id, seq, row: asJson(row) }
}

async function numbersSeen({ device }: Ward): Promise<readonly string[]> {
  return valueOf(await device.patients(PROJECT, { size: 500 }))
    .patients.map(({ no }) => no ?? '')
    .toSorted()
}

async function giveUp({ device }: Ward): Promise<void> {
  expect(await device.dropScope(CENTER_SCOPE)).toEqual({ done: true })
}

async function choose({ crc }: Ward): Promise<void> {
  const since = new Date().toISOString()
  await crc.storage.work.kept.bulkPut(
    [PROJECT, CENTER_SCOPE].map((scope) => ({ scope, userId: crc.owner.userId, since })),
  )
}

/** A cycle in which a person does something when so many lines of the center's download have come. */
async function syncDuring({ crc, network }: Ward, lines: number, act: () => Promise<void>): Promise<void> {
  let acted = false
  const slow: typeof fetch = async (input, init) => {
    const answer = await network.fetch(input, init)
    const { searchParams, pathname } = new URL(new Request(input, init).url)
    if (acted || !pathname.endsWith('/pull') || searchParams.get('scope') !== CENTER_SCOPE) return answer
    acted = true
    const all = (await answer.text()).split('\n').map((line) => new TextEncoder().encode(`${line}\n`))
    let sent = 0
    return new Response(
      new ReadableStream(
        {
          pull: async (controller) => {
            if (sent === lines) await act()
            const line = all[sent]
            sent += 1
            if (line === undefined) controller.close()
            else controller.enqueue(line)
          },
        },
        { highWaterMark: 0 },
      ),
    )
  }
  valueOf(await runCycle(syncOf(crc, slow)))
  expect(acted).toBe(true)
}

const ALL = ['01', '02', '03', '04']

/** A tablet that has the first two of four patients: what comes next are the others. */
async function withTheFirstTwo() {
  const at = await ward()
  const lines = [1, 2, 3, 4].map(patientLine)
  at.network.changes = lines.slice(0, 2)
  await at.sync()
  at.network.changes = lines
  return at
}

/** A tablet that downloads four patients for the first time, over a line so slow that every mark is stored. */
async function fromTheFirst() {
  const at = await ward()
  const [one, two, three, four] = [1, 2, 3, 4].map(patientLine) as [PullLine, PullLine, PullLine, PullLine]
  at.network.changes = [one, two, { t: 'cursor', cursor: 2 }, three, four]
  let passed = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (passed += 2000))
  return at
}

describe('a center that is given up and chosen again', () => {
  test('while changes of it come has all its patients again, not the changed alone', async () => {
    const at = await withTheFirstTwo()
    await syncDuring(at, 2, async () => {
      await giveUp(at)
      await choose(at)
    })
    await at.sync()
    expect(await numbersSeen(at)).toEqual(ALL)
  })

  test('while it comes for the first time has those again that had come before', async () => {
    const at = await fromTheFirst()
    await syncDuring(at, 4, async () => {
      await vi.waitFor(async () => expect(await numbersSeen(at)).toEqual(['01', '02']))
      await giveUp(at)
      await choose(at)
    })
    await at.sync()
    expect(await numbersSeen(at)).toEqual(ALL)
  })

  test.each([1, 2, 3])('only once its download is over, after line %i', async (line) => {
    const at = await withTheFirstTwo()
    await syncDuring(at, line, () => giveUp(at))
    await choose(at)
    await at.sync()
    expect(await numbersSeen(at)).toEqual(ALL)
  })
})

test.each([
  ['changes of it', withTheFirstTwo, 2],
  ['it as a whole', fromTheFirst, 1],
] as const)('of a center that is given up while %s come, nothing is left on the device', async (_, prepared, line) => {
  const at = await prepared()
  await syncDuring(at, line, () => giveUp(at))
  const { cache } = at.crc.storage
  expect(await cache.rows.where('scope').equals(CENTER_SCOPE).count()).toBe(0)
  expect(await cache.pulls.where('scope').equals(CENTER_SCOPE).count()).toBe(0)
})
