import '#tests/src/data/support/indexedDb.ts'
import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useSyncState } from '#src/data/hooks/sync.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import { PROJECT, VERSION, target } from '#tests/offline/support/tablet.ts'
import { enrolled, ward } from '#tests/src/data/support/ward.ts'

test('what is unsent is counted on every screen as soon as it is written, and no longer once it is received', async () => {
  const at = await ward()
  const patient = await enrolled(at)
  const { result } = renderHook(() => useSyncState(), {
    wrapper: ({ children }) => <DeviceContext value={at.device}>{children}</DeviceContext>,
  })
  const unsent = () => (result.current.state === 'ready' ? result.current.value.unsent : null)
  await waitFor(() => expect(unsent()).toBe(0))
  await act(async () => {
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
      target: target(patient.id),
      versionId: VERSION,
      items: [item],
      rows: [],
      journal: [],
      seen: null,
      progress: null,
    })
  })
  await waitFor(() => expect(unsent()).toBe(1))
  await act(() => at.sync())
  await waitFor(() => expect(unsent()).toBe(0))
})
