import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '#scripts/lib/run.ts'
import { common as commonEn } from '#src/i18n/en/common.ts'
import { login as loginEn } from '#src/i18n/en/login.ts'
import { common as commonZh } from '#src/i18n/zh/common.ts'
import { login as loginZh } from '#src/i18n/zh/login.ts'

/**
 * What index.html shows at /login until the app draws: the same claim in the same place (PublicFrame), in both languages, of which firstPaint.css
 * shows one. public/look.js says where it is shown.
 */
export function firstScreen(): string {
  const both = (zh: string, en: string): string => `<span lang="zh-CN">${zh}</span><span lang="en">${en}</span>`
  const points = (['offline', 'fast', 'traced'] as const).map((point) => `<li>${both(loginZh.points[point], loginEn.points[point])}</li>`)
  return (
    '<div class="zl-frame zl-frame-first"><aside class="zl-claim">' +
    `<p class="zl-brand"><img src="/icon.svg" alt="" width="48" height="48" />${both(commonZh.product, commonEn.product)}</p>` +
    `<p class="zl-headline">${both(loginZh.claim, loginEn.claim)}</p>` +
    `<ul class="zl-points">${points.join('')}</ul></aside></div>`
  )
}

/**
 * index.html as it is served: the first paint waits for no script and for no style sheet. The rules of what it shows are in the page; the style
 * sheet stands behind it, so that it holds up the scripts, which draw with it, but not what is before it; and before the app, whose own
 * variables come later and win.
 */
export function withFirstPaint(html: string): string {
  const styles: string[] = []
  const rest = html.replaceAll(/\s*<link rel="stylesheet"[^>]*>/g, (link) => {
    styles.push(link.trim())
    return ''
  })
  const rules = readFileSync(path.join(root, 'src', 'app', 'firstPaint.css'), 'utf8').replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/\s+/g, ' ')
  return rest
    .replace('</head>', `  <style>${rules.trim()}</style>\n  </head>`)
    .replace('<div id="root"></div>', [firstScreen(), ...styles, '<div id="root"></div>'].join('\n    '))
}
