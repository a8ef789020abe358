import type { Page } from '@playwright/test'

/** What of a screen a person cannot see or reach at the size that its window has. */

/**
 * Everything that runs over an edge, is cut off without a way to see all of it, or lies beneath something else. Each as
 * what it is, where and by how much; empty when nothing does.
 */
export function findLayoutFaults(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    /** Less than this is a rounding of the browser. */
    const SLACK = 1.5
    const words = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').slice(0, 60)
    const name = (element: Element): string => {
      const classes =
        typeof element.className === 'string'
          ? element.className
              .split(' ')
              .filter((one) => one !== '' && !one.startsWith('m_'))
              .slice(0, 2)
          : []
      return `${element.tagName.toLowerCase()}${classes.map((one) => `.${one}`).join('')} “${words(element.getAttribute('aria-label') ?? element.textContent)}”`
    }
    const isShown = (element: Element): boolean =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) &&
      element.closest('[inert], [aria-hidden=true]') === null
    const clips = (value: string): boolean => value === 'hidden' || value === 'clip'
    const scrolls = (value: string): boolean => value === 'auto' || value === 'scroll'
    /** Drawn for screen readers alone. */
    const isUnseen = (element: Element): boolean => {
      for (let up: Element | null = element; up !== null && up !== document.body; up = up.parentElement) {
        const { clipPath, clip, position } = getComputedStyle(up)
        if (clipPath === 'inset(50%)' || (position === 'absolute' && clip.startsWith('rect(0')) || up.clientWidth === 1)
          return true
      }
      return false
    }

    const over = document.documentElement.scrollWidth - window.innerWidth
    if (over > 0) {
      const widest = [...document.body.querySelectorAll('*')]
        .filter((one) => isShown(one) && one.getBoundingClientRect().right > window.innerWidth + SLACK)
        .toSorted((a, b) => b.getBoundingClientRect().right - a.getBoundingClientRect().right)[0]
      found.push(
        `the document is ${over} px wider than the window: ${widest === undefined ? 'nothing visible' : name(widest)}`,
      )
    }

    // Of what lies over the rest only that is looked at: what is beneath it is covered by intent.
    const layers = [...document.querySelectorAll('[role=dialog], .mantine-Dialog-root')].filter((one) => isShown(one))
    const top: Element = layers.at(-1) ?? document.body

    const texts = document.createTreeWalker(top, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const holder = node.parentElement
      if (
        holder === null ||
        words(node.textContent ?? '') === '' ||
        !isShown(holder) ||
        ['SCRIPT', 'STYLE', 'OPTION'].includes(holder.tagName) ||
        isUnseen(holder)
      )
        continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const rects = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0)
      let isFree = { x: false, y: false }
      for (let up: Element | null = holder; up !== null && up !== document.documentElement; up = up.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(up)
        const box = up.getBoundingClientRect()
        const sideways =
          clips(overflowX) &&
          !isFree.x &&
          rects.some(({ left, right }) => right > box.right + SLACK || left < box.left - SLACK)
        // A line's own box is higher than its letters.
        const downwards =
          clips(overflowY) &&
          !isFree.y &&
          rects.some(({ top: upper, bottom }) => bottom > box.bottom + 4 || upper < box.top - 4)
        if (sideways || downwards) {
          const told =
            holder.closest('[title]')?.getAttribute('title') ??
            holder.closest('[aria-label]')?.getAttribute('aria-label') ??
            ''
          if (!told.includes((node.textContent ?? '').trim()))
            found.push(`cut off ${sideways ? 'sideways' : 'below'} by ${name(up)}: “${words(node.textContent ?? '')}”`)
          break
        }
        isFree = { x: isFree.x || scrolls(overflowX), y: isFree.y || scrolls(overflowY) }
        if (position === 'fixed') break
      }
    }

    const pen = document.createElement('canvas').getContext('2d')
    for (const input of top.querySelectorAll<HTMLInputElement>('input[placeholder]')) {
      if (!isShown(input) || input.value !== '' || pen === null) continue
      const { font, paddingLeft, paddingRight } = getComputedStyle(input)
      pen.font = font
      const room = input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
      const wanted = pen.measureText(input.placeholder).width
      if (wanted > room + SLACK)
        found.push(
          `placeholder cut off: “${words(input.placeholder)}” needs ${Math.ceil(wanted)} px of ${Math.floor(room)}`,
        )
    }

    /** What keeps a control from being pressed at its middle; null when nothing does. */
    const coverOf = (control: HTMLElement, scroller: Element | null): string | null => {
      const { left, right, top: upper, bottom } = control.getBoundingClientRect()
      const [x, y] = [(left + right) / 2, (upper + bottom) / 2]
      if (scroller !== null) {
        const room = scroller.getBoundingClientRect()
        if (x < room.left || x > room.right || y < room.top || y > room.bottom) return null
      }
      if (y < 0 || y > window.innerHeight) return 'out of the window'
      const hit = document.elementFromPoint(x, y)
      if (hit === null || hit.contains(control) || control.contains(hit)) return null
      const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : []
      // What scrolls beneath a head or a first column that stays comes out again.
      if (labels.some((label) => label.contains(hit)) || (scroller !== null && scroller.contains(hit))) return null
      return `covered by ${name(hit)}`
    }

    const before = { x: window.scrollX, y: window.scrollY }
    const controls = top.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [role=button], [role=radio], [role=checkbox], [role=tab], [tabindex="0"]',
    )
    for (const control of controls) {
      const size = control.getBoundingClientRect()
      if (
        !isShown(control) ||
        isUnseen(control) ||
        size.width < 4 ||
        size.height < 4 ||
        control.matches('a[href="#main"]:not(:focus), :disabled')
      )
        continue
      let scroller: Element | null = control.parentElement
      while (scroller !== null && !scrolls(getComputedStyle(scroller).overflowX)) scroller = scroller.parentElement
      if (scroller === null && (size.right > window.innerWidth + SLACK || size.left < -SLACK)) {
        found.push(`out of the window sideways: ${name(control)}`)
        continue
      }
      let cover = coverOf(control, scroller)
      if (cover !== null) {
        // What lies at the edge of the window, or beneath a bar that stays there, is scrolled to.
        control.scrollIntoView({ block: 'center', behavior: 'instant' })
        cover = coverOf(control, scroller)
      }
      if (cover !== null) found.push(`${cover}: ${name(control)}`)
    }
    window.scrollTo(before.x, before.y)
    return [...new Set(found)]
  })
}
