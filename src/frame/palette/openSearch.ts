import { createContext } from 'react'

/**
 * Opens the search for subjects and screens from a bar that comes and goes with its screen, while the search itself
 * belongs to the frame around it. Null where there is none.
 */
export const OpenSearchContext = createContext<(() => void) | null>(null)
