import type { Browser, BrowserContext, Page } from '@playwright/test'
import { startNetwork } from '#e2e/support/network.ts'
import type { Network } from '#e2e/support/network.ts'
import { watchShifts } from './shifts.ts'

/** Somebody at a device of their own, with a network of its own, whose look is changed without signing in again. */

export const languages = ['zh', 'en'] as const
export type Language = (typeof languages)[number]
export const themes = ['theme-starwrap', 'theme-bule', 'theme-vip'] as const
export type Theme = (typeof themes)[number]

/** A window's inner size, in px. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** A tablet in portrait, and the desk of a monitor. */
export const TABLET: Size = { width: 820, height: 1180 }

/** What somebody chose about how the app looks; what is not named stays. */
export interface Look {
  readonly language?: Language
  readonly theme?: Theme
  readonly projectView?: 'card' | 'table'
}

const PREFERENCES = 'zhenglu.preferences'
/** How much longer than it takes every call of a page is under way, in ms: a slow server shows what jumps. */
export const SLOW_MS = Number(process.env['SLOW_MS'] ?? 0)
/** Nothing that is waited for here takes so long, also on a slow machine that does something else meanwhile. */
export const WAIT_MS = 60_000

async function slowCalls(context: BrowserContext): Promise<void> {
  await context.route(
    (url) => url.pathname.startsWith('/api/'),
    async (route) => {
      await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
      await route.fallback()
    },
  )
}

export class Seat {
  readonly page: Page
  readonly #context: BrowserContext
  readonly #network: Network
  #isCut = false

  private constructor(context: BrowserContext, page: Page, network: Network) {
    this.#context = context
    this.page = page
    this.#network = network
  }

  /** @param serverPort the server that the seat's network leads to */
  static async take(browser: Browser, serverPort: number): Promise<Seat> {
    const network = await startNetwork(serverPort)
    // Without motion nothing fades: what is measured or photographed is how it stays.
    const context = await browser.newContext({
      viewport: TABLET,
      hasTouch: true,
      locale: 'zh-CN',
      timezoneId: 'Asia/Shanghai',
      reducedMotion: 'reduce',
    })
    await watchShifts(context)
    if (SLOW_MS > 0) await slowCalls(context)
    const page = await context.newPage()
    page.setDefaultTimeout(WAIT_MS)
    return new Seat(context, page, network)
  }

