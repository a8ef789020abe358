import { afterEach, expect, test } from 'vitest'
import { ACCESS_COOKIE } from '#core/api/headers.ts'
import { newId } from '#core/ids.ts'
import type { Api } from '#src/session/api.ts'
import { Tokens } from '#src/session/tokens.ts'

/** Tabs share the cookie that holds the token. */

const [lin, wu] = [newId(), newId()]

/** The server: whose token it is, and no session to renew. */
function apiOf(owners: Readonly<Record<string, string>>) {
  const asked: string[] = []
  const call = (id: string, input: { readonly headers?: Readonly<Record<string, string>> } = {}) => {
    asked.push(id)
    const token = input.headers?.['Blade-Auth']?.replace('bearer ', '') ?? ''
    const userId = owners[token]
    return Promise.resolve(id === 'auth.userInfo' && userId !== undefined ? { ok: true, value: { userId } } : { ok: false, error: { code: 'unauthenticated' } })
  }
  return { asked, api: { call } as unknown as Api }
}

function tokensOf(api: Api, owner: string) {
  const lost: true[] = []
  const tokens = new Tokens(() => api, () => owner, () => lost.push(true))
  tokens.take({ access_token: 'of-this-tab' })
  return { tokens, lost }
}

function anotherTabHas(token: string): void {
  // What a tab beside does.
  // oxlint-disable-next-line unicorn/no-document-cookie
  document.cookie = `${ACCESS_COOKIE}=${token}; Path=/`
}

afterEach(() => anotherTabHas(''))

test('a token that another tab has renewed for the same person is taken over', async () => {
  const { api, asked } = apiOf({ fresh: lin })
  const { tokens } = tokensOf(api, lin)
  anotherTabHas('fresh')
  expect(await tokens.refresh()).toBe('fresh')
  expect([tokens.current, asked]).toEqual(['fresh', ['auth.userInfo']])
})

test('the token of somebody else who signed in on another tab is never used, nor taken from them', async () => {
  const { api } = apiOf({ theirs: wu })
  const { tokens, lost } = tokensOf(api, lin)
  anotherTabHas('theirs')
  expect(await tokens.refresh()).toBe('lost')
  expect([tokens.current, lost.length]).toEqual([null, 1])
  expect(document.cookie).toContain('theirs')
})

test('a cookie that nobody can read does not keep the app from starting', () => {
  anotherTabHas('%E0%A4%A')
  expect(new Tokens(() => apiOf({}).api, () => null, () => undefined).current).toBeNull()
})
