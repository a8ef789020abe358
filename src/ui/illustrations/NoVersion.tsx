import { Drawing } from './Drawing.tsx'
import drawn from './drawing.module.css'

/** No version yet: a sheet that is only ruled, and a pen. */
export function NoVersion() {
  return (
    <Drawing>
      <ellipse className={drawn.ground} cx="80" cy="94" rx="62" ry="11" />
      <path className={drawn.paper} d="M44 16h52l16 16v60H44z" />
      <path d="M96 16v16h16" />
      <path className={drawn.faint} d="M56 44h36M56 58h36M56 72h22" />
      <rect className={drawn.faint} x="56" y="28" width="18" height="6" rx="2" />
      <path className={drawn.paper} d="M126 38l8 8-34 34-11 3 3-11z" />
      <path className={drawn.accent} d="M119 45l8 8" />
      <path d="M92 72l8 8" />
    </Drawing>
  )
}
