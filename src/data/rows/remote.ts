import { QueryClient } from '@tanstack/react-query'
import { ApiFailure } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'

/** How long an answer counts as current, and how long a reading waits before an older answer is shown instead. */
const FRESH_MS = 15_000

/** Answers to a question that cannot be asked any more. */
const REFUSED: ReadonlySet<ApiError['code']> = new Set(['not_found', 'forbidden', 'invalid'])

/**
 * Readings of the server, remembered while the session is open: a known answer is shown at once and read again in the
 * background.
 */
export class Remote {
  readonly #client = new QueryClient({
    defaultOptions: { queries: { retry: false, networkMode: 'always', gcTime: 30 * 60_000 } },
  })
  readonly #onChange: () => void

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /**
   * Reads. A known answer is given at once; if it is not fresh, the server is asked, and `onChange` is called when its
   * answer differs.
   */
  async read<Value>(
    key: readonly string[],
    ask: () => Promise<Result<Value, ApiError>>,
  ): Promise<Result<Value, ApiError>> {
    const known = this.#client.getQueryState<Value, ApiFailure>(key)
    if (known?.data === undefined) return this.#ask(key, ask)
    if (Date.now() - known.dataUpdatedAt > FRESH_MS && known.fetchStatus === 'idle')
      void this.#askBehind(key, ask, known.data)
    return ok(known.data)
  }

  /**
   * The known answer, without waiting: for callers with an answer from the device. Asks the server in the background.
   */
  peek<Value>(key: readonly string[], ask: () => Promise<Result<Value, ApiError>>): Value | null {
    const known = this.#client.getQueryState<Value, ApiFailure>(key)
    const age = Date.now() - (known?.dataUpdatedAt ?? 0)
    const failedAgo = Date.now() - (known?.errorUpdatedAt ?? 0)
    if (age > FRESH_MS && failedAgo > FRESH_MS && (known === undefined || known.fetchStatus === 'idle'))
      void this.#askBehind(key, ask, known?.data)
    return known?.data ?? null
  }

  /** Everything is asked anew at the next reading. */
  forget(): void {
    this.#client.clear()
  }

  /** Something was changed at the server: everything is asked anew, now. */
  refresh(): void {
    this.forget()
    this.#onChange()
  }

  async #askBehind<Value>(
    key: readonly string[],
    ask: () => Promise<Result<Value, ApiError>>,
    before: Value | undefined,
  ): Promise<void> {
    const answer = await this.#ask(key, ask)
    if (answer.ok && JSON.stringify(answer.value) !== JSON.stringify(before)) this.#onChange()
    if (answer.ok || before === undefined || !REFUSED.has(answer.error.code)) return
    // What the server refuses now is not shown any longer: a search was removed, say, or a right ended.
    this.#client.removeQueries({ queryKey: key, exact: true })
    this.#onChange()
  }

  async #ask<Value>(
    key: readonly string[],
    ask: () => Promise<Result<Value, ApiError>>,
  ): Promise<Result<Value, ApiError>> {
    try {
      const value = await this.#client.fetchQuery<Value, ApiFailure>({
        queryKey: key,
        staleTime: 0,
        queryFn: async () => {
          const answer = await ask()
          if (!answer.ok) throw new ApiFailure(answer.error)
          return answer.value
        },
      })
      return ok(value)
    } catch (thrown) {
      if (thrown instanceof ApiFailure) return err(thrown.error)
      throw thrown
    }
  }
}
