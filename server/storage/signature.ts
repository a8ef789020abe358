import { createHash, createHmac } from 'node:crypto'
import type { S3Settings } from '#server/storage/settings.ts'

/** Signature version 4 of services that speak S3: the headers by which the service accepts a request. */

export interface Signed {
  readonly method: string
  readonly url: URL
  /** SHA-256 of the body, lower-case hex. */
  readonly bodyHash: string
  readonly at: Date
}

/** The headers of a signed request. The body's hash is signed too, so that nobody can change the body on the way. */
export function signedHeaders(
  { method, url, bodyHash, at }: Signed,
  { region, accessKey, secretKey }: Omit<S3Settings, 'bucketUrl'>,
): Readonly<Record<string, string>> {
  const stamp = at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const scope = `${stamp.slice(0, 8)}/${region}/s3/aws4_request`
  const headers: Readonly<Record<string, string>> = {
    host: url.host,
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': stamp,
  }
  const names = Object.keys(headers).toSorted()
  const canonical = [
    method,
    url.pathname,
    [...url.searchParams]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .toSorted()
      .join('&'),
    ...names.map((name) => `${name}:${headers[name] ?? ''}`),
    '',
    names.join(';'),
    bodyHash,
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical)].join('\n')
  const key = [stamp.slice(0, 8), region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (last, part) => hmac(last, part),
    `AWS4${secretKey}`,
  )
  const signature = hmac(key, text).toString('hex')
  const { host: _host, ...rest } = headers
  return {
    ...rest,
    Authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
