import { existsSync } from 'node:fs'
import { join } from 'node:path'
import helmet from '@fastify/helmet'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Call } from '#core/api/call.ts'
import { fail } from '#core/api/errors.ts'
import { answerError } from '#server/http/calls.ts'

/** The app's files, the security headers of every answer, and the answer for an unknown address. */

/** Files that a browser has to check each time, because they decide which version of the app runs. */
const NO_CACHE = new Set(['index.html', 'sw.js', 'manifest.webmanifest'])
const YEAR_SECONDS = 31_536_000

export async function registerSecurityHeaders(app: FastifyInstance, secure: boolean): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: [`'self'`],
        scriptSrc: [`'self'`],
        // The component library writes style elements at run time, and index.html comes from the service worker:
        // docs/adr/0035-styles-and-frames.md.
        styleSrc: [`'self'`, `'unsafe-inline'`],
        imgSrc: [`'self'`, 'data:', 'blob:'],
        fontSrc: [`'self'`, 'data:'],
        connectSrc: [`'self'`],
        workerSrc: [`'self'`],
        manifestSrc: [`'self'`],
        // The app uses no frames. A page that needs one has to name its source.
        frameSrc: [`'none'`],
        objectSrc: [`'none'`],
        baseUri: [`'self'`],
        formAction: [`'self'`],
        frameAncestors: [`'self'`],
      },
    },
    // Other hosts below this name are the operator's own concern.
    strictTransportSecurity: secure ? { maxAge: YEAR_SECONDS, includeSubDomains: false } : false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
  })
}

/**
 * Here service workers ask whether they are to remove themselves (sw/sw.ts). As long as they are not, the answer is
 * empty, so that no proxy and no page of ours can be taken for a yes. It is not a 404, because browsers log a 404 as
 * an error of the page.
 */
export function registerKillSwitch(app: FastifyInstance, isOn: boolean): void {
  app.get('/sw-kill.json', async (_request, reply) => {
    void reply.header('Cache-Control', 'no-store')
    return isOn ? { kill: true } : reply.code(204).send()
  })
}

/** Serves the built app. Without a build only the API is served. */
export async function registerWeb(app: FastifyInstance, calls: readonly Call[], webRoot: string): Promise<void> {
  const hasApp = existsSync(join(webRoot, 'index.html'))
  if (hasApp) {
    await app.register(fastifyStatic, {
      root: webRoot,
      cacheControl: false,
      setHeaders: (reply, path) => {
        void reply.header('Cache-Control', cacheControl(path.slice(webRoot.length + 1)))
      },
    })
  }
  const routes = calls.map(({ path }) => new RegExp(`^/api${path.replaceAll(/:\w+/g, '[^/]+')}$`))
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?')
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !/^\/api(\/|$)/.test(path)
    // A missing asset gets an error: a browser would take the app's page in its place for a script.
    if (hasApp && isPage && !path.startsWith('/assets/')) return reply.sendFile('index.html')
    answerError(fail(routes.some((route) => route.test(path)) ? 'method_not_allowed' : 'not_found'), request, reply)
    return reply
  })
}

function cacheControl(file: string): string {
  if (NO_CACHE.has(file)) return 'no-cache'
  return file.startsWith('assets/') ? `public, max-age=${YEAR_SECONDS}, immutable` : 'public, max-age=3600'
}
