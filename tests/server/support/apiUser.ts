import { headers, OWN_CLIENT } from '#core/api/headers.ts'
import { callOf } from '#core/api/table.ts'
import type { CallId } from '#core/api/table.ts'
import { newId } from '#core/ids.ts'

/** Calls of the server past the app, for what a story needs but does not tell. Throws when the server refuses. */
export interface ApiUser {
  /** Headers of a call by this user, for those who send it themselves. */
  readonly headers: Readonly<Record<string, string>>
  call<Data>(id: CallId, input?: Input): Promise<Data>
}

interface Input {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Parts of the path that are named in it. */
  readonly params?: Readonly<Record<string, string>>
  /** Headers beyond those that every call has. */
  readonly more?: Readonly<Record<string, string>>
}

const CLIENT_HEADER = {
  [headers.client]: `Basic ${Buffer.from(`${OWN_CLIENT.id}:${OWN_CLIENT.secret}`).toString('base64')}`,
}

/** Signs in and gives back who may call. */
export async function signInByApi(address: string, account: string, password: string): Promise<ApiUser> {
  const body = {
    tenantId: '000000',
    username: account,
    password,
    grant_type: 'password',
    scope: 'all',
    type: 'account',
  }
  const token = (await request(address, 'auth.token', null, { body })) as { access_token: string }
  return {
    headers: { ...CLIENT_HEADER, [headers.token]: `bearer ${token.access_token}` },
    call: async <Data>(id: CallId, input: Input = {}) => {
      const answer = (await request(address, id, token.access_token, input)) as { data: Data }
      return answer.data
    },
  }
}

const COORDINATOR = 'crc-long'
const [FIRST_PASSWORD, OWN_PASSWORD] = ['First-Word-4417', 'Own-Word-9052']

/**
 * Makes a coordinator of a center, with a password of their own, and signs them in. Administrators do not enter data.
 */
export async function makeCoordinator(
  address: string,
  admin: ApiUser,
  projectId: string,
  centerId: string,
): Promise<ApiUser> {
  const user = await admin.call<{ id: string }>('user.save', {
    body: { account: COORDINATOR, realName: 'Coordinator', password: FIRST_PASSWORD },
  })
  await admin.call('member.save', {
    body: {
      projectId,
      userId: user.id,
      userRole: 'CRC',
      type: 'center',
      dataScope: 'center',
      centerIds: [centerId],
      status: 'active',
    },
  })
  const first = await signInByApi(address, COORDINATOR, FIRST_PASSWORD)
  await first.call('auth.changePassword', { body: { oldPassword: FIRST_PASSWORD, newPassword: OWN_PASSWORD } })
  return signInCoordinator(address)
}

/** Signs the coordinator in anew. */
export function signInCoordinator(address: string): Promise<ApiUser> {
  return signInByApi(address, COORDINATOR, OWN_PASSWORD)
}

async function request(
  address: string,
  id: CallId,
  token: string | null,
  { query = {}, params = {}, body, more = {} }: Input,
): Promise<unknown> {
  const call = callOf(id)
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')
  const response = await fetch(`${address}/api${path}?${new URLSearchParams(query).toString()}`, {
    method: call.method,
    headers: {
      ...CLIENT_HEADER,
      ...(token === null ? {} : { [headers.token]: `bearer ${token}` }),
      ...(call.write ? { [headers.idempotencyKey]: newId() } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...more,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { success?: boolean }
  if (!response.ok || answer.success === false) throw new Error(`${id} was refused: ${JSON.stringify(answer)}`)
  return answer
}
