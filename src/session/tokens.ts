import type { TokenAnswer } from '#core/api/calls/auth.ts'
import { endsSession } from '#core/api/errors.ts'
import type { ErrorCode } from '#core/api/errors.ts'
import { ACCESS_COOKIE, headers } from '#core/api/headers.ts'
import { underLock } from '#offline/sync/lock.ts'

import type { Api, Refreshed } from './api.ts'
import { endedWhyOf } from './sessionEnd.ts'

/** Specification §9: a token is refreshed at this age, and its age is checked this often. */
const TOKEN_TIME_MS = 3_000_000
const CHECK_EVERY_MS = 10_000
const REFRESH_LOCK = 'zhenglu-refresh'
const REFRESH_TIMEOUT_MS = 15_000

/** Answers that mean that there is no session to continue. */
const LOST: ReadonlySet<string> = new Set(['invalid_credentials', 'invalid'])

function isLost(code: ErrorCode): boolean {
  return LOST.has(code) || endsSession(code) || endedWhyOf(code) !== null
}

/**
 * The access token of this tab: in memory and in a session cookie that tabs share and the server ignores. The refresh
 * token is a cookie that no script can read. The age is measured with a clock that nobody can set.
 */
export class Tokens {
  #token: string | null = readCookie()
  /** Unknown after a reload: then the token is refreshed at the first check. */
  #since = -TOKEN_TIME_MS
  #refreshing: Promise<Refreshed> | null = null
  #byPassword: Promise<Refreshed> | null = null
  #timer: ReturnType<typeof setInterval> | undefined
  readonly #api: () => Api
  readonly #owner: () => string | null
  readonly #onLost: (code: ErrorCode) => void
  readonly #mayAsk: () => boolean

  /**
   * @param owner whose session is open: a refresh cookie that another person left gives them nothing
   * @param onLost the server has ended the session; with its error code
   * @param mayAsk whether the timer may ask the server: a server out of reach is not asked
   */
  constructor(
    api: () => Api,
    owner: () => string | null,
    onLost: (code: ErrorCode) => void,
    mayAsk: () => boolean = () => true,
  ) {
    this.#api = api
    this.#owner = owner
    this.#onLost = onLost
    this.#mayAsk = mayAsk
  }

  get current(): string | null {
    return this.#token
  }

  /**
   * Whether there is a token, or a password is bringing one: then callers wait for it, and are not taken for signed-out
   * users.
   */
  get isExpected(): boolean {
    return this.#token !== null || this.#byPassword !== null
  }

  /** Waits for the token that a password is bringing, even if it does not come. */
  async expected(): Promise<void> {
    await this.#byPassword
  }

  /** Whether there is no token, or it is or may be too old: nobody knows the age of a token that came from a disk. */
  get isDue(): boolean {
    return this.#token === null || performance.now() - this.#since >= TOKEN_TIME_MS
  }

  take({ access_token }: Pick<TokenAnswer, 'access_token'>): void {
    this.#token = access_token
    this.#since = performance.now()
    writeCookie(access_token)
  }

  /** Takes back a token of unknown age: it is renewed at the next check. */
  takeBack(token: string): void {
    this.#token = token
    this.#since = -TOKEN_TIME_MS
    writeCookie(token)
  }

  /** Forgets this tab's token. If another tab has put its own token into the cookie, that stays. */
  clear(): void {
    if (readCookie() === this.#token) writeCookie(null)
    this.#token = null
  }

  /** Starts checking the token's age. */
  watch(): void {
    this.#timer ??= setInterval(() => {
      if (this.#token !== null && this.isDue && this.#mayAsk()) void this.refresh()
    }, CHECK_EVERY_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Gets a fresh token, once for all callers at the same time, in this tab and in others. */
  refresh(): Promise<Refreshed> {
    return this.#refreshing ?? this.#renewBy(() => this.#refresh())
  }

  /**
   * A password brings a token. Callers that ask for a token in the meantime wait for it. So the earlier session is not
   * asked while a password is being checked: its end would be taken for the end of the new session.
   */
  renewByPassword(bring: () => Promise<Refreshed>): Promise<Refreshed> {
    const renewing = this.#renewBy(bring).finally(() => {
      if (this.#byPassword === renewing) this.#byPassword = null
    })
    this.#byPassword = renewing
    return renewing
  }

  #renewBy(bring: () => Promise<Refreshed>): Promise<Refreshed> {
    const renewing = bring().finally(() => {
      if (this.#refreshing === renewing) this.#refreshing = null
    })
    this.#refreshing = renewing
    return renewing
  }

  /** Whether the token in the cookie belongs to this user: only the server knows. */
  async #isOwn(token: string): Promise<'yes' | 'no' | 'unknown'> {
    const owner = this.#owner()
    if (owner === null) return 'yes'
    const info = await this.#api().call('auth.userInfo', {
      headers: { [headers.token]: `bearer ${token}` },
      renew: false,
      timeoutMs: REFRESH_TIMEOUT_MS,
    })
    if (info.ok) return info.value.userId === owner ? 'yes' : 'no'
    return isLost(info.error.code) ? 'no' : 'unknown'
  }

  #refresh(): Promise<Refreshed> {
    const before = this.#token
    const asker = this.#owner()
    // A call of a user who has left does not go on in the name of the next user, whose token stays as it is.
    const hasLeft = (): boolean => this.#owner() !== asker
    return underLock(REFRESH_LOCK, async () => {
      if (hasLeft()) return 'lost'
      const shared = readCookie()
      if (shared !== null && shared !== before) {
        // Another tab was faster, or another person has signed in there: their token does not belong to this user.
        const own = await this.#isOwn(shared)
        if (hasLeft()) return 'lost'
        if (own === 'unknown') return 'unreachable'
        if (own === 'yes') {
          this.take({ access_token: shared })
          return 'fresh'
        }
        this.#token = null
        this.#onLost('unauthenticated')
        return 'lost'
      }
      const answer = await this.#api().call('auth.token', {
        body: { grant_type: 'refresh_token', scope: 'all', tenantId: '000000' },
        timeoutMs: REFRESH_TIMEOUT_MS,
      })
      if (hasLeft()) return 'lost'
      // The fate of an older token says nothing about a token that a password brought in the meantime.
      if (this.#token !== null && this.#token !== before) return 'fresh'
      if (answer.ok && (asker === null || answer.value.user_id === asker)) {
        this.take(answer.value)
        return 'fresh'
      }
      if (!answer.ok && !isLost(answer.error.code)) return 'unreachable'
      this.clear()
      this.#onLost(answer.ok ? 'unauthenticated' : answer.error.code)
      return 'lost'
    })
  }
}

function readCookie(): string | null {
  const found = document.cookie.split('; ').find((part) => part.startsWith(`${ACCESS_COOKIE}=`))
  const value = found?.slice(ACCESS_COOKIE.length + 1) ?? ''
  try {
    return value === '' ? null : decodeURIComponent(value)
  } catch {
    // The app did not write this value; it must not stop the start.
    return null
  }
}

function writeCookie(token: string | null): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  const life = token === null ? '; Max-Age=0' : ''
  // The Cookie Store API is not there on plain http and in older browsers of the ward.
  // oxlint-disable-next-line unicorn/no-document-cookie
  document.cookie = `${ACCESS_COOKIE}=${encodeURIComponent(token ?? '')}; Path=/; SameSite=Strict${secure}${life}`
}
