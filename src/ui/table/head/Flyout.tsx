import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'

import classes from './flyout.module.css'
import { useInsideWindow } from './useInsideWindow.ts'

interface FlyoutProps {
  /** The content of its button. */
  readonly button: ReactNode
  /** The accessible name of the button, where its content is not enough. */
  readonly label?: string
  readonly title?: string
  /** Whether the button stands out, because something is in force behind it. */
  readonly isActive?: boolean
  readonly disabled?: boolean
  /** At which edge of the button it opens. */
  readonly align?: 'start' | 'end'
  readonly className?: string | undefined
  readonly onOpened?: () => void
  readonly children: (close: () => void) => ReactNode
}

const FOCUSABLE = 'input, button:not([disabled]), [href]'

/**
 * A button with what it opens below itself; where it is narrow, a sheet from the bottom. Plain: the table has one such
 * layer open at a time, and it is drawn only then. Escape, a tap elsewhere and leaving with Tab close it.
 */
export function Flyout({
  button: content,
  label,
  title,
  isActive = false,
  disabled = false,
  align = 'start',
  className,
  onOpened,
  children,
}: FlyoutProps) {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const toggle = useRef<HTMLButtonElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  useInsideWindow(layer, isOpen)
  const close = () => setOpen(false)
  useEffect(() => {
    if (!isOpen) return undefined
    root.current?.querySelector<HTMLElement>(`[data-flyout] :is(${FOCUSABLE})`)?.focus()
    const onPointer = ({ target }: PointerEvent) => {
      if (target instanceof Node && root.current?.contains(target) !== true) setOpen(false)
    }
    const button = toggle.current
    document.addEventListener('pointerdown', onPointer, true)
    return () => {
      document.removeEventListener('pointerdown', onPointer, true)
      // What had the focus in it is gone: the focus returns to the button.
      if (document.activeElement === document.body) button?.focus()
    }
  }, [isOpen])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // The table would close the panel of its row.
    event.stopPropagation()
    close()
  }
  return (
    <div ref={root} className={classes.root} data-align={align}>
      <button
        ref={toggle}
        type="button"
        className={className ?? classes.button}
        data-active={isActive || undefined}
        disabled={disabled}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        {...(label === undefined ? {} : { 'aria-label': label })}
        {...(title === undefined ? {} : { title })}
        onClick={() => {
          if (!isOpen) onOpened?.()
          setOpen(!isOpen)
        }}
      >
        {content}
      </button>
      {isOpen && (
        // Escape closes it from anywhere inside.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
        <div
          ref={layer}
          // A native dialog would be in the top layer, which does not stand below its button.
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="dialog"
          aria-label={label ?? title ?? (typeof content === 'string' ? content : undefined)}
          className={classes.flyout}
          data-flyout
          onKeyDown={onKeyDown}
          onBlur={({ relatedTarget }) => {
            if (relatedTarget instanceof Node && root.current?.contains(relatedTarget) !== true) setOpen(false)
          }}
        >
          {children(close)}
        </div>
      )}
    </div>
  )
}
