import 'fake-indexeddb/auto'
import { expose } from 'comlink'
import { afterEach, expect, test, vi } from 'vitest'
import { ok } from '#core/result.ts'
import { openStorage } from '#offline/db/open.ts'
import type { SyncInput, SyncReport, SyncWorker } from '#offline/sync/run.ts'
import { SyncDriver } from '#src/data/syncDriver.ts'

/** A thread of the app that the browser can end. */
class MortalThread extends EventTarget {
  static readonly all: MortalThread[] = []
  /** How a cycle of any thread goes on. */
  static whileSyncing: Promise<unknown> = Promise.resolve()
  readonly #channel = new MessageChannel()
  cycles = 0

  constructor() {
    super()
    MortalThread.all.push(this)
    this.#channel.port1.addEventListener('message', (event: MessageEvent<unknown>) => {
      this.dispatchEvent(new MessageEvent('message', { data: event.data }))
    })
    this.#channel.port1.start()
    const worker: SyncWorker = {
      run: async () => {
        this.cycles += 1
        await MortalThread.whileSyncing
        const report: SyncReport = {
          result: ok({ withdrawn: [], error: null } as unknown as Extract<SyncReport['result'], { ok: true }>['value']),
          reached: true,
        }
        return report
      },
    }
    expose(worker, this.#channel.port2)
  }

  postMessage(message: unknown): void {
    this.#channel.port1.postMessage(message)
  }

  terminate(): void {
    this.#channel.port1.close()
    this.#channel.port2.close()
  }

  die(): void {
    this.terminate()
    this.dispatchEvent(new Event('error'))
  }
}

const input: SyncInput = { keys: [], userId: 'u', deviceId: 'd', appVersion: 'test', token: 't', language: 'zh' }

afterEach(() => {
  vi.unstubAllGlobals()
  for (const thread of MortalThread.all.splice(0)) thread.terminate()
})

test('a sync worker that died while it had nothing to do is replaced: the next sync does not wait for it', async () => {
  vi.stubGlobal('Worker', MortalThread)
  const storage = openStorage({ prefix: 'dead-worker' })
  const driver = new SyncDriver({ storage, input: () => input, onReport: () => Promise.resolve() })
  expect(await driver.now()).toEqual(ok(true))

  MortalThread.all[0]?.die()
  expect(await driver.now()).toEqual(ok(true))

  expect(MortalThread.all.map(({ cycles }) => cycles)).toEqual([1, 1])
  driver.stop()
  storage.close()
})

test('a session that has left tells nothing of the sync that ran, and begins none that was asked for meanwhile', async () => {
  vi.stubGlobal('Worker', MortalThread)
  const storage = openStorage({ prefix: 'left' })
  const onReport = vi.fn(() => Promise.resolve())
  const driver = new SyncDriver({ storage, input: () => input, onReport })
  MortalThread.whileSyncing = new Promise(() => undefined)
  const running = driver.now()
  const asked = driver.now()
  await vi.waitFor(() => expect(MortalThread.all[0]?.cycles).toBe(1))
  driver.stop()

  expect(await running).toEqual({ ok: false, error: { code: 'aborted' } })
  expect(await asked).toEqual({ ok: false, error: { code: 'vault_locked' } })
  expect(onReport).not.toHaveBeenCalled()
  expect(MortalThread.all).toHaveLength(1)
  MortalThread.whileSyncing = Promise.resolve()
  storage.close()
})
