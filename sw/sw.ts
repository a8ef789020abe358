import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { isKillOrder, KILL_SWITCH, NAVIGATION_DENYLIST, SKIP_WAITING } from './shell.ts'

/**
 * Keeps the app's shell, so that it opens without a network. Nothing else: /api and everything but GET never enter here, and
 * no request is queued (what a person entered waits in the outbox, in the transaction of its draft).
 */
declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: readonly { url: string; revision: string | null }[] }

precacheAndRoute([...self.__WB_MANIFEST])
cleanupOutdatedCaches()
registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: [...NAVIGATION_DENYLIST] }))

// A new version waits until the page has flushed its drafts and says so.
self.addEventListener('message', (event) => {
  if (isMessage(event.data) && event.data.type === SKIP_WAITING) event.waitUntil(self.skipWaiting())
})

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim().then(leaveIfTold))
})

/** The way out when a broken version must go: the server serves the order, the worker leaves with its caches. Data are not its own. */
async function leaveIfTold(): Promise<void> {
  let told: boolean
  try {
    const answer = await fetch(KILL_SWITCH, { cache: 'no-store' })
    told = isKillOrder(answer.status, answer.ok ? await answer.json() : null)
  } catch {
    // Offline, or the app's page instead of the order: nobody told us to go.
    return
  }
  if (!told) return
  for (const name of await caches.keys()) await caches.delete(name)
  await self.registration.unregister()
}

function isMessage(data: unknown): data is { readonly type: string } {
  return typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string'
}
