import type { LockKey } from '#offline/vault/lockBox.ts'

/** What happened in one tab and concerns the others. One person at a time is at work on a device. */
export type TabNews =
  /** Locked, under this key if a lock password was chosen. */
  | { readonly kind: 'locked'; readonly userId: string; readonly key: LockKey | null }
  | { readonly kind: 'entered'; readonly userId: string }
  /** Signed out, or cleared from the device; null: everybody. */
  | { readonly kind: 'left'; readonly userId: string | null }

const CHANNEL = 'zhenglu-session'

/**
 * Messages between the tabs of this device. They only make things faster: the device's memory says whose session a tab
 * may continue, and each tab reads it.
 */
export class OtherTabs {
  // Missing in browsers without BroadcastChannel, and in some private windows.
  readonly #channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL)

  constructor(onNews: (news: TabNews) => void) {
    // Posted by `tell` of this same app.
    this.#channel?.addEventListener('message', (event: MessageEvent) => onNews(event.data as TabNews))
  }

  tell(news: TabNews): void {
    this.#channel?.postMessage(news)
  }

  stop(): void {
    this.#channel?.close()
  }
}
