import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import type { Reading } from '#src/data/shapes/reading.ts'
import { keepDesign, readUnsavedDesign } from '#src/data/writes/designs.ts'
import type { UnsavedDesign } from '#src/data/writes/designs.ts'
import { keepUatSubject, readUnsavedUat } from '#src/data/writes/uat.ts'
import type { UnsavedUatSubject } from '#src/data/writes/uat.ts'

/** Designs and test entries that are not at the server yet. */
export interface DesignData {
  /** Null where nothing is kept for the version. */
  unsavedDesign(versionId: string): Reading<UnsavedDesign | null>
  unsavedUat(versionId: string): Reading<readonly UnsavedUatSubject[]>
  /** Keeps a design until the server has it; null deletes what is kept. */
  keepDesign(versionId: string, design: UnsavedDesign | null): Promise<Result<true, ApiError>>
  /**
   * Keeps UAT pages until the server has them. They replace what was kept for the test subject before; no pages delete
   * it.
   */
  keepUat(versionId: string, subject: UnsavedUatSubject): Promise<Result<true, ApiError>>
}

export function makeDesignData(context: DataContext): DesignData {
  return {
    unsavedDesign: (versionId) => readUnsavedDesign(context, versionId),
    unsavedUat: (versionId) => readUnsavedUat(context, versionId),
    keepDesign: (versionId, design) => keepDesign(context, versionId, design),
    keepUat: (versionId, subject) => keepUatSubject(context, versionId, subject),
  }
}
