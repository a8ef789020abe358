import { entryId } from '#core/derivedIds.ts'
import type { OperationBody } from '#core/api/sync/operation.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { QueueableCall } from '#core/sync/protocol/operation.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import type { PlannedOperation, PlannedPlace } from '#offline/outbox/plannedOperation.ts'
import { enqueue } from '#offline/outbox/outbox.ts'
import type { Author } from '#offline/outbox/outbox.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import type { Tablet } from '#tests/scenarios/support/ward.ts'
import type { World } from '#tests/server/support/world.ts'

/** What people do that no screen of the ward offers yet: queued as the screens queue. */

/** A draft of one call. */
export type DraftOf<Call extends QueueableCall> = PlannedPlace & {
  readonly call: Call
  readonly body: OperationBody<Call>
}

type PatientCall = Extract<QueueableCall, `patient.${string}`>

/** An act on a patient of the northern center. */
export function patientAct<Call extends PatientCall>(
  world: Pick<World, 'study'>,
  call: Call,
  patientId: string,
  body: OperationBody<Call>,
): DraftOf<Call> {
  return { ...actPlace(world, patientId), call, crfVersionId: null, entityId: patientId, body }
}

/** Where acts on a patient of the northern center belong. */
export function actPlace({ study }: Pick<World, 'study'>, patientId: string) {
  const { projectId, north } = study
  const scope = scopeText({ kind: 'center', projectId, centerId: north, pass: 1 })
  return { scope, projectId, centerId: north, pass: 1 as const, patientId }
}

/** An act on a page of a patient of the northern center. */
export function pageAct<Call extends Exclude<QueueableCall, PatientCall>>(
  world: Pick<World, 'study'>,
  call: Call,
  target: EntryTarget,
  body: OperationBody<Call>,
): DraftOf<Call> {
  const place = actPlace(world, target.patientId)
  return { ...place, call, crfVersionId: world.study.versionId, entityId: entryId(target), body }
}

/** Queues an act at a tablet, in the name of whoever is at work there or of the author given. Gives its key. */
export async function queueAt(
  tablet: Tablet,
  draft: PlannedOperation,
  author: Author = tablet.author,
): Promise<string> {
  return valueOf(await enqueue(tablet.storage, author, draft)).key
}
