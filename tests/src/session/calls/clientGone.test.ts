import { expect, test, vi } from 'vitest'
import { newId } from '#core/ids.ts'
import { createApi } from '#src/session/calls/createApi.ts'

/** The client, where it is not on the device: at the first visit, or as a file of an older version that is gone. */

const kept = vi.hoisted(() => ({ isThere: false }))
vi.mock('#src/parts/loadPart.ts', () => ({
  loadPart: async (load: () => Promise<unknown>) => (kept.isThere ? load() : null),
}))

const listed = () =>
  Response.json({ code: 200, success: true, msg: '', data: { records: [], total: 0, size: 10, current: 1, pages: 0 } })

test('without the client the server cannot be reached, and the next call fetches it again', async () => {
  const contacts: boolean[] = []
  const wire = {
    fetch: () => Promise.resolve(listed()),
    base: 'http://tablet.test',
    token: () => 'secret-token',
    deviceId: newId(),
    appVersion: 'test',
    language: () => 'zh',
    onContact: (reached: boolean) => contacts.push(reached),
  }
  const api = createApi(wire, () => Promise.resolve('lost' as const))
  expect(await api.call('project.list')).toEqual({ ok: false, error: { code: 'offline' } })
  kept.isThere = true
  expect(await api.call('project.list')).toMatchObject({ ok: true })
  expect(contacts).toEqual([false, true])
})
