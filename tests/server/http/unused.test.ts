import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { buildApp } from '#server/app.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'
import { TEST_CERTIFICATE, TEST_KEY } from '#tests/server/support/tls.ts'

/** Stopping a server while browsers hold connections that they opened in advance. */

const server = serverForAllTests()

/** How long an app takes to stop. */
async function stopping(app: { close(): Promise<void> }): Promise<number> {
  const begun = performance.now()
  await app.close()
  return performance.now() - begun
}

describe('a stop', () => {
  it('does not wait for a connection over which nothing was asked, plain or encrypted', async () => {
    for (const tls of [undefined, { cert: TEST_CERTIFICATE, key: TEST_KEY }]) {
      const app = await buildApp(server.services, tls === undefined ? {} : { tls })
      await app.listen({ port: 0, host: '127.0.0.1' })
      const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
      await new Promise((resolve) => client.once('connect', resolve))
      const closed = new Promise((resolve) => client.once('close', resolve))
      client.on('error', () => undefined)
      expect(await stopping(app)).toBeLessThan(5000)
      await closed
    }
  })
})
