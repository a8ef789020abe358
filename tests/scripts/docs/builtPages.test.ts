import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { checkBuilt, readBuilt } from '#scripts/docs/builtPages.ts'

const HOME = '<h1 id="home">Home</h1>'

test('a site whose links lead to pages and headings of its own, or to other sites, is right', () => {
  const built = new Map([
    ['index.html', `${HOME}<a href="./docs/a.html#one">a</a><a href="/docs/">docs</a><a href="#home">up</a>`],
    ['docs/index.html', `${HOME}<a href="../LICENSE.txt">l</a><a href="https://example.org/x">x</a>`],
    ['docs/a.html', `${HOME}<h2 id="one">One</h2><a class="b" href="../index.html">home</a>`],
    ['LICENSE.txt', ''],
    ['assets/style.css', 'a { background: url("/assets/a.woff2") } b { mask: url(data:image/svg+xml,x) }'],
  ])
  expect(checkBuilt(built)).toEqual([])
})

test('a link to a page or a heading that is not there is named', () => {
  const built = new Map([
    ['index.html', `${HOME}<a href="./docs/b.html">b</a><a href="./docs/a.html#two">two</a>`],
    ['docs/a.html', `${HOME}<h2 id="one">One</h2>`],
  ])
  expect(checkBuilt(built)).toEqual([
    'index.html leads to ./docs/b.html, which is not there',
    'index.html leads to ./docs/a.html#two, which is not there',
  ])
})

test('what a browser would fetch from another host is named, in pages and in styles', () => {
  const built = new Map([
    [
      'index.html',
      `${HOME}<script src="https://cdn.example.org/a.js"></script><style>@import "//b.example.org";</style>`,
    ],
    ['style.css', '@import url(https://fonts.example.org/css);'],
  ])
  expect(checkBuilt(built)).toEqual([
    'index.html asks another host for https://cdn.example.org/a.js',
    'index.html asks another host for //b.example.org',
    'style.css asks another host for https://fonts.example.org/css',
  ])
})

test('a page that failed while it was drawn is named, and the site is read with all its folders', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'zl-docs-'))
  try {
    await mkdir(path.join(folder, 'docs'))
    await writeFile(path.join(folder, 'index.html'), `${HOME}<a href="/docs/a.html">a</a>`)
    await writeFile(path.join(folder, 'docs/a.html'), '<main></main>')
    expect(checkBuilt(await readBuilt(folder))).toEqual(['docs/a.html came out empty'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
