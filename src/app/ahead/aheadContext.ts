import { createContext } from 'react'

/** What is ready for the first tap: the ids of the kept projects; null until the screens of the ward are loaded. */
export const AheadContext = createContext<readonly string[] | null>(null)
