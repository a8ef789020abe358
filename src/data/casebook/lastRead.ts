/** The number of pages between which a person goes to and fro. */
const MOST = 4

type Read<Item> = ReadonlyMap<string, Item>

/**
 * Remembers what was last read for a page: it returns the same object as long as nothing has changed, so that an open
 * page is not worked out and drawn again.
 */
export class LastRead<Item> {
  readonly #last = new Map<string, Read<Item>>()
  readonly #nothing: Read<Item>
  readonly #isSame: (one: Item, other: Item) => boolean

  constructor(nothing: Read<Item>, isSame: (one: Item, other: Item) => boolean) {
    this.#nothing = nothing
    this.#isSame = isSame
  }

  /** @param entry the page for which it was read */
  of(entry: string, read: Read<Item>): Read<Item> {
    const last = this.#last.get(entry) ?? this.#nothing
    const now = this.#saysTheSame(last, read) ? last : read
    this.#last.delete(entry)
    if (now.size > 0) this.#last.set(entry, now)
    const [oldest] = this.#last.keys()
    if (this.#last.size > MOST && oldest !== undefined) this.#last.delete(oldest)
    return now
  }

  #saysTheSame(one: Read<Item>, other: Read<Item>): boolean {
    if (one.size !== other.size) return false
    for (const [key, item] of one) {
      const its = other.get(key)
      if (its === undefined || !this.#isSame(item, its)) return false
    }
    return true
  }
}
