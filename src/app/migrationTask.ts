import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'

/** The migration that this device has begun and not seen the end of. It names a task and its project alone, so it may lie in clear storage. */

const migrationTask = z.object({ taskId: z.string(), projectId: z.string() })
export type MigrationTask = z.infer<typeof migrationTask>

const KEY = 'zhenglu.migration'

const listeners = new Set<() => void>()
let current = read()

/** The task, wherever one goes and after the app is loaded anew; null without one. Renders again when it changes, in this tab or another. */
export function useMigrationTask(): MigrationTask | null {
  return useSyncExternalStore(subscribe, () => current)
}

/** Keeps the task that a release has begun; null clears it. */
export function setMigrationTask(task: MigrationTask | null): void {
  current = task
  try {
    if (task === null) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, JSON.stringify(task))
  } catch (error) {
    // A device that refuses storage still follows the task until the tab is closed.
    if (!(error instanceof DOMException)) throw error
  }
  announce()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', onStorage)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', onStorage)
  }
}

function onStorage({ key }: StorageEvent): void {
  if (key !== KEY && key !== null) return
  current = read()
  announce()
}

function announce(): void {
  for (const listener of listeners) listener()
}

function read(): MigrationTask | null {
  try {
    const parsed = migrationTask.safeParse(JSON.parse(localStorage.getItem(KEY) ?? 'null'))
    return parsed.success ? parsed.data : null
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return null
    throw error
  }
}
