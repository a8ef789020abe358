import { useSyncExternalStore } from 'react'
import type { DeviceLogLine } from '#core/api/calls/log.ts'
import { MAX_LOG_LINES } from '#core/api/deviceLog.ts'

/**
 * This device's error log. It is in unencrypted storage, because it contains nothing that anybody entered (line.ts),
 * and separate from the work database, whose room and durability it must not touch.
 */

const KEY = 'zhenglu.log'
/** The most characters of all lines together. */
const MOST_CHARACTERS = 400_000
/** The same error within this time after the last adds no line. */
const SAME_MS = 10_000

const listeners = new Set<() => void>()
let current = read()

/** The lines, the latest first. Renders again when a line comes or lines go, in this tab or another. */
export function useLog(): readonly DeviceLogLine[] {
  return useSyncExternalStore(subscribe, logLines)
}

export function logLines(): readonly DeviceLogLine[] {
  return current
}

/** Keeps a line; the oldest lines go. */
export function addLine(line: DeviceLogLine): void {
  // Another tab may have added lines.
  const before = read()
  const again = before.some(
    (known) => isSame(known, line) && Math.abs(Date.parse(line.time) - Date.parse(known.time)) < SAME_MS,
  )
  if (again) return
  const kept = [line, ...before].slice(0, MAX_LOG_LINES)
  while (kept.length > 1 && JSON.stringify(kept).length > MOST_CHARACTERS) kept.pop()
  write(kept)
}

/** Removes lines once they are at the server or nobody wants them. Lines that came meanwhile stay. */
export function removeLines(lines: readonly DeviceLogLine[]): void {
  const gone = new Set(lines.map((line) => JSON.stringify(line)))
  write(read().filter((line) => !gone.has(JSON.stringify(line))))
}

function isSame(one: DeviceLogLine, other: DeviceLogLine): boolean {
  return (['url', 'type', 'message', 'stack', 'info'] as const).every((part) => one[part] === other[part])
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', onStorage)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', onStorage)
  }
}

function onStorage(event: StorageEvent): void {
  if (event.key !== KEY && event.key !== null) return
  current = read()
  announce()
}

function announce(): void {
  for (const listener of listeners) listener()
}

function write(lines: readonly DeviceLogLine[]): void {
  current = lines
  try {
    if (lines.length === 0) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, JSON.stringify(lines))
  } catch (error) {
    // On a device that refuses storage the lines live until the tab is closed.
    if (!(error instanceof DOMException)) throw error
  }
  announce()
}

function read(): readonly DeviceLogLine[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isLine) : []
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return []
    throw error
  }
}

function isLine(value: unknown): value is DeviceLogLine {
  if (typeof value !== 'object' || value === null) return false
  const { url, time, type, message } = value as Partial<Record<keyof DeviceLogLine, unknown>>
  return (
    [url, type, message].every((part) => typeof part === 'string') &&
    typeof time === 'string' &&
    !Number.isNaN(Date.parse(time))
  )
}
