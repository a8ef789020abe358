/** Of Chromium: installing the app may be asked for once, when somebody wants it. */
export interface InstallOffer extends Event {
  prompt(): Promise<{ readonly outcome: 'accepted' | 'dismissed' }>
}

/** The browser's offer as it stands; it comes once and early, and is kept for when somebody wants it. */
export const installOffer: { current: InstallOffer | null; onChange: () => void } = {
  current: null,
  onChange: () => undefined,
}

/** Keeps the offer, from now on. */
export function watchInstall(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    // The browser's own banner would come in the middle of whatever is being done.
    event.preventDefault()
    installOffer.current = event as InstallOffer
    installOffer.onChange()
  })
  window.addEventListener('appinstalled', () => {
    installOffer.current = null
    installOffer.onChange()
  })
}
