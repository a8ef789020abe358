import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ApiError } from '#core/api/errors.ts'
import { err, ok } from '#core/result.ts'
import { SignInAgain } from '#src/app/gate/SignInAgain.tsx'
import type { Session, SignInInput } from '#src/session/types.ts'
import { SessionContext } from '#src/session/useSession.ts'
import { closedSession, openAs } from '#tests/src/support/session.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

/** Somebody at an open page whose sign-in has ended, and what the server is asked. */
function atEndedSession(answers: readonly ApiError[]): readonly SignInInput[] {
  const asked: SignInInput[] = []
  const current = openAs({ userId: 'u1', account: 'crc', realName: '林协调', isAdmin: false }, { online: false })
  const session: Session = {
    ...closedSession(),
    current,
    signIn: async (input) => {
      const error = answers[asked.length]
      asked.push(input)
      return error === undefined ? ok('online') : err(error)
    },
  }
  show(
    <SessionContext value={session}>
      <SignInAgain session={current} />
    </SessionContext>,
    '/projects',
  )
  return asked
}

describe('the sheet that asks for the password again', () => {
  test('a picture is typed off where the server wants it', async () => {
    const asked = atEndedSession([{ code: 'captcha_wrong' }])
    const password = screen.getByLabelText(/^密码/, { selector: 'input' })
    await userEvent.type(password, 'right{Enter}')
    const picture = await screen.findByRole('textbox', { name: /验证码/ })
    await userEvent.type(password, 'right{Enter}')
    expect(screen.getByText('请输入验证码')).toBeDefined()
    expect(asked).toHaveLength(1)
    await userEvent.type(picture, 'a1b2c{Enter}')
    expect(asked[1]).toMatchObject({ password: 'right', captcha: { key: 'k1', code: 'a1b2c' } })
  })

  test('how long to wait is said', async () => {
    atEndedSession([{ code: 'account_locked', retryAfterSeconds: 90 }])
    await userEvent.type(screen.getByLabelText(/^密码/, { selector: 'input' }), 'wrong{Enter}')
    expect((await screen.findByRole('alert')).textContent).toContain('2 分钟')
  })
})
