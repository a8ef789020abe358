import { Workbox } from 'workbox-window'
import { whileNobodySyncs } from '#offline/sync/lock.ts'
import { flushOpenPages } from '#src/session/beforeReload.ts'

import { openTabs } from './tabs.ts'

/**
 * New versions of the app. A version that was already waiting when the app started in its only tab takes over at once:
 * nothing is on the screen yet. In all other cases a person decides, because every tab reloads; and no tab reloads
 * before its content is on the disk.
 * Tabs make no agreement among each other: one asks the browser, the browser tells all, and each reloads when it has
 * saved. So a tab that is frozen or cannot save keeps no other tab from the new version.
 */

/**
 * - `offered`: a new version waits for a person's consent, with how many tabs are open.
 * - `coming`: this tab has asked for it. The browser activates it when the old one has nothing more to do, mostly at
 *   once.
 * - `held`: a person agreed, here or in another tab, and this tab could not write everything to the disk; so it stays
 *   as it is.
 */
export type UpdatePromptState =
  | { readonly kind: 'none' }
  | { readonly kind: 'offered'; readonly tabs: number }
  | { readonly kind: 'coming' }
  | { readonly kind: 'held' }

export interface Updates {
  /** A person agrees. */
  agree(): Promise<void>
  /** Reloads this tab as soon as everything on it is on the disk. */
  reload(): Promise<void>
  /** Tries again now what this tab was kept from. */
  tryAgain(): Promise<void>
  /** Asks the server for a newer version now. */
  look(): void
  stop(): void
}

const TRY_AGAIN_MS = 3000
/** How long a running sync may take before the browser is asked anyway. */
const SYNC_ENDS_MS = 5000
/** For how long nobody syncs after that: the browser stops an idle worker after 30 s. */
const QUIET_MS = 40_000
/** A reload that takes longer was stopped by somebody. */
const RELOAD_MS = 10_000
/** A starting page that has loaded nothing for this long has loaded everything. */
const LOADED_MS = 1000
/** How often the worker checks whether it must remove itself. */
const KILL_CHECK_MS = 10 * 60_000
const KILL_SWITCH = '/sw-kill.json'

/** Registers the service worker and follows its versions. */
export function watchUpdates(show: (state: UpdatePromptState) => void): Updates {
  const workbox = new Workbox('/sw.js')
  const pursuit = new Pursuit(
    {
      ask: () => {
        show({ kind: 'coming' })
        void ask(workbox)
      },
      reload: () => window.location.reload(),
    },
    () => show({ kind: 'held' }),
  )
  const reload = () => pursuit.go('reload')
  let registered: ServiceWorkerRegistration | undefined
  let catchUp: () => void = () => undefined
  let hasAgreed = false
  const offer = () => void openTabs().then((count) => show({ kind: 'offered', tabs: count }))
  // A tab without a controlling worker keeps no worker waiting, so on the first visit a new version is active without
  // anybody's consent.
  const isInForce = () => (navigator.serviceWorker.controller === null && !hasAgreed ? offer() : void reload())

  const look = () => void workbox.update().catch(ignoreRefusal)
  const askKillSwitch = throttle(KILL_CHECK_MS, () =>
    navigator.serviceWorker.controller?.postMessage({ type: 'CHECK_KILL_SWITCH' }),
  )
  const onVisible = () => {
    if (document.visibilityState !== 'visible') return
    catchUp()
    askKillSwitch()
    look()
  }
  const start = async (): Promise<void> => {
    const registration = await register(workbox)
    if (registration === undefined) return
    registered = registration
    catchUp = followVersions(registration, { waits: offer, isInForce })
    const waited = registration.waiting !== null
    const tabs = waited ? await openTabs() : 0
    if (waited && tabs === 1) void hasLoaded().then(() => ask(workbox))
    // The kill switch is asked after the registration: in the other order, registering would bring back a worker that
    // has just removed itself. A worker that is about to go is not asked: that would start it again, and it would stay.
    else askKillSwitch()
    if (waited && tabs > 1) show({ kind: 'offered', tabs })
  }
  // Where the browser keeps no worker for this site (private window, policy), the app works online only.
  void start().catch(ignoreRefusal)
  document.addEventListener('visibilitychange', onVisible)
  return {
    agree: () => {
      hasAgreed = true
      return pursuit.go((registered?.waiting ?? null) === null ? 'reload' : 'ask')
    },
    reload,
    tryAgain: () => pursuit.tryAgain(),
    look,
    stop: () => {
      pursuit.stop()
      document.removeEventListener('visibilitychange', onVisible)
    },
  }
}

