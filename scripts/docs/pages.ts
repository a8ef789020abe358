import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** One heading of the site's menu with its documents: paths from the root, without `.md`. */
export type Chapter = Readonly<{ title: string; pages: readonly string[] }>

/** The front page of the site is the README, so that the text for newcomers is written once. */
export const FRONT = 'README'

/** Every document of the site except the decisions, which are read from their folder. */
export const CHAPTERS: readonly Chapter[] = [
  {
    title: 'The house',
    pages: ['docs/architecture', 'docs/glossary', 'docs/specification', 'docs/findings', 'docs/taps', 'docs/look'],
  },
  { title: 'How to', pages: ['docs/how-to/field-type', 'docs/how-to/call', 'docs/how-to/screen'] },
  { title: 'Running it', pages: ['docs/operations', 'SECURITY'] },
  { title: 'Definitions in and out', pages: ['docs/exchange', 'docs/import-redcap'] },
  { title: 'The project', pages: ['CONTRIBUTING', 'CODE_OF_CONDUCT', 'CHANGELOG'] },
]

/** The folder of the decisions, with the page that lists them. */
export const DECISIONS = 'docs/adr'

/** A document as the menu names it. */
export type Entry = Readonly<{ text: string; link: string }>

/** A menu entry for a document: its title is the document's first heading. */
export function entryOf(root: string, page: string): Entry {
  const text = readFileSync(path.join(root, `${page}.md`), 'utf8')
  return { text: /^# (.+)$/m.exec(text)?.[1] ?? path.basename(page), link: `/${page}` }
}

/** The decisions in order, by their files. Numbers are shown without leading zeros, however the page writes them. */
export function decisions(root: string): readonly Entry[] {
  const names = readdirSync(path.join(root, DECISIONS)).filter((name) => /^\d+.*\.md$/.test(name))
  return names.toSorted().map((name) => {
    const { text, link } = entryOf(root, `${DECISIONS}/${path.basename(name, '.md')}`)
    return { text: text.replace(/^0*(\d+)\.? /, '$1. '), link }
  })
}

/** Folders of the root without pages of the site. */
export function foldersLeftOut(root: string): readonly string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'docs')
    .map(({ name }) => `${name}/**`)
}

/** A heading's anchor as GitHub makes it: the same link works there and here. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')
}
