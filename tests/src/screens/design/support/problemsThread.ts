import { expose } from 'comlink'
import type { ProblemsWorker } from '#core/design/problemsWorker.ts'
import { versionProblems } from '#core/design/versionProblems.ts'

/** The thread that looks for problems, in the page itself: jsdom has no threads. */
export class ProblemsThread extends EventTarget {
  readonly #channel = new MessageChannel()

  constructor() {
    super()
    this.#channel.port1.addEventListener('message', (event) => {
      this.dispatchEvent(new MessageEvent('message', { data: (event as MessageEvent<unknown>).data }))
    })
    this.#channel.port1.start()
    const worker: ProblemsWorker = { versionProblems }
    expose(worker, this.#channel.port2)
  }

  postMessage(message: unknown): void {
    this.#channel.port1.postMessage(message)
  }

  terminate(): void {
    this.#channel.port1.close()
    this.#channel.port2.close()
  }
}
