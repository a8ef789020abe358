import { useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { loadPart } from '#src/session/loadPart.ts'

import type { LookDialogProps } from './LookDialog.tsx'

/** The dialog of theme and colour: loaded when it is first wanted, so that it does not weigh on the sign-in. */
export function useLookDialog(): { readonly open: () => void; readonly dialog: ReactNode } {
  const [Dialog, setDialog] = useState<ComponentType<LookDialogProps> | null>(null)
  const [opened, setOpened] = useState(false)
  const load = async () => {
    const part = await loadPart(() => import('./LookDialog.tsx'))
    if (part === null) return
    setDialog(() => part.LookDialog)
    setOpened(true)
  }
  return {
    open: () => void load(),
    dialog: Dialog === null ? null : <Dialog opened={opened} onClose={() => setOpened(false)} />,
  }
}
