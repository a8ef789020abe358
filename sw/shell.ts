/** What the service worker keeps and what it never touches. Plain decisions, so that they can be tested without a worker. */

/** Addresses that a navigation must get from the network: calls, downloads, embedded foreign pages. */
export const NAVIGATION_DENYLIST: readonly RegExp[] = [/^\/api\//, /^\/download\//, /^\/myiframe\//, /^\/healthz$/, /^\/readyz$/, /^\/metrics$/]

/** Where the server says that this worker must go. Served only in an emergency; otherwise it is not found. */
export const KILL_SWITCH = '/sw-kill.json'

/** Messages from the page to the worker. */
export const SKIP_WAITING = 'SKIP_WAITING'

/** Whether the kill switch's answer tells the worker to go. Whatever is not exactly the order keeps it. */
export function isKillOrder(status: number, body: unknown): boolean {
  return status === 200 && typeof body === 'object' && body !== null && 'kill' in body && body.kill === true
}
