import { renderHook } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { Saver } from '#src/saving/saver.ts'
import type { WriteOutcome } from '#src/saving/saver.ts'
import { useSaver } from '#src/saving/useSaver.ts'
import { flushOpenPages } from '#src/session/beforeReload.ts'

/** A screen with something to save, and what becomes of the screen: locked, hidden, closed, loaded anew, left. */

/** A text that is edited; the server and the device answer as the test says. */
function openScreen(use: Parameters<typeof useSaver>[1] = {}) {
  const screen = { text: '', saved: '', kept: '', answer: 'done' as 'done' | 'failed', storage: true }
  const write = async (text: string): Promise<WriteOutcome> => {
    if (screen.answer === 'failed') return { is: 'failed', error: { code: 'offline' } }
    screen.saved = text
    return { is: 'done' }
  }
  const saver = new Saver(
    {
      take: () => (screen.text === screen.saved ? null : () => write(screen.text)),
      isUnsaved: () => screen.text !== screen.saved,
      keep: async () => {
        if (screen.storage) screen.kept = screen.text === screen.saved ? '' : screen.text
        return screen.storage
      },
    },
    { save: 500, retry: { first: 4000, longest: 4000 } },
  )
  const shown = renderHook((given: Parameters<typeof useSaver>[1]) => useSaver(saver, given), { initialProps: use })
  return {
    ...shown,
    screen,
    saver,
    edit: (text: string) => {
      screen.text = text
      saver.edited()
    },
  }
}

/** Whether the browser is told to ask before it closes the tab. */
function asksBeforeClosing(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

afterEach(() => vi.restoreAllMocks())

it('that is locked or loaded anew is saved first', async () => {
  const { screen, edit } = openScreen()
  edit('a')
  expect(await flushOpenPages()).toEqual({ allSaved: true })
  expect([screen.saved, screen.kept]).toEqual(['a', ''])
})

it('that is locked or loaded anew while the server is away has its copy on the device, which is enough', async () => {
  const { screen, edit } = openScreen()
  screen.answer = 'failed'
  edit('a')
  expect(await flushOpenPages()).toEqual({ allSaved: true })
  expect(screen.kept).toBe('a')
})

it('holds up who loads the app anew where what was typed is in memory only', async () => {
  const { screen, edit } = openScreen()
  Object.assign(screen, { answer: 'failed', storage: false })
  edit('a')
  expect(await flushOpenPages()).toEqual({ allSaved: false })
  screen.storage = true
  expect(await flushOpenPages()).toEqual({ allSaved: true })
})

it.each(['visibilitychange', 'pagehide'])('that is hidden is kept and saved at once: %s', async (event) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  const { screen, edit } = openScreen()
  edit('a')
  document.dispatchEvent(new Event(event))
  window.dispatchEvent(new Event(event))
  await vi.waitFor(() => expect(screen.saved).toBe('a'))
})

it('asks before the tab is closed as long as anything is not saved, or not even kept', async () => {
  const [page, draft, test] = [openScreen(), openScreen({ asksOf: 'unsaved' }), openScreen({ asksOf: 'unkept' })]
  expect(asksBeforeClosing()).toBe(false)
  page.edit('a')
  expect(asksBeforeClosing()).toBe(false)
  draft.screen.answer = 'failed'
  draft.edit('a')
  await draft.saver.keep()
  expect(asksBeforeClosing()).toBe(true)
  draft.screen.answer = 'done'
  await draft.saver.flush()
  expect(asksBeforeClosing()).toBe(false)
  test.screen.answer = 'failed'
  test.edit('a')
  expect(asksBeforeClosing()).toBe(true)
  await test.saver.flush()
  expect([test.screen.kept, asksBeforeClosing()]).toEqual(['a', false])
})

it('that is left saves what is not saved yet, and hears nothing any more', async () => {
  const { screen, edit, unmount } = openScreen({ asksOf: 'unsaved' })
  edit('a')
  unmount()
  await vi.waitFor(() => expect(screen.saved).toBe('a'))
  edit('ab')
  expect([asksBeforeClosing(), await flushOpenPages(), screen.saved]).toEqual([false, { allSaved: true }, 'a'])
})

it('sends what waits as soon as the server is back', async () => {
  const { screen, edit, rerender, saver } = openScreen({ reachable: false })
  edit('a')
  await vi.waitFor(() => expect(saver.getState()).toMatchObject({ is: 'failed' }), 2000)
  expect(screen.saved).toBe('')
  rerender({ reachable: true })
  await vi.waitFor(() => expect(screen.saved).toBe('a'))
})

it('on which nothing can be edited takes no part in any of this', () => {
  const { saver } = openScreen({ isActive: false, asksOf: 'unsaved' })
  saver.edited()
  expect(asksBeforeClosing()).toBe(false)
  saver.stop()
})
