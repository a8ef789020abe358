import { expect, test } from 'vitest'
import { withFirstPaint } from '#scripts/lib/firstPaint.ts'

const BUILT = `<!doctype html>
<html>
  <head>
    <script type="module" src="/assets/start.js"></script>
    <link rel="stylesheet" crossorigin href="/assets/start.css">
  </head>
  <body>
    <div id="root"></div>
  </body>
</html>`

test('the page shows its claim in both languages before anything else has come', () => {
  const page = withFirstPaint(BUILT)
  const [head = '', body = ''] = page.split('<body>')
  expect(head).toContain('<style>:root { color-scheme: light;')
  expect(body).toContain('<span lang="zh-CN">床旁录入，断网不断工作</span><span lang="en">Entry at the bedside, with or without a network</span>')
})

test('the style sheet stands behind what is shown first, so that it holds up the scripts alone, and before the app, whose colours win', () => {
  const page = withFirstPaint(BUILT)
  expect(page.match(/rel="stylesheet"/g)).toHaveLength(1)
  expect(page.indexOf('rel="stylesheet"')).toBeGreaterThan(page.indexOf('zl-headline">'))
  expect(page.indexOf('rel="stylesheet"')).toBeLessThan(page.indexOf('<div id="root"></div>'))
  expect(page.indexOf('type="module"')).toBeLessThan(page.indexOf('</head>'))
})
