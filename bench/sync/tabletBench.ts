import type { StudyIds } from './study.ts'

/** What the measured tab offers to the measuring process. Times are milliseconds of the tab's clock. */
export interface TabletBench {
  /** Opens the device's memory as the app does: unlocks the vault of the user who works here. */
  open(account: string, password: string): Promise<void>
  /**
   * Fills in every page of the patients and saves each, without sending. Returns the sizes of what then waits in the
   * outbox.
   */
  fill(study: StudyIds, patientIds: readonly string[], items: number, seed: number): Promise<Filled>
  /**
   * Fills in pages of a patient as a form does, and times the durable save of each beside a plain record of the same
   * size.
   */
  save(study: StudyIds, patientId: string, pages: readonly number[]): Promise<readonly SavePair[]>
}

export interface Filled {
  readonly keys: readonly string[]
  /** All operations as one JSON text, and that text as one gzip: the least that has to be sent. */
  readonly jsonBytes: number
  readonly gzipBytes: number
}

export interface SavePair {
  readonly ours: number
  readonly floor: number
  /** Bytes written by each. */
  readonly bytes: number
}
