/**
 * Activates the style sheet that index.html only fetches ahead (scripts/lib/firstPaint.ts), at its place in the head.
 *
 * @returns when it is there or cannot be had: then the app is drawn without it, as a browser does
 */
export async function putOnStyleSheet(): Promise<void> {
  const sheet = document.querySelector<HTMLLinkElement>('link[data-sheet]')
  if (sheet === null) return
  await new Promise((resolve) => {
    sheet.addEventListener('load', () => {
      // The event of the fetch may come late.
      if (sheet.sheet !== null) resolve(undefined)
    })
    sheet.addEventListener('error', resolve)
    sheet.rel = 'stylesheet'
  })
}
