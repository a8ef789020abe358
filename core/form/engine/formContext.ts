import type { Moment } from '#core/rules/values.ts'
import type { Confirmation } from '#core/sync/confirmation.ts'

import type { OtherPages } from './otherPages.ts'

/** What a form is opened with besides its data. */
export interface FormContext {
  readonly moment: Moment
  /** Nothing can be edited, and calculated fields show what is stored. */
  readonly readOnly: boolean
  /** Nobody has saved anything of the entry yet: fields begin with what the definition says. */
  readonly isNew?: boolean
  /** Whether the data came masked for this reader (`EntryRow.masked`). Absent: they are as they are stored. */
  readonly masked?: boolean
  /** What was answered to warnings of the entry. */
  readonly confirmed?: readonly Confirmation[]
  /** Absent for a page whose rules read no other. */
  readonly otherPages?: OtherPages
}
