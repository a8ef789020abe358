import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { PageOf } from './simTablet.ts'

/** Ids of the study that a tablet works in. */
export interface Places {
  readonly projectId: string
  readonly folderId: string
  readonly vitalsId: string
  readonly eventId: string
  /** In studies whose pages read each other. */
  readonly therapyId: string
  readonly north: string
  /** Scope of the northern center, which all tablets keep. */
  readonly scope: string
}

/** The entry that a page of a patient is. */
export function targetOf(places: Pick<Places, 'folderId' | 'vitalsId' | 'eventId' | 'therapyId'>, { patientId, page, repeat }: PageOf): EntryTarget {
  const pageId = { vitals: places.vitalsId, event: places.eventId, therapy: places.therapyId }[page]
  return { patientId, folderId: places.folderId, folderRepeat: '0', pageId, pageRepeat: repeat, parentEntryId: null, pass: 1 }
}
