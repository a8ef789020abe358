import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'

/** The built files, by path in the site's folder: the text of pages and styles, empty for other files. */
export type Built = ReadonlyMap<string, string>

/** What a page links to, or lets the browser fetch. */
const LINK = /<a\b[^>]*?\shref="([^"]*)"/g
const FETCHED = /<(?:link|script|img|iframe|source)\b[^>]*?\s(?:href|src)="([^"]*)"/g
const FETCHED_BY_STYLE = /url\(\s*["']?([^"')]*)|@import\s+["']([^"']*)/g
const HOST = /^(?:[a-z][a-z+.-]*:)?\/\//i

/** Reads the built site. */
export async function readBuilt(folder: string): Promise<Built> {
  const built = new Map<string, string>()
  for await (const entry of glob('**', { cwd: folder, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    const text = /\.(?:html|css)$/.test(file) ? await readFile(file, 'utf8') : ''
    built.set(path.relative(folder, file).replaceAll(path.sep, '/'), text)
  }
  return built
}

/**
 * The problems of a built site: links to a page or a heading that does not exist, empty pages, and requests to another
 * host. VitePress itself refuses dead page links, but not dead heading links or pages that failed while they were
 * drawn.
 */
export function checkBuilt(built: Built): readonly string[] {
  const names = new Map([...built].map(([file, text]) => [file, namesIn(text)]))
  return [...built].flatMap(([file, text]) => {
    const findAll = (pattern: RegExp) =>
      [...text.matchAll(pattern)].map((match) => decodeText(match[1] ?? match[2] ?? ''))
    const dead = findAll(LINK).filter((to) => !isOutside(to) && !leadsSomewhere(file, to, names))
    const fetched = [...(file.endsWith('.html') ? findAll(FETCHED) : []), ...findAll(FETCHED_BY_STYLE)]
    return [
      ...(file.endsWith('.html') && file !== '404.html' && !text.includes('<h1') ? [`${file} came out empty`] : []),
      ...dead.map((to) => `${file} leads to ${to}, which is not there`),
      ...fetched.filter((to) => HOST.test(to)).map((to) => `${file} asks another host for ${to}`),
    ]
  })
}

function namesIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/\sid="([^"]*)"/g)].map(({ 1: id = '' }) => decodeText(id)))
}

/** Whether a link leaves the site: to another host, or by a scheme that does not lead to pages. */
function isOutside(to: string): boolean {
  return HOST.test(to) || /^[a-z][a-z+.-]*:/i.test(to)
}

function leadsSomewhere(from: string, to: string, names: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const { pathname, hash } = new URL(to, `http://site/${from}`)
  const page = decodeURIComponent(pathname).slice(1)
  const there = [page, `${page}index.html`, `${page}.html`].find((file) => names.has(file))
  if (there === undefined) return false
  return hash === '' || names.get(there)?.has(decodeURIComponent(hash.slice(1))) === true
}

function decodeText(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
}
