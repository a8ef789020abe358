import type { Moment } from '#core/rules/values.ts'
import type { Confirmation } from '#core/sync/confirmation.ts'

import type { OtherPages } from './otherPages.ts'

/** What a form needs besides its data when it is opened. */
export interface FormContext {
  readonly moment: Moment
  /** Nothing can be edited, and calculated fields show what is stored. */
  readonly readOnly: boolean
  /** Nobody has saved anything of the entry yet: fields begin with what the definition gives them. */
  readonly isNew?: boolean
  /** Whether the data came masked for this reader (`EntryRow.masked`). Absent: nothing is masked. */
  readonly masked?: boolean
  /** Answers that were given to warnings of the entry. */
  readonly confirmed?: readonly Confirmation[]
  /** Absent for a page whose rules read no other page. */
  readonly otherPages?: OtherPages
}
