import { takeOverTime } from './clock.ts'
import { makeHistory } from './history.ts'
import { judge } from './oracle.ts'
import { runHistory } from './run.ts'
import { isPersonAct } from './steps.ts'
import type { History, Step } from './steps.ts'
import { makeStaff } from './study.ts'
import type { Staff } from './study.ts'
import { Tablet } from './tablet.ts'
import { WardServer } from './wardServer.ts'

/** Where histories take place, one after the other: one server for all that do not need their own. */

/** Every so many histories one in which the server is put back to a backup. */
const RESTORES_EVERY = 25

/** And every so many one with photographs, visits and a second entry. */
const CASEBOOK_EVERY = 5

/** And every so many of the others one with reviewers; and all that are put back. */
const REVIEWS_EVERY = 3

/** What a history is to have, whatever its seed. */
export interface Kind {
  readonly restores?: boolean
  readonly crosses?: boolean
  readonly casebook?: boolean
  readonly rights?: boolean
  readonly reviews?: boolean
}

/** Lines of a report's parts. */
const SHOWN = 40

export interface Verdict {
  readonly problems: readonly string[]
  readonly diary: readonly string[]
  /** What the server's log says went wrong meanwhile. */
  readonly complaints: readonly string[]
}

export class Ground {
  readonly #server: WardServer
  readonly #staff: Staff
  readonly #giveTimeBack: () => void

  private constructor(server: WardServer, staff: Staff, giveTimeBack: () => void) {
    this.#server = server
    this.#staff = staff
    this.#giveTimeBack = giveTimeBack
  }

  static async open(): Promise<Ground> {
    const giveTimeBack = takeOverTime()
    const server = await WardServer.open()
    return new Ground(server, await makeStaff(server), giveTimeBack)
  }

  async close(): Promise<void> {
    this.#giveTimeBack()
    await this.#server.close()
  }

  /**
   * The history of a seed.
   *
   * @param kind `restores`: whether the server is put back to a backup in it, by default in every 25th; `crosses`:
   *   whether rules of pages read others, by default as the seed says; `casebook`: whether photographs are taken,
   *   things said of visits and patients entered twice, by default in every fifth that is not put back; `rights`:
   *   whether a right ends under an open page, by default as the seed says
   */
  historyOf(
    seed: number,
    {
      restores = seed % RESTORES_EVERY === 0,
      crosses,
      rights = false,
      casebook = !restores && seed % CASEBOOK_EVERY === 3,
      reviews = restores || seed % REVIEWS_EVERY === 1,
    }: Kind = {},
  ): History {
    return makeHistory(seed, {
      casebook,
      rights,
      // What is entered twice is not checked before its passes are merged.
      reviews: reviews && !casebook,
      ...(restores ? { rare: 'restore' } : {}),
      ...(crosses === undefined ? {} : { crosses }),
    })
  }

  /** Runs a history, or its first steps, and judges the ward. */
  async judge(history: History, length = history.steps.length): Promise<Verdict> {
    if (!history.ownDatabase) return judged(history, this.#server, this.#staff, length)
    const own = await WardServer.open()
    try {
      return await judged(history, own, await makeStaff(own), length)
    } finally {
      await own.close()
    }
  }

  /**
   * What went wrong, for whoever has to find out why: the clauses, and the steps.
   *
   * @param shorten whether to look for the shortest beginning of the history that shows it, which means to run it
   *   some more times
   */
  async report(history: History, verdict: Verdict, shorten: boolean): Promise<string> {
    const whole = { length: history.steps.length, verdict }
    const shortest = shorten ? await this.#shortest(history, verdict) : whole
    const { problems, diary, complaints } = shortest.verdict
    return [
      `history ${history.seed} (${[...history.faults, ...(history.crosses ? ['pages read each other'] : []), ...(history.casebook ? ['photographs, visits, queries and a second pass'] : []), ...(history.reviews ? ['reviewers'] : [])].join(', ')}) breaks a promise; SEED=${history.seed} replays it`,
      ...problems.slice(0, SHOWN),
      `its first ${shortest.length} of ${history.steps.length} steps (· could not be done):`,
      ...diary,
      ...(complaints.length === 0 ? [] : ['the server’s log:', ...complaints.slice(0, SHOWN)]),
    ].join('\n')
  }

  async #shortest(history: History, verdict: Verdict): Promise<{ readonly length: number; readonly verdict: Verdict }> {
    let found = { length: history.steps.length, verdict }
    let fine = 0
    while (found.length - fine > 1) {
      const length = Math.floor((fine + found.length) / 2)
      const shorter = await this.judge(history, length)
      if (shorter.problems.length > 0) found = { length, verdict: shorter }
      else fine = length
    }
    return found
  }
}

async function judged(history: History, server: WardServer, staff: Staff, length: number): Promise<Verdict> {
  server.complaints.length = 0
  const ward = await runHistory(
    history,
    server,
    staff,
    (name, study, random) => Tablet.unpacked(name, server, study, random),
    length,
  )
  try {
    const problems = await judge(ward)
    return { problems, diary: ward.diary, complaints: [...server.complaints] }
  } finally {
    for (const tablet of ward.tablets) await tablet.discard()
  }
}

/** How many things people do in a history, those that come together counted each. */
export function actsOf({ steps }: History): number {
  return steps.reduce((sum, { what }) => sum + countOf(what), 0)
}

function countOf(what: Step['what']): number {
  if (what.act === 'together') return what.acts.length
  if (what.act === 'die') return what.during.length
  return isPersonAct(what) ? 1 : 0
}
