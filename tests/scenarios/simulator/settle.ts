import type { Ward } from './run.ts'
import type { PersonName } from './simTablet.ts'
import { CARRIER } from './study.ts'
import type { WardTablet } from './wards.ts'

/**
 * The end of a history: everything works again, those who have the right are at work, and everybody sends and fetches
 * until nothing moves.
 */

const MOST_ROUNDS = 10

/** Gives whether it came to rest. */
export async function settle(ward: Ward): Promise<boolean> {
  const { study, tablets, closed, history, server } = ward
  for (const tablet of tablets) {
    await tablet.heal()
    await tablet.deliverLate()
  }
  const statements = await server.statements()
  statements.calm()
  await server.pass(3_600_000)
  await study.letAllIn()
  if (!closed) {
    await study.status('process')
    // On some wards everybody gets their rights back, on others only who carries the rest.
    for (const person of history.seed % 2 === 0 ? (['lin', 'wu', 'chen'] as const) : [CARRIER])
      await study.member(person, 'back')
  }
  await server.keepHouse()
  for (const tablet of tablets) {
    // What is of the second pass only they can open: files that wait, and what the server said of their work.
    if (ward.seen.get(tablet.name)?.has('deng') === true) await atWork(tablet, 'deng')
    await comeBack(tablet)
  }
  let before = await stateOf(ward)
  let still = 0
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    for (const tablet of tablets) await tablet.sync()
    const now = await stateOf(ward)
    still = now === before ? still + 1 : 0
    // What is fetched moves nothing: on a busy machine a call may have come to its limit in the one round, as on a
    // ward.
    if (still === 2) return true
    before = now
  }
  return false
}

/**
 * Everybody who left something on the tablet is at work there once more: only they can recover their typing. And again,
 * where something is left: what waits for what a colleague has set aside meanwhile is freed when its author is there.
 */
async function comeBack(tablet: WardTablet): Promise<void> {
  await tablet.lock()
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const before = await tablet.outbox()
    const authors = (await tablet.whoLeftWork()).filter((account) => account !== CARRIER)
    for (const account of authors) await atWork(tablet, account as PersonName)
    await atWork(tablet, CARRIER)
    if (authors.length === 0 || (await tablet.outbox()) === before) return
  }
}

/**
 * A person unlocks the tablet, signs in where that does not give them the center, sends, and decides what only they
 * can.
 */
async function atWork(tablet: WardTablet, person: PersonName): Promise<void> {
  // Keys of a right that was given meanwhile are handed out at the next sign-in.
  const open = (await tablet.unlock(person)) && (await tablet.hasKeys())
  if (!open) await tablet.signIn(person)
  // What waits for something that is refused goes once that is taken out of the way, and may be refused itself.
  do await tablet.sync()
  while (await tablet.setAsideRefused())
}

async function stateOf({ tablets, server, study }: Ward): Promise<string> {
  const outboxes = await Promise.all(tablets.map((tablet) => tablet.outbox()))
  const [project] = await server.rows<{ seq: number }>('SELECT seq FROM project WHERE id = $1', [study.projectId])
  return JSON.stringify([project?.seq, outboxes])
}
