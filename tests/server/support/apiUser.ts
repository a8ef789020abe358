import { headers, OWN_CLIENT } from '#core/api/headers.ts'
import { callOf } from '#core/api/table.ts'
import type { CallId } from '#core/api/table.ts'
import { newId } from '#core/ids.ts'

/** Calls of the server past the app, for what a story needs but does not tell. Throws when the server refuses. */
export interface ApiUser {
  /** Headers of a call by this user, for those who send it themselves. */
  readonly headers: Readonly<Record<string, string>>
  call<Data>(id: CallId, input?: { readonly query?: Readonly<Record<string, string>>; readonly body?: unknown }): Promise<Data>
}

const CLIENT_HEADER = { [headers.client]: `Basic ${Buffer.from(`${OWN_CLIENT.id}:${OWN_CLIENT.secret}`).toString('base64')}` }

/** Signs in and gives back who may call. */
export async function signInByApi(address: string, account: string, password: string): Promise<ApiUser> {
  const body = { tenantId: '000000', username: account, password, grant_type: 'password', scope: 'all', type: 'account' }
  const token = (await request(address, 'auth.token', null, { body })) as { access_token: string }
  return {
    headers: { ...CLIENT_HEADER, [headers.token]: `bearer ${token.access_token}` },
    call: async <Data>(id: CallId, input: { query?: Readonly<Record<string, string>>; body?: unknown } = {}) => {
      const answer = (await request(address, id, token.access_token, input)) as { data: Data }
      return answer.data
    },
  }
}

async function request(
  address: string,
  id: CallId,
  token: string | null,
  { query = {}, body }: { readonly query?: Readonly<Record<string, string>>; readonly body?: unknown },
): Promise<unknown> {
  const call = callOf(id)
  const response = await fetch(`${address}/api${call.path}?${new URLSearchParams(query).toString()}`, {
    method: call.method,
    headers: {
      ...CLIENT_HEADER,
      ...(token === null ? {} : { [headers.token]: `bearer ${token}` }),
      ...(call.write ? { [headers.idempotencyKey]: newId() } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { success?: boolean }
  if (!response.ok || answer.success === false) throw new Error(`${id} was refused: ${JSON.stringify(answer)}`)
  return answer
}
