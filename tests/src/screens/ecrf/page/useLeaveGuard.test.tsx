// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { CompiledVersion } from '#core/form/compiled/compiledVersion.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import type { SavedWrite } from '#src/data/shapes/types.ts'
import { edit } from '#src/form/formActions.ts'
import { Autosave } from '#src/screens/ecrf/page/autosave.ts'
import { useLeaveGuard } from '#src/screens/ecrf/page/useLeaveGuard.ts'

/** Leaving a page on a tablet whose disk takes nothing down: nobody does so unasked. */

const FULL: SavedWrite = { ok: false, error: { code: 'storage_full' } }
const SAVED: SavedWrite = { ok: true, at: '2026-11-21T09:00:00.000Z', order: 1 }

/** A page with one field, and a disk that answers when the test says so. */
function openPage() {
  const version = new CompiledVersion([
    {
      folderCode: 'v0',
      pages: [
        { pageCode: 'vitals', option: JSON.stringify({ column: [{ prop: 'note', label: '备注', type: 'input' }] }) },
      ],
    },
  ])
  const compiled = version.page({ folder: 'v0', page: 'vitals' })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled))
  const form = createFormState(
    compiled.compiled,
    { values: {}, missing: {} },
    { moment: { today: '2026-11-21', now: '2026-11-21 09:00:00' }, readOnly: false },
  )
  const waiting: ((result: SavedWrite) => void)[] = []
  const save = (): Promise<SavedWrite> =>
    new Promise((resolve) => {
      waiting.push(resolve)
    })
  const [patientId, folderId, pageId] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  const target = {
    patientId,
    folderId,
    folderRepeat: '0',
    pageId,
    pageRepeat: '0',
    parentEntryId: null,
    pass: 1,
  } as const
  const discard = vi.fn((_opening: string) => Promise.resolve())
  const autosave = new Autosave(
    form,
    { target, versionId: 'v1' },
    {
      journal: () => undefined,
      journalAnswer: () => undefined,
      letGo: () => Promise.resolve(),
      discard,
      prepare: () => undefined,
      save,
      submit: save,
    },
  )
  const guard = renderHook(() => useLeaveGuard(autosave), { wrapper: MemoryRouter })
  return {
    autosave,
    guard,
    discard,
    /** How many saves wait for the disk. */
    tries: () => waiting.length,
    type: (text: string) =>
      edit({ state: form, onEdit: (one) => autosave.edited(one) }, 'note', (to) => to.setText('note', text)),
    /** The disk answers the save that waits for it. */
    answers: async (result: SavedWrite) => {
      await vi.waitFor(() => expect(waiting).toHaveLength(1), 5000)
      waiting.shift()?.(result)
      await act(() => Promise.resolve())
    },
    isTried: () => vi.waitFor(() => expect([waiting.length, autosave.getStatus().state]).toEqual([1, 'saving']), 5000),
  }
}

