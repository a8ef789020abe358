import { describeHistories } from './simulator/histories.ts'

/**
 * Random histories of a ward: what people do, what befalls them, and whether the ward kept its promises
 * (simulator/oracle.ts).
 */
describeHistories(1, 12)
