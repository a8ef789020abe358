import { expose } from 'comlink'
import { runAnalysis } from '#core/analysis/runAnalysis.ts'
import type { StatisticsWorker } from '#core/analysis/runAnalysis.ts'

/** The thread that computes, in the page itself: jsdom has no threads. */
export class ComputingThread extends EventTarget {
  readonly #channel = new MessageChannel()

  constructor() {
    super()
    this.#channel.port1.addEventListener('message', (event: MessageEvent<unknown>) => {
      this.dispatchEvent(new MessageEvent('message', { data: event.data }))
    })
    this.#channel.port1.start()
    const worker: StatisticsWorker = { runAnalysis }
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

/** A thread that runs out of memory as soon as it has something to do. */
export class DyingThread extends EventTarget {
  postMessage(): void {
    setTimeout(() => this.dispatchEvent(new Event('error')), 0)
  }

  terminate(): void {}
}
