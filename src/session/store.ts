import type { StartedSession, SessionSnapshot } from './snapshot.ts'
import type { SessionActions } from './types.ts'

/** The session of this tab as React sees it: there from the first moment, while its code is still being loaded. */
class SessionStore {
  #snapshot: SessionSnapshot = {
    current: { state: 'starting' },
    reachable: null,
    device: null,
    storageLoss: null,
    outdated: false,
  }
  readonly #listeners = new Set<() => void>()
  #started: Promise<StartedSession> | null = null

  readonly getSnapshot = (): SessionSnapshot => this.#snapshot

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Starts once for the life of the tab: tokens and keys outlive every render. */
  readonly start = (): void => {
    void this.#load()
  }

  readonly actions: SessionActions = {
    call: async (id, input) => (await this.#load()).call(id, input),
    signIn: async (input) => (await this.#load()).signIn(input),
    captcha: async (way) => (await this.#load()).captcha(way),
    unlock: async (password, account) => (await this.#load()).unlock(password, account),
    openLock: async (password) => (await this.#load()).openLock(password),
    setLockPassword: async (password) => (await this.#load()).setLockPassword(password),
    lock: async () => (await this.#load()).lock(),
    signOut: async (options) => (await this.#load()).signOut(options),
    changePassword: async (oldPassword, newPassword) => (await this.#load()).changePassword(oldPassword, newPassword),
    acknowledgeLoss: async () => (await this.#load()).acknowledgeLoss(),
    recoverKeys: async (oldPassword) => (await this.#load()).recoverKeys(oldPassword),
    wipe: async (whose) => (await this.#load()).wipe(whose),
  }

  #load(): Promise<StartedSession> {
    this.#started ??= import('./tabSession.ts').then(({ startSession }) => startSession((change) => this.#set(change)))
    return this.#started
  }

  #set(change: Partial<SessionSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change }
    for (const listener of this.#listeners) listener()
  }
}

export const session = new SessionStore()
