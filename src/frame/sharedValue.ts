import { useSyncExternalStore } from 'react'

/**
 * A value that all tabs of this device share and that outlives them. It lies in clear storage: nothing of what is
 * entered belongs into one.
 */
export interface SharedValue<Value> {
  /** The value, and a new rendering when it changes, in this tab or another. */
  readonly use: () => Value
  readonly get: () => Value
  /** Sets it for all tabs; null forgets it. */
  readonly set: (value: Value) => void
}

/**
 * @param key its name in the browser's storage
 * @param read what was stored as a value; null where nothing was, or nothing that can be read. An older app, or
 *   anybody, may have written it
 */
export function sharedValue<Value>(key: string, read: (stored: unknown) => Value): SharedValue<Value> {
  const listeners = new Set<() => void>()
  let current = read(storedUnder(key))

  const announce = (): void => {
    for (const listener of listeners) listener()
  }
  const onStorage = (event: StorageEvent): void => {
    // Without a key everything was cleared.
    if (event.key !== key && event.key !== null) return
    current = read(storedUnder(key))
    announce()
  }
  const subscribe = (listener: () => void): (() => void) => {
    if (listeners.size === 0) window.addEventListener('storage', onStorage)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) window.removeEventListener('storage', onStorage)
    }
  }
  const get = (): Value => current
  return {
    use: () => useSyncExternalStore(subscribe, get),
    get,
    set: (value) => {
      current = value
      store(key, value)
      announce()
    },
  }
}

function storedUnder(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return null
    throw error
  }
}

function store(key: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(value))
  } catch (error) {
    // A device that refuses storage still has the value until the tab is closed.
    if (!(error instanceof DOMException)) throw error
  }
}
