import 'fake-indexeddb/auto'
import { Dexie } from 'dexie'
import { IDBFactory } from 'fake-indexeddb'
import { vi } from 'vitest'
import { ACCESS_COOKIE } from '#core/api/headers.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { onBeforeReload } from '#src/session/beforeReload.ts'
import type { Device } from '#src/data/device/device.ts'
import type { EntryView } from '#src/data/shapes/types.ts'
import { startSession } from '#src/session/tabSession.ts'
import type { StartedSession, SessionSnapshot } from '#src/session/snapshot.ts'
import type { SessionState } from '#src/session/types.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { announce, vitals } from '#tests/server/support/world.ts'

import { OpenPage, PASSWORD } from './ward.ts'
import type { Server } from './ward.ts'

/**
 * A tablet's browser with the app's own session in its tabs. For tests in jsdom: it has the cookies that scripts see;
 * the refresh cookie, which they do not see, and the way to the server are made here.
 */
export class Browser {
  readonly #server: Server
  readonly #tabs = new Set<Tab>()
  readonly #ended = new AbortController()
  #refreshCookie: string | null = null
  /** The one before it. */
  #olderCookie: string | null = null
  #isOffline = false

  /** A browser with an empty memory. One at a time: it takes the place of the one before. */
  constructor(server: Server) {
    this.#server = server
    Dexie.dependencies.indexedDB = new IDBFactory()
    this.forgetSessionCookies()
    // The server is what the page's own origin stands for, whether an address names it or not.
    vi.stubGlobal('fetch', ((input, init) =>
      this.#fetch(
        input instanceof Request ? input : new Request(new URL(input, location.origin), init),
      )) satisfies typeof fetch)
  }

  async openTab(): Promise<Tab> {
    const tab = new Tab(this.#server)
    await tab.load()
    this.#tabs.add(tab)
    return tab
  }

  /** What ends with the browser itself: cookies without an age, the access token's among them. */
  forgetSessionCookies(): void {
    // oxlint-disable-next-line unicorn/no-document-cookie
    document.cookie = `${ACCESS_COOKIE}=; Path=/; Max-Age=0`
  }

  /**
   * The battery went before the newest refresh cookie was on the disk: the one before it is there, and the access token
   * of after it.
   */
  loseNewestCookie(): void {
    this.#refreshCookie = this.#olderCookie
  }

  goOffline(): void {
    this.#isOffline = true
  }

  /** The network is back, and the browser tells the page so. */
  comeBack(): void {
    this.#isOffline = false
    window.dispatchEvent(new Event('online'))
  }

  /** The server knows the browser's sessions no more, and a renewal brings none: the 401 in the middle of work. */
  async expireSessions(): Promise<void> {
    await this.#server.rows('UPDATE session SET ended_at = now() WHERE ended_at IS NULL RETURNING 1')
  }

  /** Access tokens have come of age: each is renewed when it is used next. */
  async ageTokens(): Promise<void> {
    await this.#server.rows(
      `UPDATE session SET access_expires_at = now() - interval '1 second' WHERE ended_at IS NULL RETURNING 1`,
    )
  }

  close(): void {
    for (const tab of this.#tabs) tab.close()
    // Nothing of this browser is left under way when the next one is unpacked.
    this.#ended.abort()
    vi.unstubAllGlobals()
  }

  async #fetch(request: Request): Promise<Response> {
    if (this.#isOffline) throw new TypeError('fetch failed')
    const headers = new Headers(request.headers)
    if (this.#refreshCookie !== null) headers.set('cookie', `edc-refresh-token=${this.#refreshCookie}`)
    const body = await request.arrayBuffer()
    const { pathname, search } = new URL(request.url)
    const answer = await realFetch(`${this.#server.address}${pathname}${search}`, {
      method: request.method,
      headers,
      signal: AbortSignal.any([request.signal, this.#ended.signal]),
      ...(body.byteLength === 0 ? {} : { body }),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const value = /^edc-refresh-token=([^;]*)/.exec(cookie)?.[1]
      if (value === undefined) continue
      this.#olderCookie = this.#refreshCookie
      this.#refreshCookie = value === '' ? null : value
    }
    return answer
  }
}

/** The team is told to devices, as it is when a member is added: they name people then. */
export async function tellTeam(server: Server): Promise<void> {
  const { world } = server
  const members = await server.rows<{ id: string }>('SELECT id FROM member')
  await announce(
    world.services.pool,
    world.study,
    world.people.admin,
    members.map(({ id }) => ({ kind: 'member', rowId: id })),
  )
}

/** jsdom has a DOMException of its own, WebCrypto throws Node's; a browser has one. */
globalThis.DOMException = (structuredCloneError() as DOMException).constructor as typeof DOMException

function structuredCloneError(): unknown {
  try {
    return structuredClone(() => undefined)
  } catch (thrown) {
    return thrown
  }
}

const realFetch = globalThis.fetch

const NOBODY_YET: SessionSnapshot = {
  current: { state: 'starting' },
  reachable: null,
  device: null,
  storageLoss: null,
  outdated: false,
}

/** One tab with the app. */
export class Tab {
  readonly #server: Server
  #started: StartedSession | null = null
  #snapshot: SessionSnapshot = NOBODY_YET
  readonly #changed = new Set<() => void>()
  readonly #closings: (() => void)[] = []

  constructor(server: Server) {
    this.#server = server
  }

  /** Starts the app, as a load of the page does. */
  async load(): Promise<void> {
    this.#snapshot = NOBODY_YET
    this.#started = await startSession((change) => {
      this.#snapshot = { ...this.#snapshot, ...change }
      for (const changed of this.#changed) changed()
    })
  }

  /** The page is loaded anew: what was in memory only is gone. */
  async reload(): Promise<void> {
    this.close()
    await this.load()
  }

  close(): void {
    for (const closing of this.#closings.splice(0)) closing()
    this.#started?.stop()
    this.#started = null
  }

  get session(): StartedSession {
    if (this.#started === null) throw new Error('the tab is closed')
    return this.#started
  }

  get current(): SessionState {
    return this.#snapshot.current
  }

  get device(): Device {
    if (this.#snapshot.device === null) throw new Error('nobody is at work in this tab')
    return this.#snapshot.device
  }

  /** Nothing of the study is to be had from this tab. */
  get isClosed(): boolean {
    return this.#snapshot.device === null
  }

  /** Who is at work here. */
  get who(): string | null {
    return this.current.state === 'open' ? this.current.user.account : null
  }

  /** Waits until something holds of the session. */
  async until(holds: (state: SessionState, tab: Tab) => boolean): Promise<void> {
    if (holds(this.current, this)) return
    await new Promise<void>((resolve) => {
      const changed = (): void => {
        if (!holds(this.current, this)) return
        this.#changed.delete(changed)
        resolve()
      }
      this.#changed.add(changed)
    })
  }

  /** Signs in and keeps the northern center. */
  async signIn(account: string, password = PASSWORD): Promise<void> {
    valueOf(await this.session.signIn({ account, password, captcha: null }))
  }

  async keepNorth(): Promise<void> {
    const { projectId, north } = this.#server.world.study
    valueOf(await this.device.keepScope(scopeText({ kind: 'center', projectId, centerId: north, pass: 1 })))
    await this.sync()
  }

  /** One cycle of sending and fetching, to its end. */
  async sync(): Promise<void> {
    valueOf(await this.device.syncNow())
  }

  /** Opens the vital signs of a patient; the page saves when the app asks for it, as the screen does. */
  async open(patientId: string): Promise<OpenPage> {
    const page = new OpenPage(this.#untilClosed(this.device), this.#server.world, await this.see(patientId), () =>
      new Date().toISOString(),
    )
    this.#closings.push(onBeforeReload(() => page.flush()))
    return page
  }

  /**
   * A device to which nothing is given any more once the tab is gone: the timers of a page that was open go on here.
   */
  #untilClosed(device: Device): Device {
    let closed = false
    this.#closings.push(() => {
      closed = true
    })
    const never = new Promise<never>(() => undefined)
    return {
      ...device,
      saveEntry: (...given) => (closed ? never : device.saveEntry(...given)),
      submitEntry: (...given) => (closed ? never : device.submitEntry(...given)),
    }
  }

  async see(patientId: string): Promise<EntryView> {
    const { world } = this.#server
    return valueOf(await this.device.entry(world.study.projectId, vitals(world, patientId)))
  }

  async enter(patientId: string, field: string, text: string): Promise<void> {
    const page = new OpenPage(this.device, this.#server.world, await this.see(patientId), () =>
      new Date().toISOString(),
    )
    page.type(field, text)
    await page.leave()
  }

  async unsent(): Promise<number> {
    return valueOf(await this.device.outbox()).length
  }
}
