import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Delivery, Outgoing } from '#server/areas/message/delivery.ts'
import type { MailSettings } from '#server/areas/message/settings.ts'
import { isLoopback } from '#server/loopback.ts'

/** E-mail over the operator's mail server. None of its answers is kept, because an answer may repeat an address. */

export interface MailTimes {
  /** Longest wait for a connection, and for the mail server's first answer, in milliseconds. */
  readonly connect: number
  /** Longest silence after that, in milliseconds. */
  readonly silence: number
}

const TIMES: MailTimes = { connect: 20_000, silence: 60_000 }

/** It tells nothing of the study, because it is shown on lock screens and to operators of mail servers. */
const SUBJECT = '随访通知 / Notice from your study team'

/** Sends one e-mail. Never throws. */
export async function sendMail(settings: MailSettings, message: Outgoing, times: MailTimes = TIMES): Promise<Delivery> {
  const { host, port, secure, auth, from } = settings
  const domain = /@([^@<>]+)>?$/.exec(from)?.[1] ?? 'localhost'
  const mail = new MailComposer({
    from,
    to: message.to,
    subject: message.subject ?? SUBJECT,
    text: message.content,
    ...(message.html === undefined ? {} : { html: message.html }),
    messageId: `<${message.id}@${domain}>`,
  }).compile()
  const content = new ReadOnce(await mail.build())
  const connection = new SMTPConnection({
    host,
    port,
    secure,
    // A patient's message must not cross a network without encryption.
    requireTLS: !secure && !isLoopback(host),
    connectionTimeout: times.connect,
    greetingTimeout: times.connect,
    socketTimeout: times.silence,
  })
  const broken = new Promise<never>((_, reject) => {
    connection.on('error', reject)
    connection.on('end', () => reject(new Error('the connection ended')))
  })
  // The connection may break while nobody waits for it.
  broken.catch(() => undefined)
  const step = (run: (done: (error?: Error | null) => void) => void): Promise<void> =>
    Promise.race([
      broken,
      new Promise<void>((resolve, reject) =>
        run((error) => (error === null || error === undefined ? resolve() : reject(error))),
      ),
    ])
  try {
    await step((done) => connection.connect(done))
    if (auth !== null) await step((done) => connection.login({ ...auth }, done))
    await step((done) => connection.send({ from: mail.getEnvelope().from, to: [message.to] }, content, done))
    connection.quit()
    return { kind: 'sent' }
  } catch (error) {
    connection.close()
    return judge(error, content.isRead)
  }
}

/**
 * The content of a message. It remembers whether it was read to the end. It is read only once the mail server asks
 * for it.
 */
class ReadOnce extends Readable {
  isRead = false
  readonly #content: Buffer

  constructor(content: Buffer) {
    super()
    this.#content = content
  }

  override _read(): void {
    this.isRead = true
    this.push(this.#content)
    this.push(null)
  }
}

/**
 * @param isRead whether the mail server may have the whole message
 */
function judge(error: unknown, isRead: boolean): Delivery {
  const { code, responseCode } = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly code?: unknown
    readonly responseCode?: unknown
  }
  const said = typeof responseCode === 'number' ? responseCode : 0
  if (code === 'EAUTH') return { kind: 'later', why: 'sign_in' }
  // With 421 the mail server closes the connection; it may send it in answer to anything.
  if (isRead && (said === 0 || said === 421)) return { kind: 'failed', why: 'uncertain' }
  if (said >= 500 && said !== 530) return { kind: 'failed', why: 'refused' }
  if (said === 530) return { kind: 'later', why: 'sign_in' }
  return { kind: 'later', why: said >= 400 ? 'busy' : 'unreachable' }
}
