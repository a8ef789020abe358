import { endsSession, errorKind } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { parseScope } from '#core/sync/protocol/scope.ts'
import { noteMoment } from '#offline/db/meta.ts'
import type { Storage } from '#offline/db/open.ts'
import { sendFiles } from '#offline/files/send.ts'
import { isDue } from '#offline/outbox/order.ts'
import { requeueSending } from '#offline/outbox/outbox.ts'
import { releaseOverdue } from '#offline/outbox/reasons.ts'

import { cacheId, openRow } from './cache.ts'
import type { SyncContext } from './context.ts'
import { topUp } from './leases.ts'
import { pullScope } from './pull/pull.ts'
import { push } from './push/push.ts'
import { layReserve, refill } from './pull/refill.ts'
import { reportIfChanged } from './push/report.ts'
import { askForDecided, askForHeld, offerAll, offerForgotten } from './restore.ts'

/**
 * What a cycle did. `withdrawn`: scopes to which the user no longer has a right. `rekeyed`: scopes in which the user
 * now sees more or less of patients than the keys here allow; they are fetched with the new keys. `error`: why the
 * cycle ended early, if it did.
 */
export interface CycleEnd {
  readonly acknowledged: number
  readonly withdrawn: readonly string[]
  readonly rekeyed: readonly string[]
  readonly error: ApiError | null
}

/** How often a cycle sends operations that could go only after those it sent before. */
const PUSH_ROUNDS = 50

/**
 * One sync cycle: sends what can go, fetches every kept scope, fills up the leases of subject numbers. One tab or
 * worker at a time runs it (a Web Lock). Correctness does not depend on that lock but on the keys of the operations.
 */
export async function runCycle(context: SyncContext): Promise<Result<CycleEnd, ApiError>> {
  const started = await context.storage.run(({ work }) => noteMoment(work, { syncing: true }))
  if (!started.ok) return started
  // Lays the reserve, so that on a full disk there is something to give up. Where there is no room for it now, a later
  // cycle tries again.
  await layReserve(context)
  const end = await cycle(context)
  const paused = end.ok ? { paused: pauseOf(end.value.error) } : {}
  const ended = await context.storage.run(({ work }) =>
    noteMoment(work, { syncing: false, pullProgress: null, ...paused }),
  )
  return ended.ok ? end : ended
}

async function cycle(context: SyncContext): Promise<Result<CycleEnd, ApiError>> {
  // Only the holder of the lock sends, so a row that is still `sending` was left by an app that died.
  const requeued = await requeueSending(context.storage)
  if (!requeued.ok) return requeued
  const released = await releaseOverdue(context.storage, context.now())
  if (!released.ok) return released
  const forgotten = await offerForgotten(context)
  if (!forgotten.ok) return forgotten
  let acknowledged = 0
  let failure: ApiError | null = null
  for (let round = 0; round < PUSH_ROUNDS; round += 1) {
    const pushed = await push(context)
    if (!pushed.ok) return pushed
    acknowledged += pushed.value.acknowledged
    if (pushed.value.restored !== null) {
      // What was done first goes first: in the next round, before what was not sent yet.
      const offered = await offerAll(context, pushed.value.restored)
      if (!offered.ok) return offered
      continue
    }
    failure = pushed.value.stopped
    // A server whose disk is full can still be read.
    if (failure?.code === 'server_full') break
    if (failure !== null) return ok({ acknowledged, withdrawn: [], rekeyed: [], error: failure })
    if (pushed.value.acknowledged === 0) break
  }
  const kept = await context.storage.run(({ work }) => work.kept.where('userId').equals(context.userId).toArray())
  if (!kept.ok) return kept
  const withdrawn: string[] = []
  const rekeyed: string[] = []
  // The project's common scope comes first (its text is shorter): without its definitions no page could be shown.
  for (const { scope } of kept.value.toSorted((a, b) => a.scope.length - b.scope.length)) {
    if (!context.ring.has(scope)) continue
    const pulled = await pullScope(context, scope)
    if (pulled.ok && pulled.value === 'keys') {
      rekeyed.push(scope)
      continue
    }
    const filled = pulled.ok ? await topUp(context, scope) : pulled
    const done = filled.ok ? await refill(context, scope) : filled
    if (done.ok) continue
    const { code } = done.error
    if (!pulled.ok && (code === 'forbidden' || code === 'not_found')) withdrawn.push(scope)
    else if (errorKind(code) === 'local') return done
    else if (errorKind(code) === 'transport' || endsSession(code))
      return ok({ acknowledged, withdrawn, rekeyed, error: done.error })
    // A scope that cannot be read or served does not keep the others from being fetched.
    else failure ??= done.error
  }
  const asked = await askForWhatWaited(
    context,
    kept.value.map(({ scope }) => scope),
  )
  if (!asked.ok) return asked
  // What people entered has gone, and what they need has come: now the large files go.
  if (failure?.code !== 'server_full') {
    const files = await sendFiles(context, () => sendWaiting(context))
    if (!files.ok) return files
    failure ??= files.value.error
  }
  const reported = await reportIfChanged(context)
  return reported.ok ? ok({ acknowledged, withdrawn, rekeyed, error: failure }) : reported
}

/**
 * What was entered while a file is being sent goes between two of its pieces. Gives the error that keeps operations
 * from going.
 */
async function sendWaiting(context: SyncContext): Promise<Result<ApiError | null, ApiError>> {
  const { storage, now } = context
  const waiting = await storage.run(async ({ work }) =>
    (await work.outbox.where('state').anyOf('queued', 'retry').toArray()).some((row) => isDue(row, now())),
  )
  if (!waiting.ok) return waiting
  if (!waiting.value) return ok(null)
  const pushed = await push(context)
  return pushed.ok ? ok(pushed.value.stopped) : pushed
}

/**
 * Asks what became of waiting work: projects that go on have applied what they held, projects that ended have it in
 * their inbox, and people decide what is there.
 */
async function askForWhatWaited(context: SyncContext, scopes: readonly string[]): Promise<Result<true, ApiError>> {
  for (const scope of scopes) {
    if (parseScope(scope)?.kind !== 'project') continue
    const project = await context.storage.run(async ({ cache }) => {
      const row = await cache.rows.get([
        scope,
        'project',
        cacheId(context.ring, context.userId, scope, 'project', scope),
      ])
      return row === undefined ? null : openRow(context.ring, 'project', row)
    })
    if (!project.ok) return project
    const decided = await askForDecided(context, scope)
    if (!decided.ok) return decided
    if (project.value === null || project.value.projectStatus === 'stop') continue
    const asked = await askForHeld(context, scope)
    if (!asked.ok) return asked
  }
  return ok(true)
}

function pauseOf(error: ApiError | null): 'signed_out' | 'client_too_old' | 'server_full' | null {
  if (error === null) return null
  if (error.code === 'client_too_old' || error.code === 'server_full') return error.code
  return endsSession(error.code) || ['client_unknown', 'password_change_required'].includes(error.code)
    ? 'signed_out'
    : null
}

/** Ends all waits: the network is back, the app has the focus again, or a person asks. */
export function resetWaits(storage: Storage): Promise<Result<number, ApiError>> {
  return storage.run(({ work }) =>
    work.transaction('rw', work.files, work.outbox, async () => {
      await work.files.where('state').equals('unsent').modify({ nextAt: 0, attempts: 0 })
      return work.outbox.where('state').equals('retry').modify({ nextAt: 0, attempts: 0 })
    }),
  )
}
