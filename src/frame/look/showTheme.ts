import type { ThemeName } from '#src/frame/preferences.ts'

/** Colours of the bar at the top, which an installed app's window bar takes on. public/look.js holds them too. */
const BARS: Readonly<Record<ThemeName, string>> = {
  'theme-starwrap': '#ffffff',
  'theme-bule': '#0a4a8f',
  'theme-vip': '#1d2126',
}

/**
 * Marks the document with its theme. public/look.js has done so before the first paint, so that a dark screen is never
 * white for a moment, from what preferences.ts keeps.
 */
export function showTheme(theme: ThemeName): void {
  document.documentElement.dataset.theme = theme
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', BARS[theme])
}
