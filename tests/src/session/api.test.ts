import { describe, expect, test, vi } from 'vitest'
import { statusOfError } from '#core/api/errorStatus.ts'
import { failureEnvelope, tokenFailure } from '#core/api/envelope.ts'
import { headers } from '#core/api/headers.ts'
import { newId } from '#core/ids.ts'
import { createApi } from '#src/session/calls/createApi.ts'

/** The far end: answers in turn, and what was asked. */
function wireThat(...answers: readonly (() => Response)[]) {
  const asked: Request[] = []
  const left = [...answers]
  const fetcher: typeof fetch = (input, init) => {
    const request = new Request(input, init)
    asked.push(request)
    const next = left.shift()
    return next === undefined ? Promise.reject(new TypeError('fetch failed')) : Promise.resolve(next())
  }
  const wire = {
    fetch: fetcher,
    base: 'http://tablet.test',
    token: () => 'secret-token',
    deviceId: newId(),
    appVersion: 'test',
    language: () => 'zh',
  }
  return { asked, wire }
}

const refusal = (code: 'unauthenticated' | 'forbidden' | 'already_exists') => () =>
  Response.json(failureEnvelope({ code }, ''), { status: statusOfError(code).http })
const listed = () =>
  Response.json({ code: 200, success: true, msg: '', data: { records: [], total: 0, size: 10, current: 1, pages: 0 } })
const never = () => Promise.resolve('lost' as const)

describe('an answer of the server', () => {
  test('is the call’s data, or one of our errors: 401, 403 and 409 are never one kind', async () => {
    const { wire } = wireThat(listed, refusal('unauthenticated'), refusal('forbidden'), refusal('already_exists'))
    const api = createApi(wire, never)
    expect(await api.call('project.list')).toMatchObject({ ok: true, value: { records: [], total: 0 } })
    for (const code of ['unauthenticated', 'forbidden', 'already_exists']) {
      expect(await api.call('project.list')).toMatchObject({ ok: false, error: { code } })
    }
  })

  test('is a failure where HTTP says 200 and the body says no', async () => {
    const { wire } = wireThat(() => Response.json(failureEnvelope({ code: 'not_available' }, '')))
    expect(await createApi(wire, never).call('project.list')).toMatchObject({
      ok: false,
      error: { code: 'not_available' },
    })
  })

  test('of a gateway, in another shape, or not at all is told apart', async () => {
    const { wire } = wireThat(
      () => new Response('<html>', { status: 502 }),
      () => Response.json({ code: 200, success: true, msg: '', data: { nothing: 'known' } }),
    )
    const api = createApi(wire, never)
    for (const code of ['gateway', 'gateway', 'offline'])
      expect(await api.call('project.list')).toEqual({ ok: false, error: { code } })
  })

  test('to a sign-in says what was wrong with it', async () => {
    const { wire } = wireThat(() =>
      Response.json(tokenFailure({ code: 'captcha_wrong' }, '验证码不正确'), { status: 400 }),
    )
    expect(await createApi(wire, never).call('auth.token', { body: {} })).toMatchObject({
      ok: false,
      error: { code: 'captcha_wrong' },
    })
  })
})

test('an expired token is renewed once, and the write goes again with the key it had', async () => {
  const { wire, asked } = wireThat(refusal('unauthenticated'), refusal('unauthenticated'))
  let renewed = 0
  const api = createApi(wire, () => {
    renewed += 1
    return Promise.resolve('fresh' as const)
  })
  const answer = await api.call('project.save', { body: { projectName: 'P' } })
  expect(answer).toMatchObject({ ok: false, error: { code: 'unauthenticated' } })
  expect(renewed).toBe(1)
  expect(asked).toHaveLength(2)
  const keys = asked.map((one) => one.headers.get(headers.idempotencyKey))
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(keys[1]).toBe(keys[0])
})

test('a file goes as a form, whose line of parting the browser chooses', async () => {
  const { wire, asked } = wireThat(() =>
    Response.json({ code: 200, success: true, msg: '', data: { added: 1, changed: 0 } }),
  )
  const file = new File(['entries'], 'TCM.xlsx')
  const put = vi.spyOn(FormData.prototype, 'set')
  const id = newId()
  expect(
    await createApi(wire, never).call('projectDict.template', { params: { parentDictId: id }, body: { file } }),
  ).toMatchObject({ ok: true, value: { added: 1 } })
  expect(asked[0]?.url).toBe(`http://tablet.test/api/edc/project/dict/template/${id}`)
  expect(asked[0]?.headers.get('content-type')).toMatch(/^multipart\/form-data; ?boundary=/)
  // jsdom hands on that there is a file, and not what is in it.
  expect(put).toHaveBeenCalledExactlyOnceWith('file', file)
  expect(await asked[0]?.text()).toContain('name="file"; filename=')
})

test('context and token travel in headers, never in the address', async () => {
  const { wire, asked } = wireThat()
  const [projectId, crfId] = [newId(), newId()]
  await createApi(wire, never).call('entry.list', { query: { patientId: newId() }, projectId, crfId, pass: 2 })
  const [request] = asked
  expect(request?.url).not.toContain('secret-token')
  expect(['projectId', 'crfId', 'doubleSeqNo', 'Blade-Auth'].map((name) => request?.headers.get(name))).toEqual([
    projectId,
    crfId,
    '2',
    'bearer secret-token',
  ])
})

describe('a call without a token, on a device that was opened from its own memory', () => {
  const bare = (...answers: readonly (() => Response)[]) => {
    const { wire, asked } = wireThat(...answers)
    let token: string | null = null
    return { asked, wire: { ...wire, token: () => token }, take: () => (token = 'fresh-token') }
  }

  test('waits for one, rather than being refused first', async () => {
    const { wire, asked, take } = bare(listed)
    const api = createApi(wire, () => Promise.resolve(take()).then(() => 'fresh' as const))
    expect(await api.call('project.list')).toMatchObject({ ok: true })
    expect(asked.map((one) => one.headers.get('Blade-Auth'))).toEqual(['bearer fresh-token'])
  })

  test('is not sent where there is no session to go on with, or nobody who could say so', async () => {
    for (const [renewed, code] of [
      ['lost', 'unauthenticated'],
      ['unreachable', 'offline'],
    ] as const) {
      const { wire, asked } = bare(listed)
      expect(await createApi(wire, () => Promise.resolve(renewed)).call('project.list')).toEqual({
        ok: false,
        error: { code },
      })
      expect(asked).toEqual([])
    }
  })

  test('that needs no user goes as it is', async () => {
    const { wire, asked } = bare(() => Response.json(tokenFailure({ code: 'captcha_wrong' }, ''), { status: 400 }))
    await createApi(wire, never).call('auth.token', { body: {} })
    expect(asked).toHaveLength(1)
  })
})
