import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

/**
 * The service worker keeps the app's shell, nothing else. Data never pass through it: `/api` and every request that is
 * not a GET go past it, because what people entered is the outbox's to keep, not a cache's.
 */

declare const self: ServiceWorkerGlobalScope & {
  readonly __WB_MANIFEST: readonly (string | { url: string; revision: string | null })[]
}

/** Addresses that are the server's even when a browser navigates to them: calls, downloads, embedded pages. */
const NOT_OURS = [
  /^\/api(\/|$)/,
  /^\/(healthz|readyz|metrics)$/,
  /^\/download(\/|$)/,
  /^\/myiframe(\/|$)/,
  /\/[^/?]+\.[^/?]+$/,
]

/**
 * While this address answers `{"kill": true}`, the worker takes itself and its caches away: the way out of a broken
 * release.
 */
const KILL_SWITCH = '/sw-kill.json'
const KILL_CHECK_LIMIT_MS = 5000

/**
 * The same for browsers that can be told at installation. There such a request does not even reach this worker; and it
 * must not: one that arrives while the browser stops this worker in favour of a newer version starts it again, and the
 * newer one goes on waiting for minutes (Chromium). Requests of dedicated workers come here all the same: see
 * src/app/update/updates.ts.
 */
const PAST_US = ['/api/*', '/download/*', '/myiframe/*', KILL_SWITCH]

interface RoutedInstallEvent extends ExtendableEvent {
  readonly addRoutes?: (rules: readonly { condition: { urlPattern: string }; source: 'network' }[]) => Promise<void>
}

self.addEventListener('install', (event: RoutedInstallEvent) => {
  const added = event.addRoutes?.(PAST_US.map((urlPattern) => ({ condition: { urlPattern }, source: 'network' })))
  // Refused, they are no reason not to install: the worker lets these requests pass all the same.
  if (added !== undefined) event.waitUntil(added.catch(() => undefined))
})

precacheAndRoute([...self.__WB_MANIFEST])
cleanupOutdatedCaches()
registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: NOT_OURS }))

self.addEventListener('activate', () => {
  // Not waited for: until a worker is active every page that is opened waits for it, and a weak network takes its time.
  void obeyKillSwitch()
})

self.addEventListener('message', (event: ExtendableMessageEvent) => {
  const type =
    typeof event.data === 'object' && event.data !== null && 'type' in event.data
      ? (event.data as { type: unknown }).type
      : null
  // The page asks after its drafts are flushed and the person has agreed.
  if (type === 'SKIP_WAITING') event.waitUntil(self.skipWaiting())
  if (type === 'CHECK_KILL_SWITCH') event.waitUntil(obeyKillSwitch())
})

async function obeyKillSwitch(): Promise<void> {
  if (!(await isKilled())) return
  for (const name of await caches.keys()) await caches.delete(name)
  await self.registration.unregister()
}

/** Offline, or without that file (the app's own page answers instead), nothing is killed. */
async function isKilled(): Promise<boolean> {
  try {
    // A worker that has something under way does not make room for a newer one.
    const response = await fetch(KILL_SWITCH, { cache: 'no-store', signal: AbortSignal.timeout(KILL_CHECK_LIMIT_MS) })
    if (!response.ok || response.headers.get('Content-Type')?.includes('json') !== true) return false
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null && 'kill' in body && body.kill === true
  } catch {
    return false
  }
}
