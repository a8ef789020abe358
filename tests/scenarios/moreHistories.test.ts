import { describeHistories } from './simulator/histories.ts'

/** The second half of the histories, so that both workers have some. */
describeHistories(101, 100)
