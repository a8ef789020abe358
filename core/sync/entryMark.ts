import { SUBMITTED } from './submitted.ts'
import * as z from 'zod/mini'
import { id, instant, pass } from '#core/wire/shapes.ts'

/**
 * The facts of an entry for counts and for lists of hundreds: its status and how full it is, but nothing that was
 * entered. Such marks may be in the clear on a device, so that a matrix of thousands needs no decryption.
 */

/** How full a page is, counted over the fields that were visible when it was last written. */
export const entryProgress = z.object({
  /** Fields that a person fills in. */
  total: z.int(),
  /** Fields with a value, or with a reason why there is none. */
  answered: z.int(),
  /** Required fields without either. */
  missing: z.int(),
})
export type EntryProgress = z.infer<typeof entryProgress>

/** init: nothing entered; process: saved; or submitted (specification §3). */
export const entryStatus = z.enum(['init', 'process', SUBMITTED])
export type EntryStatus = z.infer<typeof entryStatus>

/** The place of an entry in its patient's casebook. */
export const casebookPlace = z.object({ folderId: id, folderRepeat: z.string(), pageId: id, pageRepeat: z.string() })
export type CasebookPlace = z.infer<typeof casebookPlace>

export const entryMark = z.object({
  id,
  patientId: id,
  ...casebookPlace.def.shape,
  parentEntryId: z.nullable(id),
  pass,
  status: entryStatus,
  /** Null where the entry was last written before this was counted. */
  progress: z.nullable(entryProgress),
  /** Number of open conflicts. */
  conflicts: z.int(),
  updatedAt: instant,
})
export type EntryMark = z.infer<typeof entryMark>

/** What an entry waits for: a required field is empty (`missing`), or it is saved and not submitted (`process`). */
export type EntryTodo = 'missing' | 'process'

/** What is still to be done for an entry; null where nothing is. */
export function todoOf({ status, progress }: Pick<EntryMark, 'status' | 'progress'>): EntryTodo | null {
  if ((progress?.missing ?? 0) > 0 && status !== 'init') return 'missing'
  return status === 'process' ? 'process' : null
}
