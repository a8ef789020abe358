import { addressOf } from '#core/form/definition/address.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { QueryPlace } from '#core/review/queryThread.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import type { EntryView } from '#src/data/shapes/types.ts'

/** What a field holds on this screen; null for none, and for a table as a whole. */
export function contentOn(form: FormState, address: string | null): ItemContent | null {
  const cell = address === null ? undefined : form.getCell(address)
  return cell === undefined || cell.rows !== null ? null : { value: cell.value, missing: cell.missing }
}

/** What a query about a field of the open page is about; null for the page as a whole. */
export function queryPlaceOf({ target }: EntryView, address: string | null): QueryPlace {
  const { patientId, folderId, folderRepeat, pageId, pageRepeat, parentEntryId, pass } = target
  const page = { patientId, folderId, folderRepeat, pageId, pageRepeat, parentEntryId, pass }
  return address === null ? { ...page, table: null, rid: null, code: null } : { ...page, ...addressOf(address) }
}
