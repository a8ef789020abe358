import type { Page } from '@playwright/test'

/**
 * What of a screen a person cannot see or reach at the size that its window has.
 *
 * All functions but the first run inside of the page, which gets the text of each and nothing around it: what they
 * share goes to them as the eye.
 */

/**
 * Everything that runs over an edge, is cut off without a way to see all of it, or lies beneath something else. Each as
 * what it is, where and by how much; empty when nothing does.
 */
export async function findLayoutFaults(page: Page): Promise<readonly string[]> {
  const eye = await page.evaluateHandle(openEye)
  try {
    const found = new Set<string>()
    for (const look of [findWideDocument, findCutTexts, findCutPlaceholders, findCoveredControls]) {
      for (const fault of await page.evaluate(look, eye)) found.add(fault)
    }
    return [...found]
  } finally {
    await eye.dispose()
  }
}

/** What the looks at a page share. */
interface Eye {
  /** Less than this, in pixels, is a rounding of the browser. */
  readonly slack: number
  /** What lies over the rest: what is beneath it is covered by intent, and not looked at. */
  readonly top: Element
  /** The beginning of a text, on one line. */
  readonly wordsOf: (text: string) => string
  readonly nameOf: (element: Element) => string
  readonly isShown: (element: Element) => boolean
  /** Whether it is drawn for screen readers alone. */
  readonly isUnseen: (element: Element) => boolean
  /** Of a value of `overflow`. */
  readonly clips: (overflow: string) => boolean
  readonly scrolls: (overflow: string) => boolean
}

function openEye(): Eye {
  const wordsOf = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').slice(0, 60)
  const nameOf = (element: Element): string => {
    const classes =
      typeof element.className === 'string'
        ? element.className
            .split(' ')
            .filter((one) => one !== '' && !one.startsWith('m_'))
            .slice(0, 2)
        : []
    return `${element.tagName.toLowerCase()}${classes.map((one) => `.${one}`).join('')} “${wordsOf(element.getAttribute('aria-label') ?? element.textContent)}”`
  }
  const isShown = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) &&
    element.closest('[inert], [aria-hidden=true]') === null
  const isUnseen = (element: Element): boolean => {
    for (let up: Element | null = element; up !== null && up !== document.body; up = up.parentElement) {
      const { clipPath, clip, position } = getComputedStyle(up)
      if (clipPath === 'inset(50%)' || (position === 'absolute' && clip.startsWith('rect(0')) || up.clientWidth === 1)
        return true
    }
    return false
  }
  const layers = [...document.querySelectorAll('[role=dialog], .mantine-Dialog-root')].filter((one) => isShown(one))
  return {
    slack: 1.5,
    top: layers.at(-1) ?? document.body,
    wordsOf,
    nameOf,
    isShown,
    isUnseen,
    clips: (overflow) => overflow === 'hidden' || overflow === 'clip',
    scrolls: (overflow) => overflow === 'auto' || overflow === 'scroll',
  }
}

/** Whether the document is wider than the window, and by what. */
function findWideDocument({ slack, nameOf, isShown }: Eye): readonly string[] {
  const over = document.documentElement.scrollWidth - window.innerWidth
  if (over <= 0) return []
  const widest = [...document.body.querySelectorAll('*')]
    .filter((one) => isShown(one) && one.getBoundingClientRect().right > window.innerWidth + slack)
    .toSorted((a, b) => b.getBoundingClientRect().right - a.getBoundingClientRect().right)[0]
  return [
    `the document is ${over} px wider than the window: ${widest === undefined ? 'nothing visible' : nameOf(widest)}`,
  ]
}

/** Texts of which a part is cut off, and that nothing else says. */
function findCutTexts({ slack, top, wordsOf, nameOf, isShown, isUnseen, clips, scrolls }: Eye): readonly string[] {
  const found: string[] = []
  /** What cuts a part of a text off, and where; null when nothing does. */
  const cutOf = (text: Node, holder: Element): string | null => {
    const range = document.createRange()
    range.selectNodeContents(text)
    const rects = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0)
    let isFree = { x: false, y: false }
    for (let up: Element | null = holder; up !== null && up !== document.documentElement; up = up.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(up)
      const box = up.getBoundingClientRect()
      const sideways =
        clips(overflowX) &&
        !isFree.x &&
        rects.some(({ left, right }) => right > box.right + slack || left < box.left - slack)
      // A line's own box is higher than its letters.
      const downwards =
        clips(overflowY) &&
        !isFree.y &&
        rects.some(({ top: upper, bottom }) => bottom > box.bottom + 4 || upper < box.top - 4)
      if (sideways || downwards) return `${sideways ? 'sideways' : 'below'} by ${nameOf(up)}`
      isFree = { x: isFree.x || scrolls(overflowX), y: isFree.y || scrolls(overflowY) }
      if (position === 'fixed') return null
    }
    return null
  }
  const texts = document.createTreeWalker(top, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const holder = node.parentElement
    const text = node.textContent ?? ''
    if (
      holder === null ||
      wordsOf(text) === '' ||
      !isShown(holder) ||
      ['SCRIPT', 'STYLE', 'OPTION'].includes(holder.tagName) ||
      isUnseen(holder)
    )
      continue
    const cut = cutOf(node, holder)
    if (cut === null) continue
    const told =
      holder.closest('[title]')?.getAttribute('title') ??
      holder.closest('[aria-label]')?.getAttribute('aria-label') ??
      ''
    if (!told.includes(text.trim())) found.push(`cut off ${cut}: “${wordsOf(text)}”`)
  }
  return found
}

/** Placeholders that are longer than their boxes. */
function findCutPlaceholders({ slack, top, wordsOf, isShown }: Eye): readonly string[] {
  const pen = document.createElement('canvas').getContext('2d')
  if (pen === null) return []
  const found: string[] = []
  for (const input of top.querySelectorAll<HTMLInputElement>('input[placeholder]')) {
    if (!isShown(input) || input.value !== '') continue
    const { font, paddingLeft, paddingRight } = getComputedStyle(input)
    pen.font = font
    const room = input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
    const wanted = pen.measureText(input.placeholder).width
    if (wanted > room + slack)
      found.push(
        `placeholder cut off: “${wordsOf(input.placeholder)}” needs ${Math.ceil(wanted)} px of ${Math.floor(room)}`,
      )
  }
  return found
}

/** Controls that cannot be pressed at their middle, also once they are scrolled to. */
function findCoveredControls({ slack, top, nameOf, isShown, isUnseen, scrolls }: Eye): readonly string[] {
  const found: string[] = []
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
    return `covered by ${nameOf(hit)}`
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
    if (scroller === null && (size.right > window.innerWidth + slack || size.left < -slack)) {
      found.push(`out of the window sideways: ${nameOf(control)}`)
      continue
    }
    let cover = coverOf(control, scroller)
    if (cover !== null) {
      // What lies at the edge of the window, or beneath a bar that stays there, is scrolled to.
      control.scrollIntoView({ block: 'center', behavior: 'instant' })
      cover = coverOf(control, scroller)
    }
    if (cover !== null) found.push(`${cover}: ${nameOf(control)}`)
  }
  window.scrollTo(before.x, before.y)
  return found
}
