import * as z from 'zod/mini'
import type { RescueReport } from '#core/api/calls/sync.ts'
import { fail } from '#core/api/errors.ts'
import type { JsonValue } from '#core/json.ts'
import { entryChange, entryTarget } from '#core/sync/entryChange.ts'
import type { LostPlace } from '#core/sync/protocol/lostPlace.ts'
import type { Operation, Outcome } from '#core/sync/protocol/operation.ts'
import { id, text } from '#core/wire/shapes.ts'
import { membership, requirePermission } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { deviceState } from '#server/areas/auth/device.ts'
import { commitProject } from '#server/database/commit.ts'
import type { Stamp } from '#server/database/auditDigest.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import { isOurFault, toApiError } from '#server/http/errors.ts'
import { actOf, parseOperation, wireError } from '#server/operations/deviceOperation.ts'
import type { Sender } from '#server/operations/deviceOperation.ts'
import { takeIn } from '#server/operations/takeIn.ts'
import type { Services } from '#server/services.ts'

import { openRescueFile } from './rescueFile.ts'
import type { RescueContent, RescuedDraft } from './rescueFile.ts'
import { keepDrafts } from './rescueDrafts.ts'
import { rescueNames } from './rescueNames.ts'
import type { Subject } from './rescueNames.ts'

/** A rescue export: the unsent work of a device, brought by hand as a file. */

/**
 * Operations that one call takes in. The next call goes on with the rest, because the server knows the taken ones by
 * their keys.
 */
const MOST_TAKEN = 2000

export interface Rescue {
  readonly projectId: string
  /** The file's text. */
  readonly file: string
  /** Whether the file is taken in, or only looked at. */
  readonly apply: boolean
}

/**
 * Reads a rescue export and, where asked, takes it in. Each operation is taken as if its device had sent it, in its
 * author's name, carried by the person who brings the file. Each operation has its effect once, however often the
 * file comes.
 *
 * @throws ApiFailure forbidden without `device_manage`, not_found, invalid for a text that is no export sealed to
 *   this server
 */
export async function rescue(
  services: Services,
  sender: Sender,
  asked: Rescue,
  stampAs: (role: string) => Stamp,
): Promise<RescueReport> {
  const { projectId, apply } = asked
  const member = await withConnection(services.pool, (connection) => membership(connection, sender.actor, projectId))
  requirePermission(member, 'device_manage')
  const content = openRescueFile(services.secrets, asked.file)
  if (content === null) throw fail('invalid', { fields: [{ path: 'body.file', code: 'unreadable' }] })
  const items = content.operations.map(({ state, operation, former }) =>
    readItem(state, operation, former ?? null, projectId),
  )
  const booked = await bookedBefore(services, items)
  await takeAll(services, sender, content, items, booked, apply)
  const drafts = content.drafts.filter((draft) => draft.projectId === projectId)
  const stamp = stampAs(member.role)
  const keptDrafts = apply ? await keepDrafts(services, member, content.deviceId, drafts, stamp) : 0
  if (apply) await book(services, member, content, items, booked, keptDrafts, stamp)
  return report(services, member, content, drafts, items, booked)
}

/** An operation of the file, with its outcome. */
interface Item {
  readonly raw: JsonValue
  /** Null where the text is no operation. */
  readonly op: Operation | null
  /** The lost place of the operation, in a history that the server has forgotten. */
  readonly lostPlace: LostPlace | null
  outcome: Outcome | null
  error: ReturnType<typeof wireError> | null
}

function readItem(state: string, raw: JsonValue, lostPlace: LostPlace | null, projectId: string): Item {
  try {
    const op = parseOperation(raw)
    // An operation that a person set aside on the tablet, or that a newer save replaced, is only to be read and not to
    // be applied.
    const error =
      op.projectId !== projectId ? { code: 'forbidden' } : state === 'aside' ? { code: 'transition_refused' } : null
    return { raw, op, lostPlace, outcome: null, error }
  } catch (error) {
    return { raw, op: null, lostPlace: null, outcome: null, error: wireError(toApiError(error)) }
  }
}

/**
 * The operations of the file that the server has already, with their outcomes. Another author's operation under the
 * same key does not count.
 */
async function bookedBefore(services: Services, items: readonly Item[]): Promise<ReadonlyMap<string, Outcome>> {
  const { rows } = await withConnection(services.pool, (connection) =>
    connection.query<{ key: string; author: string; outcome: Outcome }>({
      name: 'rescue_booked',
      text: 'SELECT key, author, outcome FROM operation WHERE key = ANY ($1) AND outcome IS NOT NULL',
      values: [items.flatMap(({ op }) => (op === null ? [] : [op.key]))],
    }),
  )
  const authors = new Map(items.flatMap(({ op }) => (op === null ? [] : [[op.key, op.author] as const])))
  return new Map(
    rows.filter(({ key, author }) => authors.get(key) === author).map(({ key, outcome }) => [key, outcome]),
  )
}

/**
 * Checks new operations and, where asked, takes them in, in the order in which they were made and each in its own
 * transaction. A refused operation does not hold back the others.
 */