/** Whether the browser is told to ask before it closes the tab. */
function asksBeforeClosing(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

/** A link to another page of the app, and whether anybody but the guard has heard of a click on it. */
function linkElsewhere() {
  const a = document.body.appendChild(Object.assign(document.createElement('a'), { href: '/elsewhere' }))
  const followed = vi.fn((event: Event) => event.preventDefault())
  a.addEventListener('click', followed)
  return { a, followed }
}

test('asks as well while a save that failed is being tried again, or more is typed, until one has succeeded', async () => {
  const page = openPage()
  page.type('甲')
  await page.answers(FULL)
  expect([page.autosave.getStatus().state, asksBeforeClosing()]).toEqual(['failed', true])
  await page.isTried()
  expect(asksBeforeClosing()).toBe(true)
  page.type('甲乙')
  expect([page.autosave.getStatus().state, asksBeforeClosing()]).toEqual(['editing', true])
  await page.answers({ ok: true, at: '2026-11-21T09:00:00.000Z', order: 1 })
  expect(asksBeforeClosing()).toBe(false)
  await page.answers({ ok: true, at: '2026-11-21T09:00:01.000Z', order: 2 })
  expect([page.autosave.getStatus().state, asksBeforeClosing()]).toEqual(['saved', false])
  page.guard.unmount()
})

test('a link that is clicked meanwhile waits for the tries that are under way, and asks where they fail too', async () => {
  const page = openPage()
  const link = linkElsewhere()
  page.type('甲')
  await page.answers(FULL)
  await page.isTried()
  link.a.click()
  expect(link.followed).not.toHaveBeenCalled()
  await page.answers(FULL)
  await page.answers(FULL)
  await vi.waitFor(() => expect(page.guard.result.current.leaving).not.toBeNull())
  page.guard.unmount()
  link.a.remove()
})

test('a link that is followed right after a key waits for the save, and is followed as it was meant where that succeeds', async () => {
  const page = openPage()
  const link = linkElsewhere()
  page.type('甲')
  link.a.click()
  // Once more, as an impatient hand does.
  link.a.click()
  await page.isTried()
  expect(link.followed).not.toHaveBeenCalled()
  await page.answers(SAVED)
  await vi.waitFor(() => expect(link.followed).toHaveBeenCalledTimes(1))
  expect(page.guard.result.current.leaving).toBeNull()
  link.a.click()
  expect(link.followed).toHaveBeenCalledTimes(2)
  page.guard.unmount()
  link.a.remove()
})

test('a link that is followed right after a key asks where the disk has just become full', async () => {
  const page = openPage()
  const link = linkElsewhere()
  page.type('甲')
  link.a.click()
  await page.answers(FULL)
  await vi.waitFor(() => expect(page.guard.result.current.leaving).not.toBeNull())
  expect(link.followed).not.toHaveBeenCalled()
  page.guard.unmount()
  link.a.remove()
})

test('likewise the browser’s way back: where the disk is full the page stays and asks, else it is gone as meant', async () => {
  window.history.pushState({ idx: 0 }, '', '/casebook')
  window.history.pushState({ idx: 1 }, '', '/page')
  const page = openPage()
  const heard = vi.fn()
  window.addEventListener('popstate', heard)
  page.type('甲')
  window.history.back()
  await page.answers(FULL)
  await vi.waitFor(() => expect(page.guard.result.current.leaving).not.toBeNull())
  expect([heard.mock.calls.length, window.location.pathname]).toEqual([0, '/page'])
  act(() => page.guard.result.current.leaving?.stay())

  window.history.back()
  await page.answers(SAVED)
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1))
  expect([window.location.pathname, window.history.state, page.guard.result.current.leaving]).toEqual([
    '/casebook',
    { idx: 0 },
    null,
  ])
  window.removeEventListener('popstate', heard)
  page.guard.unmount()
})

test('who discards and leaves has left for good: the page that closes tries no more', async () => {
  const page = openPage()
  const link = linkElsewhere()
  page.type('甲')
  link.a.click()
  await page.answers(FULL)
  await vi.waitFor(() => expect(page.guard.result.current.leaving).not.toBeNull())
  act(() => page.guard.result.current.leaving?.go())
  expect([page.guard.result.current.leaving, asksBeforeClosing()]).toEqual([null, false])
  page.guard.unmount()
  await page.autosave.close()
  await page.autosave.untilSaved()
  expect([page.tries(), page.discard.mock.calls.length]).toEqual([0, 1])
  link.a.remove()
})

test('a link to another place of the same page is followed at once: the page stays, and so does what is on it', async () => {
  const page = openPage()
  const link = linkElsewhere()
  link.a.href = `${window.location.pathname}?field=note`
  page.type('甲')
  await page.answers(FULL)
  link.a.click()
  expect([link.followed.mock.calls.length, page.guard.result.current.leaving]).toEqual([1, null])
  page.guard.unmount()
  link.a.remove()
})
