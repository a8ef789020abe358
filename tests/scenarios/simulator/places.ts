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
  /** Entry pass of whoever is at work, and the scope of the northern center in it, which their tablet keeps. */
  readonly pass: 1 | 2
  readonly scope: string
}

/** The entry that a page of a patient is. */
export function targetOf(
  places: Pick<Places, 'folderId' | 'vitalsId' | 'eventId' | 'therapyId' | 'pass'>,
  { patientId, page, repeat }: PageOf,
): EntryTarget {
  const pageId = { vitals: places.vitalsId, event: places.eventId, therapy: places.therapyId }[page]
  return {
    patientId,
    folderId: places.folderId,
    folderRepeat: '0',
    pageId,
    pageRepeat: repeat,
    parentEntryId: null,
    pass: places.pass,
  }
}
