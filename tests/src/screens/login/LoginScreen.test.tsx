import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ApiError } from '#core/api/errors.ts'
import { err, ok } from '#core/result.ts'
import { LoginScreen } from '#src/screens/login/LoginScreen.tsx'
import type { Session, SignInInput } from '#src/session/types.ts'
import { SessionContext } from '#src/session/useSession.ts'
import { closedSession as openable } from '#tests/src/support/session.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

/** A session that nobody has opened, and what its sign-in was asked. */
function closedSession(answers: readonly ApiError[], facts: Partial<Session> = {}) {
  const asked: SignInInput[] = []
  const session: Session = {
    ...openable(),
    signIn: async (input) => {
      const error = answers[asked.length]
      asked.push(input)
      return error === undefined ? ok('online') : err(error)
    },
    ...facts,
  }
  return { session, asked }
}

function draw(session: Session) {
  show(
    <SessionContext value={session}>
      <LoginScreen />
    </SessionContext>,
    '/login',
  )
}

const accountBox = () => screen.getByRole<HTMLInputElement>('textbox', { name: '账号' })
const password = () => screen.getByLabelText<HTMLInputElement>('密码', { selector: 'input' })

function open(session: Session) {
  draw(session)
  return { account: accountBox(), password: password() }
}

describe('signing in', () => {
  test('nothing is sent before account and password are there', async () => {
    const { session, asked } = closedSession([])
    open(session)
    await userEvent.click(screen.getByRole('button', { name: '登录' }))
    expect(screen.getByText('请输入账号')).toBeDefined()
    expect(screen.getByText('请输入密码')).toBeDefined()
    expect(asked).toEqual([])
  })

  test('a wrong password is said in words, and the password is asked for again', async () => {
    const { session } = closedSession([{ code: 'invalid_credentials' }])
    const { account, password } = open(session)
    await userEvent.type(account, 'crc')
    await userEvent.type(password, 'wrong{Enter}')
    expect((await screen.findByRole('alert')).textContent).toContain('账号或密码不正确')
    expect(password.value).toBe('')
    expect(account.value).toBe('crc')
  })

  test('when the server wants it, a picture is typed off and sent along', async () => {
    const { session, asked } = closedSession([{ code: 'captcha_wrong' }])
    const { account, password } = open(session)
    await userEvent.type(account, 'crc')
    await userEvent.type(password, 'right{Enter}')
    await userEvent.type(await screen.findByRole('textbox', { name: /验证码/ }), 'a1b2c')
    await userEvent.type(password, 'right{Enter}')
    expect(asked[1]).toEqual({ account: 'crc', password: 'right', captcha: { key: 'k1', code: 'a1b2c' } })
  })

  test("without the server it says that this opens the tablet's own data, and offers its only user", async () => {
    const { session, asked } = closedSession([], {
      reachable: false,
      current: { state: 'signed_out', knownUsers: [{ userId: 'u1', account: 'crc' }], error: null },
    })
    draw(session)
    expect(screen.getByRole('button', { name: 'crc' }).getAttribute('aria-pressed')).toBe('true')
    await userEvent.type(password(), 'own')
    await userEvent.click(screen.getByRole('button', { name: '打开本机数据' }))
    expect(asked).toEqual([{ account: 'crc', password: 'own', captcha: null }])
  })

  test('an account that this tablet does not know cannot be opened offline, and it says why', async () => {
    const { session } = closedSession([{ code: 'offline' }], { reachable: false })
    const { account, password } = open(session)
    await userEvent.type(account, 'new')
    await userEvent.type(password, 'x{Enter}')
    expect((await screen.findByRole('alert')).textContent).toContain('没有在本机登录过')
  })
})

describe('the people of a device', () => {
  const people = [
    { userId: 'u1', account: 'lin' },
    { userId: 'u2', account: 'wu' },
  ]
  const known = { current: { state: 'signed_out', knownUsers: people, error: null } } as const

  test('are tiles: a tap on one, and only the password is left to type', async () => {
    const { session, asked } = closedSession([], known)
    draw(session)
    const tiles = within(screen.getByRole('group', { name: '本机用户' }))
    expect(tiles.getAllByRole('button').map((tile) => tile.getAttribute('aria-pressed'))).toEqual([
      'false',
      'false',
      null,
    ])
    expect(screen.queryByLabelText('密码', { selector: 'input' })).toBeNull()
    await userEvent.click(tiles.getByRole('button', { name: 'wu' }))
    expect(document.activeElement).toBe(password())
    await userEvent.keyboard('of wu{Enter}')
    expect(asked).toEqual([{ account: 'wu', password: 'of wu', captcha: null }])
  })

  test('another one begins with an empty password', async () => {
    const { session } = closedSession([], known)
    draw(session)
    await userEvent.click(screen.getByRole('button', { name: 'wu' }))
    await userEvent.type(password(), 'of wu')
    await userEvent.click(screen.getByRole('button', { name: 'lin' }))
    expect(password().value).toBe('')
  })

  test('somebody else types their account, and may turn back', async () => {
    const { session, asked } = closedSession([], known)
    draw(session)
    await userEvent.click(screen.getByRole('button', { name: '其他账号' }))
    await userEvent.click(screen.getByRole('button', { name: '返回本机用户' }))
    await userEvent.click(screen.getByRole('button', { name: '其他账号' }))
    await userEvent.type(accountBox(), 'new')
    await userEvent.type(password(), 'pw{Enter}')
    expect(asked).toEqual([{ account: 'new', password: 'pw', captcha: null }])
  })
})
