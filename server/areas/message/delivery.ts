import type { MessageReason } from '#core/api/patientMessage.ts'

/**
 * The result of an attempt to send a message. `later`: the message was certainly not accepted, and may be tried
 * again.
 */
export type Delivery =
  | { readonly kind: 'sent' }
  | { readonly kind: 'later'; readonly why: Extract<MessageReason, 'unreachable' | 'busy' | 'sign_in'> }
  | { readonly kind: 'failed'; readonly why: Extract<MessageReason, 'refused' | 'uncertain'> }

/** A message and its address. The id is the same in each attempt, so that the gateway recognises a repeated one. */
export interface Outgoing {
  readonly id: string
  readonly to: string
  readonly content: string
  /** Of an e-mail; that of messages to patients where it is absent. */
  readonly subject?: string
  /** Of an e-mail: the same as HTML, for who reads it so. */
  readonly html?: string
}
