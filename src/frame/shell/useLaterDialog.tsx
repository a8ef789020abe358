import { useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { loadPart } from '#src/parts/loadPart.ts'

export interface LaterDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
}

/**
 * A dialog whose code is loaded when it is first wanted, so that it does not slow down what is around it. Where it
 * cannot be had now, nothing opens.
 *
 * @param load loads its component
 */
export function useLaterDialog(load: () => Promise<ComponentType<LaterDialogProps>>): {
  readonly open: () => void
  readonly dialog: ReactNode
} {
  const [Dialog, setDialog] = useState<ComponentType<LaterDialogProps> | null>(null)
  const [opened, setOpened] = useState(false)
  const open = async () => {
    const part = Dialog ?? (await loadPart(load))
    if (part === null) return
    // It is mounted closed first: only then does the element that opened it get the focus back.
    flushSync(() => setDialog(() => part))
    setOpened(true)
  }
  return {
    open: () => void open(),
    dialog: Dialog === null ? null : <Dialog opened={opened} onClose={() => setOpened(false)} />,
  }
}
