import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

interface Connection {
  readonly socket: Socket
  /** Requests that are not answered yet. */
  underWay: number
}

/**
 * Lets a server stop as soon as nothing is under way, although connections are open. Browsers open some in advance, and
 * Node takes each for work under way until the time for its headers is over; so it does with one whose answer came
 * before the end of what was sent, and one whose answer comes after the stop began is kept for its next request.
 */
export function dropQuietAtStop(app: FastifyInstance): void {
  const open = new Map<string, Connection>()
  let isStopping = false
  // Encrypted or not, this is where a connection begins; requests name it by its other end.
  app.server.on('connection', (socket: Socket) => {
    // What is asked now is refused, and what is only opened would be waited for.
    if (isStopping) return void socket.destroy()
    const end = otherEnd(socket)
    open.set(end, { socket, underWay: 0 })
    socket.once('close', () => open.delete(end))
  })
  app.server.on('request', ({ socket, httpVersionMajor }: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(otherEnd(socket))
    if (connection === undefined) return
    connection.underWay += 1
    // Of HTTP/2 each request has a stream of its own, and the framework ends its connections: what was asked over one
    // counts to its end.
    if (httpVersionMajor !== 1) return
    response.once('close', () => {
      connection.underWay -= 1
      if (isStopping && connection.underWay === 0) socket.destroySoon()
    })
  })
  app.addHook('preClose', (done) => {
    isStopping = true
    for (const { socket, underWay } of open.values()) if (underWay === 0) socket.destroySoon()
    done()
  })
}

function otherEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? ''} ${remotePort ?? ''}`
}
