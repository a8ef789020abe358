import { newId } from '#core/ids.ts'
import type { MessageKind, NoticeWays, PatientMessage } from '#core/api/patientMessage.ts'
import { messageKinds } from '#core/api/patientMessage.ts'
import { fail } from '#core/api/errors.ts'
import { membership, requirePermission } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { addMessages, addressFor, findRecipients, listMessages } from '#server/areas/message/store.ts'
import type { Recipient } from '#server/areas/message/store.ts'
import type { MessageSettings } from '#server/areas/message/settings.ts'
import { requirePatient } from '#server/areas/entry/reading/read.ts'
import { commitForMember } from '#server/database/commit.ts'
import { sha256 } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'

/** Messages to patients: written here, sent by `server/jobs/messages.ts`. */

/** The ways of sending that the operator has set up. */
export function waysOf(settings: MessageSettings): readonly MessageKind[] {
  return messageKinds.filter((kind) => settings[kind] !== null)
}

/**
 * Messages to a patient. Only their author, and readers who may see what identifies patients, see the text.
 *
 * @throws ApiFailure not_found
 */
export async function messagesOf(
  connection: Queryable,
  member: Membership,
  patientId: string,
): Promise<PatientMessage[]> {
  await requirePatient(connection, member, patientId)
  const messages = await listMessages(connection, patientId)
  return messages.map(({ by, content, ...rest }) => ({
    ...rest,
    content: member.sensitive || by === member.userId ? content : null,
  }))
}

/**
 * How patients can be written to, and which of them cannot.
 *
 * @throws ApiFailure forbidden; not_found where the member does not see one of them
 */
export async function noticeWays(
  connection: Queryable,
  member: Membership,
  settings: MessageSettings,
  patientIds: readonly string[],
): Promise<NoticeWays> {
  requirePermission(member, 'patient_edit')
  const recipients = await recipientsOf(connection, member, patientIds)
  const without = (kind: MessageKind) => recipients.filter((one) => addressFor(kind, one) === null).map(({ id }) => id)
  return { ways: [...waysOf(settings)], without: { note: without('note'), email: without('email') } }
}

/**
 * Takes a message to patients in; from then on it is sent without further action. A patient without an address is
 * booked too.
 *
 * @throws ApiFailure forbidden, not_found, project_stopped, project_closed; message_way_missing for a way that is not
 *   set up
 */
export function sendNotice(context: Write<'patient.sendNotice'>): Promise<{ waiting: number; noAddress: string[] }> {
  const { actor, body, services } = context
  const { projectId, pushType: kind, patientIds } = body
  const content = body.content.trim()
  return runOnce(context, { projectId }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'patient_edit')
    const recipients = await recipientsOf(transaction, member, patientIds)
    if (services.config.messages[kind] === null) throw fail('message_way_missing')
    const at = services.now()
    const messages = recipients.map((recipient) => ({
      id: newId(),
      patientId: recipient.id,
      centerId: recipient.centerId,
      state: addressFor(kind, recipient) === null ? ('no_address' as const) : ('waiting' as const),
    }))
    await addMessages(transaction, messages, { projectId, kind, content, by: actor.userId, at })
    const hash = sha256(content)
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: ['process'],
      audit: messages.map(({ id, patientId, centerId, state }) => ({
        action: 'message.create',
        centerId,
        patientId,
        new: { id, kind, state, hash },
      })),
      changes: [],
    })
    const noAddress = messages.filter(({ state }) => state === 'no_address').map(({ patientId }) => patientId)
    return { committed, result: { waiting: messages.length - noAddress.length, noAddress } }
  })
}

async function recipientsOf(
  connection: Queryable,
  member: Membership,
  patientIds: readonly string[],
): Promise<readonly Recipient[]> {
  const wanted = [...new Set(patientIds)]
  const found = await findRecipients(connection, member, wanted)
  if (found.length < wanted.length) throw fail('not_found')
  return found
}
