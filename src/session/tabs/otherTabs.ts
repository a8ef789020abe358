import type { LockKey } from '#offline/vault/lockBox.ts'

/** What happened in one tab and concerns those beside it. One person is at work on a device at a time. */
export type TabNews =
  /** Locked, under this key if a lock password was chosen. */
  | { readonly kind: 'locked'; readonly userId: string; readonly key: LockKey | null }
  | { readonly kind: 'entered'; readonly userId: string }
  /** Signed out, or cleared from the device; null: everybody. */
  | { readonly kind: 'left'; readonly userId: string | null }

const CHANNEL = 'zhenglu-session'

/**
 * Word between the tabs of this device. It only makes them quick: whose session a tab may go on with stands in the
 * device's memory, where each looks by itself.
 */
export class OtherTabs {
  // Not there in browsers without it, and in private windows of some.
  readonly #channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL)

  constructor(onNews: (news: TabNews) => void) {
    // Posted by `tell` of this very app.
    this.#channel?.addEventListener('message', (event: MessageEvent) => onNews(event.data as TabNews))
  }

  tell(news: TabNews): void {
    this.#channel?.postMessage(news)
  }

  stop(): void {
    this.#channel?.close()
  }
}
