import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, describe, expect, test } from 'vitest'
import { err, ok } from '#core/result.ts'
import { UnlockScreen } from '#src/screens/login/UnlockScreen.tsx'
import type { Session, SessionState } from '#src/session/types.ts'
import { SessionContext } from '#src/session/useSession.ts'
import { closedSession } from '#tests/src/support/session.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

type Locked = Extract<SessionState, { state: 'locked' }>

const lin = { userId: 'u1', account: 'lin' }
const wu = { userId: 'u2', account: 'wu' }

/** A locked tablet, and with what it was tried to open it. */
function locked(facts: Partial<Locked> = {}, answers: Partial<Session> = {}) {
  const tried: string[] = []
  const state: Locked = { state: 'locked', user: lin, knownUsers: [lin, wu], triesLeft: 5, ...facts }
  const session: Session = {
    ...closedSession(),
    current: state,
    openLock: async (password) => {
      tried.push(`lock ${password}`)
      return answers.openLock === undefined ? ok(true) : answers.openLock(password)
    },
    unlock: async (password, account) => {
      tried.push(`${account} ${password}`)
      return answers.unlock === undefined ? ok(true) : answers.unlock(password, account)
    },
  }
  show(
    <SessionContext value={session}>
      <UnlockScreen session={state} />
    </SessionContext>,
  )
  return { tried }
}

const wrong = async () => err({ code: 'password_wrong' } as const)

describe('the lock screen', () => {
  test('takes the lock password, ready to be typed', async () => {
    const { tried } = locked()
    expect(document.activeElement).toBe(screen.getByLabelText('锁屏密码', { selector: 'input' }))
    await userEvent.keyboard('2468{Enter}')
    expect(tried).toEqual(['lock 2468'])
  })

  test('says how many tries are left, and that the last one was the last', async () => {
    locked({ triesLeft: 3 }, { openLock: wrong })
    await userEvent.keyboard('x{Enter}')
    expect((await screen.findByRole('alert')).textContent).toContain('还可以再试 3 次')
  })

  test('says that only the sign-in password is left', async () => {
    locked({ triesLeft: 1 }, { openLock: wrong })
    await userEvent.keyboard('x{Enter}')
    expect((await screen.findByRole('alert')).textContent).toContain('请用登录密码解锁')
  })

  test('opens with the sign-in password too, and for a colleague with theirs alone', async () => {
    const { tried } = locked()
    await userEvent.click(screen.getByRole('button', { name: '改用登录密码' }))
    await userEvent.type(screen.getByLabelText('密码', { selector: 'input' }), 'secret{Enter}')
    await userEvent.click(screen.getByRole('button', { name: 'wu' }))
    expect(screen.queryByRole('button', { name: '改用登录密码' })).toBeNull()
    await userEvent.type(screen.getByLabelText('密码', { selector: 'input' }), 'of wu{Enter}')
    expect(tried).toEqual(['lin secret', 'wu of wu'])
  })

  test('without a lock password asks for the sign-in password', () => {
    locked({ triesLeft: null })
    expect(screen.queryByLabelText('锁屏密码', { selector: 'input' })).toBeNull()
    expect(document.activeElement).toBe(screen.getByLabelText('密码', { selector: 'input' }))
  })

  test('a lock password of figures is tapped on a pad, which erases one at a time', async () => {
    const { tried } = locked()
    await userEvent.click(screen.getByRole('button', { name: '用数字键盘输入' }))
    for (const key of ['2', '4', '7', '删除一位', '6', '8'])
      await userEvent.click(screen.getByRole('button', { name: key }))
    await userEvent.click(screen.getByRole('button', { name: '解锁' }))
    expect(tried).toEqual(['lock 2468'])
  })

  test('there is no pad for a sign-in password', async () => {
    locked({ triesLeft: null })
    expect(screen.queryByRole('button', { name: '用数字键盘输入' })).toBeNull()
  })
})
