import { useSyncExternalStore } from 'react'

import { installOffer } from './installOffer.ts'

/** Whether the app is installed on this device, and how it can be. */

/**
 * - `installed`: it runs as an app of its own.
 * - `offer`: the browser installs it when asked.
 * - `steps`: on an iPad or iPhone, by hand.
 * - `menu`: on another touch device, from the browser's menu.
 * - `none`: not here.
 */
export type InstallWay = 'installed' | 'offer' | 'steps' | 'menu' | 'none'

const listeners = new Set<() => void>()
installOffer.onChange = announce

/** How the app can be installed here; changes when the browser offers it. */
export function useInstallWay(): InstallWay {
  return useSyncExternalStore(subscribe, installWay)
}

export function installWay(): InstallWay {
  const { standalone } = navigator as { readonly standalone?: boolean }
  const isApp = ['standalone', 'fullscreen', 'minimal-ui'].some(
    (mode) => window.matchMedia(`(display-mode: ${mode})`).matches,
  )
  if (isApp || standalone === true) return 'installed'
  if (!window.isSecureContext) return 'none'
  if (installOffer.current !== null) return 'offer'
  const { userAgent, maxTouchPoints } = navigator
  // An iPad says that it is a Mac; a Mac has no touch screen.
  if (/iPad|iPhone/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) return 'steps'
  return isTouch() && /Chrom(e|ium)\//.test(userAgent) ? 'menu' : 'none'
}

/** Whether people touch this device rather than point at it. */
export function isTouch(): boolean {
  return navigator.maxTouchPoints > 0 && window.matchMedia('(pointer: coarse)').matches
}

/** Asks the browser to install the app. Resolves with whether the person agreed. */
export async function install(): Promise<boolean> {
  const asked = installOffer.current
  if (asked === null) return false
  // An offer can be used once.
  installOffer.current = null
  const { outcome } = await asked.prompt()
  announce()
  return outcome === 'accepted'
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

function announce(): void {
  for (const listener of listeners) listener()
}
