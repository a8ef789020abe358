import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

interface Connection {
  readonly socket: Socket
  /** Requests that are not answered yet. */
  underWay: number
}

/**
 * Lets a server stop as soon as no request is under way, although connections are open. Browsers open some
 * connections in advance. Node counts each of those as under way until the time for its headers is over. It also
 * counts a connection whose answer was sent before the whole request had come. And it keeps a connection whose answer
 * comes after the stop began, for a next request.
 */
export function dropQuietAtStop(app: FastifyInstance): void {
  const open = new Map<string, Connection>()
  let isStopping = false
  // Both encrypted and plain connections begin here. A request finds its connection by the address of the other end.
  app.server.on('connection', (socket: Socket) => {
    // A request now would be refused, and the stop would wait for a connection that is only opened.
    if (isStopping) return void socket.destroy()
    const end = otherEnd(socket)
    open.set(end, { socket, underWay: 0 })
    socket.once('close', () => open.delete(end))
  })
  app.server.on('request', ({ socket, httpVersionMajor }: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(otherEnd(socket))
    if (connection === undefined) return
    connection.underWay += 1
    // In HTTP/2 each request has its own stream, and the framework ends the connections. So a request over such a
    // connection counts until the connection ends.
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
