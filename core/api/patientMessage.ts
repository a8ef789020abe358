import * as z from 'zod/mini'
import { filledText, id, instant } from '#core/wire/shapes.ts'

/** Messages to patients (docs/adr/0025-messages-to-patients.md): what may be said, and how far each is. */

/** Specification §3: NoticeMessageTypeEnum. `note` is a text message to a mobile phone. */
export const messageKinds = ['note', 'email'] as const
export const messageKind = z.enum(messageKinds)
export type MessageKind = z.infer<typeof messageKind>

/** Longest message, in characters. */
export const MESSAGE_MAX_LENGTH = 1000
/** Most patients that one call writes to. */
export const MESSAGE_MAX_PATIENTS = 500

/**
 * - `waiting`: not sent yet, and tried again by itself. `sent`: the mail server or the gateway has taken it.
 * - `failed`: not tried again. `no_address`: there was nowhere to send it.
 */
export const messageStates = ['waiting', 'sent', 'failed', 'no_address'] as const

/**
 * Why a message failed, or was not sent the last time.
 *
 * - `unreachable`: nobody answered. `busy`: they said to come later. `sign_in`: they do not let this server in.
 * - `refused`: they do not take this message. `uncertain`: the connection broke when all was said; it may have arrived.
 * - `restored`: the server came back from a backup that is older; it may have been sent before. `removed`: the
 *   patient was removed.
 */
export const messageReasons = ['unreachable', 'busy', 'sign_in', 'refused', 'uncertain', 'restored', 'removed'] as const
export type MessageReason = (typeof messageReasons)[number]

export const patientMessage = z.object({
  id,
  kind: messageKind,
  /** Null for readers who may not see what identifies patients, unless they wrote it. */
  content: z.nullable(z.string()),
  state: z.enum(messageStates),
  why: z.nullable(z.enum(messageReasons)),
  /** How often it was tried. */
  tries: z.int(),
  byName: z.string(),
  at: instant,
  /** When it is tried the next time; null when it is not. */
  nextTryAt: z.nullable(instant),
  endedAt: z.nullable(instant),
})
export type PatientMessage = z.infer<typeof patientMessage>

const recipients = z.array(id).check(z.minLength(1), z.maxLength(MESSAGE_MAX_PATIENTS))

export const noticeDraft = z.object({
  projectId: id,
  pushType: messageKind,
  content: filledText(MESSAGE_MAX_LENGTH),
  patientIds: recipients,
})
/** What became of it at once: how many are on their way, and who has no address. */
export const noticeResult = z.object({ waiting: z.int(), noAddress: z.array(id) })

export const noticeWaysAsked = z.object({ projectId: id, patientIds: recipients })
/** Ways that the operator has set up, and which of the patients cannot be reached by each. */
export const noticeWays = z.object({
  ways: z.array(messageKind),
  without: z.object({ note: z.array(id), email: z.array(id) }),
})
export type NoticeWays = z.infer<typeof noticeWays>
