import { fail } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import { FIRST_REPEAT, entryId, visitId } from '#core/derivedIds.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { entryDataText } from '#core/sync/entryData.ts'
import { sha256Hex } from '#offline/bytes.ts'
import type { DraftOf } from '#offline/draft/journal.ts'
import type { PlannedOperation } from '#offline/outbox/plannedOperation.ts'
import { enqueue, prepare } from '#offline/outbox/outbox.ts'
import type { Prepared } from '#offline/outbox/outbox.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import {
  centerOf,
  centersHere,
  readTakenOperations,
  localPatient,
  openOperations,
  outboxRows,
} from '#src/data/rows/local.ts'
import type { CenterScope } from '#src/data/rows/local.ts'
import { patientWith } from '#src/data/rows/overlay.ts'
import type { EntrySave, SavedWrite } from '#src/data/shapes/types.ts'

/** What people do, made durable on this device: each call resolves when it is on the disk. */

type SaveCall = 'entry.save' | 'entry.submit'

/**
 * Saves or submits a page: outbox row and journal in one transaction. What cannot be written stays on the screen and is
 * tried again.
 */
export async function save(
  context: DataContext,
  places: DraftPlaces,
  projectId: string,
  call: SaveCall,
  input: EntrySave,
): Promise<SavedWrite> {
  const author = context.author()
  if (author === null) return { ok: false, error: { code: 'vault_locked' } }
  const ready = call === 'entry.save' ? preparedSaves.get(input) : undefined
  // Everything journalled so far in that opening of the page is in what the screen hands over.
  const saved = await context.journal.save(
    entryId(input.target),
    async (drafts) => {
      const prepared = await ready
      if (prepared?.author === author.userId)
        return enqueue(context.storage, author, prepared.draft, { drafts }, prepared.operation)
      const draft = await draftOf(places, projectId, call, input)
      return draft.ok ? enqueue(context.storage, author, draft.value, { drafts }) : draft
    },
    input.opening,
  )
  if (!saved.ok) return saved
  context.kickSync()
  return { ok: true, at: saved.value.at, order: saved.value.order }
}

interface PreparedSave {
  readonly author: string
  readonly draft: PlannedOperation
  readonly operation: Prepared
}

const preparedSaves = new WeakMap<EntrySave, Promise<PreparedSave | null>>()

/** Makes the operation of a save that is about to come, so that the save takes no longer than the disk. */
export function prepareSave(context: DataContext, places: DraftPlaces, projectId: string, input: EntrySave): void {
  const author = context.author()
  if (author === null) return
  const making = async (): Promise<PreparedSave | null> => {
    const draft = await draftOf(places, projectId, 'entry.save', input)
    const operation = draft.ok ? await prepare(context.storage, author, draft.value) : draft
    // What cannot be prepared now is made when it is needed, and its failure is reported then.
    return draft.ok && operation.ok ? { author: author.userId, draft: draft.value, operation: operation.value } : null
  }
  preparedSaves.set(input, making())
}

export async function draftOf(
  places: DraftPlaces,
  projectId: string,
  call: SaveCall,
  input: EntrySave,
): Promise<Result<PlannedOperation, ApiError>> {
  const {
    target,
    versionId,
    items,
    rows,
    journal,
    seen,
    progress,
    confirms = [],
    sound,
    submittedOnce = false,
    calculated = new Set(),
  } = input
  const { folderId, folderRepeat, pageId, pageRepeat } = target
  const scope = await places.scopeOf(projectId, target.patientId)
  if (!scope.ok) return scope
  return ok({
    call,
    scope: scope.value.text,
    projectId,
    centerId: scope.value.centerId,
    crfVersionId: versionId,
    pass: target.pass,
    entityId: entryId(target),
    patientId: target.patientId,
    ...madeVisitOf(target),
    submittedOnce,
    calculated,
    mark: { folderId, folderRepeat, pageId, pageRepeat, progress, ...(sound === undefined ? {} : { sound }) },
    body: {
      target,
      items,
      rows,
      journal,
      seen: seen === null ? null : await sha256Hex(entryDataText(seen)),
      confirms,
    },
  })
}

/** The visit that a page's saves build on; none for a visit that the schedule itself defines. */
function madeVisitOf(target: EntryTarget): { readonly visitId?: string } {
  return target.folderRepeat === FIRST_REPEAT ? {} : { visitId: visitId(target) }
}

/**
 * How long a patient's place counts as known. A patient who was moved belongs to the other center from the next lookup
 * on.
 */
const PLACE_FRESH_MS = 5000

/**
 * Where a patient's typing belongs. The place stays known for a while after it was looked up, because neither a
 * keystroke nor a save may wait. If a patient leaves this device while a page of theirs is open, the place stays: what
 * is typed there still reaches the server, which keeps it for a decision.
 */
export class DraftPlaces {
  readonly #context: DataContext
  readonly #scopes = new Map<string, { readonly at: number; readonly scope: Promise<Result<CenterScope, ApiError>> }>()
  readonly #last = new Map<string, CenterScope>()

  constructor(context: DataContext) {
    this.#context = context
  }

  async of(projectId: string, versionId: string, target: EntryTarget): Promise<Result<DraftOf, ApiError>> {
    const { patientId } = target
    const scope = await this.scopeOf(projectId, patientId)
    return scope.ok
      ? ok({ entryId: entryId(target), patientId, scope: scope.value.text, projectId, versionId, target })
      : scope
  }

  /** The place as it was last looked up; null where it never was. */
  known(projectId: string, versionId: string, target: EntryTarget): DraftOf | null {
    const scope = this.#last.get(target.patientId)
    return scope === undefined || scope.projectId !== projectId
      ? null
      : { entryId: entryId(target), patientId: target.patientId, scope: scope.text, projectId, versionId, target }
  }

  /** The kept scope of a patient's center. */
  async scopeOf(projectId: string, patientId: string): Promise<Result<CenterScope, ApiError>> {
    const now = performance.now()
    const known = this.#scopes.get(patientId)
    if (known !== undefined && now - known.at < PLACE_FRESH_MS) return known.scope
    const scope = this.#lookUp(projectId, patientId)
    this.#scopes.set(patientId, { at: now, scope })
    const found = await scope
    if (!found.ok) this.#scopes.delete(patientId)
    return found
  }

  async #lookUp(projectId: string, patientId: string): Promise<Result<CenterScope, ApiError>> {
    const found = await this.#context.storage.run(() => scopeOf(this.#context, projectId, patientId))
    if (found.ok) this.#last.set(patientId, found.value)
    const last = this.#last.get(patientId)
    return !found.ok && found.error.code === 'not_kept' && last !== undefined ? ok(last) : found
  }
}

/**
 * The kept scope of a patient's center.
 *
 * @throws ApiFailure `not_kept` where this device does not keep it.
 */
async function scopeOf(context: DataContext, projectId: string, patientId: string): Promise<CenterScope> {
  const rows = (await outboxRows(context, patientId)).filter(({ call }) => call === 'patient.save')
  const unsent = [...(await readTakenOperations(context, patientId)), ...(await openOperations(context, rows))]
  const patient = patientWith(await localPatient(context, patientId), unsent)
  const scope = centerOf(await centersHere(context, projectId), patient)
  if (scope === undefined) throw fail('not_kept')
  return scope
}
