import { join } from 'node:path'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import fastify, { LogController } from 'fastify'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { UPLOAD_TIMEOUT_MS } from '#core/api/call.ts'
import { fail } from '#core/api/errors.ts'
import { openApiDocument } from '#core/api/openapi.ts'
import { calls } from '#core/api/table.ts'
import { handlers as allHandlers } from '#server/handlers.ts'
import { Health } from '#server/health/health.ts'
import { registerBodies } from '#server/http/body.ts'
import { answerError, registerCalls } from '#server/http/calls.ts'
import type { Handlers } from '#server/http/handler.ts'
import { countRequests, registerProbes } from '#server/http/probes.ts'
import { dropQuietAtStop } from '#server/http/quietAtStop.ts'
import { registerKillSwitch, registerSecurityHeaders, registerWeb } from '#server/http/web.ts'
import { registerTrustSign } from '#server/lan/trustSign.ts'
import type { Services } from '#server/services.ts'

import { forgetReleased } from './areas/entry/reading/pages.ts'

/**
 * Ciphers with forward secrecy and authentication: a key that is stolen later cannot decrypt traffic that is recorded
 * today. TLS 1.3 has only such ciphers.
 */
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':')

/** One probe each second, and some more for a person who looks by hand. */
const PROBES_A_MINUTE = 120

/** The folder into which `npm run build` puts the app. */
const WEB_ROOT = join(import.meta.dirname, '..', 'dist')

export interface AppOptions {
  /** Certificate chain and key, PEM. */
  readonly tls?: { readonly cert: Buffer | string; readonly key: Buffer | string }
  /** Whether the certificate is the site's own, which somebody has to install on each tablet. */
  readonly ownCertificate?: boolean
  readonly handlers?: Handlers
  readonly webRoot?: string
  /**
   * Most requests from one address in a minute: of all kinds, to the sign-in, and to each probe that costs something.
   * A hospital's tablets may share one address.
   */
  readonly limits?: { readonly all: number; readonly signIn: number; readonly probes?: number }
  readonly checkAnswers?: boolean
}

/** The server, without listening: `app.listen`, or `app.inject` in tests. `close` waits for requests under way. */
export async function buildApp(given: Services, options: AppOptions = {}): Promise<FastifyInstance> {
  forgetReleased()
  const health = given.health ?? new Health(given)
  const services = { ...given, health }
  const limits = options.limits ?? { all: 6000, signIn: 120 }
  const app = createServer(services, options.tls)
  app.setErrorHandler(answerError)
  dropQuietAtStop(app)
  countRequests(app)
  await app.register(rateLimit, {
    max: limits.all,
    timeWindow: '1 minute',
    errorResponseBuilder: (_request, { ttl }) => fail('rate_limited', { retryAfterSeconds: Math.ceil(ttl / 1000) }),
  })
  registerProbes(app, services, limits.probes ?? PROBES_A_MINUTE)
  const ownCertificate = options.ownCertificate ?? false
  // After HSTS a browser would no longer open the plain page that helps to trust a site's own certificate. On
  // `localhost` it would open no plain page at all.
  await registerSecurityHeaders(app, options.tls !== undefined && !ownCertificate)
  await app.register(compress, { encodings: ['gzip', 'identity'], globalDecompression: false })
  await app.register(cookie)
  await app.register(
    async (api) => {
      registerBodies(api, services.threads !== undefined)
      api.addHook('onRequest', async (_request, reply) => {
        void reply.header('Cache-Control', 'no-store')
      })
      const document = openApiDocument(calls)
      api.get('/openapi.json', async () => document)
      registerCalls(api, calls, {
        services,
        handlers: options.handlers ?? allHandlers,
        signInLimit: limits.signIn,
        checkAnswers: options.checkAnswers ?? false,
      })
    },
    { prefix: '/api' },
  )
  registerKillSwitch(app, services.config.killServiceWorker)
  if (ownCertificate) registerTrustSign(app)
  await registerWeb(app, calls, options.webRoot ?? WEB_ROOT)
  await app.ready()
  return app
}

function createServer(services: Services, tls: AppOptions['tls']): FastifyInstance {
  const { trustProxy } = services.config
  const common: FastifyServerOptions = {
    loggerInstance: services.log,
    // `registerProbes` logs requests, by route.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    exposeHeadRoutes: false,
    // Finished keep-alive connections must not hold up a stop.
    forceCloseConnections: 'idle',
    // A body that never ends must not hold its connection for ever.
    requestTimeout: UPLOAD_TIMEOUT_MS,
    frameworkErrors: answerError,
  }
  if (tls === undefined) return fastify(common)
  // Only the type of the raw socket differs, and none of our code uses it.
  return fastify({
    ...common,
    http2: true,
    https: { allowHTTP1: true, ciphers: CIPHERS, ...tls },
  } as FastifyServerOptions) as FastifyInstance
}
