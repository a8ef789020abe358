import { afterEach, describe, expect, test, vi } from 'vitest'
import { newId } from '#core/ids.ts'
import { storageError } from '#offline/db/storageError.ts'
import { enqueue } from '#offline/outbox/outbox.ts'
import { change, crcAtTablet, outboxOf, queue, saveOf, target } from '#tests/offline/support/tablet.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** The browser's own stores refuse writes, as on a full disk. */
function diskIsFull(): void {
  const refuse = (): never => {
    throw new DOMException('no room', 'QuotaExceededError')
  }
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(refuse)
  vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(refuse)
}

describe('a storage that fails', () => {
  test('a full disk is said as such, nothing is half-written, and the same save succeeds when there is room', async () => {
    const crc = await crcAtTablet()
    const page = target(newId())
    await queue(crc, saveOf(change(page, 'sbp', null, 120)))
    const before = await outboxOf(crc)
    diskIsFull()
    const next = saveOf(change(page, 'sbp', 120, 128))
    expect(await enqueue(crc.storage, crc.author, next)).toEqual({ ok: false, error: { code: 'storage_full' } })
    expect(await outboxOf(crc)).toEqual(before)
    vi.restoreAllMocks()
    expect((await enqueue(crc.storage, crc.author, next)).ok).toBe(true)
    expect(await outboxOf(crc)).toHaveLength(1)
  })

  test('a database that the browser closed is opened again, and the save is made', async () => {
    const crc = await crcAtTablet()
    await queue(crc, saveOf(change(target(newId()), 'sbp', null, 120)))
    // What waking from sleep does: the connection is gone, and nobody asked.
    crc.storage.work.backendDB().close()
    crc.storage.work.close({ disableAutoOpen: true })
    expect((await enqueue(crc.storage, crc.author, saveOf(change(target(newId()), 'sbp', null, 121)))).ok).toBe(true)
    expect(await outboxOf(crc)).toHaveLength(2)
  })

  test('a disk that fills in the middle of a bulk write is a full disk, not a defect', () => {
    const bulk = Object.assign(new Error('1 of 2 operations failed'), {
      name: 'BulkError',
      failures: [new DOMException('no room', 'QuotaExceededError')],
    })
    expect(storageError(bulk)).toEqual({ code: 'storage_full' })
  })

  test('what was committed before the browser closed the database is not made a second time', async () => {
    const crc = await crcAtTablet()
    const connection = crc.storage.work.backendDB()
    const transaction = connection.transaction.bind(connection)
    let failed = false
    const closing = vi.spyOn(connection, 'transaction').mockImplementation((...args) => {
      const opened = transaction(...args)
      if (args[1] !== 'readwrite' || failed) return opened
      failed = true
      const listen = opened.addEventListener.bind(opened)
      const gone: (() => void)[] = []
      return Object.assign(opened, {
        addEventListener: (type: string, listener: () => void) => {
          if (type === 'abort') gone.push(listener)
          listen(
            type === 'complete' ? 'complete' : type,
            type === 'complete' ? () => gone.forEach((told) => told()) : listener,
          )
        },
      })
    })
    expect((await enqueue(crc.storage, crc.author, saveOf(change(target(newId()), 'sbp', null, 120)))).ok).toBe(true)
    closing.mockRestore()
    expect(failed).toBe(true)
    expect(await outboxOf(crc)).toHaveLength(1)
  })

  test('a database that cannot be opened is said as lost', async () => {
    const crc = await crcAtTablet()
    crc.storage.work.close({ disableAutoOpen: true })
    vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw new DOMException('backing store', 'UnknownError')
    })
    const saved = await enqueue(crc.storage, crc.author, saveOf(change(target(newId()), 'sbp', null, 120)))
    expect(saved).toEqual({ ok: false, error: { code: 'storage_lost' } })
  })
})
