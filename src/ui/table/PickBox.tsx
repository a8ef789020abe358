import classes from './table.module.css'

/* An input would take a listener of its own in each row; the grid hears the taps of these (Grid.tsx). */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

interface PickBoxProps {
  /** `mixed` where some of the rows that it stands for are picked. */
  readonly isPicked: boolean | 'mixed'
  readonly label: string
  readonly onClick?: () => void
}

/** A box to pick a row, or all of them. Plain, because each row has one; the grid hears the taps of rows. */
export function PickBox({ isPicked, label, onClick }: PickBoxProps) {
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={isPicked}
      aria-label={label}
      tabIndex={onClick === undefined ? -1 : 0}
      data-pick
      className={classes.pickBox}
      onClick={onClick}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        {isPicked === 'mixed' ? <path d="M4 8h8" /> : isPicked && <path d="M3.5 8.5 6.5 11.5 12.5 4.5" />}
      </svg>
    </button>
  )
}
