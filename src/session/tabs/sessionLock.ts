import type { JsonValue } from '#core/json.ts'
import { lockAway, lockKeyOf, takeOut } from '#offline/vault/lockBox.ts'
import type { LockBox, LockKey } from '#offline/vault/lockBox.ts'

/** How often the lock password may be tried; after that only the sign-in password opens. */
const LOCK_TRIES = 5

/**
 * The lock of one session. Its password is chosen once and lasts until the session ends. While the session is open the
 * key is remembered; while it is locked only what was sealed under the key is kept.
 */
export class SessionLock {
  #key: LockKey | null = null
  #box: LockBox | null = null
  #triesLeft = 0

  /** The key to lock with; null while no lock password was chosen. */
  get key(): LockKey | null {
    return this.#key
  }

  /** How often the lock password may still be tried; null where it opens nothing. */
  get triesLeft(): number | null {
    return this.#box === null ? null : this.#triesLeft
  }

  async choose(password: string): Promise<void> {
    this.#key = await lockKeyOf(password)
  }

  /** Seals the content under a key, and forgets the key. */
  async close(key: LockKey, content: JsonValue): Promise<void> {
    this.#box = await lockAway(key, content)
    this.#key = null
    this.#triesLeft = LOCK_TRIES
  }

  /** The content that was locked. Null for a wrong password; the last wrong one destroys the content. */
  async open(password: string): Promise<JsonValue | null> {
    const box = this.#box
    if (box === null || this.#triesLeft === 0) return null
    // Counted before the try: tries at the same time count too.
    this.#triesLeft -= 1
    const opened = await takeOut(box, password)
    if (this.#box !== box) return null
    if (opened !== null) {
      this.#box = null
      this.#key = opened.key
      return opened.content
    }
    if (this.#triesLeft === 0) this.#box = null
    return null
  }

  /** Undoes a lock that did not take place. */
  takeBack(key: LockKey): void {
    this.#box = null
    this.#key = key
  }

  forget(): void {
    this.#key = null
    this.#box = null
  }
}
