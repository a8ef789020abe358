import type { SessionSnapshot } from './snapshot.ts'

/** How often a session checks whether it may go on and has a token. */
const BEAT_MS = 5000
/**
 * How long a silent server is left alone before it is asked again: soon at first, because most gaps are short, then
 * about every minute and a half, because a ward without a network has none for hours and the radio drains the battery.
 * Any sign that the server is back asks at once.
 */
const WAITS_MS = [10_000, 45_000, 100_000] as const

/** How often it is noted that the server answers, while it does. */
const NOTE_MS = 30_000

interface Watching {
  readonly change: (change: Pick<SessionSnapshot, 'reachable'>) => void
  /** Asks whether the server is there; the result comes through `contact`. */
  readonly probe: () => void
  /** The server has answered; called again only after a while. */
  readonly answered: () => void
  /** Called with every beat. */
  readonly look: () => void
  /** @param back whether the server answers again after it did not */
  readonly onChange: (back: boolean) => void
}

/** Whether the server answers: every request reports it, and a silent server is asked again and again. */
export class ServerWatch {
  readonly #watching: Watching
  #reachable: boolean | null = null
  #timer: ReturnType<typeof setInterval> | undefined
  /** How often it was asked since it fell silent, and when it is asked next, by a clock that nobody can set. */
  #asked = 0
  #nextAt = 0
  #notedAt: number | null = null

  constructor(watching: Watching) {
    this.#watching = watching
  }

  /** Null before it was ever asked. */
  get reachable(): boolean | null {
    return this.#reachable
  }

  start(): void {
    this.#timer ??= setInterval(this.#tick, BEAT_MS)
    addEventListener('online', this.beat)
    addEventListener('focus', this.beat)
    document.addEventListener('visibilitychange', this.#shown)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    removeEventListener('online', this.beat)
    removeEventListener('focus', this.beat)
    document.removeEventListener('visibilitychange', this.#shown)
  }

  /** There is a sign that the server is back, or a person asks: nothing waits any longer. */
  readonly beat = (): void => {
    if (this.#reachable === false) this.#ask(0)
    this.#watching.look()
  }

  readonly #tick = (): void => {
    if (this.#reachable === false && performance.now() >= this.#nextAt) this.#ask(this.#asked + 1)
    this.#watching.look()
  }

  readonly #shown = (): void => {
    if (document.visibilityState === 'visible') this.beat()
  }

  /** @param asked how often it was asked by the clock alone, this time included */
  #ask(asked: number): void {
    this.#waitAfter(asked)
    this.#watching.probe()
  }

  #waitAfter(asked: number): void {
    this.#asked = asked
    this.#nextAt = performance.now() + (WAITS_MS[asked] ?? WAITS_MS[2])
  }

  /** A request was answered, or was not. */
  contact(reached: boolean): void {
    if (reached && (this.#notedAt === null || performance.now() - this.#notedAt >= NOTE_MS)) {
      this.#notedAt = performance.now()
      this.#watching.answered()
    }
    if (this.#reachable === reached) return
    const back = reached && this.#reachable === false
    this.#reachable = reached
    if (!reached) this.#waitAfter(0)
    this.#watching.change({ reachable: reached })
    this.#watching.onChange(back)
    if (back) this.beat()
  }
}
