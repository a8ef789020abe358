import { Button, Tooltip, VisuallyHidden } from '@mantine/core'
import type { ButtonProps } from '@mantine/core'
import { useId } from 'react'
import type { ReactNode } from 'react'

import { useNeedsServer } from './useNeedsServer.ts'

interface ServerButtonProps extends Omit<ButtonProps, 'disabled'> {
  readonly children: ReactNode
  /** Another reason why the button cannot be used, in words; a missing server comes first. */
  readonly barred?: string | null
  readonly onClick: () => void
  readonly 'aria-label'?: string
}

/**
 * A button for what only the server can do. Without the server it stays in its place and says why. It is not
 * `disabled`, so that keyboard and touch reach the reason as well.
 */
export function ServerButton({ children, barred = null, onClick, ...look }: ServerButtonProps) {
  const reason = useNeedsServer() ?? barred
  const id = useId()
  if (reason === null) {
    return (
      <Button {...look} onClick={onClick}>
        {children}
      </Button>
    )
  }
  return (
    <Tooltip label={reason} events={{ hover: true, focus: true, touch: true }}>
      <Button {...look} data-disabled aria-disabled="true" aria-describedby={id}>
        {children}
        <VisuallyHidden id={id}>{reason}</VisuallyHidden>
      </Button>
    </Tooltip>
  )
}
