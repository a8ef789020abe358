import type { AuditLine } from '#core/api/calls/sync.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import type { UnsentTrailLine } from '#src/data/shapes/trailTypes.ts'

/**
 * A line of a log, as it is shown and written to a file. It comes from the server's audit trail, or from work that this
 * device has not sent yet.
 */
export interface TrailLine {
  readonly id: string
  readonly what: string
  /** Whether the server did it by itself, as a consequence of a person's act. */
  readonly isAutomatic: boolean
  readonly visit: string | null
  readonly page: string | null
  /** The field, the table row, or the fact of the patient or visit; null where the line is about the whole. */
  readonly place: string | null
  /** Code of the field; null where the line is about no field. */
  readonly code: string | null
  readonly pass: number | null
  /** Whether the line is about a row of a table, or about a field in one. */
  readonly isInRow: boolean
  /** The address of the screen that shows the place; null where there is none. */
  readonly to: string | null
  /**
   * Both null where the line has no value. With `isConflict`: the standing value, and the value that was wanted
   * instead.
   */
  readonly from: string | null
  readonly into: string | null
  readonly isConflict: boolean
  readonly isRedacted: boolean
  readonly who: string
  readonly role: string | null
  /** The time by the tablet's clock. */
  readonly at: string
  readonly offsetMinutes: number | null
  readonly driftMs: number | null
  /** When the server received it; null while it is on this device only. */
  readonly receivedAt: string | null
  /** The reason, in the words of the list; null without one. */
  readonly why: string | null
  readonly whyText: string | null
  /** Whether the line needs a reason and has none. */
  readonly lacksReason: boolean
  readonly seq: number | null
}

/** Versions by id; lines name their fields in the words of these. */
export type TrailVersions = ReadonlyMap<string, VersionRow>

/**
 * Turns rows of the server's audit trail and work of this device into lines. Each uses the words of the version under
 * which it was written, as far as that version is known.
 */
export interface TrailReader {
  readonly projectId: string
  /** The present version, which needs no reading. */
  readonly current: VersionRow
  readonly ofServer: (line: AuditLine, versions: TrailVersions) => TrailLine
  readonly ofDevice: (line: UnsentTrailLine, versions: TrailVersions) => TrailLine
}
