import * as z from 'zod/mini'
import { wireError } from '#core/wire/wireError.ts'
import { id, instant, json, text } from '#core/wire/shapes.ts'
import { lostPlace } from '#core/sync/protocol/lostPlace.ts'
import { receipt } from '#core/sync/protocol/operation.ts'
import type { Operation } from '#core/sync/protocol/operation.ts'

/** `POST /api/edc/sync/push`: many operations in one envelope, answered one by one as they commit. */

/** Largest compressed envelope, in bytes, and how many may be under way. */
export const PUSH_MAX_BYTES = 128 * 1024
export const PUSH_PARALLEL = 3
/**
 * An operation that takes more than an envelope may goes by itself, and may take so much: what was entered in one page
 * must find its way.
 */
export const PUSH_ONE_MAX_BYTES = 2 * 1024 * 1024

/** What a device says of itself with every push. */
export const deviceReport = z.object({
  /** Operations and files not yet acknowledged, per scope, with the time the oldest was made. */
  unsent: z.array(z.object({ scope: text(120), count: z.int().check(z.minimum(0)), oldest: z.nullable(instant) })),
  clockDriftMs: z.nullable(z.number()),
  appVersion: text(40),
  sentAt: instant,
  /** Of the unsent operations, how many the server has refused and a person has to look at. */
  refused: z.optional(z.int().check(z.minimum(0))),
  /** Pages with typing that is in no operation yet. */
  drafts: z.optional(z.int().check(z.minimum(0))),
  storage: z.optional(z.nullable(z.object({ usedBytes: z.number(), quotaBytes: z.number(), persisted: z.boolean() }))),
})
export type DeviceReport = z.infer<typeof deviceReport>

export const pushRequest = z.object({
  deviceId: id,
  report: deviceReport,
  /**
   * Operations, each checked by `operation` on its own: one that is malformed is answered alone and holds back no
   * other.
   */
  ops: z.array(json).check(z.maxLength(500)),
  /**
   * What the device takes for the server's epoch, of every scope in the envelope. Where it is another, nothing is taken
   * and the end line says so.
   */
  epochs: z.optional(z.array(text(40)).check(z.maxLength(100))),
  /** By key, where operations stood in a history that the server has forgotten. No proof covers it. */
  former: z.optional(z.record(id, lostPlace)),
  /**
   * By key, what the server had once answered to an operation and may have forgotten since (it was restored from a
   * backup): the subject number that it gave to a patient. No proof covers it; it is followed where that takes nothing
   * from anybody.
   */
  hints: z.optional(z.record(id, z.object({ no: text(60) }))),
  /**
   * Projects of which the device pulls nothing, and still has what was sent: the end line says of them what a pull says
   * (`durable`).
   */
  keeps: z.optional(z.array(id).check(z.maxLength(100))),
})
export type PushRequest = Omit<z.infer<typeof pushRequest>, 'ops'> & { readonly ops: readonly Operation[] }

/**
 * One line of the answer. `taken`: in the server's database, with its receipt and what else the call's own result says.
 * `refused`: nothing was written; the error says whether a retry makes sense (`isRetryable`).
 */
export const pushAnswer = z.discriminatedUnion('t', [
  z.object({ t: z.literal('taken'), key: id, receipt, result: json }),
  z.object({ t: z.literal('refused'), key: id, error: wireError }),
  /**
   * `durable`: of the projects in `keeps`, the change number up to which no restore of a backup can forget anything.
   * Absent from older servers.
   */
  z.object({ t: z.literal('end'), serverTime: instant, epoch: text(40), durable: z.optional(z.record(id, z.int())) }),
])
export type PushAnswer = z.infer<typeof pushAnswer>
