import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import { S3Error, s3Store } from '#server/storage/s3.ts'
import { ContentDamaged, keepContent, openContent } from '#server/storage/sealedFiles.ts'
import { readAttachments } from '#server/storage/settings.ts'
import type { S3Settings } from '#server/storage/settings.ts'
import { signedHeaders } from '#server/storage/signature.ts'

/** A service that keeps what is put, if the request is signed as its owner signs. */
class Bucket {
  readonly kept = new Map<string, Buffer>()
  readonly settings: Omit<S3Settings, 'bucketUrl'> = { region: 'cn-north-1', accessKey: 'AKID', secretKey: 'secret' }
  /** Statuses with which the next requests are answered. */
  failures: number[] = []
  requests = 0
  readonly #server: Server
  #port = 0
  constructor() {
    this.#server = createServer((request, answer) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        this.requests += 1
        const failure = this.failures.shift()
        const body = Buffer.concat(parts)
        const status = failure ?? this.#judge(request.method ?? '', request.url ?? '', request.headers, body)
        const found = this.kept.get(request.url ?? '')
        if (status === 200 && request.method === 'PUT') this.kept.set(request.url ?? '', body)
        answer.writeHead(
          status,
          request.method === 'PUT' || status !== 200 ? {} : { 'content-length': found?.length ?? 0 },
        )
        answer.end(request.method === 'GET' && status === 200 ? found : undefined)
      })
    })
  }
  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.#port = (this.#server.address() as AddressInfo).port
  }
  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
  get url(): string {
    return `http://127.0.0.1:${this.#port}/bucket`
  }
  #judge(
    method: string,
    path: string,
    headers: Readonly<Record<string, string | string[] | undefined>>,
    body: Buffer,
  ): number {
    const bodyHash = createHash('sha256').update(body).digest('hex')
    const stamp = String(headers['x-amz-date'])
    const at = new Date(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
    const expected = signedHeaders({ method, url: new URL(path, this.url), bodyHash, at }, this.settings)
    if (headers['x-amz-content-sha256'] !== bodyHash || headers['authorization'] !== expected['Authorization'])
      return 403
    return method === 'PUT' || this.kept.has(path) ? 200 : 404
  }
}

let bucket: Bucket
beforeEach(async () => {
  bucket = new Bucket()
  await bucket.open()
})
afterEach(() => bucket.close())

const store = (more: Partial<S3Settings> = {}) => s3Store({ ...bucket.settings, bucketUrl: bucket.url, ...more })
async function* of(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text.slice(0, 5))
  await Promise.resolve()
  yield Buffer.from(text.slice(5))
}
async function textOf(content: AsyncIterable<Buffer> | null): Promise<string | null> {
  if (content === null) return null
  const parts: Buffer[] = []
  for await (const part of content) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString('utf8')
}

describe('attachments in a bucket', () => {
  const name = () => `${newId()}/${'c'.repeat(64)}`

  it('are kept and come back, and what is not there is not there', async () => {
    const at = name()
    await store().put(at, of('舌淡红，苔薄白'))
    expect(await textOf(await store().get(at))).toBe('舌淡红，苔薄白')
    expect(await store().size(at)).toBe(Buffer.from('舌淡红，苔薄白').length)
    expect(await store().get(name())).toBeNull()
    expect(await store().size(name())).toBeNull()
  })

  it('are asked for again where the service was ill, and not where it refuses', async () => {
    const at = name()
    bucket.failures = [503, 500]
    await store().put(at, of('content'))
    expect(bucket.requests).toBe(3)
    expect(await textOf(await store().get(at))).toBe('content')
    const refused = store({ secretKey: 'another' }).put(name(), of('content'))
    await expect(refused).rejects.toThrow(S3Error)
    expect(bucket.requests).toBe(5)
    bucket.failures = [500, 500, 500]
    await expect(store().put(name(), of('content'))).rejects.toThrow('500')
    bucket.close()
    await expect(store().get(at)).rejects.toThrow('does not answer')
  })

  it('lie sealed, and what was changed there is found out', async () => {
    const root = crypto.getRandomValues(new Uint8Array(32))
    const content = 'Planted-舌淡红'
    const where = { projectId: newId(), hash: createHash('sha256').update(content).digest('hex') }
    await keepContent(store(), root, where, of(content))
    expect(await textOf(await openContent(store(), root, where))).toBe(content)
    const [[path, sealed] = ['', Buffer.alloc(0)]] = bucket.kept
    expect(sealed.includes('Planted')).toBe(false)
    const changed = Buffer.from(sealed)
    changed[12] = (changed[12] ?? 0) ^ 1
    bucket.kept.set(path, changed)
    await expect(openContent(store(), root, where).then(textOf)).rejects.toThrow(ContentDamaged)
    const forged = keepContent(store(), root, { ...where, hash: 'd'.repeat(64) }, of(content))
    await expect(forged).rejects.toThrow(ContentDamaged)
    expect(bucket.kept.size).toBe(1)
  })
})

describe('the signature', () => {
  it('is that of the example in the protocol’s documentation', () => {
    // The published example of a GET of an object, without its range header, cannot be taken as it is: this is the
    // empty listing of it.
    const signed = signedHeaders(
      {
        method: 'GET',
        url: new URL('https://examplebucket.s3.amazonaws.com/?lifecycle='),
        bodyHash: createHash('sha256').digest('hex'),
        at: new Date('2013-05-24T00:00:00Z'),
      },
      { region: 'us-east-1', accessKey: 'AKIAIOSFODNN7EXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
    )
    expect(signed['Authorization']).toContain(
      'Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    )
  })
})

describe('the settings', () => {
  const all = {
    ATTACHMENTS_S3_URL: 'https://s3.example.org/bucket/',
    ATTACHMENTS_S3_REGION: 'r',
    ATTACHMENTS_S3_KEY: 'k',
    ATTACHMENTS_S3_SECRET: 's',
  }
  it('keep files on the disk unless a bucket is named whole', () => {
    expect(readAttachments({})).toEqual({
      maxBytes: 20 * 1024 * 1024,
      projectMaxBytes: 200 * 1024 ** 3,
      s3: null,
      moved: false,
    })
    expect(readAttachments({ ...all, ATTACHMENT_MAX_MB: '50' })).toMatchObject({
      maxBytes: 50 * 1024 * 1024,
      s3: { bucketUrl: 'https://s3.example.org/bucket' },
    })
    expect(() => readAttachments({ ...all, ATTACHMENTS_S3_SECRET: '' })).toThrow('ATTACHMENTS_S3_SECRET')
    expect(() => readAttachments({ ...all, ATTACHMENTS_S3_URL: 'bucket' })).toThrow('ATTACHMENTS_S3_URL')
    expect(readAttachments({ ATTACHMENTS_MOVED: '1' })).toMatchObject({ moved: true })
    expect(() => readAttachments({ ATTACHMENTS_MOVED: 'yes' })).toThrow('ATTACHMENTS_MOVED')
    expect(() => readAttachments({ ATTACHMENT_MAX_MB: '0' })).toThrow('ATTACHMENT_MAX_MB')
  })
})
