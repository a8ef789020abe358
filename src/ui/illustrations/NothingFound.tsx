import { Drawing } from './Drawing.tsx'
import drawn from './drawing.module.css'

/** Nothing was found: lines under a glass. */
export function NothingFound() {
  return (
    <Drawing>
      <ellipse className={drawn.ground} cx="80" cy="94" rx="62" ry="11" />
      <rect className={drawn.paper} x="32" y="20" width="84" height="70" rx="6" />
      <path className={drawn.faint} d="M44 34h60M44 48h22M44 62h18M44 76h26" />
      <circle className={drawn.paper} cx="94" cy="58" r="21" />
      <path className={drawn.accent} d="M110 74l16 16" />
      <path className={drawn.faint} d="M84 58h20" />
    </Drawing>
  )
}
