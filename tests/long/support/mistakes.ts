import { plantedBugs } from '#tests/scenarios/simulator/plantedBugs.ts'
import type { PlantedBug } from '#tests/scenarios/simulator/plantedBugs.ts'
import { featuresTakenOut } from './featuresTakenOut.ts'
import { undoneFindings } from './undoneFindings.ts'

/** All that can be planted by its name (`PLANTED_BUG`, vitest.config.ts). */
export const mistakes: readonly PlantedBug[] = [...plantedBugs, ...undoneFindings, ...featuresTakenOut]
