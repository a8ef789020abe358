import type { ChangeReason, EntryTarget, ItemContent } from '#core/sync/entryChange.ts'

/** One step of a patient's trail that is only on this device, named as the server would name it. */
export interface UnsentTrailLine {
  readonly id: string
  readonly action: string
  readonly entryId: string | null
  readonly target: EntryTarget | null
  /** The version to which the codes `table` and `prop` belong; null where they name no place of a page. */
  readonly versionId: string | null
  readonly table: string | null
  /** Row of a table; for what was said of a visit, the visit. */
  readonly rid: string | null
  /** The row's number among those that exist, from 1; null where it is deleted, or no row is meant. */
  readonly rowNo: number | null
  readonly prop: string | null
  /**
   * What `table` and `prop` are called in the version that the page is drawn by; null where it has no such place.
   * Absent where no place is meant, or it is not known here.
   */
  readonly now?: { readonly table: string | null; readonly prop: string | null } | null
  /** Null where no value is meant. */
  readonly from: ItemContent | null
  readonly to: ItemContent | null
  readonly reason: ChangeReason | null
  readonly userName: string
  /** This device's clock, and its difference from the server's, in ms; null before the first contact. */
  readonly at: string
  readonly driftMs: number | null
  /** Whether the change stays here until its author gives a reason. */
  readonly waits: boolean
}

/** A page on the screen, and the version whose field codes it uses there. */
export interface DrawnPage {
  readonly entryId: string
  readonly versionId: string
}
