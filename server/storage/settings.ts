import { MAX_FILE_BYTES } from '#core/files/inspect.ts'
import { ConfigError } from '#server/configError.ts'

/** Settings of attachments: how large they may be, and where they are kept. */
export interface AttachmentSettings {
  /** Most bytes of one file. */
  readonly maxBytes: number
  /** Most bytes of all files of a project. */
  readonly projectMaxBytes: number
  /** Null keeps them in the server's data folder. */
  readonly s3: S3Settings | null
  /** Whether the operator has moved the contents, so that the database is to accept this server's place. */
  readonly moved: boolean
}

/** A bucket of a service that speaks S3. */
export interface S3Settings {
  /** Address of the bucket itself, without a slash at its end. */
  readonly bucketUrl: string
  readonly region: string
  readonly accessKey: string
  /** Secret. */
  readonly secretKey: string
}

type Environment = Readonly<Record<string, string | undefined>>

const MEGABYTE = 1024 * 1024
const GIGABYTE = 1024 * MEGABYTE
const PROJECT_MAX_GB = 200

/** @throws ConfigError */
export function readAttachments(env: Environment): AttachmentSettings {
  return {
    maxBytes: readFigure(env, 'ATTACHMENT_MAX_MB', MAX_FILE_BYTES / MEGABYTE, 512) * MEGABYTE,
    projectMaxBytes: readFigure(env, 'ATTACHMENTS_PROJECT_MAX_GB', PROJECT_MAX_GB, 1_000_000) * GIGABYTE,
    s3: readS3(env),
    moved: readMoved(env),
  }
}

function readFigure(env: Environment, name: string, otherwise: number, max: number): number {
  const text = env[name] ?? ''
  if (text === '') return otherwise
  const figure = Number(text)
  if (!/^\d{1,7}$/.test(text) || figure < 1 || figure > max)
    throw new ConfigError('invalid_attachments', name, `a whole number from 1 to ${max}`)
  return figure
}

function readMoved(env: Environment): boolean {
  const text = env['ATTACHMENTS_MOVED'] ?? ''
  if (!['', '0', '1'].includes(text)) throw new ConfigError('invalid_attachments', 'ATTACHMENTS_MOVED', '0 or 1')
  return text === '1'
}

function readS3(env: Environment): S3Settings | null {
  const names = ['ATTACHMENTS_S3_URL', 'ATTACHMENTS_S3_REGION', 'ATTACHMENTS_S3_KEY', 'ATTACHMENTS_S3_SECRET'] as const
  const values = names.map((name) => env[name] ?? '')
  if (values.every((value) => value === '')) return null
  const missing = names.find((_, at) => values[at] === '')
  if (missing !== undefined) throw new ConfigError('invalid_attachments', missing, `${names.join(', ')} go together`)
  const [address = '', region = '', accessKey = '', secretKey = ''] = values
  const url = URL.canParse(address) ? new URL(address) : null
  if (
    url === null ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username !== ''
  ) {
    throw new ConfigError(
      'invalid_attachments',
      'ATTACHMENTS_S3_URL',
      'the address of the bucket, such as https://s3.example.org/bucket',
    )
  }
  return { bucketUrl: url.href.replace(/\/+$/, ''), region, accessKey, secretKey }
}
