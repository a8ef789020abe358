import * as z from 'zod/mini'
import { hash, id, instant, json, pass, text } from '#core/wire/shapes.ts'

/**
 * The operation: one thing a person did, as it waits in a tablet's outbox, travels in a push and is booked by the
 * server (docs/adr/0002-operation-and-receipt.md). Once sent it is immutable.
 */

/** Calls that may wait in the outbox. Their handlers are the same whether they come alone or in a push. */
export const queueableCalls = [
  'patient.save',
  'patient.update',
  'patient.remove',
  'visit.save',
  'visit.update',
  'visit.remove',
  'folder.config',
  'folder.remove',
  'entry.save',
  'entry.smartSave',
  'entry.submit',
  'entry.insert',
  'entry.smartInsert',
  'entry.delete',
  'conflict.resolve',
  'query.raise',
  'query.act',
] as const
export type QueueableCall = (typeof queueableCalls)[number]

export const operation = z.object({
  /** Idempotency key, UUIDv7 made on the device when the row was queued. */
  key: id,
  call: z.enum(queueableCalls),
  /**
   * The person who acted. Another signed-in person may carry the operation; the server books it for the author whom the
   * proof shows.
   */
  author: id,
  deviceId: id,
  /** Sequence number in the device's outbox. It shows gaps, and never orders operations of several devices. */
  seq: z.int().check(z.minimum(1)),
  projectId: id,
  centerId: z.nullable(id),
  /** Version that was on screen when the person acted; the operation is checked under this version. */
  crfVersionId: z.nullable(id),
  pass,
  /** The patient, visit or entry that the call writes. */
  entityId: id,
  /** Keys of unsent operations on which this one builds; it is applied only after them. */
  after: z.array(id).check(z.maxLength(8)),
  acted: z.object({
    /** The tablet's clock, as UTC. */
    at: instant,
    /** Minutes east of UTC on the tablet. */
    offsetMinutes: z.int().check(z.minimum(-1080), z.maximum(1080)),
    /** Tablet clock minus server clock at the last contact, in milliseconds; null before the first contact. */
    driftMs: z.nullable(z.number()),
  }),
  appVersion: text(40),
  protocol: z.int().check(z.minimum(1), z.maximum(1_000_000)),
  /** Body of the call; its own schema checks it. */
  body: json,
  /** HMAC-SHA-256, base64url, over `provenText` under the key of (author, device). */
  proof: z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/)),
})
export type Operation = z.infer<typeof operation>

/** Why an operation was taken in but not applied: a person decides (docs/adr/0003-conflict-and-inbox.md). */
export const inboxReasons = [
  'project_closed',
  'right_withdrawn',
  'center_changed',
  'frozen',
  'locked',
  'no_place_in_version',
  'device_blocked',
  /** Its author has entered the other pass of the patient. */
  'other_pass',
] as const
export type InboxReason = (typeof inboxReasons)[number]

/** What became of an operation. */
export const outcome = z.enum([
  /** All of it is in the data. */
  'applied',
  /** Taken; some items collided with another person's and are kept as conflict records. */
  'conflict',
  /** Taken and kept until the paused project goes on. */
  'held',
  /** Taken into the inbox for a decision. */
  'inbox',
])
export type Outcome = z.infer<typeof outcome>

/** The server's word that an operation is in its database. Stored with the key in the transaction of its effect. */
export const receipt = z.object({
  key: id,
  outcome,
  reason: z.nullable(z.enum(['project_stopped', ...inboxReasons])),
  projectId: id,
  /** Change number in the project, and head of the project's hash chain after this operation. */
  seq: z.int(),
  head: hash,
  payloadHash: hash,
  receivedAt: instant,
})
export type Receipt = z.infer<typeof receipt>
