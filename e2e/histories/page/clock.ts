/** The clock of a tablet, that somebody sets wrong: in its page and in its threads alike. */

const CHANNEL = 'tablet-clock'

const RealDate = Date
// A thread is told by its name how wrong the clock is when it begins.
let offset = Number(self.name) || 0

/** Lets the clock of this thread be set wrong, from here or from another thread. */
export function takeOverClock(): void {
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given: unknown[], made) =>
      Reflect.construct(target, given.length === 0 ? [RealDate.now() + offset] : given, made) as object,
    get: (target, name, receiver) =>
      name === 'now' ? () => RealDate.now() + offset : (Reflect.get(target, name, receiver) as unknown),
  })
  new BroadcastChannel(CHANNEL).addEventListener('message', ({ data }) => {
    offset = Number(data)
  })
}

/** How wrong it is, in ms. */
export function clockOffset(): number {
  return offset
}

/** Sets the clock of this thread, and of every one that runs. */
export function setClock(offsetMs: number): void {
  offset = offsetMs
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(offsetMs)
  channel.close()
}
