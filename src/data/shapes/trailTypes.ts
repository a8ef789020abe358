import type { ChangeReason, EntryTarget, ItemContent } from '#core/sync/entryChange.ts'

/** One step of a patient's trail that is on this device alone, named as the server would name it. */
export interface UnsentTrailLine {
  readonly id: string
  readonly action: string
  readonly entryId: string | null
  readonly target: EntryTarget | null
  /** The version whose codes `table` and `prop` are; null where they name no place of a page. */
  readonly versionId: string | null
  readonly table: string | null
  /** Row of a table; of what was said of a visit, the visit. */
  readonly rid: string | null
  /** Place of the row among those that are there, from 1; null where it is deleted, or none is meant. */
  readonly rowNo: number | null
  readonly prop: string | null
  /**
   * What `table` and `prop` are called in the version that the page is drawn by; null where it has no such place.
   * Absent where none is meant, or that is not known here.
   */
  readonly now?: { readonly table: string | null; readonly prop: string | null } | null
  /** Null where no value is meant. */
  readonly from: ItemContent | null
  readonly to: ItemContent | null
  readonly reason: ChangeReason | null
  readonly userName: string
  /** This device's clock, and how far it was from the server's, in ms; null before the first contact. */
  readonly at: string
  readonly driftMs: number | null
  /** Whether it stays here until its author says why. */
  readonly waits: boolean
}

/** A page on screen, and the version whose codes its fields have there. */
export interface DrawnPage {
  readonly entryId: string
  readonly versionId: string
}
