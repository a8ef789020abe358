import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '#scripts/lib/run.ts'
import { common as commonEn } from '#src/i18n/en/common.ts'
import { login as loginEn } from '#src/i18n/en/login.ts'
import { common as commonZh } from '#src/i18n/zh/common.ts'
import { login as loginZh } from '#src/i18n/zh/login.ts'

/**
 * What index.html shows at /login until the app draws: the same claim in the same place (PublicFrame), in both
 * languages, of which firstPaint.css shows one. public/look.js decides where it is shown.
 */
export function firstScreen(): string {
  const both = (zh: string, en: string): string => `<span lang="zh-CN">${zh}</span><span lang="en">${en}</span>`
  const points = (['offline', 'fast', 'traced'] as const).map(
    (point) => `<li>${both(loginZh.points[point], loginEn.points[point])}</li>`,
  )
  return (
    '<div class="zl-frame zl-frame-first"><aside class="zl-claim">' +
    `<p class="zl-brand"><span class="zl-mark"></span>${both(commonZh.product, commonEn.product)}</p>` +
    `<p class="zl-headline">${both(loginZh.claim, loginEn.claim)}</p>` +
    `<ul class="zl-points">${points.join('')}</ul></aside></div>`
  )
}

/**
 * index.html as it is served: its first content waits for no script and no style sheet. Its rules are in the page
 * itself. The style sheet is only fetched ahead; src/app/styleSheet.ts activates it. It keeps its place in the head:
 * the style sheets of screens are added after it when they are loaded, and only in this order do they override the
 * component library's.
 */
export function withFirstPaint(html: string): string {
  const rules = readFileSync(path.join(root, 'src', 'app', 'firstPaint.css'), 'utf8')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
  const style = `<style>${rules.trim()}</style>`
  const sheet = '<link rel="stylesheet"'
  const ahead = '<link rel="preload" as="style" fetchpriority="low" data-sheet'
  const styled = html.includes(sheet)
    ? html.replace(sheet, `${style}\n    ${ahead}`)
    : html.replace('</head>', `  ${style}\n  </head>`)
  // Loaded after the first content, not beside it: over a slow line the page itself and its content come before the
  // app.
  const behind = styled.replaceAll('<script type="module"', '<script type="module" fetchpriority="low"')
  return behind.replace('<div id="root"></div>', `${firstScreen()}\n    <div id="root"></div>`)
}
