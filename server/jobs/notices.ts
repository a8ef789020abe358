import {
  endEarlierDays,
  morningOf,
  projectsBefore,
  takeDay,
  tellOverdue,
  tellVisits,
} from '#server/areas/notice/morning.ts'
import { ENDS_SOON_DAYS } from '#server/areas/notice/titles.ts'
import { countVisitsDue } from '#server/areas/visit/dueToday.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import { tellByMessage } from '#server/jobs/noticeMessages.ts'
import type { TellingServices } from '#server/jobs/noticeMessages.ts'
import { startRounds } from '#server/jobs/rounds.ts'
import type { Services } from '#server/services.ts'

/** Notices that nobody's act writes, and messages about all (docs/adr/0047-notices.md). */

const EVERY_MS = 30_000

type MorningServices = Pick<Services, 'pool' | 'log' | 'now'>

/** Rounds that go on until they are stopped; `stop` waits for the round under way. */
export function startNotices(services: TellingServices, everyMs = EVERY_MS): { stop(): Promise<void> } {
  const rounds = { everyMs, first: 'at once' as const, failed: 'notices were not looked through' }
  return startRounds(services, rounds, async (stopped) => {
    await tellMorning(services, stopped)
    await tellByMessage(services, stopped)
  })
}

/**
 * Writes what the day tells in each project that has not had it. Several servers may try: the first one takes the day,
 * in the transaction that writes.
 */
export async function tellMorning({ pool, log, now }: MorningServices, stopped?: AbortSignal): Promise<void> {
  const at = now()
  const day = morningOf(at)
  if (day === null) return
  const projects = await withConnection(pool, async (connection) => {
    await endEarlierDays(connection, day, at)
    return projectsBefore(connection, day)
  })
  for (const projectId of projects) {
    if (stopped?.aborted === true) return
    try {
      await withTransaction(pool, async (transaction) => {
        if (!(await takeDay(transaction, projectId, day))) return
        await tellOverdue(transaction, { projectId, day, at })
        const visits = await countVisitsDue(transaction, { projectId, day, soonDays: ENDS_SOON_DAYS })
        await tellVisits(transaction, { projectId, day, at }, visits)
      })
    } catch (error) {
      // The next round tries this project again; the others have their notices.
      log.error({ error, projectId }, 'the notices of a morning were not written')
    }
  }
}
