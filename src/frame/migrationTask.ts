import * as z from 'zod/mini'

import { sharedValue } from './sharedValue.ts'

/**
 * The migration that this device has started and whose end it has not shown. It contains only the ids of a task and its
 * project, so it may be in unencrypted storage.
 */

const migrationTask = z.object({ taskId: z.string(), projectId: z.string() })
export type MigrationTask = z.infer<typeof migrationTask>

const shared = sharedValue<MigrationTask | null>('zhenglu.migration', (stored) => {
  const parsed = migrationTask.safeParse(stored)
  return parsed.success ? parsed.data : null
})

/**
 * The task, on every screen and after a reload; null without one. Renders again when it changes, in this tab or
 * another.
 */
export const useMigrationTask = shared.use

/** Keeps the task that a release has started; null clears it. */
export const setMigrationTask = shared.set
