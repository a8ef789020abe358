import { useSyncExternalStore } from 'react'
import type { z } from 'zod/mini'

/**
 * A value that all tabs of this device share and that stays after they close. It is in unencrypted storage: entered
 * data do not belong in it.
 */
export interface SharedValue<Value> {
  /** The value; renders again when it changes, in this tab or another. */
  readonly use: () => Value
  readonly get: () => Value
  /** Sets the value for all tabs; null removes it. */
  readonly set: (value: Value) => void
}

/**
 * @param key its name in the browser's storage
 * @param read turns the stored text into a value; null where nothing was stored, or nothing readable. An older app, or
 *   anybody, may have written it
 */
export function sharedValue<Value>(key: string, read: (stored: unknown) => Value): SharedValue<Value> {
  const listeners = new Set<() => void>()
  let current = read(storedUnder(key))

  const announce = (): void => {
    for (const listener of listeners) listener()
  }
  const onStorage = (event: StorageEvent): void => {
    // An event without a key means that everything was cleared.
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

/**
 * Notes by what they are about. An older app, or anybody, may have written them: what cannot be read is left out.
 *
 * @param schema reads one of them
 */
export function sharedNotes<Note>(
  key: string,
  schema: z.ZodMiniType<Note>,
): SharedValue<Readonly<Record<string, Note>>> {
  return sharedValue(key, (stored) => {
    if (typeof stored !== 'object' || stored === null) return {}
    return Object.fromEntries(
      Object.entries(stored).flatMap(([about, value]) => {
        const read = schema.safeParse(value)
        return read.success ? [[about, read.data]] : []
      }),
    )
  })
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
    // On a device that refuses storage the value lives until the tab is closed.
    if (!(error instanceof DOMException)) throw error
  }
}
