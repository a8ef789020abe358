import { describeHistories } from './simulator/histories.ts'

/** The other half of what moreHistories.test.ts begins. */
describeHistories(31, 18)
