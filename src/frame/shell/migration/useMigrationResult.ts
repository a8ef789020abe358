import { useEffect, useState } from 'react'
import type { ApiError } from '#core/api/errors.ts'
import type { Language } from '#core/language.ts'
import type { TaskResult } from '#core/api/calls/sync.ts'
import type { MigrationTask } from '#src/frame/migrationTask.ts'
import { useSession } from '#src/session/useSession.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

/** Specification §9: how often the state of a migration is requested. */
const EVERY_MS = 5000

/** What is known of a migration. */
export type SeenMigration =
  | { readonly at: 'asking' }
  | { readonly at: 'known'; readonly result: TaskResult; /** Of its log. */ readonly language: Language }
  | { readonly at: 'unknown'; readonly error: ApiError }

/** Asks for the task until it has ended, and again when the reader chooses another language: its log is in words. */
export function useMigrationResult({ taskId }: MigrationTask): SeenMigration {
  const { call, reachable } = useSession()
  const language = useLanguage()
  const [seen, setSeen] = useState<SeenMigration>({ at: 'asking' })
  const ended = seen.at === 'known' && seen.result.status !== 0 && seen.language === language
  useEffect(() => {
    // While the server is out of reach, the last known state stays.
    if (ended || reachable === false) return
    let left = false
    const ask = async () => {
      const result = await call('task.result', { params: { id: taskId }, query: { taskType: 'migration' } })
      if (left) return
      if (result.ok) setSeen({ at: 'known', result: result.value, language })
      // Only these answers mean that the server has no such task for this user.
      else if (result.error.code === 'not_found' || result.error.code === 'forbidden')
        setSeen({ at: 'unknown', error: result.error })
    }
    void ask()
    const timer = setInterval(() => void ask(), EVERY_MS)
    return () => {
      left = true
      clearInterval(timer)
    }
  }, [call, taskId, ended, reachable, language])
  return seen
}
