import type { casebook as source } from '../zh/casebook.ts'
import type { Texts } from '../texts.ts'

export const casebook: Texts<typeof source> = {
  dots: {
    conflict: '{{count}} in conflict',
    overdue: '{{count}} overdue',
    missing: '{{count}} with values missing',
    inProgress: '{{count}} in progress',
    due: '{{count}} due',
    missed: '{{count}} missed',
    done: '{{count}} done',
    planned: '{{count}} not started',
    off: '{{count}} skipped or cancelled',
  },
}
