import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '#scripts/lib/run.ts'
import { common as commonEn } from '#src/i18n/en/common.ts'
import { login as loginEn } from '#src/i18n/en/login.ts'
import { common as commonZh } from '#src/i18n/zh/common.ts'
import { login as loginZh } from '#src/i18n/zh/login.ts'

/**
 * What index.html shows at /login until the app draws: the same claim in the same place (PublicFrame), in both
 * languages, of which firstPaint.css shows one. public/look.js says where it is shown.
 */
export function firstScreen(): string {
  const both = (zh: string, en: string): string => `<span lang="zh-CN">${zh}</span><span lang="en">${en}</span>`
  const points = (['offline', 'fast', 'traced'] as const).map(
    (point) => `<li>${both(loginZh.points[point], loginEn.points[point])}</li>`,
  )
  return (
    '<div class="zl-frame zl-frame-first"><aside class="zl-claim">' +
    `<p class="zl-brand"><img src="/icon.svg" alt="" width="48" height="48" />${both(commonZh.product, commonEn.product)}</p>` +
    `<p class="zl-headline">${both(loginZh.claim, loginEn.claim)}</p>` +
    `<ul class="zl-points">${points.join('')}</ul></aside></div>`
  )
}

/**
 * index.html as it is served: what it shows first waits for no script and no style sheet. Its rules are in the page,
 * before the style sheet, which is only fetched ahead: src/app/styleSheet.ts puts it on. That one keeps its place in
 * the head: the style sheets of screens are added behind it when these are loaded, and only so they win over the
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
  // Behind what is shown first, and not beside it: the page itself and what it shows come before the app on a thin
  // line.
  const behind = styled.replaceAll('<script type="module"', '<script type="module" fetchpriority="low"')
  return behind.replace('<div id="root"></div>', `${firstScreen()}\n    <div id="root"></div>`)
}
