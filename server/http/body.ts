import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail } from '#core/api/errors.ts'
import { LARGE_BODY, isForThread } from '#server/threads/calls.ts'

/** The fields of a form with files; of several of one name the last. */
async function readForm(type: string, body: Buffer): Promise<Readonly<Record<string, unknown>>> {
  const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': type } }).formData()
  return Object.fromEntries(form)
}

/** A body as it came: the thread that serves the call reads it. */
export class UnreadBody {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/**
 * How bodies are read: JSON, forms, bytes, and each of them gzipped. The route's limit counts inflated bytes.
 *
 * @param threads whether some calls are served in threads
 */
export function registerBodies(app: FastifyInstance, threads: boolean): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Stock clients name the type also where they send nothing.
    if (body === '') done(null, undefined)
    else if (threads && body.length > LARGE_BODY && isForThread(request.routeOptions.config.call?.id ?? '')) done(null, new UnreadBody(String(body)))
    else void parseJson(request, String(body), done)
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: 16_384 }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body)
  })
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    try {
      return await readForm(request.headers['content-type'] ?? '', body)
    } catch {
      throw fail('invalid', { fields: [{ path: 'body', code: 'format' }] })
    }
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
