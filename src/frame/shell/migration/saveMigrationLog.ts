import type { TaskResult } from '#core/api/calls/sync.ts'
import { downloadFile } from '#src/ui/downloadFile.ts'

/** Saves the log of a migration as a file. */
export function saveMigrationLog({ source, log }: TaskResult): void {
  downloadFile(`migration-${source ?? ''}.txt`, new Blob([log ?? ''], { type: 'text/plain;charset=utf-8' }))
}
