import { makeTabDrafts } from '#src/frame/tabDrafts.ts'

import type { PlanDraft } from './planDraft.ts'

/** Plans that somebody is making: by person, project and track; null while they make none. */
export const { useDraft } = makeTabDrafts<PlanDraft>('a review plan', null)
