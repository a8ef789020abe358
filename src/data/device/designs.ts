import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import type { Reading } from '#src/data/shapes/reading.ts'
import { keepDesign, readKeptDesign } from '#src/data/writes/designs.ts'
import type { KeptDesign } from '#src/data/writes/designs.ts'
import { keepTrial, readKeptTrials } from '#src/data/writes/trials.ts'
import type { KeptTrial } from '#src/data/writes/trials.ts'

/** What was designed, or filled in of trial subjects, and is not at the server yet. */
export interface DesignData {
  /** Null where there is nothing of the version. */
  keptDesign(versionId: string): Reading<KeptDesign | null>
  keptTrials(versionId: string): Reading<readonly KeptTrial[]>
  /** Keeps what was designed until the server has it; null takes it away. */
  keepDesign(versionId: string, design: KeptDesign | null): Promise<Result<true, ApiError>>
  /**
   * Keeps trial pages until the server has them, in place of those of the trial subject that were kept before; none
   * takes them away.
   */
  keepTrial(versionId: string, trial: KeptTrial): Promise<Result<true, ApiError>>
}

export function makeDesignData(context: DataContext): DesignData {
  return {
    keptDesign: (versionId) => readKeptDesign(context, versionId),
    keptTrials: (versionId) => readKeptTrials(context, versionId),
    keepDesign: (versionId, design) => keepDesign(context, versionId, design),
    keepTrial: (versionId, trial) => keepTrial(context, versionId, trial),
  }
}
