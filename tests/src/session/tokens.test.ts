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
    return Promise.resolve(
      id === 'auth.userInfo' && userId !== undefined
        ? { ok: true, value: { userId } }
        : { ok: false, error: { code: 'unauthenticated' } },
    )
  }
  return { asked, api: { call } as unknown as Api }
}

function tokensOf(api: Api, owner: string) {
  const lost: true[] = []
  const tokens = new Tokens(
    () => api,
    () => owner,
    () => lost.push(true),
  )
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
  expect(
    new Tokens(
      () => apiOf({}).api,
      () => null,
      () => undefined,
    ).current,
  ).toBeNull()
})

test('while a password is being checked, whoever needs a token waits for it, and the session from before is not asked', async () => {
  const { api, asked } = apiOf({})
  const { tokens, lost } = tokensOf(api, lin)
  let answered: () => void = () => undefined
  const password = new Promise<void>((resolve) => {
    answered = resolve
  })
  void tokens.renewByPassword(async () => {
    await password
    tokens.take({ access_token: 'by-password' })
    return 'fresh'
  })
  const needed = tokens.refresh()
  answered()
  expect(await needed).toBe('fresh')
  expect([tokens.current, asked, lost.length]).toEqual(['by-password', [], 0])
})

test('who has just given their password is not taken for signed out while it brings a token, and is where it brings none', async () => {
  const { api } = apiOf({})
  const { tokens } = tokensOf(api, lin)
  tokens.clear()
  const bringing = tokens.renewByPassword(() => Promise.resolve('unreachable'))
  expect([tokens.current, tokens.isExpected]).toEqual([null, true])
  await bringing
  await tokens.expected()
  expect(tokens.isExpected).toBe(false)
})

test('the end of the session from before does not take away what a password brought meanwhile', async () => {
  const { api } = apiOf({})
  const { tokens, lost } = tokensOf(api, lin)
  const refreshed = tokens.refresh()
  void tokens.renewByPassword(async () => {
    tokens.take({ access_token: 'by-password' })
    return 'fresh'
  })
  expect(await refreshed).toBe('fresh')
  expect([tokens.current, lost.length]).toEqual(['by-password', 0])
})

test('what somebody asked for who has left meanwhile does not go on in the name of whoever signed in after them', async () => {
  const { api } = apiOf({})
  let owner = lin
  const lost: true[] = []
  const tokens = new Tokens(
    () => api,
    () => owner,
    () => lost.push(true),
  )
  tokens.take({ access_token: 'of-lin' })
  const refreshed = tokens.refresh()
  owner = wu
  tokens.take({ access_token: 'of-wu' })
  expect(await refreshed).toBe('lost')
  expect([tokens.current, lost.length]).toEqual(['of-wu', 0])
})
