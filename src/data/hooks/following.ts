import { err } from '#core/result.ts'
import type { Loadable } from '#src/data/shapes/types.ts'
import type { Device } from '#src/data/device/device.ts'
import type { Watched } from '#src/data/device/watching.ts'
import type { Reading } from '#src/data/shapes/reading.ts'

/**
 * Changes that come in quick succession (a drain, a first download) are not followed one by one. After a reading it
 * pauses: longer if the reading was slow, and longer while the changes go on. The first change after a pause is read at
 * once.
 */
const REST = { least: 250, times: 3, most: 1000 }
/**
 * How long a value that stays is shown before it is read again: readings on the same screen that have nothing to show
 * yet go first.
 */
const AFTER_OTHERS_MS = 150
/** After this long without a change, the next change counts as a new one. */
const CALM_MS = 2000

const LOADING = { state: 'loading' } as const

export interface Follow<Value> {
  readonly device: Device
  readonly tables: readonly Watched[]
  /** What the reading depends on besides the device: the same key is the same reading. */
  readonly key: string
  readonly read: (device: Device) => Reading<Value>
  /**
   * Whether the last value is shown to the next component that follows, until it is read again. For what changes
   * seldom; never for what claims that something is sent.
   */
  readonly stays?: boolean
}

const shared = new WeakMap<Device, Map<string, Following<unknown>>>()
/** How many readings keep their last value after nobody follows them any more. */
const LEFT_MOST = 30

/**
 * The one following of a reading that all places of the screen share. It lives as long as one of them shows it, or
 * longer where its value stays.
 */
export function sharedFollowing<Value>(follow: Follow<Value>): Following<Value> {
  const { device, key } = follow
  const ofDevice = shared.get(device) ?? new Map<string, Following<unknown>>()
  shared.set(device, ofDevice)
  const known = ofDevice.get(key)
  // A key stands for one reading, so for one type of value.
  if (known !== undefined) return known as Following<Value>
  const following = new Following(follow, () => letGo(ofDevice, key))
  ofDevice.set(key, following as Following<unknown>)
  return following
}

/** The reading that was left last stands last; of those that nobody follows, the oldest is dropped. */
function letGo(ofDevice: Map<string, Following<unknown>>, key: string): void {
  const following = ofDevice.get(key)
  ofDevice.delete(key)
  if (following === undefined || !following.stays) return
  ofDevice.set(key, following)
  const left = [...ofDevice].filter(([, { followed }]) => !followed)
  for (const [old] of left.slice(0, Math.max(0, left.length - LEFT_MOST))) ofDevice.delete(old)
}

/** A reading that is made again when one of its tables changes, as long as somebody listens. */
export class Following<Value> {
  readonly #follow: Follow<Value>
  readonly #onEnd: () => void
  readonly #listeners = new Set<() => void>()
  #shown: Loadable<Value> = LOADING
  #stop: (() => void) | null = null
  #due: ReturnType<typeof setTimeout> | undefined
  #running = false
  #again = false
  #pause = REST.least
  #rested = -Infinity
  /** Whether the value shown was read after somebody began to follow. */
  #isRead = false

  /** @param onEnd called when the last listener has left */
  constructor(follow: Follow<Value>, onEnd: () => void = () => undefined) {
    this.#follow = follow
    this.#onEnd = onEnd
  }

  get stays(): boolean {
    return this.#follow.stays === true && this.#shown.state === 'ready'
  }

  get followed(): boolean {
    return this.#listeners.size > 0
  }

  readonly shown = (): Loadable<Value> => this.#shown

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    if (this.#stop === null) this.#start()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#end()
    }
  }

  #start(): void {
    const { device, tables } = this.#follow
    this.#isRead = false
    this.#stop = device.watch(tables, () => void this.#run())
    if (this.stays) this.#due = setTimeout(() => void this.#run(), AFTER_OTHERS_MS)
    else void this.#run()
  }

  #end(): void {
    this.#stop?.()
    this.#stop = null
    clearTimeout(this.#due)
    this.#onEnd()
  }

  async #run(): Promise<void> {
    if (this.#running) {
      this.#again = true
      return
    }
    this.#running = true
    if (performance.now() - this.#rested > CALM_MS) this.#pause = REST.least
    do {
      this.#again = false
      const began = performance.now()
      this.#show(await settleReading(this.#follow.read(this.#follow.device)))
      const took = performance.now() - began
      await rest(Math.min(Math.max(took * REST.times, this.#pause), REST.most))
      this.#pause = Math.min(this.#pause * 2, REST.most)
      this.#rested = performance.now()
    } while (this.#again && this.#stop !== null)
    this.#running = false
  }

  #show(result: Awaited<Reading<Value>>): void {
    if (this.#stop === null) return
    if (result.ok) this.#shown = { state: 'ready', value: result.value, stale: false }
    // An older value on the screen is better than an error in its place.
    else if (this.#isRead && this.#shown.state === 'ready') this.#shown = { ...this.#shown, stale: true }
    else this.#shown = { state: 'failed', error: result.error }
    this.#isRead = true
    for (const listener of this.#listeners) listener()
  }
}

/** A defect in our code is shown as such; the screen goes on following its tables. */
async function settleReading<Value>(reading: Reading<Value>): Reading<Value> {
  try {
    return await reading
  } catch (thrown) {
    reportError(thrown)
    return err({ code: 'internal' })
  }
}

function rest(millis: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, millis)
  })
}
