import { useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { loadPart } from '#src/parts/loadPart.ts'

export interface LaterDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
}

/**
 * A dialog whose code is loaded when it is first wanted, so that it does not slow down what is around it.
 *
 * @param load loads its component
 * @param Absent says that it cannot be had now; each time somebody asks for it in vain
 */
export function useLaterDialog(
  load: () => Promise<ComponentType<LaterDialogProps>>,
  Absent: ComponentType<Pick<LaterDialogProps, 'onClose'>>,
): {
  readonly open: () => void
  readonly dialog: ReactNode
} {
  const [Dialog, setDialog] = useState<ComponentType<LaterDialogProps> | null>(null)
  const [opened, setOpened] = useState(false)
  const [isAbsent, setIsAbsent] = useState(false)
  const open = async () => {
    setIsAbsent(false)
    const part = Dialog ?? (await loadPart(load))
    if (part === null) return setIsAbsent(true)
    // It is mounted closed first, and opened at once with its effects: only then does it note which element had the
    // focus before it, which is to get it back.
    flushSync(() => setDialog(() => part))
    flushSync(() => setOpened(true))
  }
  return {
    open: () => void open(),
    dialog:
      Dialog !== null ? (
        <Dialog opened={opened} onClose={() => setOpened(false)} />
      ) : isAbsent ? (
        <Absent onClose={() => setIsAbsent(false)} />
      ) : null,
  }
}
