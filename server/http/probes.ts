import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail } from '#core/api/errors.ts'
import type { Health } from '#server/health/health.ts'
import { isLoopback } from '#server/loopback.ts'
import type { Services } from '#server/services.ts'

/** Probes for operators: whether the server lives, whether it can serve, and what it does. */

declare module 'fastify' {
  interface FastifyInstance {
    /** How often each route gave which status. */
    answered: Map<string, number>
  }
}

/** Counts every answer, also those of the rate limit. */
export function countRequests(app: FastifyInstance): void {
  const requests = new Map<string, number>()
  app.decorate('answered', requests)
  app.addHook('onResponse', async (request, reply) => {
    const labels = `route="${request.routeOptions.url ?? 'none'}",method="${request.method}",status="${reply.statusCode}"`
    requests.set(labels, (requests.get(labels) ?? 0) + 1)
    request.log.debug(
      {
        route: request.routeOptions.url,
        method: request.method,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
  })
}

/**
 * @param most how often an address may ask each probe that costs something, in a minute
 */
export function registerProbes(
  app: FastifyInstance,
  services: Services & { readonly health: Health },
  most: number,
): void {
  const { health, config } = services
  const limited = { config: { rateLimit: { max: most, timeWindow: '1 minute' } } }
  // Tablets ask this probe too, a whole ward from one address. It costs nothing and has the limit of all requests.
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', limited, async (_request, reply) => {
    const why = await health.unready()
    return why === null ? { status: 'ok' } : reply.status(503).send({ status: 'not ready', why })
  })
  app.get('/metrics', limited, async (request, reply) => {
    if (!mayMeasure(request, config.metricsToken)) throw fail('forbidden')
    return reply.type('text/plain; version=0.0.4').send(metricsText(app.answered, services))
  })
}

/**
 * The figures tell how a ward works, so only operators may read them. A request that a proxy on this machine passes
 * on does not count as one of this machine.
 */
function mayMeasure(request: FastifyRequest, token: string | null): boolean {
  const given = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (given !== undefined) return token !== null && timingSafeEqual(digestOf(given), digestOf(token))
  const handedOn = ['x-forwarded-for', 'forwarded', 'x-real-ip'].some((name) => request.headers[name] !== undefined)
  return isLoopback(request.ip.replace(/^::ffff:/i, '')) && !handedOn
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function metricsText(requests: ReadonlyMap<string, number>, { pool, backups, health }: Services): string {
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
    ...(health?.metrics() ?? []),
    ...(backups?.metrics() ?? []),
    '',
  ].join('\n')
}
