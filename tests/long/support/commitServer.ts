import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { DatabaseError } from '#server/database/errors.ts'
import { openDatabase } from '#server/database/open.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'

/**
 * The smallest server that promises anything: it commits a key and then says so. Argument: data folder. Says
 * `{"port":<number>}` when it is ready. `POST /` keeps the key in its body; `POST /missing` answers which of the keys in its
 * body (a JSON list) it does not have.
 */
const [dataDir = ''] = process.argv.slice(2)
const database = await openDatabase({ dataDir, databaseUrl: null, appDatabaseUrl: null, onLog: () => undefined })
await withConnection(database.owner, (connection) =>
  connection.query('CREATE TABLE IF NOT EXISTS kept (key text PRIMARY KEY); GRANT SELECT, INSERT ON kept TO zhenglu_app'),
)

async function answer(path: string, body: string): Promise<unknown> {
  if (path === '/missing') {
    const { rows } = await withConnection(database.app, (connection) =>
      connection.query<{ key: string }>('SELECT key FROM unnest($1::text[]) AS key EXCEPT SELECT key FROM kept', [JSON.parse(body)]),
    )
    return { success: true, data: rows.map((row) => row.key) }
  }
  await withTransaction(database.app, (transaction) => transaction.query('INSERT INTO kept VALUES ($1)', [body]))
  return { success: true }
}

const server = createServer((request, response) => {
  text(request)
    .then((body) => answer(request.url ?? '/', body))
    .catch((error: unknown) => {
      if (error instanceof DatabaseError) return { success: false, msg: error.kind }
      throw error
    })
    .then((result) => response.end(JSON.stringify(result)))
    .catch(() => response.destroy())
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`)
})

process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
  void database.close()
})
