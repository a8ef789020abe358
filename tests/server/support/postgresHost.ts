import { startPostgres } from '#server/database/launcher.ts'
import type { Privileges } from '#server/database/privileges.ts'

/**
 * A server that has nothing but its PostgreSQL, for tests that kill it. Arguments: data folder, death notice, privileges as
 * JSON. Says `{"postmaster":<pid>}` when it is ready.
 */
const [dataDir = '', notice, privileges] = process.argv.slice(2)
const postgres = await startPostgres({
  dataDir,
  onLog: () => undefined,
  deathNotice: notice === 'watchdog' ? 'watchdog' : 'signal',
  ...(privileges === undefined ? {} : { privileges: JSON.parse(privileges) as Privileges }),
})
process.stdout.write(`${JSON.stringify({ postmaster: postgres.pid() })}\n`)
setInterval(() => undefined, 60_000)
