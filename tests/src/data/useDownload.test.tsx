import '#tests/src/data/support/indexedDb.ts'
import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { setMeta } from '#offline/db/meta.ts'
import { useDownload } from '#src/data/hooks/sync.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import { ward } from '#tests/src/data/support/ward.ts'

test('a download is followed figure by figure, as the worker writes them down, until it is through', async () => {
  const at = await ward()
  const { result } = renderHook(() => useDownload(), {
    wrapper: ({ children }) => <DeviceContext value={at.device}>{children}</DeviceContext>,
  })
  const write = (progress: { scope: string; done: number; total: number } | null) =>
    act(() => setMeta(at.context.storage.work, 'pullProgress', progress))
  expect(result.current).toBeNull()
  for (const done of [200, 400]) {
    await write({ scope: 'center', done, total: 2000 })
    await waitFor(() => expect(result.current).toEqual({ scope: 'center', done, total: 2000 }))
  }
  await write(null)
  await waitFor(() => expect(result.current).toBeNull())
})
