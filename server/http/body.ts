import { pipeline, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail } from '#core/api/errors.ts'
import { LARGE_BODY, isForThread } from '#server/threads/calls.ts'
import type { CallId } from '#core/api/table.ts'
import { PUSH_ONE_MAX_BYTES } from '#core/api/sync/push.ts'

/** The fields of a form with files. Where several have the same name, the last one counts. */
async function readForm(type: string, body: Buffer): Promise<Readonly<Record<string, unknown>>> {
  const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': type } }).formData()
  return Object.fromEntries(form)
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of the body as they came over the wire, compressed or not. */
    wireBytes: number
  }
}

/** Bytes on the wire that a call's body may have, where that is less than the limit after inflating. */
const wireLimits: ReadonlyMap<string, number> = new Map<CallId, number>([['sync.push', PUSH_ONE_MAX_BYTES]])

/** Passes a body on and counts its bytes; over the limit the stream fails. */
function counting(request: FastifyRequest, most: number): Transform {
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      request.wireBytes += piece.byteLength
      done(request.wireBytes > most ? fail('too_large') : null, piece)
    },
  })
}

/** A body as it came: the thread that serves the call parses it. */
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
    // Stock clients name the content type even where they send nothing.
    if (body === '') done(null, undefined)
    else if (threads && body.length > LARGE_BODY && isForThread(request.routeOptions.config.call?.id ?? ''))
      done(null, new UnreadBody(String(body)))
    else void parseJson(request, String(body), done)
  })
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16_384 },
    (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(String(body))))
    },
  )
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body)
  })
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      try {
        return await readForm(request.headers['content-type'] ?? '', body)
      } catch {
        throw fail('invalid', { fields: [{ path: 'body', code: 'format' }] })
      }
    },
  )
  app.decorateRequest('wireBytes', 0)
  app.addHook('preParsing', async (request, _reply, payload) => {
    const encoding = request.headers['content-encoding']
    const isPlain = encoding === undefined || encoding === 'identity'
    if (!isPlain && encoding !== 'gzip') throw fail('unsupported_media')
    const most = wireLimits.get(request.routeOptions.config.call?.id ?? '') ?? Infinity
    const length = request.headers['content-length']
    request.wireBytes = Number(length ?? 0)
    if (request.wireBytes > most) throw fail('too_large')
    const counted =
      length === undefined && most < Infinity ? pipeline(payload, counting(request, most), () => undefined) : payload
    if (isPlain) return counted
    // The length is that of the zipped body. The parser counts the inflated bytes and stops at the limit.
    delete request.headers['content-length']
    const inflated = createGunzip()
    pipeline(counted, inflated, () => {
      // An error of the body becomes an error of `inflated`, where the parser meets it.
    })
    return inflated
  })
}
