import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import type { ServerEnd } from './steps.ts'

/**
 * Between a server and its database: the place where a server ends in the middle of its work, or a commit takes its
 * time.
 */

/** How long a commit takes in whose middle the server ends. */
const COMMIT_TAKES_MS = 15

/** The database's own word for a lock that did not come in time. */
const LOCK_TIMEOUT = `DO $$ BEGIN RAISE EXCEPTION 'lock timeout' USING ERRCODE = '55P03'; END $$`

/** Longest that a commit is held back for others that may wait for it. */
const LONGEST_HOLD_MS = 60
/** Longest that a pull is held back; nobody waits for it. */
const LONGEST_PULL_HOLD_MS = 5000

type Query = (...given: readonly unknown[]) => unknown

export class Statements {
  readonly #clients = new Set<PoolClient>()
  readonly #died: PromiseWithResolvers<never> = Promise.withResolvers<never>()
  /** Clients whose transaction has taken its change number. */
  readonly #writing = new Set<PoolClient>()
  #ends: { left: number; readonly how: ServerEnd } | null = null
  #busyIn = Number.POSITIVE_INFINITY
  #hold: Hold | null = null
  #pullHold: Hold | null = null
  #dead = false

  constructor(pool: Pool) {
    this.#died.promise.catch(() => undefined)
    pool.on('connect', (client) => this.#watch(client))
  }

  /** Rejects when the server ends. */
  get died(): Promise<never> {
    return this.#died.promise
  }

  get dead(): boolean {
    return this.#dead
  }

  /** The server ends at its nth statement from now, or at the next commit of a write from there. */
  endAfter(statements: number, how: ServerEnd): void {
    this.#ends = { left: statements, how }
  }

  /** The nth statement from now does not get its lock in time. */
  busyAfter(statements: number): void {
    this.#busyIn = statements
  }

  calm(): void {
    this.#ends = null
    this.#hold = null
    this.#pullHold = null
    this.#busyIn = Number.POSITIVE_INFINITY
  }

  /** The next pull of a center waits, when the server has looked what has changed, until it is let go. */
  holdPull(): Hold {
    const hold = new Hold(LONGEST_PULL_HOLD_MS)
    this.#pullHold = hold
    return hold
  }

  /** The next commit of a write waits until it is let go. */
  holdCommit(): Hold {
    const hold = new Hold()
    this.#hold = hold
    return hold
  }

  /** The server is gone with all its connections, at once; what was not committed never was. */
  end(): void {
    if (this.#dead) return
    this.#dead = true
    for (const client of this.#clients) {
      const { connection } = client as unknown as { readonly connection: { readonly stream: { destroy(): void } } }
      connection.stream.destroy()
    }
    this.#died.reject(new TypeError('the server is gone'))
  }

  #watch(client: PoolClient): void {
    this.#clients.add(client)
    client.on('end', () => this.#clients.delete(client))
    const query = client.query.bind(client) as Query
    const gated: Query = (...given) => {
      if (typeof given.at(-1) === 'function') return query(...given)
      const done = this.#run(client, textOf(given[0]), (instead) =>
        instead === undefined ? query(...given) : query(instead),
      )
      return looksForChanges(given[0]) ? this.#thenHold(done) : done
    }
    client.query = gated as PoolClient['query']
  }

  async #run(client: PoolClient, text: string, query: (instead?: string) => unknown): Promise<unknown> {
    if (this.#dead) throw goneError()
    const ends = this.#due()
    if (ends === 'at_once') this.#endNow()
    // Only what is inside of a transaction can wait for a lock, and what ends one never does.
    if (!/^(BEGIN|COMMIT|ROLLBACK)/.test(text) && this.#isBusy()) return query(LOCK_TIMEOUT)
    if (text.includes('INSERT INTO audit_link')) this.#writing.add(client)
    if (text === 'ROLLBACK') this.#writing.delete(client)
    if (text !== 'COMMIT' || !this.#writing.delete(client)) return query()
    const hold = this.#hold
    this.#hold = null
    await hold?.wait()
    if (ends === 'in_commit') {
      await sleep(COMMIT_TAKES_MS)
      this.#endNow()
    }
    const result = await query()
    if (ends === 'after_commit') this.#endNow()
    return result
  }

  async #thenHold(done: Promise<unknown>): Promise<unknown> {
    const hold = this.#pullHold
    this.#pullHold = null
    const result = await done
    await hold?.wait()
    return result
  }

  /** How the server ends with this statement, if it does. */
  #due(): ServerEnd | null {
    if (this.#ends === null) return null
    this.#ends.left -= 1
    return this.#ends.left <= 0 ? this.#ends.how : null
  }

  #isBusy(): boolean {
    this.#busyIn -= 1
    if (this.#busyIn > 0) return false
    this.#busyIn = Number.POSITIVE_INFINITY
    return true
  }

  #endNow(): never {
    this.end()
    throw goneError()
  }
}

/** A commit or a pull that is held back. */
export class Hold {
  readonly #longest: number
  readonly #reached = Promise.withResolvers<void>()
  readonly #released = Promise.withResolvers<void>()

  constructor(longest = LONGEST_HOLD_MS) {
    this.#longest = longest
  }

  /** Resolves when what is to be held back is at the gate. */
  get reached(): Promise<void> {
    return this.#reached.promise
  }

  release(): void {
    this.#released.resolve()
  }

  async wait(): Promise<void> {
    this.#reached.resolve()
    await Promise.race([this.#released.promise, sleep(this.#longest)])
  }
}

/** Whether a statement asks what has changed in a center (server/areas/sync/pull.ts). */
function looksForChanges(statement: unknown): boolean {
  if (typeof statement !== 'object' || statement === null || !('name' in statement) || !('values' in statement))
    return false
  return statement.name === 'pull_changes' && Array.isArray(statement.values) && statement.values[2] !== null
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement
  return typeof statement === 'object' && statement !== null && 'text' in statement ? String(statement.text) : ''
}

function goneError(): Error {
  return Object.assign(new Error('the connection is gone'), { syscall: 'write' })
}
