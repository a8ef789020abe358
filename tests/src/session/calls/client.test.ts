import { describe, expect, test, vi } from 'vitest'
import { headers } from '#core/api/headers.ts'
import { newId } from '#core/ids.ts'
import { createApi } from '#src/session/calls/createApi.ts'
import type { Api } from '#src/session/api.ts'

/** How calls go over a line that breaks: what goes again, what does not, and when nobody waits any longer. */

const never = () => Promise.resolve('lost' as const)
const listed = () =>
  Response.json({ code: 200, success: true, msg: '', data: { records: [], total: 0, size: 10, current: 1, pages: 0 } })
const broken = () => Promise.reject(new TypeError('Failed to fetch'))
/** A server that takes the request and says nothing; the browser gives up with it when it is told to. */
const silent = ({ signal }: Request) =>
  new Promise<Response>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })

/** An API client, with the far end answering in turn, the last answer again and again. */
function apiOver(
  answers: readonly ((request: Request) => Response | Promise<Response>)[],
  mayAskAgain = () => true,
): { readonly api: Api; readonly asked: readonly Request[]; readonly contacts: readonly boolean[] } {
  const [asked, contacts]: [Request[], boolean[]] = [[], []]
  const wire = {
    fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
      const request = new Request(input, init)
      asked.push(request)
      return (answers[asked.length - 1] ?? answers.at(-1) ?? broken)(request)
    },
    base: 'http://tablet.test',
    token: () => 'secret-token',
    deviceId: newId(),
    appVersion: 'test',
    language: () => 'zh',
    onContact: (reached: boolean) => contacts.push(reached),
  }
  return { api: createApi(wire, never, mayAskAgain), asked, contacts }
}

describe('over a line that breaks', () => {
  test('a reading goes again at once, and nobody is told of a gap that was none', async () => {
    const { api, asked, contacts } = apiOver([broken, broken, listed])
    expect(await api.call('project.list')).toMatchObject({ ok: true })
    expect([asked.length, contacts]).toEqual([3, [true]])
  })

  test('a write goes again with the key and the words that it had', async () => {
    const { api, asked } = apiOver([broken, () => Response.json({ code: 200, success: true, msg: '', data: true })])
    await api.call('project.save', { body: { projectName: 'P' } })
    const sent = await Promise.all(
      asked.map(async (one) => [one.headers.get(headers.idempotencyKey), await one.text()]),
    )
    expect(sent).toHaveLength(2)
    expect(sent[0]?.[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(sent[1]).toEqual(sent[0])
  })

  test('what has no key, and a file, goes once', async () => {
    const { api, asked } = apiOver([broken])
    const failed = { ok: false, error: { code: 'offline' } }
    expect(await api.call('auth.token', { body: {} })).toEqual(failed)
    const file = new File(['entries'], 'TCM.xlsx')
    expect(await api.call('projectDict.template', { params: { parentDictId: newId() }, body: { file } })).toEqual(
      failed,
    )
    expect(asked).toHaveLength(2)
  })

  test('the end of a session goes once: later it would end that of a colleague, whose cookie the browser adds', async () => {
    const { api, asked } = apiOver([broken])
    expect(await api.call('auth.logout')).toEqual({ ok: false, error: { code: 'offline' } })
    expect(asked).toHaveLength(1)
  })

  test('nothing goes again to a server that is known to be away, and it is given up after three times', async () => {
    for (const [isThere, times] of [
      [false, 1],
      [true, 3],
    ] as const) {
      const { api, asked, contacts } = apiOver([broken], () => isThere)
      expect(await api.call('project.list')).toEqual({ ok: false, error: { code: 'offline' } })
      expect([asked.length, contacts]).toEqual([times, [false]])
    }
  })

  test('an answer is never asked for again, be it a gateway’s', async () => {
    const { api, asked, contacts } = apiOver([() => new Response('<html>', { status: 503 })])
    expect(await api.call('project.list')).toEqual({ ok: false, error: { code: 'gateway' } })
    expect([asked.length, contacts]).toEqual([1, [false]])
  })
})

describe('a server that is silent', () => {
  test('is waited for as long as the call may take, its repetitions included', async () => {
    const { api, asked, contacts } = apiOver([broken, silent])
    expect(await api.call('project.list', { timeoutMs: 500 })).toEqual({ ok: false, error: { code: 'timeout' } })
    expect([asked.length, asked[1]?.signal.aborted, contacts]).toEqual([2, true, [false]])
  })

  test('is no lost network to whoever has gone on to something else', async () => {
    const { api, asked, contacts } = apiOver([silent])
    const leaving = new AbortController()
    const called = api.call('project.list', { signal: leaving.signal })
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    leaving.abort()
    expect(await called).toEqual({ ok: false, error: { code: 'aborted' } })
    expect([asked.length, contacts]).toEqual([1, []])
  })

  test('in the middle of its answer counts as a line that broke', async () => {
    const half = new ReadableStream({ start: (to) => to.enqueue(new TextEncoder().encode('{"code":200,')) })
    const { api } = apiOver([() => new Response(half)])
    expect(await api.call('project.list', { timeoutMs: 200 })).toEqual({ ok: false, error: { code: 'offline' } })
  })
})

test('every request says which app asks on which device, and whose it is, unless the call says so itself', async () => {
  const { api, asked } = apiOver([listed])
  await api.call('project.list')
  await api.call('auth.logout', { headers: { [headers.token]: 'bearer of-before' }, renew: false })
  const said = (request: Request | undefined, names: readonly string[]) =>
    names.map((name) => request?.headers.get(name))
  expect(said(asked[0], [headers.token, headers.appVersion, 'Accept-Language'])).toEqual([
    'bearer secret-token',
    'test',
    'zh',
  ])
  expect(said(asked[0], [headers.client, headers.deviceId, headers.protocol])).not.toContain(null)
  expect(said(asked[1], [headers.token])).toEqual(['bearer of-before'])
})
