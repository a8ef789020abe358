// Runs before the first paint, so that a dark screen is never white for a moment. The app itself takes over from here
// (src/app/preferences.ts, src/app/look/showTheme.ts).
try {
  const stored = localStorage.getItem('zhenglu.preferences') ?? ''
  const theme = /"theme":"(theme-bule|theme-vip)"/.exec(stored)?.[1]
  if (theme !== undefined) {
    document.documentElement.dataset.theme = theme
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', theme === 'theme-vip' ? '#1d2126' : '#0a4a8f')
  }
} catch {
  // The browser keeps its storage to itself: the theme stays the default one.
}
