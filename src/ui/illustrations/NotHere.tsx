import { Drawing } from './Drawing.tsx'
import drawn from './drawing.module.css'

/** Not on this device: a tablet, and a cloud that cannot be reached. */
export function NotHere() {
  return (
    <Drawing>
      <ellipse className={drawn.ground} cx="80" cy="95" rx="64" ry="11" />
      <rect className={drawn.paper} x="34" y="30" width="46" height="62" rx="6" />
      <path className={drawn.faint} d="M44 44h26M44 56h26M44 68h16" />
      <path d="M54 84h6" />
      <path className={drawn.paper} d="M104 62a12 12 0 0 1-1-24 16 16 0 0 1 31-2 13 13 0 0 1 0 26z" />
      <path className={drawn.accent} d="M102 24l34 48" />
      <path className={drawn.faint} d="M86 50h6" />
    </Drawing>
  )
}
