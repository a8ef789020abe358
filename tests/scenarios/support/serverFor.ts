import { afterAll, beforeAll } from 'vitest'
import { Server } from '#tests/scenarios/support/ward.ts'

/** One server of a ward for all tests of a file. */
export function serverForAllTests(): Server {
  const server = new Server()
  beforeAll(() => server.begin())
  afterAll(() => server.close())
  return server
}
