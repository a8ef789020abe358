import { describeHistories } from './simulator/histories.ts'

/** More of the same, for who has the time: two files of them, so that two workers share them. */
describeHistories(13, 18)
