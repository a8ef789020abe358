import type { DatabaseQuestion } from '#core/api/calls/data/database.ts'

/** What is asked of the rows of a grid, besides its page and columns. */
export interface Asked {
  readonly filters: DatabaseQuestion['filters']
  readonly sort: DatabaseQuestion['sort']
  readonly centerId: string | null
  readonly status: NonNullable<DatabaseQuestion['status']> | null
  readonly words: string
}