/**
 * Asks the browser to activate the waiting version. The browser stops the old worker for that. A request that reaches
 * the old worker at this moment starts it again, and Chromium then delays the change until the old worker has been idle
 * for half a minute, or for five minutes. Just then what was saved a moment ago would be sent. So nobody syncs
 * meanwhile. Requests that pages send to the server do not touch the worker at all (sw/sw.ts), but requests of the sync
 * worker do, in spite of its routes.
 */
function ask(workbox: Workbox): Promise<void> {
  return whileNobodySyncs(SYNC_ENDS_MS, async () => {
    workbox.messageSkipWaiting()
    // Usually this tab reloads before the time is over, and its lock goes with it.
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
  })
}

/**
 * Resolves when this page loads nothing more: its scripts and pictures come through the worker. Its calls to the server
 * do not.
 */
function hasLoaded(): Promise<void> {
  return new Promise((resolve) => {
    const finishRest = () => {
      observer.disconnect()
      resolve()
    }
    let timer = setTimeout(finishRest, LOADED_MS)
    const observer = new PerformanceObserver((list) => {
      if (
        list
          .getEntries()
          .every((entry) => entry instanceof PerformanceResourceTiming && entry.initiatorType === 'fetch')
      )
        return
      clearTimeout(timer)
      timer = setTimeout(finishRest, LOADED_MS)
    })
    observer.observe({ type: 'resource' })
  })
}

type Goal = 'ask' | 'reload'

/** Does something as soon as all that was typed is on the disk, however often that has to be tried. */
class Pursuit {
  readonly #acts: Readonly<Record<Goal, () => void>>
  readonly #onHeld: () => void
  #goal: Goal | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(acts: Readonly<Record<Goal, () => void>>, onHeld: () => void) {
    this.#acts = acts
    this.#onHeld = onHeld
  }

  /** @param goal replaces the goal before */
  go(goal: Goal): Promise<void> {
    this.#goal = goal
    return this.tryAgain()
  }

  async tryAgain(): Promise<void> {
    clearTimeout(this.#timer)
    // A save that does not end is reported like one that fails.
    this.#timer = setTimeout(() => {
      this.#held()
      void this.tryAgain()
    }, TRY_AGAIN_MS)
    let { allSaved } = await flushOpenPages()
    if (allSaved && this.#goal === 'reload') {
      stopHand()
      ;({ allSaved } = await flushOpenPages())
    }
    const goal = this.#goal
    if (goal === null) return
    if (!allSaved) return this.#held()
    this.stop()
    this.#acts[goal]()
    if (goal === 'reload') setTimeout(freeHand, RELOAD_MS)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#goal = null
  }

  #held(): void {
    freeHand()
    this.#onHeld()
  }
}

/**
 * Until the new page is there, the old one would accept keystrokes and not keep them. It stops them, and takes
 * half-typed text as it is.
 */
function stopHand(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  document.body.inert = true
}

function freeHand(): void {
  document.body.inert = false
}

interface Follower {
  readonly waits: () => void
  readonly isInForce: () => void
}

/**
 * Reports every version after the one that this tab began with. It follows the states of the workers themselves: a tab
 * without a controlling worker (the first visit, a forced reload) gets no event for a new controller.
 *
 * @returns catches up on a change that a suspended tab was not told of
 */
function followVersions(registration: ServiceWorkerRegistration, { waits, isInForce }: Follower): () => void {
  // The first worker of this device is as new as the page that installed it.
  let known = registration.active ?? registration.waiting ?? registration.installing
  const check = (worker: ServiceWorker | null): void => {
    if (worker === known || worker?.state !== 'activated') return
    known = worker
    isInForce()
  }
  const follow = (worker: ServiceWorker | null): void => {
    if (worker === null || registration.active === null) return
    worker.addEventListener('statechange', () => {
      if (worker.state === 'installed') waits()
      check(worker)
    })
  }
  follow(registration.waiting)
  follow(registration.installing)
  registration.addEventListener('updatefound', () => follow(registration.installing))
  return () => check(registration.active)
}

/** A worker that the kill switch removed is not brought back while the switch is on. */
async function register(workbox: Workbox): Promise<ServiceWorkerRegistration | undefined> {
  const known = await navigator.serviceWorker.getRegistration()
  if (known === undefined && (await isKilled())) return undefined
  return workbox.register()
}

async function isKilled(): Promise<boolean> {
  const answer = await fetch(KILL_SWITCH, { cache: 'no-store' })
  // The answer's body does not matter; left unread, it would keep the connection open.
  await answer.body?.cancel()
  return answer.ok && answer.headers.get('Content-Type')?.includes('json') === true
}

function throttle(everyMs: number, work: () => void): () => void {
  let last = -everyMs
  return () => {
    if (performance.now() - last < everyMs) return
    last = performance.now()
    work()
  }
}

/**
 * Registering and updating need the network and the browser's consent; their errors say that one of the two is missing.
 */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof TypeError || error instanceof DOMException)) throw error
}
