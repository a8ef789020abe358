import '#tests/src/data/support/indexedDb.ts'
import { renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { err } from '#core/result.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { useProject } from '#src/data/hooks/projects.ts'
import { useSyncState } from '#src/data/hooks/sync.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import { CENTER_SCOPE, PROJECT, target } from '#tests/offline/support/tablet.ts'
import { enrolled, entryRow, project, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'

/** How long it takes at most until somebody is told of a change. */
const TOLD_MS = 150

async function pulledEntry(at: Ward, of: EntryTarget, seq: number): Promise<void> {
  const id = entryId(of)
  await at.pulled(CENTER_SCOPE, [{ kind: 'entry', id, seq, row: entryRow(id, of.patientId, { weight: seq }) }])
}

test('what shows a project does not wake for the entries of a drain or a download, and does for the project', async () => {
  const at = await ward()
  const patient = await enrolled(at)
  await new Promise((resolve) => setTimeout(resolve, TOLD_MS))
  const [ofProject, ofEntries] = [vi.fn(), vi.fn()]
  const stops = [at.device.watch(['rows/project'], ofProject), at.device.watch(['rows/entry'], ofEntries)]
  await pulledEntry(at, target(patient.id), 5)
  await vi.waitFor(() => expect(ofEntries).toHaveBeenCalledOnce())
  expect(ofProject).not.toHaveBeenCalled()
  await at.pulled(PROJECT, [{ kind: 'project', id: PROJECT, seq: 9, row: { ...project, projectName: '改名' } }])
  await vi.waitFor(() => expect(ofProject).toHaveBeenCalledOnce())
  expect(ofEntries).toHaveBeenCalledOnce()
  // Very many at once are told without saying which.
  const many = Array.from({ length: 60 }, () => newId())
  await at.pulled(
    CENTER_SCOPE,
    many.map((id) => ({ kind: 'entry', id, seq: 10, row: entryRow(id, newId(), {}) })),
  )
  await vi.waitFor(() => expect([ofProject.mock.calls.length, ofEntries.mock.calls.length]).toEqual([2, 2]))
  for (const stop of stops) stop()
})

test('what many places of a screen show is read once for all of them', async () => {
  const at = await ward()
  const device = { ...at.device, syncState: vi.fn(at.device.syncState), unsent: vi.fn(at.device.unsent) }
  const { result, unmount } = renderHook(() => [useSyncState(), useSyncState(), useSyncState()], {
    wrapper: ({ children }) => <DeviceContext value={device}>{children}</DeviceContext>,
  })
  await waitFor(() => expect(result.current.map(({ state }) => state)).toEqual(['ready', 'ready', 'ready']))
  expect(device.syncState).toHaveBeenCalledOnce()
  expect(device.unsent).toHaveBeenCalledOnce()
  unmount()
})

test('a screen that is gone back to shows at once what it showed of the project, and what has changed since as soon as it is read', async () => {
  const at = await ward()
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <DeviceContext value={at.device}>{children}</DeviceContext>
  )
  const name = (read: ReturnType<typeof useProject>) => (read.state === 'ready' ? read.value.projectName : read.state)
  const before = renderHook(() => name(useProject(PROJECT)), { wrapper })
  await waitFor(() => expect(before.result.current).toBe(project.projectName))
  before.unmount()
  await at.pulled(PROJECT, [{ kind: 'project', id: PROJECT, seq: 9, row: { ...project, projectName: '改名' } }])
  const again = renderHook(() => name(useProject(PROJECT)), { wrapper })
  expect(again.result.current).toBe(project.projectName)
  await waitFor(() => expect(again.result.current).toBe('改名'))
  again.unmount()
})

test('what cannot be read any more when a screen is gone back to is not shown for longer than the reading takes', async () => {
  const at = await ward()
  let gone = false
  const device = {
    ...at.device,
    project: async (id: string) => (gone ? err({ code: 'not_found' } as const) : at.device.project(id)),
  }
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <DeviceContext value={device}>{children}</DeviceContext>
  )
  const before = renderHook(() => useProject(PROJECT).state, { wrapper })
  await waitFor(() => expect(before.result.current).toBe('ready'))
  before.unmount()
  gone = true
  const again = renderHook(() => useProject(PROJECT).state, { wrapper })
  await waitFor(() => expect(again.result.current).toBe('failed'))
  again.unmount()
})
