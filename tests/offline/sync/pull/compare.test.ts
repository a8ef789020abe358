import { describe, expect, test } from 'vitest'
import { newId } from '#core/ids.ts'
import { asJson } from '#core/json.ts'
import type { PullLine } from '#core/api/sync/pull.ts'
import { isOwnView, openRows, putRows } from '#offline/sync/cache.ts'
import { forgetPulls } from '#offline/sync/pull/compare.ts'
import { runCycle } from '#offline/sync/cycle.ts'
import { pullScope } from '#offline/sync/pull/pull.ts'
import { Vault } from '#offline/vault/vault.ts'
import { Network } from '#tests/offline/support/network.ts'
import {
  CENTER_SCOPE,
  FEW_ROUNDS,
  authorOf,
  crcAtTablet,
  handOut,
  person,
  scopeKeys,
  syncOf,
  valueOf,
} from '#tests/offline/support/tablet.ts'
import type { Crc } from '#tests/offline/support/tablet.ts'
import { patientRow } from '#tests/src/data/support/ward.ts'

/**
 * After rights changed or a restore, everything is compared with the server: in as many pulls as the network makes of
 * it.
 */

type Put = Extract<PullLine, { t: 'put' }>

function patientLine(seq: number, no: string, id = newId()): Put {
  return { t: 'put', kind: 'patient', id, seq, row: asJson({ ...patientRow(no), id }) }
}

/** Rows with a mark after every second one. */
function withMarks(rows: readonly Put[]): PullLine[] {
  return rows.flatMap((row, at): PullLine[] => (at % 2 === 1 ? [row, { t: 'cursor', cursor: row.seq }] : [row]))
}

/** Subject numbers that this user sees on this tablet. */
async function numbersSeen({ storage, author }: Crc): Promise<readonly string[]> {
  const rows = await storage.cache.rows.where('[scope+kind]').equals([CENTER_SCOPE, 'patient']).toArray()
  const own = rows.filter((row) => isOwnView(author.ring, author.userId, row))
  return (await openRows(author.ring, 'patient', own)).map(({ no }) => no ?? '').toSorted()
}

/** A tablet that holds 01 to 06, and a server that has since withdrawn 02 and 05, changed 03 and got 07. */
async function afterRightsChanged() {
  const crc = await crcAtTablet([scopeKeys(CENTER_SCOPE)])
  const network = new Network()
  const before = [1, 2, 3, 4, 5, 6].map((seq) => patientLine(seq, `0${seq}`))
  network.changes = withMarks(before)
  await runCycle(syncOf(crc, network.fetch))
  const [one, , three, four, , six] = before
  if (one === undefined || three === undefined || four === undefined || six === undefined)
    throw new Error('six patients')
  network.scopeVersion = 'rights-2'
  network.changes = withMarks([one, four, six, patientLine(7, '03*', three.id), patientLine(8, '07')])
  return { crc, network, now: ['01', '03*', '04', '06', '07'], before: ['01', '02', '03', '04', '05', '06'] }
}

describe('a comparison', () => {
  test.each(Array.from({ length: 10 }, (_, cut) => cut))(
    'cut after line %i, comes to exactly what the server has',
    async (cut) => {
      const { crc, network, now } = await afterRightsChanged()
      // The first answer says only that rights have changed; it is the second one that holds rows.
      network.breakPullAfter = cut
      await runCycle(syncOf(crc, network.fetch))
      network.breakPullAfter = null
      await runCycle(syncOf(crc, network.fetch))
      expect(await numbersSeen(crc)).toEqual(now)
      expect(await crc.storage.cache.compared.count()).toBe(0)
      expect(await crc.storage.cache.pulls.toArray()).toMatchObject([
        { cursor: 8, scopeVersion: 'rights-2', comparing: null },
      ])
    },
  )

  test('ends on a network that never carries more than a few lines', async () => {
    const { crc, network, now, before } = await afterRightsChanged()
    network.breakPullAfter = 4
    for (let cycle = 0; cycle < 3; cycle += 1) {
      await runCycle(syncOf(crc, network.fetch))
      const [cursor] = await crc.storage.cache.pulls.toArray()
      const stillThere = before.filter((no) => cursor?.comparing !== null || now.some((one) => one.startsWith(no)))
      // While it runs, nothing that was readable goes away.
      expect((await numbersSeen(crc)).map((no) => no.slice(0, 2))).toEqual(expect.arrayContaining(stillThere))
    }
    expect(await numbersSeen(crc)).toEqual(now)
  })

  test('begins anew when rights change again meanwhile', async () => {
    const { crc, network } = await afterRightsChanged()
    network.breakPullAfter = 4
    await runCycle(syncOf(crc, network.fetch))
    network.breakPullAfter = null
    network.scopeVersion = 'rights-3'
    network.changes = network.changes.filter((line) => line.t !== 'put' || line.seq !== 1)
    await runCycle(syncOf(crc, network.fetch))
    expect(await numbersSeen(crc)).toEqual(['03*', '04', '06', '07'])
  })

  test('drops nothing that an answer brought while it ran', async () => {
    const { crc, network, now } = await afterRightsChanged()
    network.breakPullAfter = 4
    const sync = syncOf(crc, network.fetch)
    await runCycle(sync)
    // Enrolled here and acknowledged: its change number lies behind everything that is being fetched.
    const fresh = patientRow('08')
    await putRows(sync, CENTER_SCOPE, [{ kind: 'patient', id: fresh.id, seq: 500, row: fresh }], network.epoch)
    network.breakPullAfter = null
    await runCycle(sync)
    expect(await numbersSeen(crc)).toEqual([...now, '08'])
  })

  test('drops nothing that changed on the server while it was being fetched', async () => {
    const { crc, network, now } = await afterRightsChanged()
    const moving = network.changes.find((line) => line.t === 'put' && line.seq === 6)
    const { fetch } = network
    let asked = 0
    const racing: typeof fetch = async (input, init) => {
      asked += 1
      // In the pull that fetches everything, 06 changes before its turn: it moves behind the end.
      const all = network.changes
      if (asked === 2) network.changes = all.filter((line) => line !== moving)
      const answer = await fetch(input, init)
      if (asked === 2 && moving?.t === 'put')
        network.changes = [...all.filter((line) => line !== moving), { ...moving, seq: 9 }]
      return answer
    }
    await pullScope(syncOf(crc, racing), CENTER_SCOPE)
    expect(await numbersSeen(crc)).toEqual(now)
  })

  test('that another thread has ended meanwhile drops nothing', async () => {
    const { crc, network, now } = await afterRightsChanged()
    network.breakPullAfter = 4
    await runCycle(syncOf(crc, network.fetch))
    network.breakPullAfter = null
    let released: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      released = resolve
    })
    // Its answer is under way when the other thread asks for the same, gets it all and is done.
    const slow = pullScope(
      syncOf(crc, async (input, init) => {
        const answer = await network.fetch(input, init)
        await gate
        return answer
      }),
      CENTER_SCOPE,
    )
    while (network.pulls.length < 4) await new Promise((resolve) => setTimeout(resolve, 1))
    valueOf(await pullScope(syncOf(crc, network.fetch), CENTER_SCOPE))
    released()
    valueOf(await slow)
    expect(await numbersSeen(crc)).toEqual(now)
  })
})

