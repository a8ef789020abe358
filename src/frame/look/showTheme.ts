import type { ThemeName } from '#src/frame/preferences.ts'

/** Colours of the top bar, which the window bar of an installed app takes on. public/look.js holds them too. */
const BARS: Readonly<Record<ThemeName, string>> = {
  'theme-starwrap': '#ffffff',
  'theme-bule': '#0a4a8f',
  'theme-vip': '#1d2126',
}

/**
 * Marks the document with its theme. public/look.js does so before the first paint, from what preferences.ts keeps, so
 * that a dark screen is never white for a moment.
 */
export function showTheme(theme: ThemeName): void {
  document.documentElement.dataset.theme = theme
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', BARS[theme])
}
