import type { SessionSnapshot } from './snapshot.ts'

/** How often a silent server is asked whether it is there, and a session looks whether it may go on and has a token. */
const BEAT_MS = 5000

interface Watching {
  readonly change: (change: Pick<SessionSnapshot, 'reachable'>) => void
  /** Asks whether the server is there; the answer comes by `contact`. */
  readonly probe: () => void
  /** Called with every beat. */
  readonly look: () => void
  /** @param back whether the server answers again after it did not */
  readonly onChange: (back: boolean) => void
}

/** Whether the server answers: told by every request, and by asking a silent one again and again. */
export class ServerWatch {
  readonly #watching: Watching
  #reachable: boolean | null = null
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(watching: Watching) {
    this.#watching = watching
  }

  /** Null before it was ever asked. */
  get reachable(): boolean | null {
    return this.#reachable
  }

  start(): void {
    this.#timer ??= setInterval(this.beat, BEAT_MS)
    addEventListener('online', this.beat)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    removeEventListener('online', this.beat)
  }

  readonly beat = (): void => {
    if (this.#reachable === false) this.#watching.probe()
    this.#watching.look()
  }

  /** A request was answered, or was not. */
  contact(reached: boolean): void {
    if (this.#reachable === reached) return
    const back = reached && this.#reachable === false
    this.#reachable = reached
    this.#watching.change({ reachable: reached })
    this.#watching.onChange(back)
    if (back) this.beat()
  }
}
