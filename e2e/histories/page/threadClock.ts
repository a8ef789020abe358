import { takeOverClock } from './clock.ts'

/** Comes before the app's own modules in each of its threads (buildPage.ts). */
takeOverClock()
