/** A cache for facts of released versions, which never change, by key. The oldest is removed first. */
export class Released<Value> {
  readonly #values = new Map<string, Value>()
  readonly #most: number

  /**
   * @param most how many are kept
   */
  constructor(most: number) {
    this.#most = most
  }

  get(key: string): Value | undefined {
    return this.#values.get(key)
  }

  keep(key: string, value: Value): void {
    const [oldest] = this.#values.keys()
    if (this.#values.size >= this.#most && oldest !== undefined) this.#values.delete(oldest)
    this.#values.set(key, value)
  }

  clear(): void {
    this.#values.clear()
  }
}
