import { vi } from 'vitest'

/**
 * A disk that can be full, under the browser's own stores. It counts as Chromium does: what a transaction deletes is
 * free once the transaction is over, not before, and what is overwritten counts twice until then.
 */
export class Disk {
  limit = Number.POSITIVE_INFINITY
  /**
   * What is deleted in databases takes its room until the browser tidies up, as in Chromium. Files that go are gone at
   * once.
   */
  freesLate = false
  /** Stores whose writes met a full disk, as `database/store`. */
  readonly refused: string[] = []
  #fatal: string | null = null
  readonly #sizes = new Map<string, number>()
  readonly #files = new Map<string, number>()
  #notTidied = 0
  readonly #pending = new Map<IDBTransaction, { added: Map<string, number>; gone: Set<string>; bytes: number }>()

  static install(): Disk {
    const disk = new Disk()
    const { put, add, delete: remove, clear } = IDBObjectStore.prototype
    for (const [name, original] of [
      ['put', put],
      ['add', add],
    ] as const) {
      vi.spyOn(IDBObjectStore.prototype, name).mockImplementation(function (
        this: IDBObjectStore,
        value: unknown,
        key?: IDBValidKey,
      ) {
        disk.#write(this, value)
        return key === undefined ? original.call(this, value) : original.call(this, value, key)
      })
    }
    vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementation(function (
      this: IDBObjectStore,
      query: IDBValidKey | IDBKeyRange,
    ) {
      disk.#remove(this, (key) =>
        query instanceof IDBKeyRange ? query.includes(key) : indexedDB.cmp(query, key) === 0,
      )
      return remove.call(this, query)
    })
    vi.spyOn(IDBObjectStore.prototype, 'clear').mockImplementation(function (this: IDBObjectStore) {
      disk.#remove(this, () => true)
      return clear.call(this)
    })
    return disk
  }

  get used(): number {
    return [...this.#sizes.values(), ...this.#files.values(), this.#notTidied].reduce((sum, size) => sum + size, 0)
  }

  /** The browser tidies up. */
  tidy(): void {
    this.#notTidied = 0
  }

  /**
   * A folder of private files on this disk: in a worker they are written in place, on a page beside it until they are
   * closed.
   */
  folder(thread: 'worker' | 'page' = 'worker'): FileSystemDirectoryHandle {
    const files = this.#files
    const fill = (name: string, bytes: number): void => {
      const more = bytes - (files.get(name) ?? 0)
      if (more > 0 && this.used + this.#underWay() + more > this.limit)
        throw new DOMException('no room', 'QuotaExceededError')
      files.set(name, bytes)
    }
    const handle = (name: string) => ({
      truncate: (bytes: number) => fill(name, bytes),
      write: ({ byteLength }: Uint8Array, { at }: { readonly at: number }) =>
        fill(name, Math.max(files.get(name) ?? 0, at + byteLength)),
      flush: () => undefined,
      close: () => undefined,
    })
    const beside = (name: string) => {
      const swap = `${name}.swap`
      const settle = (bytes: number | null): Promise<void> => {
        files.delete(swap)
        if (bytes !== null) files.set(name, bytes)
        return Promise.resolve()
      }
      return {
        truncate: async (bytes: number) => fill(swap, await Promise.resolve(bytes)),
        write: async ({ position, data }: { readonly position: number; readonly data: Uint8Array }) =>
          fill(swap, Math.max(files.get(swap) ?? 0, await Promise.resolve(position + data.byteLength))),
        close: () => settle(files.get(swap) ?? 0),
        abort: () => settle(null),
      }
    }
    const folder = {
      keys: async function* () {
        for (const name of files.keys()) yield await Promise.resolve(name)
      },
      getFileHandle: (name: string) => {
        fill(name, files.get(name) ?? 0)
        return Promise.resolve(
          thread === 'worker'
            ? { createSyncAccessHandle: () => Promise.resolve(handle(name)) }
            : { createWritable: () => Promise.resolve(beside(name)) },
        )
      },
      removeEntry: (name: string) =>
        files.delete(name) ? Promise.resolve() : Promise.reject(new DOMException('no such file', 'NotFoundError')),
    }
    return folder as unknown as FileSystemDirectoryHandle
  }

  /** From here on so much more fits, and no more. */
  fill(room = 0): void {
    this.limit = this.used + room
  }

  makeRoom(): void {
    this.limit = Number.POSITIVE_INFINITY
    this.#fatal = null
  }

  /** The app dies at the next write to a store, deletions included. */
  diesAt(store: string): void {
    this.#fatal = store
  }

  #touch(store: IDBObjectStore): void {
    if (store.name === this.#fatal) throw new DOMException('the app died', 'AbortError')
  }

  #write(store: IDBObjectStore, value: unknown): void {
    this.#touch(store)
    const size = sizeOf(value)
    const pending = this.#of(store.transaction)
    if (this.used + this.#underWay() + size > this.limit) {
      this.refused.push(`${store.transaction.db.name}/${store.name}`)
      throw new DOMException('no room', 'QuotaExceededError')
    }
    pending.bytes += size
    pending.added.set(nameOf(store, keyIn(store, value)), size)
  }

  #remove(store: IDBObjectStore, isGone: (key: IDBValidKey) => boolean): void {
    this.#touch(store)
    const pending = this.#of(store.transaction)
    const prefix = nameOf(store, null)
    for (const name of [...this.#sizes.keys(), ...pending.added.keys()]) {
      if (!name.startsWith(prefix) || !isGone(JSON.parse(name.slice(prefix.length)) as IDBValidKey)) continue
      pending.gone.add(name)
      pending.added.delete(name)
    }
  }

  #underWay(): number {
    return [...this.#pending.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  }

  #of(transaction: IDBTransaction) {
    const known = this.#pending.get(transaction)
    if (known !== undefined) return known
    const pending = { added: new Map<string, number>(), gone: new Set<string>(), bytes: 0 }
    this.#pending.set(transaction, pending)
    transaction.addEventListener('abort', () => this.#pending.delete(transaction))
    transaction.addEventListener('complete', () => {
      this.#pending.delete(transaction)
      for (const name of pending.gone) {
        if (this.freesLate) this.#notTidied += this.#sizes.get(name) ?? 0
        this.#sizes.delete(name)
      }
      for (const [name, size] of pending.added) this.#sizes.set(name, size)
    })
    return pending
  }
}

/** Without a key: what all names of the store begin with. */
function nameOf(store: IDBObjectStore, key: IDBValidKey | null): string {
  return `${store.transaction.db.name}/${store.name} ${key === null ? '' : JSON.stringify(key)}`
}

let counter = 0

function keyIn(store: IDBObjectStore, value: unknown): IDBValidKey {
  const of = (path: string): IDBValidKey => (value as Readonly<Record<string, IDBValidKey>>)[path] ?? (counter += 1)
  const { keyPath } = store
  return keyPath === null ? (counter += 1) : typeof keyPath === 'string' ? of(keyPath) : keyPath.map(of)
}

function sizeOf(value: unknown): number {
  if (value instanceof Uint8Array) return value.byteLength
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 8
  return Object.entries(value).reduce((sum, [key, part]) => sum + key.length + sizeOf(part), 0)
}
