import { startPostgres } from '#server/database/launcher.ts'
import type { LaunchOptions } from '#server/database/launcher.ts'

/**
 * A server that has nothing but its PostgreSQL, for tests that kill it. Arguments: data folder, further options as
 * JSON. Says `{"postmaster":<pid>}` when it is ready.
 */
const [dataDir = '', options = '{}'] = process.argv.slice(2)
const chosen = JSON.parse(options) as Pick<LaunchOptions, 'deathNotice' | 'privileges'>
const postgres = await startPostgres({ dataDir, onLog: () => undefined, ...chosen })
process.stdout.write(`${JSON.stringify({ postmaster: postgres.pid() })}\n`)
setInterval(() => undefined, 60_000)
