/** Chromium's event: the app may ask for the installation once, when somebody wants it. */
export interface InstallOffer extends Event {
  prompt(): Promise<{ readonly outcome: 'accepted' | 'dismissed' }>
}

/** The browser's current offer. It comes once and early, and is kept until somebody wants it. */
export const installOffer: { current: InstallOffer | null; onChange: () => void } = {
  current: null,
  onChange: () => undefined,
}

/** Keeps the browser's offer, from now on. */
export function watchInstall(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    // The browser's own banner would interrupt the person's work.
    event.preventDefault()
    installOffer.current = event as InstallOffer
    installOffer.onChange()
  })
  window.addEventListener('appinstalled', () => {
    installOffer.current = null
    installOffer.onChange()
  })
}
