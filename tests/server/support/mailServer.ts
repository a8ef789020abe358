import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'

/**
 * A mail server on this machine, as far as it takes mail. It can be told to misbehave:
 *
 * - `turnAway`, `later`: it does not take the recipient, for good or for now; `fullLater`: it says so when it has all
 *   of the message.
 * - `breakEarly`, `breakLate`: it hangs up before it has the message, or when it has all of it.
 * - `silent`: it says nothing more once it has all of it. `strangers`: it lets nobody in.
 */
export type Mood = 'kind' | 'turnAway' | 'later' | 'fullLater' | 'breakEarly' | 'breakLate' | 'silent' | 'strangers'

export interface TakenMail {
  readonly to: string
  /** Headers and text as they came. */
  readonly raw: string
}

export class MailServer {
  mood: Mood = 'kind'
  /** Mails that it answered with "taken". */
  readonly taken: TakenMail[] = []
  /** Connections so far. */
  visits = 0
  readonly #server: Server
  readonly #open = new Set<Socket>()

  private constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket) => this.#serve(socket))
  }

  static async start(): Promise<MailServer> {
    const server = createServer()
    const mail = new MailServer(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return mail
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #serve(socket: Socket): void {
    this.visits += 1
    this.#open.add(socket)
    socket.on('close', () => this.#open.delete(socket))
    socket.on('error', () => undefined)
    let unread = ''
    let to = ''
    let inData = false
    const say = (line: string): boolean => socket.write(`${line}\r\n`)
    const take = (raw: string): void => {
      if (this.mood === 'breakLate') return void socket.destroy()
      if (this.mood === 'silent') return
      if (this.mood === 'fullLater') return void say('452 4.3.1 no room now')
      this.taken.push({ to, raw })
      say('250 2.0.0 taken')
    }
    const obey = (line: string): void => {
      const word = line.slice(0, 4).toUpperCase()
      if (word === 'EHLO') return void socket.write('250-here\r\n250 AUTH PLAIN\r\n')
      if (word === 'AUTH') return void say(this.mood === 'strangers' ? '535 5.7.8 no' : '235 2.7.0 yes')
      if (word === 'RCPT') {
        to = /<(.*)>/.exec(line)?.[1] ?? ''
        if (this.mood === 'turnAway') return void say(`550 5.1.1 <${to}> is nobody here`)
        if (this.mood === 'later') return void say('450 4.2.1 come back later')
      }
      if (word === 'DATA') {
        if (this.mood === 'breakEarly') return void socket.destroy()
        inData = true
        return void say('354 go on')
      }
      if (word === 'QUIT') return void socket.end('221 2.0.0 bye\r\n')
      say('250 2.0.0 ok')
    }
    socket.on('data', (chunk) => {
      unread += chunk.toString('utf8')
      for (;;) {
        const end = inData ? unread.indexOf('\r\n.\r\n') : unread.indexOf('\r\n')
        if (end < 0) return
        const part = unread.slice(0, end)
        unread = unread.slice(end + (inData ? 5 : 2))
        if (inData) {
          inData = false
          take(part)
        } else obey(part)
      }
    })
    say('220 here')
  }
}
