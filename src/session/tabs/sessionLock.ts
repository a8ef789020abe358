import type { JsonValue } from '#core/json.ts'
import { lockAway, lockKeyOf, takeOut } from '#offline/vault/lockBox.ts'
import type { LockBox, LockKey } from '#offline/vault/lockBox.ts'

/** How often the lock password may be tried; after that only the sign-in password opens. */
const LOCK_TRIES = 5

/**
 * The lock of one session: its password is chosen once and serves until the session ends. While the session is open its
 * key is remembered; while it is locked only what was locked away under it is.
 */
export class SessionLock {
  #key: LockKey | null = null
  #box: LockBox | null = null
  #triesLeft = 0

  /** The key to lock with; null while no lock password was chosen. */
  get key(): LockKey | null {
    return this.#key
  }

  /** How often the lock password may still be tried; null where it does not open anything. */
  get triesLeft(): number | null {
    return this.#box === null ? null : this.#triesLeft
  }

  async choose(password: string): Promise<void> {
    this.#key = await lockKeyOf(password)
  }

  /** Locks away under a key, and forgets the key. */
  async close(key: LockKey, content: JsonValue): Promise<void> {
    this.#box = await lockAway(key, content)
    this.#key = null
    this.#triesLeft = LOCK_TRIES
  }

  /** What was locked away; null for a wrong password, of which the last one destroys it. */
  async open(password: string): Promise<JsonValue | null> {
    const box = this.#box
    if (box === null || this.#triesLeft === 0) return null
    // Counted before it is tried: tries at the same time count too.
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

  /** It was not locked after all. */
  takeBack(key: LockKey): void {
    this.#box = null
    this.#key = key
  }

  forget(): void {
    this.#key = null
    this.#box = null
  }
}
