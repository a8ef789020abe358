import { err, ok } from '#core/result.ts'
import type { Session } from '#src/session/types.ts'

type OpenSession = Extract<Session['current'], { readonly state: 'open' }>

/** Somebody signed in, online, with their keys open; `more` says what is otherwise. */
export function openAs(user: OpenSession['user'], more: Partial<OpenSession> = {}): OpenSession {
  return {
    state: 'open',
    user,
    online: true,
    vault: true,
    lockPassword: false,
    olderKeys: false,
    blocked: false,
    ended: null,
    ...more,
  }
}

/** A session that nobody has opened, for screens that need one around them. */
export function closedSession(): Session {
  return {
    current: { state: 'signed_out', knownUsers: [], error: null },
    reachable: true,
    storageLoss: null,
    outdated: false,
    call: async () => err({ code: 'offline' }),
    signIn: async () => ok('online'),
    captcha: async () => ok({ key: 'k1', image: 'data:,' }),
    unlock: async () => ok(true),
    openLock: async () => ok(true),
    setLockPassword: async () => undefined,
    lock: async () => ok(true),
    signOut: async () => ({ done: true }),
    changePassword: async () => ok(true),
    recoverKeys: async () => ok(true),
    wipe: async () => ok({ done: true }),
    acknowledgeLoss: async () => undefined,
  }
}