describe('two people at one tablet', () => {
  /** A colleague with the same keys, of whom the server shows less. */
  async function twoAtOneTablet() {
    const keys = scopeKeys(CENTER_SCOPE)
    const crc = await crcAtTablet([keys])
    const vault = new Vault(crc.storage.work, FEW_ROUNDS)
    const owner = person('second')
    await vault.enrol(owner, 'second password', await handOut([keys]))
    await crc.storage.work.kept.put({ scope: CENTER_SCOPE, userId: owner.userId, since: '2026-11-21T08:00:00.000Z' })
    const second: Crc = { ...crc, vault, owner, author: authorOf(vault) }
    const [shared, own] = [patientLine(1, '01'), patientLine(2, '02')]
    const network = new Network()
    network.changes = [shared, own]
    await runCycle(syncOf(crc, network.fetch))
    network.changes = [shared]
    await runCycle(syncOf(second, network.fetch))
    return { crc, second, network, shared, own }
  }

  test('what one may not see is out of their sight, and still there for the other', async () => {
    const { crc, second } = await twoAtOneTablet()
    expect(await numbersSeen(second)).toEqual(['01'])
    expect(await numbersSeen(crc)).toEqual(['01', '02'])
  })

  test('a row that the server takes from one of them stays with the other, and goes with the last', async () => {
    const { crc, second, network, shared } = await twoAtOneTablet()
    network.changes = [{ t: 'drop', kind: 'patient', id: shared.id, seq: 3 }]
    await runCycle(syncOf(second, network.fetch))
    expect(await numbersSeen(second)).toEqual([])
    expect(await numbersSeen(crc)).toEqual(['01', '02'])
    await runCycle(syncOf(crc, network.fetch))
    expect(await numbersSeen(crc)).toEqual(['02'])
    expect(await crc.storage.cache.rows.count()).toBe(1)
  })

  test('a change that one of them pulls does not show the other what is not theirs', async () => {
    const { crc, second, network, own } = await twoAtOneTablet()
    network.changes = [patientLine(4, '02*', own.id)]
    await runCycle(syncOf(crc, network.fetch))
    expect(await numbersSeen(crc)).toEqual(['01', '02*'])
    expect(await numbersSeen(second)).toEqual(['01'])
  })

  test('who chooses a center again has all of it, also where the app died while they gave it up and the other has given it up since', async () => {
    const { crc, second } = await twoAtOneTablet()
    const { work } = crc.storage
    const network = new Network()
    network.changes = [patientLine(1, '01'), patientLine(2, '02')]
    await work.kept.delete([CENTER_SCOPE, crc.owner.userId])
    await work.kept.delete([CENTER_SCOPE, second.owner.userId])
    await forgetPulls(crc.storage, CENTER_SCOPE, second.owner.userId)
    expect(await crc.storage.cache.rows.count()).toBe(0)

    await work.kept.put({ scope: CENTER_SCOPE, userId: crc.owner.userId, since: '2026-11-22T08:00:00.000Z' })
    await runCycle(syncOf(crc, network.fetch))
    expect(await numbersSeen(crc)).toEqual(['01', '02'])
  })
})
