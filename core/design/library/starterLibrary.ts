import { adverseEvent } from './adverseEvent.ts'
import { demographics } from './demographics.ts'
import { endOfStudy } from './endOfStudy.ts'
import { fourExaminations } from './fourExaminations.ts'
import { laboratory } from './laboratory.ts'
import type { LibraryPage } from './libraryPage.ts'
import { medication } from './medication.ts'
import { syndromeScale } from './syndromeScale.ts'
import { vitalSigns } from './vitalSigns.ts'

/**
 * The pages with which a casebook can begin, in the order of a study. Codes are CDASH variables where CDASH has any.
 */
export const starterLibrary: readonly LibraryPage[] = [
  demographics,
  vitalSigns,
  fourExaminations,
  syndromeScale,
  laboratory,
  medication,
  adverseEvent,
  endOfStudy,
]
