import type { GapCheck, GapRow } from '#core/api/calls/review/double.ts'
import { useServerAction } from '#src/data/server.ts'

import { MergeDialog } from './MergeDialog.tsx'
import { ReasonDialog } from './ReasonDialog.tsx'
import type { Decisions } from './decisions.ts'
import { choicesOf } from './decisions.ts'

/** What the user is about to do with the two passes. */
export type ComparisonQuestion =
  | { readonly kind: 'ignore'; readonly gap: GapRow }
  | { readonly kind: 'merge' }
  | { readonly kind: 'destroy' }

interface ComparisonDialogProps {
  readonly question: ComparisonQuestion
  readonly projectId: string
  readonly check: GapCheck
  readonly decisions: Decisions
  readonly onClose: () => void
}

/** Accepts a difference, gives up the second pass or merges the two, after the user gave a reason or confirmed it. */
export function ComparisonDialog({ question, projectId, check, decisions, onClose }: ComparisonDialogProps) {
  const act = useServerAction()
  const { patientId, compared, gaps } = check
  switch (question.kind) {
    case 'ignore':
      return (
        <ReasonDialog
          key="ignore"
          words="ignore"
          onClose={onClose}
          onSubmit={(reason) =>
            act('double.gapIgnore', { body: { dataIdList: [question.gap.id], isIgnoreGap: 1, reason }, projectId })
          }
        />
      )
    case 'destroy':
      return (
        <ReasonDialog
          key="destroy"
          words="destroy"
          onClose={onClose}
          onSubmit={(reason) => act('double.destroy', { query: { patientId }, body: { reason }, projectId })}
        />
      )
    case 'merge':
      return (
        <MergeDialog
          changes={choicesOf(gaps, decisions).filter(({ choose }) => choose !== 'first').length}
          onClose={onClose}
          onSubmit={() =>
            act('double.merge', {
              body: { patientId, compared, choices: choicesOf(gaps, decisions) },
              projectId,
            })
          }
        />
      )
  }
}
