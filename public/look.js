// See src/app/look/showTheme.ts
try {
  const stored = localStorage.getItem('zhenglu.preferences') ?? ''
  const theme = /"theme":"(theme-bule|theme-vip)"/.exec(stored)?.[1]
  if (theme !== undefined) {
    document.documentElement.dataset.theme = theme
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', theme === 'theme-vip' ? '#1d2126' : '#0a4a8f')
  }
} catch {
  // No storage: the default theme.
}