  /** From now on a mouse is at hand and no finger: a desk is drawn denser for it. */
  async takeMouse(): Promise<void> {
    const session = await this.#context.newCDPSession(this.page)
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: false })
    await session.detach()
  }

  /** Loads the app at an address, such as `/login`. */
  async load(path: string): Promise<void> {
    await this.page.goto(`${this.#network.address}${path}`)
  }

  /**
   * Goes to an address inside the app, from a page that holds nothing: what lay open before is closed by it. Waits
   * until that page is left too: while the first screen of a project is made ready, it stays, and has a heading.
   */
  async go(path: string): Promise<void> {
    await this.#push('/404')
    await this.page.waitForFunction(
      () => document.querySelector('header') === null && document.querySelector('main a[href="/"]') !== null,
    )
    if (path === '/404') return
    const between = await this.page.locator('main').elementHandle()
    await this.#push(path)
    await this.page.waitForFunction((left) => left?.isConnected !== true, between)
    await between?.dispose()
  }

  #push(path: string): Promise<void> {
    return this.page.evaluate((address) => {
      window.history.pushState({ idx: 0, key: 'look', usr: null }, '', address)
      window.dispatchEvent(new PopStateEvent('popstate', { state: window.history.state as unknown }))
    }, path)
  }

  /** Signs in on the way to an address. */
  async signIn(account: string, password: string, to: string): Promise<void> {
    await this.load(`/login?to=${encodeURIComponent(to)}`)
    await this.page.locator('input[name=username]').fill(account)
    await this.page.locator('input[name=password]').fill(password)
    await this.page.locator('form button[type=submit]').click()
    await this.page.waitForURL((url) => url.pathname !== '/login')
  }

  async unlock(password: string): Promise<void> {
    await this.page.locator('input[type=password]').fill(password)
    await this.page.locator('form button[type=submit]').click()
    await this.page.locator('input[type=password]').waitFor({ state: 'detached' })
  }

  /** Changes preferences as another tab of the same device would, and waits until they are drawn. */
  async prefer(look: Look): Promise<void> {
    const isChanged = await this.page.evaluate(
      async ([key, wanted, limitMs]) => {
        const before = localStorage.getItem(key) ?? '{}'
        const after = JSON.stringify({ ...(JSON.parse(before) as object), ...wanted })
        if (after === before) return false
        localStorage.setItem(key, after)
        window.dispatchEvent(new StorageEvent('storage', { key }))
        const { language, theme } = wanted
        const { documentElement: root } = document
        const isThere = (): boolean =>
          (language === undefined || root.lang.startsWith(language)) &&
          (theme === undefined || root.dataset['theme'] === theme)
        const deadline = performance.now() + limitMs
        while (!isThere()) {
          if (performance.now() > deadline) throw new Error(`The look did not become ${JSON.stringify(wanted)}`)
          await new Promise((resolve) => setTimeout(resolve, 15))
        }
        return true
      },
      [PREFERENCES, look, WAIT_MS] as const,
    )
    if (isChanged) await this.still()
  }

  /**
   * Until what is drawn has come to rest: nothing is a placeholder any more, not even one that is hidden until it has
   * its place, and two frames have passed, or the time of many where the browser draws none.
   */
  async still(): Promise<void> {
    await this.page.evaluate(async (limitMs) => {
      const frame = (): Promise<unknown> =>
        new Promise((resolve) => {
          requestAnimationFrame(resolve)
          setTimeout(resolve, 500)
        })
      const isWaiting = (): boolean =>
        [...document.querySelectorAll('[data-waiting], .mantine-Skeleton-root, .mantine-Loader-root')].some((one) =>
          one.checkVisibility(),
        )
      const deadline = performance.now() + limitMs
      while (isWaiting()) {
        if (performance.now() > deadline) throw new Error('What was to be shown did not come')
        await frame()
      }
      await frame()
      await frame()
    }, WAIT_MS)
  }

  /** Ends the network, and waits until the app knows. It stays away: what comes back is another story. */
  async cut(): Promise<void> {
    if (this.#isCut) return
    await this.#network.cut()
    this.#isCut = true
  }

  /** The server fails on calls whose path matches, until they are let through again. */
  async fail(calls: RegExp): Promise<void> {
    const answer = { code: 500, success: false, msg: 'failed', data: null }
    await this.page.route(
      (url) => url.pathname.startsWith('/api/') && calls.test(url.pathname),
      (route) => route.fulfill({ status: 500, json: answer }),
    )
  }

  /** What the server says of a project is changed on its way: nothing in it is this person's to use. */
  async withoutFunctions(): Promise<void> {
    await this.page.route(
      (url) => /\/edc\/project\/(?:detail|list)$/.test(url.pathname),
      async (route) => {
        const got = await route.fetch()
        const text = (await got.text()).replaceAll(/"(functions|permissions)":\[[^\]]*\]/g, '"$1":[]')
        await route.fulfill({ response: got, body: text })
      },
    )
  }

  /** The server is given these words for what it says to calls whose path matches, until they are let through again. */
  async say(calls: RegExp, data: unknown): Promise<void> {
    await this.page.route(
      (url) => url.pathname.startsWith('/api/') && calls.test(url.pathname),
      (route) => route.fulfill({ json: { code: 200, success: true, msg: '', data } }),
    )
  }

  async letThrough(): Promise<void> {
    await this.page.unrouteAll({ behavior: 'ignoreErrors' })
  }

  async leave(): Promise<void> {
    await this.letThrough()
    await this.#context.close()
    await this.#network.close()
  }
}
