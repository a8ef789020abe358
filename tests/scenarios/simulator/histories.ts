import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Ground, actsOf } from './ground.ts'

/** Longer than any history takes on a busy machine; a broken one is run some more times to find where it breaks. */
const TIMEOUT_MS = 300_000

/**
 * Runs histories of consecutive seeds and holds each against the oracle. `SEED` runs another one instead, `HISTORIES`
 * so many from there; with `RESTORES` the server is put back to a backup in all of them, with `CROSSING` pages read
 * each other in all of them, with `CASEBOOK` photographs are taken, things said of visits, queries asked and patients
 * entered twice, with `RIGHTS` a right ends under an open page, with `REVIEWS` reviewers verify what
 * is entered.
 */
export function describeHistories(first: number, count: number): void {
  const {
    SEED: seed,
    HISTORIES: many,
    RESTORES: restores,
    CROSSING: crossing,
    CASEBOOK: casebook,
    RIGHTS: rights,
    REVIEWS: reviews,
    PLANTED_BUG: planted,
  } = process.env
  const kind = {
    ...(restores === undefined ? {} : { restores: true }),
    ...(crossing === undefined ? {} : { crosses: true }),
    ...(casebook === undefined ? {} : { casebook: true }),
    ...(rights === undefined ? {} : { rights: true }),
    ...(reviews === undefined ? {} : { reviews: true }),
  }
  const from = seed === undefined ? first : Number(seed)
  const to = from + (many === undefined ? (seed === undefined ? count : 1) : Number(many)) - 1

  describe(`a ward, in the histories ${from} to ${to}`, () => {
    let ground: Ground
    beforeAll(async () => {
      ground = await Ground.open()
    })
    afterAll(() => ground.close())

    for (let at = from; at <= to; at += 1) {
      test(`history ${at} keeps every promise`, { timeout: TIMEOUT_MS }, async () => {
        const history = ground.historyOf(at, kind)
        expect(actsOf(history)).toBeGreaterThanOrEqual(50)
        expect(history.faults.length).toBeGreaterThanOrEqual(3)
        const verdict = await ground.judge(history)
        if (verdict.problems.length > 0) throw new Error(await ground.report(history, verdict, planted === undefined))
      })
    }
  })
}
