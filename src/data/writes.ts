import { fail } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import { entryId, newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { entryDataText } from '#core/sync/entryData.ts'
import { draftsUpTo } from '#offline/draft/journal.ts'
import type { DraftOf } from '#offline/draft/journal.ts'
import { enqueue } from '#offline/outbox/outbox.ts'
import type { Along, Author } from '#offline/outbox/outbox.ts'
import { sha256Hex } from '#offline/bytes.ts'
import { takeNumber } from '#offline/sync/leases.ts'

import type { DataContext } from './context.ts'
import { heldOps, keptCenters, localPatient, opened, outboxRows } from './local.ts'
import { patientWith } from './overlay.ts'
import type { CenterScope } from './local.ts'
import type { Enrolled } from './source.ts'
import type { EnrolInput, EntrySave, SavedWrite } from './types.ts'

/** What people do, made durable on this device: each resolves when it is on the disk. */

/** How often an enrolment takes another number because a tab beside took the same. */
const NUMBER_ATTEMPTS = 5

export async function enrol(context: DataContext, input: EnrolInput): Promise<Result<Enrolled, ApiError>> {
  const author = context.author()
  if (author === null) return err({ code: 'vault_locked' })
  const { projectId, centerId } = input
  const kept = await context.storage.run(() => keptCenters(context, projectId))
  if (!kept.ok) return kept
  const scope = kept.value.find((one) => one.centerId === centerId)
  if (scope === undefined) return err({ code: 'not_kept' })
  for (let tried = 0; tried < NUMBER_ATTEMPTS; tried += 1) {
    const number = await takeNumber(context.storage, author.ring, scope.text, centerId)
    if (!number.ok) return number
    const taken = number.value
    const enrolled = await enrolAs(context, author, input, scope, taken?.no ?? null, taken === null ? {} : { lease: taken })
    if (enrolled.ok || enrolled.error.code !== 'revision_changed') return enrolled
  }
  return err({ code: 'busy' })
}

async function enrolAs(
  context: DataContext,
  author: Author,
  input: EnrolInput,
  scope: CenterScope,
  no: string | null,
  along: Along,
): Promise<Result<Enrolled, ApiError>> {
  const { projectId, centerId, initials, sex, enrolledOn, identity } = input
  const id = newId()
  // The last digits of a UUIDv7 are random: two tablets seldom show one mark, and nothing depends on it.
  const mark = id.slice(-4).toUpperCase()
  const queued = await enqueue(
    context.storage,
    author,
    {
      call: 'patient.save',
      scope: scope.text,
      projectId,
      centerId,
      crfVersionId: null,
      pass: scope.pass,
      entityId: id,
      patientId: id,
      body: { id, projectId, centerId, no, mark, initials, sex, enrolledOn, identity },
    },
    along,
  )
  if (!queued.ok) return queued
  context.kickSync()
  return ok({ patientId: id, no })
}

/** Saves or submits a page: outbox row and journal in one transaction. What cannot be written stays on the screen and is tried again. */
export async function save(context: DataContext, projectId: string, call: 'entry.save' | 'entry.submit', input: EntrySave): Promise<SavedWrite> {
  const author = context.author()
  if (author === null) return { ok: false, error: { code: 'vault_locked' } }
  const { target, versionId, items, rows, journal, seen } = input
  const id = entryId(target)
  // Everything journalled up to here is in what the screen hands over.
  const saved = await context.journal.save(id, async (upTo) => {
    const scope = await context.storage.run(() => scopeOf(context, projectId, target.patientId))
    if (!scope.ok) return scope
    const drafts = await context.storage.run(() => draftsUpTo(context.storage, id, context.journal.runtime, upTo))
    if (!drafts.ok) return drafts
    return enqueue(
      context.storage,
      author,
      {
        call,
        scope: scope.value.text,
        projectId,
        centerId: scope.value.centerId,
        crfVersionId: versionId,
        pass: target.pass,
        entityId: id,
        patientId: target.patientId,
        body: { target, items, rows, journal, seen: seen === null ? null : await sha256Hex(entryDataText(seen)) } as unknown as JsonValue,
      },
      { drafts: drafts.value },
    )
  })
  if (!saved.ok) return saved
  context.kickSync()
  return { ok: true, at: saved.value.at, order: saved.value.order }
}

/** Where a patient's typing belongs. Looked up once per patient, because a keystroke must not wait. */
export class DraftPlaces {
  readonly #context: DataContext
  readonly #scopes = new Map<string, Promise<Result<CenterScope, ApiError>>>()

  constructor(context: DataContext) {
    this.#context = context
  }

  async of(projectId: string, versionId: string, target: EntryTarget): Promise<Result<DraftOf, ApiError>> {
    const { patientId } = target
    const known = this.#scopes.get(patientId) ?? this.#context.storage.run(() => scopeOf(this.#context, projectId, patientId))
    this.#scopes.set(patientId, known)
    const scope = await known
    if (!scope.ok) {
      this.#scopes.delete(patientId)
      return scope
    }
    return ok({ entryId: entryId(target), patientId, scope: scope.value.text, projectId, versionId, target })
  }
}

/**
 * The kept scope of a patient's center.
 *
 * @throws ApiFailure `not_kept` where this device does not keep it.
 */
async function scopeOf(context: DataContext, projectId: string, patientId: string): Promise<CenterScope> {
  const rows = (await outboxRows(context, patientId)).filter(({ call }) => call === 'patient.save')
  const unsent = [...(await heldOps(context, patientId)), ...(await opened(context, rows))]
  const patient = patientWith(await localPatient(context, patientId), unsent)
  const scope = (await keptCenters(context, projectId)).find(({ centerId }) => centerId === patient?.centerId)
  if (scope === undefined) throw fail('not_kept')
  return scope
}
