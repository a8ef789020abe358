import { entryId } from '#core/derivedIds.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { QueueableCall } from '#core/sync/protocol/operation.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import type { DraftOp } from '#offline/outbox/draftOp.ts'
import { enqueue } from '#offline/outbox/outbox.ts'
import type { Author } from '#offline/outbox/outbox.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import type { Tablet } from '#tests/scenarios/support/ward.ts'
import type { World } from '#tests/server/support/world.ts'

/** What people do that no screen of the ward offers yet: queued as the screens queue. */

/** An act on a patient of the northern center. */
export function patientAct(
  { study }: Pick<World, 'study'>,
  call: Extract<QueueableCall, `patient.${string}`>,
  patientId: string,
  body: object,
): DraftOp {
  const { projectId, north } = study
  const scope = scopeText({ kind: 'center', projectId, centerId: north, pass: 1 })
  const common = { scope, projectId, centerId: north, pass: 1 as const, patientId }
  return { ...common, call, crfVersionId: null, entityId: patientId, body: body as JsonValue }
}

/** An act on a page of a patient of the northern center. */
export function pageAct(
  world: Pick<World, 'study'>,
  call: Exclude<QueueableCall, `patient.${string}`>,
  target: EntryTarget,
  body: object,
): DraftOp {
  const draft = patientAct(world, 'patient.update', target.patientId, body)
  return { ...draft, call, crfVersionId: world.study.versionId, entityId: entryId(target) }
}

/** Queues an act at a tablet, in the name of whoever is at work there or of the author given. Gives its key. */
export async function queueAt(tablet: Tablet, draft: DraftOp, author: Author = tablet.author): Promise<string> {
  return valueOf(await enqueue(tablet.storage, author, draft)).key
}
