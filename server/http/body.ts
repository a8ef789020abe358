import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { fail } from '#core/api/errors.ts'

/** How bodies are read: JSON, forms (token endpoint), and either of them gzipped. The route's limit counts inflated bytes. */
export function registerBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Stock clients name the type also where they send nothing.
    if (body === '') done(null, undefined)
    else void parseJson(request, String(body), done)
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: 16_384 }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })
  app.addHook('preParsing', async (request, _reply, payload) => {
    const encoding = request.headers['content-encoding']
    if (encoding === undefined || encoding === 'identity') return payload
    if (encoding !== 'gzip') throw fail('unsupported_media')
    // The length is that of the zipped body; the parser counts what comes out and stops at the limit.
    delete request.headers['content-length']
    const inflated = createGunzip()
    pipeline(payload, inflated, () => {
      // A broken body breaks `inflated`, which is where the parser meets it.
    })
    return inflated
  })
}
