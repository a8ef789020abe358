import type { English } from '#core/form/definition/inLanguage.ts'
import type { VisitGroup } from '#core/api/calls/visit.ts'
import type { ScheduledVisit, VisitOutcome, VisitStatus } from '#core/study/visits/schedule.ts'
import type { ChangeReason } from '#core/sync/entryChange.ts'

import type { PatientView } from './types.ts'

/** Visits as screens read them, and what people say of them. */

/** What a person says of a visit; a field that is left out stays as it is. */
export interface VisitInput {
  readonly actualDate?: string | null
  readonly outcome?: VisitOutcome | null
  readonly outcomeReason?: string | null
  readonly deviationReason?: string | null
}

/** What a person does with a visit. Each is durable on this device before it is shown as done. */
export type VisitAct =
  | { readonly do: 'say'; readonly input: VisitInput }
  /** `why`: why an unplanned visit took place. */
  | { readonly do: 'make'; readonly folderId: string; readonly actualDate: string | null; readonly why?: string | null }
  | { readonly do: 'remove'; readonly reason: ChangeReason }
  | { readonly do: 'restore' }
  | { readonly do: 'leaveOut'; readonly reason: ChangeReason }
  | { readonly do: 'bringBack' }
  /** Gives the visit's folder a place of its own among the patient's folders. */
  | { readonly do: 'place'; readonly order: number }

/** A visit in a list of many patients' visits. */
export interface VisitListLine {
  readonly id: string
  readonly patient: Pick<PatientView, 'id' | 'no' | 'mark' | 'initials' | 'centerId'>
  readonly folderId: string
  readonly folderRepeat: string
  readonly folderName: string
  readonly folderNameEn?: English
  /** The first page of the visit that is not submitted; null where this is not known. */
  readonly nextPageId: string | null
  /** 1 for the first visit of the folder. */
  readonly no: number
  readonly plannedDate: string | null
  readonly window: ScheduledVisit['window']
  readonly actualDate: string | null
  readonly status: VisitStatus
  readonly asked: number
  readonly submitted: number
}

export interface VisitList {
  /** The first lines, by date. */
  readonly lines: readonly VisitListLine[]
  readonly total: number
}

export interface VisitFilter {
  readonly centerId?: string
  readonly group?: VisitGroup
  readonly status?: VisitStatus
  /** First and last day, yyyy-MM-dd. */
  readonly from?: string
  readonly to?: string
  /** Only of patients whom a kept search finds: only the server knows them. */
  readonly searchId?: string
}
