import { afterAll, beforeAll } from 'vitest'
import type { TestServer } from '#tests/server/support/app.ts'
import { createTestServer } from '#tests/server/support/app.ts'

/** One server for all tests of a file. */
export function serverForAllTests(): TestServer {
  let made: TestServer | null = null
  const now = (): TestServer => {
    if (made === null) throw new Error('the server starts before a test, not before the file is read')
    return made
  }
  beforeAll(async () => {
    made = await createTestServer()
  })
  afterAll(() => made?.close())
  return {
    get app() {
      return now().app
    },
    get services() {
      return now().services
    },
    get health() {
      return now().health
    },
    get database() {
      return now().database
    },
    get log() {
      return now().log
    },
    pass: (milliseconds) => now().pass(milliseconds),
    makeUser: (account, more) => now().makeUser(account, more),
    visitor: (client) => now().visitor(client),
    signIn: (account, client) => now().signIn(account, client),
    signInAdmin: () => now().signInAdmin(),
    close: () => now().close(),
  }
}
