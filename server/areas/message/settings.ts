import { ConfigError } from '#server/configError.ts'
import { isLoopback } from '#server/loopback.ts'

/** How patients are written to. The operator sets up each way; null means that a way is not offered. */
export interface MessageSettings {
  readonly email: MailSettings | null
  readonly note: GatewaySettings | null
}

/** A mail server that accepts e-mail for sending. */
export interface MailSettings {
  readonly host: string
  readonly port: number
  /** Encrypted from the start (`smtps`). Otherwise encryption is requested, and required for other machines. */
  readonly secure: boolean
  readonly auth: { readonly user: string; readonly pass: string } | null
  /** Sender: `name@example.org`, or a name before it in angle brackets. */
  readonly from: string
}

/** A gateway that takes text messages over HTTP. */
export interface GatewaySettings {
  readonly url: string
  /** Secret. */
  readonly token: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** An e-mail address, as far as a mistake shows by looking at it. */
export const MAIL_ADDRESS = /^[^\s@<>"',;:]+@[^\s@<>"',;:]+\.[^\s@<>"',;:.]+$/

/** @throws ConfigError */
export function readMessages(env: Environment): MessageSettings {
  return { email: readMail(env), note: readGateway(env) }
}

function readMail(env: Environment): MailSettings | null {
  const [address = '', from = ''] = together(env, 'ZHENGLU_SMTP_URL', 'ZHENGLU_SMTP_FROM') ?? []
  if (address === '') return null
  const url = URL.canParse(address) ? new URL(address) : null
  if (
    url === null ||
    !['smtp:', 'smtps:'].includes(url.protocol) ||
    url.hostname === '' ||
    url.pathname.length > 1 ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw new ConfigError(
      'invalid_messages',
      'ZHENGLU_SMTP_URL',
      'smtp://user:password@host:587, or smtps:// for encryption from the start',
    )
  }
  if ((url.username === '') !== (url.password === ''))
    throw new ConfigError('invalid_messages', 'ZHENGLU_SMTP_URL', 'user and password go together')
  const bare = /<([^<>]*)>$/.exec(from)?.[1] ?? from
  if (/[\r\n]/.test(from) || !MAIL_ADDRESS.test(bare))
    throw new ConfigError('invalid_messages', 'ZHENGLU_SMTP_FROM', 'study@example.org, or Study <study@example.org>')
  const secure = url.protocol === 'smtps:'
  return {
    host: bareHost(url),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    auth:
      url.username === '' ? null : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    from,
  }
}

function readGateway(env: Environment): GatewaySettings | null {
  const [address = '', token = ''] = together(env, 'ZHENGLU_SMS_URL', 'ZHENGLU_SMS_TOKEN') ?? []
  if (address === '') return null
  const url = URL.canParse(address) ? new URL(address) : null
  const isSafe = url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(bareHost(url))))
  if (url === null || !isSafe || url.username !== '' || url.hash !== '') {
    throw new ConfigError(
      'invalid_messages',
      'ZHENGLU_SMS_URL',
      'https://…, or http:// of this machine; the secret is ZHENGLU_SMS_TOKEN',
    )
  }
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new ConfigError('invalid_messages', 'ZHENGLU_SMS_TOKEN', 'letters, figures and signs without a space')
  return { url: url.href, token }
}

/** The values of two variables, of which one alone means nothing; null where both are unset. */
function together(env: Environment, one: string, other: string): readonly [string, string] | null {
  const values = [env[one] ?? '', env[other] ?? ''] as const
  if (values.every((value) => value === '')) return null
  if (values[0] === '' || values[1] === '')
    throw new ConfigError('invalid_messages', values[0] === '' ? one : other, `${one} and ${other} go together`)
  return values
}

/** The host without the brackets of an IPv6 address. */
function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}
