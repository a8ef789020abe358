import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A gateway for text messages on this machine. It takes each id once, as docs/operations.md asks of gateways. */
export class NoteGateway {
  /** Answers with this status; or takes the message, and hangs up before it says so or never says anything. */
  mood: number | 'breakLate' | 'silent' = 200
  /** What patients got. */
  readonly delivered = new Map<string, { readonly to: string; readonly text: string }>()
  readonly asked: { readonly authorization: string | undefined; readonly key: string | undefined }[] = []
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.#serve(request, response))
  }

  static async start(): Promise<NoteGateway> {
    const server = createServer()
    const gateway = new NoteGateway(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return gateway
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/send`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { id, to, text } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
      id: string
      to: string
      text: string
    }
    this.asked.push({
      authorization: request.headers.authorization,
      key: request.headers['idempotency-key'] as string | undefined,
    })
    if (typeof this.mood === 'string' || this.mood === 200) {
      if (!this.delivered.has(id)) this.delivered.set(id, { to, text })
      if (this.mood === 'breakLate') return void request.socket.destroy()
      if (this.mood === 'silent') return
    }
    response.writeHead(this.mood as number, this.mood === 302 ? { location: 'http://127.0.0.1:9/' } : {}).end()
  }
}
