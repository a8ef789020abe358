import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CHAPTERS, DECISIONS, FRONT, decisions, slugOf } from '#scripts/docs/pages.ts'
import { root } from '#scripts/lib/run.ts'

test('every document of the root and of docs/ stands in the menu, or nobody finds it', () => {
  const files = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).filter((file) => !file.startsWith(DECISIONS))
  const documents = files.map((file) => file.replace(/\.md$/, ''))
  expect(new Set([FRONT, ...CHAPTERS.flatMap(({ pages }) => pages)])).toEqual(new Set(documents))
})

test('every decision is in the list, in its order, by its number and its title', () => {
  const list = decisions(root)
  expect(list.map(({ link }) => `${link.slice(1)}.md`)).toEqual(globSync('docs/adr/0*.md', { cwd: root }).toSorted())
  expect(list.map(({ text }) => Number.parseInt(text, 10))).toEqual(list.map((_, index) => index + 1))
  expect(list[6]?.text).toBe('7. Rules in CEL, and what a blank means')
})

test('a heading has the name that GitHub gives it, so that a link leads there in both', () => {
  expect(slugOf('1. What it is')).toBe('1-what-it-is')
  expect(slugOf('Studies & centers: 证录, or `core/api`')).toBe('studies--centers-证录-or-coreapi')
})
