import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DeviceLogLine } from '#core/api/calls/log.ts'
import { err, ok } from '#core/result.ts'
import { LogBadge } from '#src/frame/shell/log/LogBadge.tsx'
import { addLine, logLines, removeLines } from '#src/log/store.ts'
import type { Session } from '#src/session/types.ts'
import { SessionContext } from '#src/session/useSession.ts'
import { show, speak } from '#tests/src/support/screen.tsx'
import { closedSession, openAs } from '#tests/src/support/session.ts'

beforeAll(() => speak('zh'))
beforeEach(() => removeLines(logLines()))

const user = { userId: 'u1', account: 'crc', realName: '林协调', isAdmin: false }
const current = openAs(user)

function line(at: number): DeviceLogLine {
  const time = new Date(Date.UTC(2026, 10, 22, 1, 0, at)).toISOString()
  return {
    url: '/projects',
    time,
    type: 'screen',
    message: `React error #${at}`,
    stack: '/assets/start-A.js:5:6',
    info: '',
  }
}

function open(lines: number, session: Partial<Session> = {}) {
  for (let at = 0; at < lines; at += 1) addLine(line(at))
  show(
    <SessionContext value={{ ...closedSession(), current, ...session }}>
      <LogBadge />
    </SessionContext>,
  )
}

describe('the badge', () => {
  it('is not there while nothing has gone wrong', () => {
    open(0)
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('counts up to 99', () => {
    open(99)
    expect(screen.getByRole('button', { name: '本地错误日志，99 条' }).textContent).toBe('99')
    addLine(line(200))
    return waitFor(() => expect(screen.getByRole('button', { name: '本地错误日志，100 条' }).textContent).toBe('99+'))
  })
})

describe('the log', () => {
  it('keeps its lines when the server does not take them, and says why', async () => {
    open(2, { call: async () => err({ code: 'rate_limited' }) })
    await userEvent.click(screen.getByRole('button', { name: /本地错误日志/ }))
    await userEvent.click(await screen.findByRole('button', { name: '上传到服务器' }))
    await userEvent.click(await screen.findByRole('button', { name: '上传' }))
    expect(await screen.findByRole('alert')).toBeTruthy()
    expect(logLines()).toHaveLength(2)
  })

  it('sends what it shows and lets it go then; what went wrong meanwhile stays', async () => {
    const sent: unknown[] = []
    const call: Session['call'] = async (id, input) => {
      if (id === 'log.local') {
        sent.push(input?.body)
        addLine(line(50))
      }
      return ok(true) as never
    }
    open(2, { call })
    await userEvent.click(screen.getByRole('button', { name: /本地错误日志/ }))
    await userEvent.click(await screen.findByRole('button', { name: '上传到服务器' }))
    await userEvent.click(await screen.findByRole('button', { name: '上传' }))
    expect(await screen.findByText('发送成功!')).toBeTruthy()
    expect(sent).toEqual([[line(1), line(0)]])
    expect(logLines()).toEqual([line(50)])
  })

  it('cannot be sent without the server, and says so', async () => {
    open(1, { reachable: false })
    await userEvent.click(screen.getByRole('button', { name: /本地错误日志/ }))
    expect(await screen.findByText(/当前离线，不能上传/)).toBeTruthy()
    expect(screen.getByRole('button', { name: '上传到服务器' }).hasAttribute('disabled')).toBe(true)
  })
})
