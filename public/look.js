// Before the first paint: see src/frame/look/showTheme.ts and scripts/lib/firstPaint.ts
{
  const page = document.documentElement
  if (location.pathname === '/login') page.dataset.first = ''
  try {
    const stored = localStorage.getItem('zhenglu.preferences') ?? ''
    const theme = /"theme":"(theme-bule|theme-vip)"/.exec(stored)?.[1]
    if (theme !== undefined) {
      page.dataset.theme = theme
      document
        .querySelector('meta[name="theme-color"]')
        ?.setAttribute('content', theme === 'theme-vip' ? '#1d2126' : '#0a4a8f')
    }
    if (stored.includes('"language":"en"')) page.lang = 'en'
    const shades = /"shades":\[([^\]]*)\]/.exec(stored)?.[1]?.match(/#[0-9a-f]{6}/gi) ?? []
    for (const [at, shade] of shades.entries()) page.style.setProperty(`--zl-stored-${at}`, shade)
  } catch {
    // No storage: the default look.
  }
}
