import { Drawing } from './Drawing.tsx'
import drawn from './drawing.module.css'

/** Nothing waits for a decision: a tray that is empty. */
export function EmptyInbox() {
  return (
    <Drawing>
      <ellipse className={drawn.ground} cx="80" cy="94" rx="64" ry="11" />
      <path className={drawn.paper} d="M40 32h80l14 34v20a6 6 0 0 1-6 6H32a6 6 0 0 1-6-6V66z" />
      <path d="M26 66h32l6 11h32l6-11h32" />
      <path className={drawn.faint} d="M52 46h56M48 56h64" />
      <path className={drawn.accent} d="M70 20l7 7 13-13" />
    </Drawing>
  )
}
