import { Popover, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import classes from './bar.module.css'

interface BarPanelProps {
  /** The label for a screen reader, with what is chosen. */
  readonly label: string
  /** What the button shows. */
  readonly button: ReactNode
  /** An icon alone needs no arrow. */
  readonly bare?: boolean
  /** The content may be as long as a project's name. */
  readonly long?: boolean
  readonly end?: boolean
  /** Rendered at the first opening; receives the function that closes the panel. */
  readonly children: (close: () => void) => ReactNode
}

/**
 * A button of the top bar with the panel that it opens. It is a panel and not a menu, because its lines say more than
 * names.
 */
export function BarPanel({ label, button, bare = false, long = false, end = false, children }: BarPanelProps) {
  const [opened, { toggle, close }] = useDisclosure(false)
  return (
    <Popover
      opened={opened}
      onChange={close}
      width={340}
      position={end ? 'bottom-end' : 'bottom-start'}
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <UnstyledButton
          className={classes.button}
          data-bare={bare}
          data-long={long}
          aria-label={label}
          onClick={toggle}
        >
          {button}
          {!bare && <IconChevronDown size={16} aria-hidden="true" className={classes.arrow} />}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={label}>
        {children(close)}
      </Popover.Dropdown>
    </Popover>
  )
}
