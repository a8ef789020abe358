import type { AuditLine } from '#core/api/calls/sync.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import type { UnsentTrailLine } from '#src/data/shapes/trailTypes.ts'

/**
 * A line of a log as it is shown and written to a file: of the server's trail, or of what this device has not sent yet.
 */
export interface TrailLine {
  readonly id: string
  readonly what: string
  /** Whether nobody did it: it followed from what somebody did. */
  readonly isAutomatic: boolean
  readonly visit: string | null
  readonly page: string | null
  /** Field, table row, or what of the patient or the visit; null where the whole is meant. */
  readonly place: string | null
  /** Code of the field; null where none is meant. */
  readonly code: string | null
  readonly pass: number | null
  /** Whether it is about a row of a table, or lies in one. */
  readonly isInRow: boolean
  /** Where it can be looked at; null where there is no such place. */
  readonly to: string | null
  /** Both null where no value is meant. Where `isConflict`, what stands and what was wanted instead. */
  readonly from: string | null
  readonly into: string | null
  readonly isConflict: boolean
  readonly isRedacted: boolean
  readonly who: string
  readonly role: string | null
  /** The tablet's clock. */
  readonly at: string
  readonly offsetMinutes: number | null
  readonly driftMs: number | null
  /** Null while it is on this device alone. */
  readonly receivedAt: string | null
  /** Its reason in the words of the list; null without one. */
  readonly why: string | null
  readonly whyText: string | null
  /** Whether it needs a reason and has none. */
  readonly lacksReason: boolean
  readonly seq: number | null
}

/** Versions by their ids, in whose words lines name their fields. */
export type TrailVersions = ReadonlyMap<string, VersionRow>

/**
 * Makes lines of what the server's trail and this device say: each in the words of the version of its day, as far as
 * that is known.
 */
export interface TrailReader {
  readonly projectId: string
  /** The version of now, which need not be read. */
  readonly current: VersionRow
  readonly ofServer: (line: AuditLine, versions: TrailVersions) => TrailLine
  readonly ofDevice: (line: UnsentTrailLine, versions: TrailVersions) => TrailLine
}