async function takeAll(
  services: Services,
  sender: Sender,
  content: RescueContent,
  items: readonly Item[],
  booked: ReadonlyMap<string, Outcome>,
  apply: boolean,
): Promise<void> {
  const blocked =
    (await withConnection(services.pool, (connection) => deviceState(connection, content.deviceId))) === 'blocked'
  let tried = 0
  for (const item of items.toSorted((a, b) => (a.op?.seq ?? 0) - (b.op?.seq ?? 0))) {
    const { op } = item
    if (op === null || item.error !== null || booked.has(op.key)) continue
    tried += 1
    try {
      if (tried > MOST_TAKEN) throw fail('busy')
      if (op.deviceId !== content.deviceId) throw fail('proof_wrong')
      const act = await actOf(services, sender, op, { blocked, numberHint: null, lostPlace: item.lostPlace })
      if (apply) item.outcome = (await takeIn(services, act)).receipt.outcome
    } catch (error) {
      if (isOurFault(error)) services.log.error({ error, call: 'sync.rescue' }, 'rescued operation failed')
      item.error = wireError(toApiError(error))
    }
  }
}

async function book(
  services: Services,
  member: Membership,
  { deviceId, exportedBy, exportedAt, operations }: RescueContent,
  items: readonly Item[],
  booked: ReadonlyMap<string, Outcome>,
  drafts: number,
  stamp: Stamp,
): Promise<void> {
  const counts = {
    operations: operations.length,
    taken: items.filter(({ outcome }) => outcome !== null).length,
    known: booked.size,
    refused: items.filter(({ op, error }) => error !== null && (op === null || !booked.has(op.key))).length,
    drafts,
  }
  await withTransaction(services.pool, (transaction) =>
    commitProject(transaction, {
      projectId: member.projectId,
      statuses: ['start', 'process', 'stop', 'close'],
      under: member,
      stamp,
      audit: [{ action: 'device.rescue', new: { deviceId, exportedBy, exportedAt, ...counts } }],
      changes: [],
    }),
  )
}

async function report(
  services: Services,
  member: Membership,
  { deviceId, exportedAt }: RescueContent,
  drafts: RescueContent['drafts'],
  items: readonly Item[],
  booked: ReadonlyMap<string, Outcome>,
): Promise<RescueReport> {
  // For an operation of another project, the report only tells that it exists.
  const own = items.flatMap((item) =>
    item.op !== null && item.op.projectId === member.projectId ? [{ ...item, op: item.op }] : [],
  )
  const subjects = [...own.map(({ op }) => subjectOf(op)), ...drafts.map(subjectOfDraft)]
  const names = await withConnection(services.pool, (connection) => rescueNames(connection, member, subjects))
  const pages = Map.groupBy(drafts, ({ author, entryId }) => `${author} ${entryId}`)
  return {
    deviceId,
    exportedAt,
    operations: items.flatMap(({ raw, op, outcome, error }) => {
      if (op === null) return unreadable(raw, exportedAt, error)
      const shown =
        op.projectId === member.projectId
          ? names(subjectOf(op))
          : { authorName: null, patientNo: null, pageName: null, pageNameEn: null }
      const known = booked.get(op.key)
      return [
        {
          key: op.key,
          call: op.call,
          ...shown,
          actedAt: op.acted.at,
          items: itemsOf(op),
          known: known !== undefined,
          outcome: known ?? outcome,
          error: known === undefined ? error : null,
        },
      ]
    }),
    drafts: [...pages.values()].flatMap((bundles) => {
      const [first] = bundles
      if (first === undefined) return []
      const steps = bundles.reduce((sum, bundle) => sum + bundle.steps.length + bundle.answers.length, 0)
      return [{ ...names(subjectOfDraft(first)), steps }]
    }),
  }
}

/** An operation that cannot be read is listed with the parts of it that can be. */
function unreadable(raw: JsonValue, exportedAt: string, error: Item['error']): RescueReport['operations'] {
  const said = z.object({ key: id, call: text(60) }).safeParse(raw)
  if (!said.success) return []
  return [
    {
      ...said.data,
      authorName: null,
      patientNo: null,
      pageName: null,
      actedAt: exportedAt,
      items: 0,
      known: false,
      outcome: null,
      error,
    },
  ]
}

function subjectOf(op: Operation): Subject {
  const body = op.body as Readonly<Record<string, JsonValue>> | null
  const target = entryTarget.safeParse(body?.['target'])
  const no = op.call === 'patient.save' && typeof body?.['no'] === 'string' ? body['no'] : null
  return {
    author: op.author,
    versionId: op.crfVersionId,
    patientId: target.success
      ? target.data.patientId
      : typeof body?.['patientId'] === 'string'
        ? body['patientId']
        : op.entityId,
    pageId: target.success ? target.data.pageId : null,
    no,
  }
}

function subjectOfDraft({ author, patientId, versionId, target }: RescuedDraft): Subject {
  return { author, patientId, versionId, pageId: target.pageId, no: null }
}

function itemsOf({ body }: Operation): number {
  const change = entryChange.safeParse(body)
  return change.success ? change.data.items.length + change.data.rows.length : 1
}
