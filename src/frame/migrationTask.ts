import * as z from 'zod/mini'

import { sharedValue } from './sharedValue.ts'

/**
 * The migration that this device has begun and not seen the end of. It names a task and its project alone, so it may
 * lie in clear storage.
 */

const migrationTask = z.object({ taskId: z.string(), projectId: z.string() })
export type MigrationTask = z.infer<typeof migrationTask>

const shared = sharedValue<MigrationTask | null>('zhenglu.migration', (stored) => {
  const parsed = migrationTask.safeParse(stored)
  return parsed.success ? parsed.data : null
})

/**
 * The task, wherever one goes and after the app is loaded anew; null without one. Renders again when it changes, in
 * this tab or another.
 */
export const useMigrationTask = shared.use

/** Keeps the task that a release has begun; null clears it. */
export const setMigrationTask = shared.set
