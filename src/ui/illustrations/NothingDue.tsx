import { Drawing } from './Drawing.tsx'
import drawn from './drawing.module.css'

/** No work left today: a cup beside a calendar whose day is ticked. */
export function NothingDue() {
  return (
    <Drawing>
      <ellipse className={drawn.ground} cx="80" cy="94" rx="64" ry="11" />
      <rect className={drawn.paper} x="28" y="26" width="64" height="64" rx="6" />
      <path d="M28 42h64M44 20v12M76 20v12" />
      <path className={drawn.faint} d="M40 54h8M56 54h8M72 54h8M40 78h8M56 78h8" />
      <path className={drawn.accent} d="M52 66l6 6 14-14" />
      <path className={drawn.paper} d="M102 64h28v16a10 10 0 0 1-10 10h-8a10 10 0 0 1-10-10z" />
      <path d="M130 68h4a6 6 0 0 1 0 12h-4" />
      <path className={drawn.faint} d="M110 56c-4-5 4-7 0-12M120 56c-4-5 4-7 0-12" />
    </Drawing>
  )
}
