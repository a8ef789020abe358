import { copyFileSync } from 'node:fs'
import path from 'node:path'
import type { UserConfig } from 'vitepress'
import { drawPicture } from './pictures.ts'
import { CHAPTERS, DECISIONS, FRONT, decisions, entryOf, foldersLeftOut, slugOf } from '#scripts/docs/pages.ts'
import { root } from '#scripts/lib/run.ts'

type Markdown = Parameters<NonNullable<NonNullable<UserConfig['markdown']>['config']>>[0]

/** The licence is no page: it lies beside them as it is, under a name that a browser shows. */
const LICENCE = { link: 'LICENSE', file: 'LICENSE.txt' } as const

const list = decisions(root)

/**
 * The documents as a site: the files themselves, where they lie, and nothing that is written for the site alone but
 * the page over the list of decisions.
 */
const site: UserConfig = {
  title: 'Zhenglu 证录',
  description: 'An offline-first electronic data capture platform for clinical studies: its documents',
  lang: 'en',
  srcDir: root,
  srcExclude: [...foldersLeftOut(root)],
  outDir: path.join(root, 'dist-docs'),
  cacheDir: path.join(root, 'node_modules/.cache/docs'),
  rewrites: { [`${FRONT}.md`]: 'index.md' },
  // An icon in the page itself: a browser that finds none asks the host for one.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    anchor: { slugify: slugOf },
    config: (markdown) => {
      drawPictures(markdown)
      leadToLicence(markdown)
    },
  },
  // The configuration of Vite in the root, and what lies in public/, belong to the app.
  vite: { configFile: false, publicDir: false },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Architecture', link: '/docs/architecture' },
      { text: 'Glossary', link: '/docs/glossary' },
      { text: 'Taps', link: '/docs/taps' },
      { text: 'Operations', link: '/docs/operations' },
      { text: 'Decisions', link: `/${DECISIONS}/` },
    ],
    sidebar: [
      ...CHAPTERS.map(({ title, pages }) => ({ text: title, items: pages.map((page) => entryOf(root, page)) })),
      { text: 'Decisions', link: `/${DECISIONS}/`, collapsed: true, items: [...list] },
    ],
    decisions: list,
  },
  buildEnd: ({ outDir }) => copyFileSync(path.join(root, LICENCE.link), path.join(outDir, LICENCE.file)),
}

/** Blocks in Mermaid's language become pictures when the site is built: no page brings the means to draw. */
function drawPictures(markdown: Markdown): void {
  const plain = markdown.renderer.rules.fence
  markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
    const block = tokens[index]
    const text = plain?.(tokens, index, options, env, self) ?? ''
    if (block?.info.trim() !== 'mermaid') return text
    // By v-html, as a template of Vue may not hold the style that an SVG brings.
    const picture = markdown.utils.escapeHtml(JSON.stringify(drawPicture(block.content)))
    return `<div style="overflow-x: auto" v-html="${picture}"></div>\n<details><summary>In words</summary>${text}</details>\n`
  }
}

function leadToLicence(markdown: Markdown): void {
  markdown.core.ruler.push('licence', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? []))
      if (token.attrGet('href') === LICENCE.link) token.attrSet('href', LICENCE.file)
  })
}

// oxlint-disable-next-line import/no-default-export -- VitePress reads it so
export default site
