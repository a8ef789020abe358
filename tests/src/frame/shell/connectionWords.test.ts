import i18next from 'i18next'
import { beforeAll, describe, expect, test } from 'vitest'
import { connectionWords } from '#src/frame/shell/ConnectionStatus.tsx'
import { speak } from '#tests/src/support/screen.tsx'
import { syncState } from '#tests/src/support/rows.ts'

beforeAll(() => speak('zh'))

describe('connection and sync, in words', () => {
  const words = (facts: Parameters<typeof syncState>[0]) =>
    connectionWords(syncState(facts), i18next.getFixedT('zh', 'status'))

  test('everything has reached the server', () => {
    expect(words({ lastContact: new Date(2026, 4, 6, 14, 40).toISOString() })).toMatch(/^已同步 .*14:40$/)
  })
  test('offline says how much is kept on this device', () => {
    expect(words({ reachable: false, unsent: 12 })).toBe('离线 · 已保存 12 项在本机')
    expect(words({ reachable: false })).toBe('离线')
  })
  test('what waits and what is under way are different words', () => {
    expect(words({ unsent: 3 })).toBe('待同步 3 项')
    expect(words({ unsent: 3, syncing: true })).toBe('同步中 · 剩 3 项')
  })
  test('changes that wait for nothing but their reason are called so, beside others they are one of what waits', () => {
    expect(words({ unsent: 2, unexplained: 2 })).toBe('2 项待说明修改原因')
    expect(words({ unsent: 3, unexplained: 2 })).toBe('待同步 3 项')
  })
  test('a pause names what a person must do, except where the network is away anyway', () => {
    expect(words({ paused: 'signed_out', unsent: 2 })).toBe('已保存 2 项在本机 · 登录后同步')
    expect(words({ paused: 'signed_out', unsent: 2, reachable: false })).toBe('离线 · 已保存 2 项在本机')
    expect(words({ paused: 'vault_locked' })).toBe('已连接')
    expect(words({ paused: 'client_too_old', unsent: 2 })).toContain('请更新应用')
    expect(words({ paused: 'server_full', unsent: 2 })).toBe('服务器存储已满 · 本机 2 项待同步')
    expect(words({ paused: 'server_full' })).toBe('服务器存储已满，暂不能保存')
  })
})
