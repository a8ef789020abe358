import type { NotCarriedReason } from './definition.ts'

/** A rule of another language in CEL, or why it is not carried. */
export type Translation =
  | { readonly ok: true; readonly cel: string }
  | { readonly ok: false; readonly why: NotCarriedReason; readonly detail: string }

/** Ends the translation of a rule that has no words in CEL. */
export class Untranslatable extends Error {
  readonly why: NotCarriedReason
  constructor(why: NotCarriedReason, detail: string) {
    super(detail)
    this.why = why
  }
}
