import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'

import { tellNetworkIsBack } from './followed.ts'

/**
 * The ward's network: a plain TCP proxy between the tablet and the server. Cutting it stops the listener and resets
 * every connection, so that page, worker and service worker are all offline, which a browser's own flag does not
 * promise.
 */
export interface Network {
  /** What the tablet opens, such as `http://127.0.0.1:40123`. The same before and after a cut. */
  readonly address: string
  cut(): Promise<void>
  restore(): Promise<void>
  close(): Promise<void>
}

/** Starts a network that leads to a server's port. */
export async function startNetwork(serverPort: number): Promise<Network> {
  const sockets = new Set<Socket>()
  const make = (): Server =>
    createServer((tablet) => {
      const server = connect(serverPort, '127.0.0.1')
      for (const socket of [tablet, server]) {
        sockets.add(socket)
        socket.on('close', () => sockets.delete(socket))
      }
      // Either side may go away at any time; that is what this proxy is for. The other side then goes too.
      tablet.on('error', () => server.destroy())
      server.on('error', () => tablet.destroy())
      tablet.pipe(server).pipe(tablet)
    })
  const listen = (listener: Server, port: number): Promise<number> =>
    new Promise((resolve, reject) => {
      listener.once('error', reject)
      listener.listen(port, '127.0.0.1', () => resolve((listener.address() as AddressInfo).port))
    })
  const stop = async (listener: Server): Promise<void> => {
    const closed = new Promise((resolve) => listener.close(resolve))
    for (const socket of sockets) socket.resetAndDestroy()
    await closed
  }
  let current: Server | null = make()
  const port = await listen(current, 0)
  const cut = async (): Promise<void> => {
    const listener = current
    current = null
    if (listener !== null) await stop(listener)
  }
  return {
    address: `http://127.0.0.1:${port}`,
    cut,
    restore: async () => {
      if (current !== null) return
      current = make()
      await listen(current, port)
      await tellNetworkIsBack()
    },
    close: cut,
  }
}
