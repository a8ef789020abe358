import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

/**
 * The service worker keeps the app's shell, nothing else. Data never pass through it: `/api` and every request that is not a GET go
 * past it, because what people entered is the outbox's to keep, not a cache's.
 */

declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: readonly (string | { url: string; revision: string | null })[] }

/** Addresses that are the server's even when a browser navigates to them: calls, downloads, embedded pages. */
const NOT_OURS = [/^\/api(\/|$)/, /^\/(healthz|readyz|metrics)$/, /^\/download(\/|$)/, /^\/myiframe(\/|$)/, /\/[^/?]+\.[^/?]+$/]

/** While this address answers `{"kill": true}`, the worker takes itself and its caches away: the way out of a broken release. */
const KILL_SWITCH = '/sw-kill.json'

precacheAndRoute([...self.__WB_MANIFEST])
cleanupOutdatedCaches()
registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: NOT_OURS }))

self.addEventListener('activate', (event) => {
  event.waitUntil(obeyKillSwitch())
})

self.addEventListener('message', (event: ExtendableMessageEvent) => {
  const type = typeof event.data === 'object' && event.data !== null && 'type' in event.data ? (event.data as { type: unknown }).type : null
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
    const response = await fetch(KILL_SWITCH, { cache: 'no-store' })
    if (!response.ok || response.headers.get('Content-Type')?.includes('json') !== true) return false
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null && 'kill' in body && body.kill === true
  } catch {
    return false
  }
}
