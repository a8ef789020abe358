import * as z from 'zod/mini'
import { hash, id, instant, json, pass, prop, text } from '#core/wire/shapes.ts'
import { confirmationGiven } from './confirmation.ts'

/**
 * What a person changed on one page: the body of save, smartSave, insert, smartInsert and submit, on the wire and in
 * the outbox alike (docs/adr/0002-operation-and-receipt.md).
 */

/** Why a value is missing: not done, unknown or not applicable, with a reason in the person's words. */
export const missingReason = z.object({ m: z.enum(['ND', 'UNK', 'NA']), reason: text(500) })
export type MissingReason = z.infer<typeof missingReason>

/** What an item holds: a canonical value (null = empty), and the reason why it is missing, if somebody gave one. */
export const itemContent = z.object({ value: json, missing: z.nullable(missingReason) })
export type ItemContent = z.infer<typeof itemContent>

/** Why a value was changed after it had been submitted. `other` needs text. */
export const changeReason = z
  .object({
    code: z.enum([
      'transcription',
      'new_source',
      'query_answer',
      'clarification',
      'adjudication',
      'import',
      'migration',
      'other',
    ]),
    text: text(1000),
  })
  .check(
    z.refine((reason) => reason.code !== 'other' || reason.text.trim() !== '', { error: 'required', path: ['text'] }),
  )

const address = {
  /** Code of the table field when the item is in a row, else null. */
  table: z.nullable(prop),
  /** `_rid` of the row, else null. */
  rid: z.nullable(id),
  code: prop,
}
export type ChangeReason = z.infer<typeof changeReason>

/** One changed item. `base` is what the change builds on, and decides between merge and conflict. */
export const itemChange = z.object({
  ...address,
  to: itemContent,
  base: itemContent,
  /** 1 while the field is shown, 0 while a rule hides it (its value is kept). */
  isShow: z.union([z.literal(0), z.literal(1)]),
  reason: z.nullable(changeReason),
})
export type ItemChange = z.infer<typeof itemChange>

/**
 * A row's place among the others (`core/form/engine/rowOrder.ts`); empty where another front end of the family gave
 * none.
 */
const orderKey = z.string().check(z.maxLength(100), z.regex(/^[0-9A-Za-z]*$/))

/** A row's own state. Deletion is merged like a field of the row: against an edit it is a conflict. */
export const rowState = z.object({ deleted: z.boolean(), order: orderKey })
export type RowState = z.infer<typeof rowState>

/** A row made (base null), moved, deleted or brought back. */
export const rowChange = z.object({
  table: prop,
  rid: id,
  to: rowState,
  base: z.nullable(rowState),
  /**
   * When deleting: what the row held as the person saw it, by field code. An edit that the person did not see makes it
   * a conflict.
   */
  seen: z.nullable(z.record(z.string(), json)),
  reason: z.nullable(changeReason),
})
export type RowChange = z.infer<typeof rowChange>

/** One step of typing: old → new and when, as the tablet journalled it. Kept as evidence with the operation. */
export const journalStep = z.object({ ...address, from: itemContent, to: itemContent, at: instant })
export type JournalStep = z.infer<typeof journalStep>

/** The entry that is meant. The id in the path must be the id derived from this key (forged ids are refused). */
export const entryTarget = z.object({
  patientId: id,
  folderId: id,
  folderRepeat: z.string().check(z.regex(/^(0|[0-9a-f-]{36})$/)),
  /** The page's definition (`crfPageId`), the same in all versions. */
  pageId: id,
  pageRepeat: z.string().check(z.regex(/^(0|[0-9a-f-]{36})$/)),
  parentEntryId: z.nullable(id),
  pass,
})
export type EntryTarget = z.infer<typeof entryTarget>

/** Only the target, of an entry or of what else tells one. */
export function pickTarget({
  patientId,
  folderId,
  folderRepeat,
  pageId,
  pageRepeat,
  parentEntryId,
  pass,
}: EntryTarget): EntryTarget {
  return { patientId, folderId, folderRepeat, pageId, pageRepeat, parentEntryId, pass }
}

export const entryChange = z.object({
  target: entryTarget,
  items: z.array(itemChange).check(z.maxLength(5000)),
  rows: z.array(rowChange).check(z.maxLength(2000)),
  journal: z.array(journalStep).check(z.maxLength(20_000)),
  /**
   * On submit: hash of the entry's data as the person saw it. If the server's hash differs after the merge, the page is
   * saved but not submitted.
   */
  seen: z.nullable(hash),
  /**
   * Warnings that a person answered. Absent from apps that cannot ask: a submit from them does not wait for answers.
   */
  confirms: z.exactOptional(z.array(confirmationGiven).check(z.maxLength(2000))),
})
export type EntryChange = z.infer<typeof entryChange>

/**
 * Deletes an entry (a repeat). Deletion is merged like a field of the entry: against an edit it is a conflict. Nothing
 * is physically deleted.
 */
export const entryRemoval = z.object({
  target: entryTarget,
  /** Revision that the person saw. */
  seenRev: z.int(),
  reason: changeReason,
})

/** The empty item. */
export const EMPTY_ITEM: ItemContent = { value: null, missing: null }
