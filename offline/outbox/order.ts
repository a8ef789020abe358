import { Dexie } from 'dexie'
import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import type { Storage } from '#offline/db/open.ts'
import type { OutboxRow } from '#offline/db/rows.ts'

/**
 * Which operations can go now, and which go together. The order follows dependency, so one stuck page holds back only
 * what builds on it.
 */

/** The first and the longest wait after a failure. */
export const BACKOFF_FIRST_MS = 1000
export const BACKOFF_LONGEST_MS = 5 * 60_000
/** The longest wait for which a server may ask. */
export const LONGEST_WAIT_MS = 60 * 60_000

/**
 * How long to wait before trying again: doubled with each failure, and jittered between half and all of it, so that the
 * tablets of a ward do not all come back at the same moment.
 *
 * @param random between 0 and 1
 */
export function backoff(attempts: number, random: number): number {
  const full = Math.min(BACKOFF_LONGEST_MS, BACKOFF_FIRST_MS * 2 ** Math.min(attempts, 20))
  return Math.round(full * (0.5 + random / 2))
}

/**
 * Whether a wait is over. A time further ahead than the longest wait comes from a clock that was set back meanwhile.
 */
export function isDue({ nextAt }: Pick<OutboxRow, 'nextAt'>, now: number): boolean {
  return nextAt <= now || nextAt - now > LONGEST_WAIT_MS
}

/** How many operations and files have waited long enough. Read from an index only. */
export function countDue(storage: Storage, now: number): Promise<Result<number, ApiError>> {
  return storage.run(async ({ work }) => {
    const waiting = work.outbox.where('[state+nextAt]')
    const over = await waiting.between(['retry', Dexie.minKey], ['retry', now], true, true).count()
    const files = await work.files
      .where('[state+nextAt]')
      .between(['unsent', Dexie.minKey], ['unsent', now], true, true)
      .count()
    return (
      over +
      files +
      (await waiting.between(['retry', now + LONGEST_WAIT_MS], ['retry', Dexie.maxKey], false, true).count())
    )
  })
}

/**
 * Whether a row goes by itself, now or later. A row that needs a person does not hold up rows that only go behind it.
 */
function isOnItsWay(row: OutboxRow | undefined): boolean {
  return row?.state === 'queued' || row?.state === 'retry' || row?.state === 'sending'
}

/**
 * Rows that may be sent now, in runs: a run is sent in one envelope, in order. A row goes when it is due, and
 * everything on which it builds is acknowledged (not in the outbox) or goes before it in the same run. A submit
 * states what its author saw, and rules may have calculated that from the patient's other pages. So it goes after the
 * operations of the patient that go now, and waits for no other ones.
 */
export function runsToSend(rows: readonly OutboxRow[], now: number): readonly (readonly OutboxRow[])[] {
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const due = rows
    .filter((row) => (row.state === 'queued' || row.state === 'retry') && isDue(row, now))
    .toSorted((a, b) => a.seq - b.seq)
  const runOf = new Map<string, OutboxRow[]>()
  const runs: OutboxRow[][] = []
  /** Keys of the operations that go now, by patient. */
  const going = new Map<string, string[]>()
  for (const row of due) {
    const builtOn = [
      ...row.after.filter((key) => byKey.has(key)),
      ...(row.behind ?? []).filter((key) => isOnItsWay(byKey.get(key))),
    ]
    const waitsFor = row.call === 'entry.submit' ? [...builtOn, ...(going.get(row.patientId) ?? [])] : builtOn
    const [first, ...others] = new Set(waitsFor.map((key) => runOf.get(key)))
    if (waitsFor.length > 0 && (first === undefined || others.length > 0)) {
      // The row builds on something that does not go now, or on two runs: it goes once those are through.
      continue
    }
    const run = first ?? []
    if (first === undefined) runs.push(run)
    run.push(row)
    runOf.set(row.key, run)
    const ofPatient = going.get(row.patientId)
    if (ofPatient === undefined) going.set(row.patientId, [row.key])
    else ofPatient.push(row.key)
  }
  return runs
}
