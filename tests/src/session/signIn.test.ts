import { expect, test } from 'vitest'
import type { Api } from '#src/session/api.ts'
import { askTokenAgain } from '#src/session/signIn.ts'

/** Signing in behind a device that is open already. */

const input = { account: 'lin', password: 'secret', captcha: null }

/** A server that answers so, one call after the other. */
function answering(...codes: readonly (string | null)[]): { readonly api: Api; readonly asked: () => number } {
  let asked = 0
  const call = () => {
    const code = codes[asked] ?? null
    asked += 1
    return Promise.resolve(
      code === null ? { ok: true, value: { access_token: 'token' } } : { ok: false, error: { code } },
    )
  }
  return { api: { call } as unknown as Api, asked: () => asked }
}

test('over a link that loses a call, the password is given again and nobody is asked for it', async () => {
  const { api, asked } = answering('offline', 'offline', null)
  expect((await askTokenAgain(api, input)).ok).toBe(true)
  expect(asked()).toBe(3)
})

test('a password that the server refuses is given once, and a silent server is left in peace', async () => {
  const refused = answering('invalid_credentials')
  expect(await askTokenAgain(refused.api, input)).toEqual({ ok: false, error: { code: 'invalid_credentials' } })
  const silent = answering('offline', 'offline', 'offline', null)
  expect((await askTokenAgain(silent.api, input)).ok).toBe(false)
  expect([refused.asked(), silent.asked()]).toEqual([1, 3])
})
