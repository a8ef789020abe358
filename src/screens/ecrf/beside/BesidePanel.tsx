import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { isForPage } from '#src/screens/ecrf/pageKeys.ts'
import { Sheet } from '#src/ui/dialogs/Sheet.tsx'
import { RightPanel } from '#src/ui/panel/RightPanel.tsx'

interface BesidePanelProps {
  readonly title: string
  /** Whether it stands beside the page, which stays usable; else it lies over the page until it is closed. */
  readonly beside: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** What is told of a field of the open page: its history, or what was asked about it. */
export function BesidePanel({ title, beside, onClose, children }: BesidePanelProps) {
  return beside ? (
    <Beside title={title} onClose={onClose}>
      {children}
    </Beside>
  ) : (
    <Sheet title={title} size="lg" onClose={onClose}>
      {children}
    </Sheet>
  )
}

/**
 * Beside the page. It takes the focus from the button that opens it; a hand that called it by key from a box goes on
 * typing there. Escape closes it from the page too.
 */
function Beside({ title, onClose, children }: Omit<BesidePanelProps, 'beside'>) {
  const [takesFocus] = useState(() => !isInField(document.activeElement))
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && isForPage(event)) onClose()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [onClose])
  return (
    <RightPanel title={title} takesFocus={takesFocus} onClose={onClose}>
      {children}
    </RightPanel>
  )
}

function isInField(element: Element | null): boolean {
  return element !== null && element.closest('[data-row]') !== null && !element.matches('[data-history], [data-asked]')
}
