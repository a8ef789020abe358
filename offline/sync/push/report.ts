import type { ApiError } from '#core/api/errors.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { pushAnswer } from '#core/api/sync/push.ts'
import type { DeviceReport, PushRequest } from '#core/api/sync/push.ts'
import { getMeta, setMeta } from '#offline/db/meta.ts'
import { SILENCE_MS } from '#offline/sync/context.ts'
import type { SyncContext } from '#offline/sync/context.ts'
import { letGo, projectsLeft } from '#offline/sync/letGo.ts'
import { gzip, readLines } from '#offline/net/request.ts'
import { onlyHere } from '#offline/files/onlyHere.ts'
import { readOutboxLines } from '#offline/outbox/outboxLines.ts'
import { sendPush } from './send.ts'

/** What a device reports to the server about itself, so that those who look after it know what is still on it. */

/** Most projects in one report; others are asked about the next time. */
const MOST_PROJECTS = 100

/** For how long an unchanged report stays valid. */
const REPORT_EVERY_MS = 30 * 60_000

/**
 * What is on the device now. Operations that a person set aside or that a newer save took over do not count, because
 * they will not be sent.
 */
export function deviceReport(context: SyncContext): Promise<Result<DeviceReport, ApiError>> {
  const { storage, appVersion, now, storageUse } = context
  return storage.run(async ({ work }) => {
    const rows = await readOutboxLines({ work })
    const files = (await onlyHere(work)).map(({ scope, takenAt }) => ({ scope, actedAt: takenAt }))
    const drafts = await work.drafts.orderBy('entryId').uniqueKeys()
    return {
      unsent: [...Map.groupBy([...rows, ...files], ({ scope }) => scope)].map(([scope, group]) => ({
        scope,
        count: group.length,
        oldest: group.map(({ actedAt }) => actedAt).toSorted()[0] ?? null,
      })),
      clockDriftMs: (await getMeta(work, 'driftMs')) ?? null,
      appVersion,
      sentAt: new Date(now()).toISOString(),
      refused: rows.filter(({ state }) => state === 'rejected').length,
      drafts: drafts.length,
      storage: (await storageUse?.()) ?? null,
    }
  })
}

/** Notes what the server was told. If the note cannot be stored, the next report stores it. */
export async function noteReported({ storage }: SyncContext, report: DeviceReport): Promise<void> {
  await storage.run(({ work }) => setMeta(work, 'reported', { said: saidIn(report), at: report.sentAt }))
}

/**
 * Reports to the server what is on the device, where that has changed since the last report or the last report is old.
 * A push changes what was true before it, and a device with nothing to send would otherwise never report.
 */
export async function reportIfChanged(context: SyncContext): Promise<Result<true, ApiError>> {
  const report = await deviceReport(context)
  if (!report.ok) return report
  const last = await context.storage.run(({ work }) => getMeta(work, 'reported'))
  if (!last.ok) return last
  const age = last.value === undefined ? Infinity : Math.abs(context.now() - Date.parse(last.value.at))
  if (last.value?.said === saidIn(report.value) && age < REPORT_EVERY_MS) return ok(true)
  const left = await context.storage.run(({ work }) => projectsLeft(work, context.userId))
  if (!left.ok) return left
  const keeps = left.value.slice(0, MOST_PROJECTS)
  const request: PushRequest = {
    deviceId: context.deviceId,
    report: report.value,
    ops: [],
    ...(keeps.length === 0 ? {} : { keeps }),
  }
  const answer = await sendPush(context, await gzip(JSON.stringify(request)))
  // Nothing depends on this report: the next cycle sends it.
  if (!answer.ok) return ok(true)
  for await (const line of readLines(answer.value, SILENCE_MS)) {
    if (!line.ok) return ok(true)
    const gone = await letGoOfLeft(context, line.value)
    if (!gone.ok) return gone
  }
  await noteReported(context, report.value)
  return ok(true)
}

/** Lets go of operations of projects of which nothing is pulled here, as the end line of the answer allows. */
async function letGoOfLeft(context: SyncContext, line: unknown): Promise<Result<true, ApiError>> {
  const said = pushAnswer.safeParse(line)
  if (!said.success || said.data.t !== 'end') return ok(true)
  const { epoch, durable = {} } = said.data
  for (const [projectId, seq] of Object.entries(durable)) {
    const gone = await letGo(context, projectId, epoch, seq)
    if (!gone.ok) return gone
  }
  return ok(true)
}

/** The part of a report whose change is worth a new report. */
function saidIn({ unsent, refused, drafts }: DeviceReport): string {
  return JSON.stringify([unsent.toSorted((a, b) => (a.scope < b.scope ? -1 : 1)), refused, drafts])
}
