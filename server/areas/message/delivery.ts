import type { MessageReason } from '#core/api/patientMessage.ts'

/** What became of an attempt to send a message. `later`: it was surely not taken, and may be tried again. */
export type Delivery =
  | { readonly kind: 'sent' }
  | { readonly kind: 'later'; readonly why: Extract<MessageReason, 'unreachable' | 'busy' | 'sign_in'> }
  | { readonly kind: 'failed'; readonly why: Extract<MessageReason, 'refused' | 'uncertain'> }

/** What is sent, and where to. The id is the same each time, so that a second one is known to whoever has the first. */
export interface Outgoing {
  readonly id: string
  readonly to: string
  readonly content: string
}
