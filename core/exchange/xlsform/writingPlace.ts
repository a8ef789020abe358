import type { XPathNames } from '#core/exchange/xpath/write.ts'
import type { RedcapNames } from '#core/exchange/xpath/writeRedcap.ts'
import type { Column } from '#core/form/definition/column.ts'
import type { StoredLists } from '#core/form/definition/lists.ts'

import type { WrittenLists } from './writeLists.ts'

/** Says that a part of the field is not written. */
export type Lose = (what: string, text: string) => void

export interface WritingPlace {
  readonly names: XPathNames & RedcapNames
  /** How a rule of the field reads the field itself. */
  readonly own: string
  readonly name: string
  readonly lists: WrittenLists
  /**
   * Codes that are written with another sign for their blanks: a rule that names one would ask for what nobody can
   * answer.
   */
  readonly spaced: ReadonlySet<string>
  /** Lists that lie with the page. */
  readonly stored: StoredLists
  /** Fields of the same page, or of the same rows. */
  readonly among: readonly Column[]
  readonly titles: { readonly label: string; readonly english: string; readonly chinese: string }
}
