import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** What stands under one heading of the site's menu: paths of documents from the root, without `.md`. */
export type Chapter = Readonly<{ title: string; pages: readonly string[] }>

/** The front page of the site is the README: what a newcomer reads first is written once. */
export const FRONT = 'README'

/** Every document of the site but the decisions, which are read from their folder. */
export const CHAPTERS: readonly Chapter[] = [
  { title: 'The house', pages: ['docs/architecture', 'docs/glossary', 'docs/specification', 'docs/findings'] },
  { title: 'How to', pages: ['docs/how-to/field-type', 'docs/how-to/call', 'docs/how-to/screen'] },
  { title: 'Running it', pages: ['docs/operations', 'SECURITY'] },
  { title: 'Definitions in and out', pages: ['docs/exchange', 'docs/import-redcap'] },
  { title: 'The project', pages: ['CONTRIBUTING', 'CODE_OF_CONDUCT', 'CHANGELOG'] },
]

/** Where the decisions lie, with the page that lists them. */
export const DECISIONS = 'docs/adr'

/** A document as the menu names it. */
export type Entry = Readonly<{ text: string; link: string }>

/** An entry of the menu for a document: its title is its first heading. */
export function entryOf(root: string, page: string): Entry {
  const text = readFileSync(path.join(root, `${page}.md`), 'utf8')
  return { text: /^# (.+)$/m.exec(text)?.[1] ?? path.basename(page), link: `/${page}` }
}

/** The decisions in their order, by their files. A number has no zeros before it, however its page is written. */
export function decisions(root: string): readonly Entry[] {
  const names = readdirSync(path.join(root, DECISIONS)).filter((name) => /^\d+.*\.md$/.test(name))
  return names.toSorted().map((name) => {
    const { text, link } = entryOf(root, `${DECISIONS}/${path.basename(name, '.md')}`)
    return { text: text.replace(/^0*(\d+)\.? /, '$1. '), link }
  })
}

/** Folders of the root that hold no page of the site. */
export function foldersLeftOut(root: string): readonly string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'docs')
    .map(({ name }) => `${name}/**`)
}

/** The name of a heading as GitHub makes it: one link leads there and here. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')
}
