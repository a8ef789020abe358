import '#tests/src/data/support/indexedDb.ts'
import { screen } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import { ok } from '#core/result.ts'
import type { Device } from '#src/data/device/device.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import { StoragePanel } from '#src/screens/device/StoragePanel.tsx'
import { syncState } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** What a device says of its storage: one sentence, and a true one. */

beforeAll(() => speak('zh'))

function at(persisted: boolean): void {
  const state = syncState({ storage: { usedBytes: 1_000_000, quotaBytes: 1_000_000_000, persisted } })
  const device = {
    syncState: () => Promise.resolve(ok(state)),
    unsent: () => Promise.resolve(ok({ unsent: 0, oldestUnsent: null })),
    watch: () => () => undefined,
  } as unknown as Device
  show(
    <DeviceContext value={device}>
      <StoragePanel />
    </DeviceContext>,
  )
}

test('without protection it is said once what the browser may clear: everything, what was not sent too', async () => {
  at(false)
  const said = await screen.findByText(/未受保护/)
  expect(said.textContent).toContain('包括尚未同步的录入')
  expect(screen.queryAllByText(/清除/)).toHaveLength(1)
  expect(screen.queryByText(/已同步/)).toBeNull()
  expect(screen.getByRole('button', { name: '请求保护' })).toBeDefined()
})

test('with protection nothing is said of clearing but that it does not happen, and nothing is asked for', async () => {
  at(true)
  expect((await screen.findByText(/已受保护/)).textContent).toContain('不会自动清除')
  expect(screen.queryByText(/尚未同步/)).toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
})
