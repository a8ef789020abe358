import { useState } from 'react'

import type { Selection } from './selection.ts'

/** Where there is no room for the properties beside the page, they are a drawer over it. */
export interface Drawer {
  readonly isOpen: boolean
  readonly open: () => void
  readonly close: () => void
}

/**
 * The drawer opens with a field or a section that is selected, and with whatever else on demand: who only goes from
 * page to page wants to see the pages. It stays closed until something else is selected.
 */
export function useDrawer(selection: Selection): Drawer {
  const [said, setSaid] = useState<{ readonly of: string; readonly isOpen: boolean } | null>(null)
  const key = JSON.stringify(selection)
  const isOpen = said?.of === key ? said.isOpen : selection?.of === 'fields' || selection?.of === 'section'
  return {
    isOpen,
    open: () => setSaid({ of: key, isOpen: true }),
    close: () => setSaid({ of: key, isOpen: false }),
  }
}
