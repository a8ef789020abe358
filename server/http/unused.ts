import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Lets a server stop at once although connections are open over which nothing was ever asked: browsers open some in advance, and Node takes
 * each for work under way until the time for its headers is over.
 */
export function dropUnusedAtStop(app: FastifyInstance): void {
  const unused = new Map<string, Socket>()
  // Encrypted or not, this is where a connection begins; requests name it by its other end.
  app.server.on('connection', (socket: Socket) => {
    const end = otherEnd(socket)
    unused.set(end, socket)
    socket.once('close', () => unused.delete(end))
  })
  app.server.on('request', ({ socket }: IncomingMessage) => unused.delete(otherEnd(socket)))
  app.addHook('preClose', (done) => {
    for (const socket of unused.values()) socket.destroy()
    done()
  })
}

function otherEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? ''} ${remotePort ?? ''}`
}
