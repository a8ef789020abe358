import '#tests/src/data/support/indexedDb.ts'
import { act, renderHook, waitFor } from '@testing-library/react'
import { RangeSet } from 'dexie'
import { expect, test } from 'vitest'
import { useSyncState } from '#src/data/hooks/sync.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import { PROJECT, VERSION, target } from '#tests/offline/support/tablet.ts'
import { enrolled, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'

/** One value that somebody enters on the page of a patient, and that waits for the network. */
async function enterWeight(at: Ward, patientId: string): Promise<void> {
  const content = { value: null, missing: null }
  const item = {
    table: null,
    rid: null,
    code: 'weight',
    base: content,
    to: { ...content, value: 70 },
    isShow: 1 as const,
    reason: null,
  }
  await at.device.saveEntry(PROJECT, {
    target: target(patientId),
    versionId: VERSION,
    items: [item],
    rows: [],
    journal: [],
    seen: null,
    progress: null,
  })
}

/** The counter of unsent work, as every screen shows it; null until it is counted. */
function countUnsent(at: Ward): () => number | null {
  const { result } = renderHook(() => useSyncState(), {
    wrapper: ({ children }) => <DeviceContext value={at.device}>{children}</DeviceContext>,
  })
  return () => (result.current.state === 'ready' ? result.current.value.unsent : null)
}

test('what is unsent is counted on every screen as soon as it is written, and no longer once it is received', async () => {
  const at = await ward()
  const patient = await enrolled(at)
  const unsent = countUnsent(at)
  await waitFor(() => expect(unsent()).toBe(0))
  await act(() => enterWeight(at, patient.id))
  await waitFor(() => expect(unsent()).toBe(1))
  await act(() => at.sync())
  await waitFor(() => expect(unsent()).toBe(0))
})

test('what another tab or the sync worker writes is counted as well', async () => {
  const at = await ward()
  const patient = await enrolled(at)
  await enterWeight(at, patient.id)
  const unsent = countUnsent(at)
  await waitFor(() => expect(unsent()).toBe(1))
  const { work } = at.context.storage
  const keys = await work.outbox.toCollection().primaryKeys()
  // A connection of its own, as a worker has: of what it writes this page knows by the browser's channel alone.
  const elsewhere = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open(work.name)
    opening.addEventListener('success', () => resolve(opening.result))
    opening.addEventListener('error', () => reject(new Error('not opened')))
  })
  const sending = elsewhere.transaction('outbox', 'readwrite')
  for (const key of keys) sending.objectStore('outbox').delete(key)
  await new Promise((resolve) => sending.addEventListener('complete', resolve))
  elsewhere.close()
  const channel = new BroadcastChannel('x-storagemutated-1')
  channel.postMessage({ [`idb://${work.name}/outbox/`]: new RangeSet().addKeys(keys) })
  await waitFor(() => expect(unsent()).toBe(0))
  channel.close()
})
