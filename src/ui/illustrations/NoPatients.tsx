import { Drawing } from './Drawing.tsx'
import drawn from './drawing.module.css'

/** No subjects yet: an empty card index, with room for the first. */
export function NoPatients() {
  return (
    <Drawing>
      <ellipse className={drawn.ground} cx="80" cy="92" rx="62" ry="12" />
      <path className={drawn.paper} d="M46 34h56l12 12v44H46z" />
      <path className={drawn.paper} d="M38 24h56l12 12v54H38z" />
      <path d="M94 24v12h12" />
      <circle cx="60" cy="50" r="8" />
      <path d="M47 74c1-8 6-12 13-12s12 4 13 12" />
      <path className={drawn.faint} d="M82 52h14M82 62h14M82 72h8" />
      <circle className={drawn.paper} cx="116" cy="78" r="14" />
      <path className={drawn.accent} d="M116 71v14M109 78h14" />
    </Drawing>
  )
}
