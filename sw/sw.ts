import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

/**
 * The service worker keeps the app's shell, nothing else. Data never pass through it: `/api` and every request that is
 * not a GET bypass it, because the outbox keeps what people entered, not a cache.
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
 * While this address answers `{"kill": true}`, the worker removes itself and its caches: the way out of a broken
 * release.
 */
const KILL_SWITCH = '/sw-kill.json'
const KILL_CHECK_LIMIT_MS = 5000

/**
 * The same for browsers that take routes at installation. There such a request does not even reach this worker, and it
 * must not: a request that arrives while the browser stops this worker in favour of a newer version starts it again,
 * and the newer one goes on waiting for minutes (Chromium). Requests of dedicated workers still come here: see
 * src/app/update/updates.ts.
 */
const PAST_US = ['/api/*', '/download/*', '/myiframe/*', KILL_SWITCH]

interface RoutedInstallEvent extends ExtendableEvent {
  readonly addRoutes?: (rules: readonly { condition: { urlPattern: string }; source: 'network' }[]) => Promise<void>
}

self.addEventListener('install', (event: RoutedInstallEvent) => {
  const added = event.addRoutes?.(PAST_US.map((urlPattern) => ({ condition: { urlPattern }, source: 'network' })))
  // A refusal must not stop the installation: the worker lets these requests pass anyway.
  if (added !== undefined) event.waitUntil(added.catch(() => undefined))
})

precacheAndRoute([...self.__WB_MANIFEST])
cleanupOutdatedCaches()
registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: NOT_OURS }))

self.addEventListener('activate', () => {
  // Not awaited: until a worker is active every opened page waits for it, and a weak network takes its time.
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

/** Offline, or without that file (the app's own page answers instead), nothing is removed. */
async function isKilled(): Promise<boolean> {
  try {
    // A worker with a running task does not make room for a newer one.
    const response = await fetch(KILL_SWITCH, { cache: 'no-store', signal: AbortSignal.timeout(KILL_CHECK_LIMIT_MS) })
    if (!response.ok || response.headers.get('Content-Type')?.includes('json') !== true) return false
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null && 'kill' in body && body.kill === true
  } catch {
    return false
  }
}
