import { cleanup as removeLiveRegion } from '@atlaskit/pragmatic-drag-and-drop-live-region'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'
import { watchClosing } from './closing.ts'

/**
 * What jsdom lacks and Mantine asks for. Nothing here stands in for our own code: the stubs only answer "no media query
 * matches" and "nothing was laid out", which is true of jsdom.
 */
vi.stubGlobal('matchMedia', (query: string): MediaQueryList => ({
  matches: false,
  media: query,
  onchange: null,
  addListener: () => undefined,
  removeListener: () => undefined,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
  dispatchEvent: () => false,
}))

class NoResizeObserver implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
vi.stubGlobal('ResizeObserver', NoResizeObserver)

window.HTMLElement.prototype.scrollIntoView = () => undefined
// No font is ever loaded, so that nothing is told of one.
Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() })

// What is waited for comes, or the behaviour is broken; how fast, on a busy machine, is not for these tests to say.
configure({ asyncUtilTimeout: 10_000 })

afterEach(cleanup)

// The files of a worker share its window: what one leaves in it is no fact for the next.
localStorage.clear()
sessionStorage.clear()
history.replaceState(null, '', '/')
const stopAsking = watchClosing()
afterAll(() => {
  stopAsking()
  removeLiveRegion()
})
