import type { BrowserContext, Page } from '@playwright/test'

/** How far what is already on the screen may jump while a screen opens, as browsers reckon it (CLS). */
export const SHIFT_BUDGET = 0.02

/** What jumped, and how much of the window it moved through. */
export interface Shifts {
  readonly sum: number
  readonly places: readonly string[]
}

declare global {
  interface Window {
    /** What has jumped since it was last asked for, apart from what followed a tap or a key. */
    takeShifts?: () => Shifts
  }
}

/** Notes in every page of a context what jumps. */
export async function watchShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    interface LayoutShift extends PerformanceEntry {
      readonly value: number
      readonly hadRecentInput: boolean
      readonly sources: readonly {
        readonly node: Node | null
        readonly previousRect: DOMRectReadOnly
        readonly currentRect: DOMRectReadOnly
      }[]
    }
    const observer = new PerformanceObserver((list) => noted.push(...(list.getEntries() as LayoutShift[])))
    let noted: LayoutShift[] = []
    const nameOf = (node: Node | null): string => {
      const element = node instanceof Element ? node : (node?.parentElement ?? null)
      if (element === null) return 'what is gone'
      const text = (element.textContent ?? '').trim().slice(0, 24)
      return `${element.tagName.toLowerCase()} “${text}”`
    }
    observer.observe({ type: 'layout-shift', buffered: true })
    window.takeShifts = () => {
      noted.push(...(observer.takeRecords() as LayoutShift[]))
      const own = noted.filter(({ hadRecentInput }) => !hadRecentInput)
      noted = []
      return {
        sum: own.reduce((sum, { value }) => sum + value, 0),
        places: own.flatMap(({ sources }) =>
          sources.map(
            ({ node, previousRect: before, currentRect: after }) =>
              `${nameOf(node)} from ${Math.round(before.x)},${Math.round(before.y)} to ${Math.round(after.x)},${Math.round(after.y)}`,
          ),
        ),
      }
    }
  })
}

/** What has jumped in a page since it was last asked for. */
export async function takeShifts(page: Page): Promise<Shifts> {
  return page.evaluate(() => window.takeShifts?.() ?? { sum: 0, places: [] })
}
