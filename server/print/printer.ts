import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { FormOptions, FormVersion } from '#core/exchange/paper/form.ts'
import type { PaperDocument } from '#core/exchange/paper/document.ts'

import { PrintFailure } from './printFailure.ts'
import type { PrintProblem } from './printFailure.ts'
import type { Picture } from './typesetter.ts'

/** Documents as PDF, made in a process of their own (docs/adr/0054-print.md). */

export type PrintWork =
  | {
      readonly kind: 'document'
      readonly document: PaperDocument
      readonly pictures: readonly Picture[]
      /** An instant. */
      readonly madeAt: string
    }
  | {
      readonly kind: 'form'
      readonly version: FormVersion
      readonly form: FormOptions
      readonly madeAt: string
    }

export type PrintAnswer =
  | { readonly ok: true; readonly ready: true }
  | { readonly ok: true; readonly pdf: Uint8Array; readonly residentMb: number }
  | { readonly ok: false; readonly problem: PrintProblem; readonly detail: string }

/** What the process is told when it is started. */
export interface PrintSetting {
  readonly memoryMb: number
}

export interface PrintLimits {
  /** Most memory of the process, in MB. */
  readonly memoryMb: number
  /** With more than this after a document the next one gets a new process, in MB. */
  readonly restMb: number
  /** Longest time for a document, in ms. */
  readonly longestMs: number
}

const LIMITS: PrintLimits = { memoryMb: 1_500, restMb: 700, longestMs: 120_000 }
/** No path to anything: typst would ask for packages over these proxies, and there is none. */
const NOWHERE = 'http://127.0.0.1:9'
const ENVIRONMENT = {
  HTTP_PROXY: NOWHERE,
  HTTPS_PROXY: NOWHERE,
  ALL_PROXY: NOWHERE,
  http_proxy: NOWHERE,
  https_proxy: NOWHERE,
}

/** Prints one document after another. Its process is started with the first one, and must be ended. */
export class Printer {
  readonly #limits: PrintLimits
  #process: ChildProcess | null = null

  constructor(limits: Partial<PrintLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits }
  }

  /** @throws PrintFailure */
  async print(work: PrintWork): Promise<Uint8Array> {
    const child = this.#process ?? (await this.#start())
    const said = await this.#ask(child, work)
    if (!said.ok) throw new PrintFailure(said.problem, said.detail)
    if (!('pdf' in said)) throw new PrintFailure('failed', 'no document')
    if (said.residentMb > this.#limits.restMb) this.end()
    return said.pdf
  }

  /**
   * Makes sure that there is a process that can print.
   *
   * @throws PrintFailure
   */
  async prepare(): Promise<void> {
    if (this.#process === null) await this.#start()
  }

  end(): void {
    this.#process?.kill('SIGKILL')
    this.#process = null
  }

  async #start(): Promise<ChildProcess> {
    const { memoryMb } = this.#limits
    const child = fork(
      fileURLToPath(new URL('./printProcess.ts', import.meta.url)),
      [JSON.stringify({ memoryMb } satisfies PrintSetting)],
      { execArgv: [], env: ENVIRONMENT, serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] },
    )
    this.#process = child
    // What ends it while nothing is printed fails the next document, if there is one, and nothing else.
    child.on('error', () => undefined)
    child.on('exit', () => {
      if (this.#process === child) this.#process = null
    })
    const said = await this.#ask(child, null)
    if (said.ok) return child
    this.end()
    throw new PrintFailure(said.problem, said.detail)
  }

  /** What the process answers; where it ends or takes too long instead, that. */
  async #ask(child: ChildProcess, work: PrintWork | null): Promise<PrintAnswer> {
    return new Promise((resolve) => {
      const settle = (said: PrintAnswer): void => {
        clearTimeout(clock)
        child.off('message', settle).off('error', onError).off('exit', onExit)
        resolve(said)
      }
      const fail = (problem: PrintProblem, detail: string): void => {
        child.kill('SIGKILL')
        if (this.#process === child) this.#process = null
        settle({ ok: false, problem, detail })
      }
      const onError = (error: Error): void => fail('unavailable', error.message)
      const onExit = (code: number | null, signal: string | null): void => {
        // Killed: by its own watch, or by a system that has no more memory.
        if (signal === 'SIGKILL') fail('too_large', 'it took too much memory')
        else fail(work === null ? 'unavailable' : 'failed', `the process ended with ${signal ?? String(code)}`)
      }
      const clock = setTimeout(() => fail('too_large', 'it took too long'), this.#limits.longestMs)
      child.on('message', settle).on('error', onError).on('exit', onExit)
      if (work !== null) child.send(work)
    })
  }
}
