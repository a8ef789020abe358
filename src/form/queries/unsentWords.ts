import type { FileReference } from '#core/files/reference.ts'
import type { QueryAct } from '#core/review/query.ts'
import type { AnswerCategory } from '#core/review/queryThread.ts'
import { makeUnsent } from '#src/data/hooks/unsent.ts'

/** What somebody has begun to say in a query, and not sent. Its files are on this device already. */
export interface UnsentWords {
  readonly act: QueryAct
  readonly text: string
  readonly category: AnswerCategory | null
  readonly files: readonly FileReference[]
}

/** A question that somebody has begun to ask. It has its id, because files are kept for it. */
export interface UnsentQuestion {
  readonly id: string
  readonly text: string
  readonly isUrgent: boolean
  readonly isCandidate: boolean
  readonly due: string
  readonly files: readonly FileReference[]
}

/**
 * What was begun to be said in a query. It outlives the sheet in which it is typed: a page is opened anew under it when
 * its patient comes onto the device or a version is released, and a list is read again. Files are added to what is
 * there when they are kept, which is later than they were chosen.
 */
export const useUnsentWords = makeUnsent<UnsentWords>()

/** The same of a question, by what it is about. */
export const useUnsentQuestion = makeUnsent<UnsentQuestion>()
