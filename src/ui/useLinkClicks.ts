import type { MouseEvent } from 'react'
import { useNavigate } from 'react-router-dom'

/**
 * One handler for the plain anchors of a long list: where hundreds come and go with a scroll, a link component in each
 * takes a tablet longer than the rest of the line. Clicks that open elsewhere (another tab, a modifier key) are left to
 * the browser.
 */
export function useLinkClicks(): (event: MouseEvent<HTMLElement>) => void {
  const navigate = useNavigate()
  return (event) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    const anchor = event.target instanceof Element ? event.target.closest('a') : null
    if (!isPlain || event.defaultPrevented || anchor === null || anchor.target !== '') return
    event.preventDefault()
    void navigate(`${anchor.pathname}${anchor.search}`)
  }
}
