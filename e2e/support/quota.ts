import type { CDPSession, Page } from '@playwright/test'

/** Bytes that are free on a tablet's disk while nobody fills it. */
const ROOM = 2_000_000
const FILLER = 'filler'

/** The storage that a browser gives to an origin: it can be full, as on a tablet with too many photographs. */
export class Quota {
  readonly #page: Page
  readonly #session: CDPSession
  readonly #origin: string

  private constructor(page: Page, session: CDPSession, origin: string) {
    this.#page = page
    this.#session = session
    this.#origin = origin
  }

  /**
   * Takes over the quota of a page's origin. The page must not have been opened yet: the browser remembers what was
   * free.
   */
  static async of(page: Page, origin: string, full: boolean): Promise<Quota> {
    const quota = new Quota(page, await page.context().newCDPSession(page), origin)
    await quota.#allow(full ? 0 : ROOM)
    return quota
  }

  /** Nothing fits any more: writing fails as the browser lets it fail. */
  async fill(): Promise<void> {
    await this.#allow(0)
    // What the browser remembers as free has to be used up first.
    await this.#page.evaluate(async (name) => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name, 1)
        opening.addEventListener('upgradeneeded', () =>
          opening.result.createObjectStore('bytes', { autoIncrement: true }),
        )
        opening.addEventListener('success', () => resolve(opening.result))
        opening.addEventListener('error', () => reject(opening.error ?? new Error('the filler could not be opened')))
      })
      const fits = (bytes: number): Promise<boolean> =>
        new Promise((resolve) => {
          const writing = database.transaction('bytes', 'readwrite')
          writing.objectStore('bytes').add(new Uint8Array(bytes))
          writing.addEventListener('complete', () => resolve(true))
          writing.addEventListener('abort', () => resolve(false))
        })
      for (const bytes of [500_000, 50_000, 5000, 500, 50]) while (await fits(bytes));
      database.close()
    }, FILLER)
  }

  /** There is room again. */
  async free(): Promise<void> {
    await this.#allow(ROOM)
  }

  /** So many bytes more than are used now. */
  async #allow(room: number): Promise<void> {
    const origin = this.#origin
    const { usage } = await this.#session.send('Storage.getUsageAndQuota', { origin })
    await this.#session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + room })
  }
}
