import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** The line between a server and its database, which can be cut, and can fall silent without being cut. */
export interface Wire {
  /** The database's address by this line. */
  readonly url: (ofDatabase: string) => string
  /** Nothing comes through any more in either direction, and no connection breaks. */
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

/** @param databaseUrl an address of the database that the line leads to; @param port where it listens, 0 for any */
export async function openWire(databaseUrl: string, port = 0): Promise<Wire> {
  const { hostname, port: far } = new URL(databaseUrl)
  const host = decodeURIComponent(hostname)
  const isSocket = host.startsWith('/')
  const sockets = new Set<Socket>()
  let frozen = false
  const server = createServer((near) => {
    const there = isSocket ? connect(`${host}/.s.PGSQL.${far}`) : connect(Number(far), host)
    for (const [from, to] of [
      [near, there],
      [there, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.on('data', (piece) => to.write(piece))
      if (frozen) from.pause()
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: listening } = server.address() as AddressInfo
  return {
    url: (ofDatabase) => {
      const url = new URL(ofDatabase)
      return `postgresql://${url.username}:${url.password}@127.0.0.1:${listening}${url.pathname}`
    },
    freeze: () => {
      frozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw: () => {
      frozen = false
      for (const socket of sockets) socket.resume()
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
