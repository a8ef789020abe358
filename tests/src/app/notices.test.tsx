import '#tests/src/data/support/indexedDb.ts'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { act } from 'react'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { ok } from '#core/result.ts'
import { UpdatePrompt } from '#src/app/update/UpdatePrompt.tsx'
import { ConnectionStatus } from '#src/frame/shell/ConnectionStatus.tsx'
import { DeviceNotices } from '#src/frame/shell/DeviceNotices.tsx'
import { tellUpdateNeeded } from '#src/app/update/updateNeed.ts'
import type { Device } from '#src/data/device/device.ts'
import type { SyncState } from '#src/data/shapes/types.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import type { Session } from '#src/session/types.ts'
import { SessionContext } from '#src/session/useSession.ts'
import { closedSession } from '#tests/src/support/session.ts'
import { syncState } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** What stands on top of every screen when something is wrong with this device or this version of the app. */

beforeAll(() => speak('zh'))

/** A session at work on a device whose connection and storage are as given. */
function at(facts: Partial<SyncState>, more: Partial<Session> = {}) {
  const state = syncState(facts)
  const device = {
    syncState: () => Promise.resolve(ok(state)),
    unsent: () => Promise.resolve(ok({ unsent: state.unsent, oldestUnsent: null })),
    watch: () => () => undefined,
  } as unknown as Device
  const session: Session = {
    ...closedSession(),
    ...more,
  }
  show(
    <SessionContext value={session}>
      <DeviceContext value={device}>
        <ConnectionStatus />
        <DeviceNotices />
        <UpdatePrompt />
      </DeviceContext>
    </SessionContext>,
  )
}

const GB = 1024 ** 3

describe('room on the device', () => {
  test('nothing is said while there is enough', async () => {
    at({ storage: { usedBytes: 0.79 * GB, quotaBytes: GB, persisted: true }, lastContact: new Date().toISOString() })
    await screen.findByText(/已同步/)
    expect(screen.queryByText(/存储/)).toBeNull()
  })

  test('from 80 % on it is said in figures, and where to do something about it', async () => {
    at({ storage: { usedBytes: 0.8 * GB, quotaBytes: GB, persisted: true } })
    expect((await screen.findByText(/本机存储已用 80%/)).textContent).toMatch(/MB.*GB|GB.*GB/)
    expect(screen.getByRole('link', { name: '本机数据' }).getAttribute('href')).toBe('/device')
  })

  test('how many patients are away for want of room is said, whatever the browser says of its room', async () => {
    at({ storage: null, evicted: 12 })
    expect((await screen.findByText(/12 位受试者/)).textContent).toContain('暂不在本机')
  })
})

describe('data that were cleared', () => {
  test('under the open app nothing claims to be synced', async () => {
    at({ lastContact: new Date().toISOString() }, { storageLoss: { underApp: true, told: false, lostUnsent: null } })
    expect((await screen.findByRole('alert')).textContent).toContain('屏幕上的内容还在，但不能再保存')
    expect(screen.queryByText(/已同步|已连接/)).toBeNull()
    expect(screen.getByRole('link').textContent).toBe('本机数据已被清除')
  })

  test('what the server last knew to be unsent is said until somebody has read it', async () => {
    const acknowledgeLoss = vi.fn(async () => undefined)
    at({}, { storageLoss: { underApp: false, told: true, lostUnsent: 3 }, acknowledgeLoss })
    await screen.findByText(/据服务器最后的记录，本机有 3 项未发送/)
    await userEvent.click(screen.getByRole('button', { name: '知道了' }))
    expect(acknowledgeLoss).toHaveBeenCalledOnce()
  })
})

describe('a version of the app that is over', () => {
  test('when the server takes nothing more from it, an update is asked for at once, and typing is said to go on', async () => {
    at({ paused: 'client_too_old', unsent: 2 })
    expect(screen.queryByText('需要更新应用')).toBeNull()
    act(() => tellUpdateNeeded(true))
    await screen.findByText('需要更新应用')
    expect(screen.getByText(/录入照常保存在本机/)).toBeDefined()
    await screen.findByText(/请更新应用后同步 · 本机 2 项/)
    act(() => tellUpdateNeeded(false))
    expect(screen.queryByText('需要更新应用')).toBeNull()
  })

  test('when another tab has taken over the databases, this one asks to be loaded anew, and can be put off', async () => {
    at({}, { outdated: true })
    await screen.findByText('另一个窗口已更新')
    await userEvent.click(screen.getByRole('button', { name: '稍后' }))
    expect(screen.queryByText('另一个窗口已更新')).toBeNull()
  })
})
