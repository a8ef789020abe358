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
  expect(body).toContain(
    '<span lang="zh-CN">床旁录入，断网照常录入</span><span lang="en">Data entry at the bedside, online or offline</span>',
  )
})

test('the style sheet stays in the head, so that the style sheets of screens come after it and win, and behind the rules of what is shown first', () => {
  const [head = '', body = ''] = withFirstPaint(BUILT).split('</head>')
  expect(head.match(/href="\/assets\/start\.css"/g)).toHaveLength(1)
  expect(head.indexOf('/assets/start.css')).toBeGreaterThan(head.indexOf('</style>'))
  expect(head).toContain('type="module"')
  expect(body).not.toContain('/assets/start.css')
})

test('what is shown first does not wait for the style sheet: it is fetched ahead, and the app puts it on', () => {
  const page = withFirstPaint(BUILT)
  expect(page).toContain(
    '<link rel="preload" as="style" fetchpriority="low" data-sheet crossorigin href="/assets/start.css">',
  )
  expect(page).toContain('<script type="module" fetchpriority="low" src="/assets/start.js">')
  expect(page).not.toContain('rel="stylesheet"')
})
