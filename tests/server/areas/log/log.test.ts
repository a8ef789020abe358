import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DeviceLogLine, ErrorLog } from '#core/api/calls/log.ts'
import { headers } from '#core/api/headers.ts'
import { newId } from '#core/ids.ts'
import type { Page } from '#core/wire/shapes.ts'
import type { Client } from '#tests/server/support/app.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'

/** What devices report of their own errors, and who reads it. */

const server = serverForAllTests()
let nurse: Client
let admin: Client
beforeAll(async () => {
  await server.makeUser('nurse')
  await server.makeUser('colleague')
  await server.makeUser('chief', { isAdmin: true })
  nurse = await server.signIn('nurse')
  admin = await server.signIn('chief')
})
beforeEach(() => server.database.ownerPool.query('DELETE FROM client_log'))

function line(more: Partial<DeviceLogLine> = {}): DeviceLogLine {
  return {
    url: '/eCRF/:x/page/:x',
    time: '2026-11-22T06:01:02.003Z',
    type: 'error',
    message: 'TypeError: cannot read a property of undefined',
    stack: '/assets/start-Ab12.js:14:220\n/assets/react-Cd34.js:1:99',
    info: '',
    ...more,
  }
}

const reported = async (query: { readonly current?: number; readonly size?: number } = {}): Promise<Page<ErrorLog>> =>
  admin.get<Page<ErrorLog>>('log.errorList', { query })

/** Lines that differ by when they happened. */
const many = (count: number, from = 0): DeviceLogLine[] =>
  Array.from({ length: count }, (_, at) => line({ time: new Date(Date.UTC(2026, 10, 22) + from + at).toISOString() }))

describe('a device’s error log', () => {
  it('is taken in and read by an administrator: where, what, by whom, when it came', async () => {
    await nurse.get('log.local', {
      body: [line(), line({ type: 'api', message: 'internal', stack: '', info: 'entry.save' })],
    })
    const { records, total } = await reported()
    expect(total).toBe(2)
    const first = records.find(({ title }) => title === 'error')
    expect(first).toMatchObject({
      requestUri: '/eCRF/:x/page/:x',
      exceptionName: 'TypeError',
      fileName: '/assets/start-Ab12.js',
      lineNumber: 14,
      createBy: 'nurse name',
      time: '2026-11-22T06:01:02.003Z',
    })
    expect(first?.createTime).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/)
    expect(await admin.get('log.errorDetail', { query: { id: first?.id ?? '' } })).toEqual(first)
  })

  it('is booked once, however often it is sent; the same line of a colleague or of another tablet is another', async () => {
    const deviceId = newId()
    const from = (device: string) => ({ body: [line(), line()], headers: { [headers.deviceId]: device } })
    await nurse.get('log.local', from(deviceId))
    await nurse.get('log.local', from(deviceId))
    expect((await reported()).total).toBe(1)
    await nurse.get('log.local', from(newId()))
    const colleague = await server.signIn('colleague')
    await colleague.get('log.local', from(deviceId))
    expect((await reported()).total).toBe(3)
  })

  it('comes in pages, the latest report first', async () => {
    await nurse.get('log.local', { body: [line({ message: 'early' })] })
    server.pass(1000)
    await nurse.get('log.local', { body: [line({ message: 'late' })] })
    const first = await reported({ size: 1 })
    expect(first).toMatchObject({ total: 2, pages: 2, current: 1 })
    expect(first.records.map(({ message }) => message)).toEqual(['late'])
    expect((await reported({ size: 1, current: 2 })).records.map(({ message }) => message)).toEqual(['early'])
    expect(await reported({ size: 1, current: 9 })).toMatchObject({ records: [], total: 2 })
  })
})

describe('who may', () => {
  it('read it: administrators alone', async () => {
    await nurse.get('log.local', { body: [line()] })
    const [{ id } = { id: '' }] = (await reported()).records
    for (const answer of [await nurse.call('log.errorList'), await nurse.call('log.errorDetail', { query: { id } })]) {
      expect(answer.error?.code).toBe('forbidden')
    }
    expect((await server.visitor().call('log.errorList')).error?.code).toBe('unauthenticated')
  })

  it('send it under the address of the specification as well, and keep a line once whichever way it comes', async () => {
    const reporting = [line({ message: 'twice' })]
    await nurse.get('log.local', { body: reporting })
    await nurse.get('log.upload', { body: reporting })
    await nurse.get('log.upload', { body: [line({ message: 'elsewhere' })] })
    expect((await reported()).total).toBe(2)
  })

  it('send it: whoever is signed in', async () => {
    expect((await server.visitor().call('log.local', { body: [line()] })).error?.code).toBe('unauthenticated')
    expect((await reported()).total).toBe(0)
  })

  it('one that is not there is not found', async () => {
    for (const id of [newId(), 'nonsense'])
      expect((await admin.call('log.errorDetail', { query: { id } })).error?.code).toBe('not_found')
  })
})

describe('limits', () => {
  it('no more than 200 lines at once, none of more than 10 KB, and nothing of what is too much is kept', async () => {
    expect((await nurse.call('log.local', { body: many(201) })).error?.code).toBe('invalid')
    // Fewer characters than the limit has bytes, but of three bytes each.
    expect((await nurse.call('log.local', { body: [line(), line({ stack: '字'.repeat(4000) })] })).error?.code).toBe(
      'invalid',
    )
    expect((await nurse.call('log.local', { body: [line({ time: 'yesterday' })] })).error?.code).toBe('invalid')
    expect((await reported()).total).toBe(0)
    await nurse.get('log.local', { body: many(200) })
    expect((await reported()).total).toBe(200)
  })

  it('a thousand lines an hour and user; an hour later it goes on, and what was booked may be sent again all the time', async () => {
    for (let at = 0; at < 5; at += 1) await nurse.get('log.local', { body: many(200, at * 1000) })
    const more = await nurse.call('log.local', { body: many(1, 9000) })
    expect(more.error?.code).toBe('rate_limited')
    expect(more.headers['retry-after']).toBe('3600')
    expect((await reported()).total).toBe(1000)
    await nurse.get('log.local', { body: many(200) })
    const colleague = await server.signIn('colleague')
    await colleague.get('log.local', { body: many(1, 9000) })
    server.pass(3_600_001)
    nurse = await server.signIn('nurse')
    admin = await server.signIn('chief')
    await nurse.get('log.local', { body: many(1, 9000) })
    expect((await reported()).total).toBe(1002)
  })

  it('after three months it is forgotten', async () => {
    await nurse.get('log.local', { body: [line({ message: 'old' })] })
    server.pass(91 * 24 * 3_600_000)
    nurse = await server.signIn('nurse')
    admin = await server.signIn('chief')
    await nurse.get('log.local', { body: [line({ message: 'new' })] })
    expect((await reported()).records.map(({ message }) => message)).toEqual(['new'])
  })
})
