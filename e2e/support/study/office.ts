import { signInByApi } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'
import type { Person } from '../session.ts'

/** Who administers the server of a story. */
export const ADMIN: Person = { account: 'admin', password: 'Admin-Planted-8412' }

/** Where calls go, and an administrator who makes them past the app. */
export interface Office {
  readonly address: string
  readonly admin: ApiUser
}

/** An office with a server of its own. */
export interface OpenOffice extends Office {
  readonly server: RunningServer
}

/** Starts an empty server for a story, and signs its administrator in. */
export async function openOffice(env: Readonly<Record<string, string>> = {}): Promise<OpenOffice> {
  const server = await startServer({ adminPassword: ADMIN.password, env })
  const address = `http://127.0.0.1:${server.port}`
  return { server, address, admin: await signInByApi(address, ADMIN.account, ADMIN.password) }
}
