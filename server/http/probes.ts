import { readdir } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { DatabaseError } from '#server/database/errors.ts'
import { MIGRATIONS_FOLDER } from '#server/database/migrate.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Services } from '#server/services.ts'

/** For those who run a server: does it live, can it serve, what does it do. */
export function registerProbes(app: FastifyInstance, services: Services): void {
  const requests = new Map<string, number>()
  app.addHook('onResponse', async (request, reply) => {
    const labels = `route="${request.routeOptions.url ?? 'none'}",method="${request.method}",status="${reply.statusCode}"`
    requests.set(labels, (requests.get(labels) ?? 0) + 1)
    request.log.debug({ route: request.routeOptions.url, method: request.method, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request')
  })
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const ready = await isReady(services)
    return reply.status(ready ? 200 : 503).send({ status: ready ? 'ok' : 'not ready' })
  })
  app.get('/metrics', async (_request, reply) => reply.type('text/plain; version=0.0.4').send(metricsText(requests, services)))
}

/** Whether the database answers and has this version's schema. */
async function isReady(services: Services): Promise<boolean> {
  const expected = (await readdir(MIGRATIONS_FOLDER)).filter((file) => file.endsWith('.sql')).length
  try {
    return await withConnection(services.pool, async (connection) => {
      const { rows } = await connection.query<{ n: number }>('SELECT count(*) AS n FROM schema_migration')
      return (rows[0]?.n ?? 0) >= expected
    })
  } catch (error) {
    if (error instanceof DatabaseError) return false
    throw error
  }
}

function metricsText(requests: ReadonlyMap<string, number>, { pool, backups }: Services): string {
  const { totalCount, idleCount, waitingCount } = pool
  return [
    '# TYPE http_requests_total counter',
    ...[...requests].map(([labels, count]) => `http_requests_total{${labels}} ${count}`),
    '# TYPE database_connections gauge',
    `database_connections{state="used"} ${totalCount - idleCount}`,
    `database_connections{state="idle"} ${idleCount}`,
    `database_connections{state="awaited"} ${waitingCount}`,
    '# TYPE process_uptime_seconds gauge',
    `process_uptime_seconds ${Math.round(process.uptime())}`,
    ...(backups?.metrics() ?? []),
    '',
  ].join('\n')
}
