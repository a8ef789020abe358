import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useReturnedFocus } from '#src/ui/useReturnedFocus.ts'

import classes from './panel.module.css'

interface RightPanelProps {
  readonly title: string
  /** What can be done, below the title. */
  readonly actions?: ReactNode
  /** Where the row stands among its neighbours, in words. */
  readonly place?: string
  /** Whether the focus goes in when it opens: a tap in a list leaves it there. */
  readonly takesFocus?: boolean
  readonly onClose: () => void
  /** Null at the first and at the last; left out where there are no neighbours. */
  readonly onPrevious?: (() => void) | null
  readonly onNext?: (() => void) | null
  readonly children: ReactNode
}

/**
 * What is known of one thing, beside the list it is from, or as a sheet from the bottom where it is narrow. Not a
 * dialog: the list stays usable. The focus returns to where it came from.
 */
export function RightPanel({
  title,
  actions,
  place,
  takesFocus = false,
  onClose,
  onPrevious,
  onNext,
  children,
}: RightPanelProps) {
  const { t } = useTranslation(['table', 'common'])
  const panel = useRef<HTMLElement>(null)
  useReturnedFocus(panel, { takesFocus })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.stopPropagation()
    onClose()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it from anywhere inside
    <aside ref={panel} className={classes.panel} tabIndex={-1} aria-label={title} onKeyDown={onKeyDown}>
      <header className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        {onPrevious !== undefined && onNext !== undefined && (
          <span className={classes.moves}>
            {place !== undefined && <span className={classes.place}>{place}</span>}
            <Move label={t('panel.previous')} onClick={onPrevious}>
              <IconChevronUp size={18} aria-hidden="true" />
            </Move>
            <Move label={t('panel.next')} onClick={onNext}>
              <IconChevronDown size={18} aria-hidden="true" />
            </Move>
          </span>
        )}
        <button type="button" className={classes.button} aria-label={t('common:action.close')} onClick={onClose}>
          <IconX size={18} aria-hidden="true" />
        </button>
      </header>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      {/* What scrolls must be reachable by the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={classes.content} tabIndex={0} aria-label={title}>
        {children}
      </section>
    </aside>
  )
}

interface MoveProps {
  readonly label: string
  readonly onClick: (() => void) | null
  readonly children: ReactNode
}

function Move({ label, onClick, children }: MoveProps) {
  return (
    <button
      type="button"
      className={classes.button}
      aria-label={label}
      title={label}
      disabled={onClick === null}
      onClick={onClick ?? undefined}
    >
      {children}
    </button>
  )
}
