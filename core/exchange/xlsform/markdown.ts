/**
 * Labels of ODK in plain text: it shows headings, strong and emphasised words, and links of Markdown. A sign stands for
 * itself where it marks nothing (`5 * 3`, `snake_case`, `**`), and after a backslash.
 */

/** Longest text between two marks. With it every pattern takes time linear in the label. */
const MARKED = '[^\\s*_](?:[^*_\\n]{0,498}[^\\s*_])?'
const STRONG = new RegExp(`(?<![\\w\\\\])(\\*\\*|__)(${MARKED})\\1(?!\\w)`, 'g')
const EMPHASISED = new RegExp(`(?<![\\w\\\\*_])([*_])(${MARKED})\\1(?![\\w*_])`, 'g')
const HEADING = /^#{1,6}[ \t]+/gm
const LINK = /(?<!\\)\[([^[\]\n]{1,500})\]\((https?:[^()\s]{1,1000})\)/g
const ESCAPED = /\\([\\*_#[\]()])/g

/** A label without the signs of its Markdown; the address of a link stands behind its words. */
export function withoutMarkdown(label: string): string {
  if (!/[*_#\\]|\]\(/.test(label)) return label
  return label
    .replace(HEADING, '')
    .replace(LINK, '$1 ($2)')
    .replace(STRONG, '$2')
    .replace(EMPHASISED, '$2')
    .replace(ESCAPED, '$1')
}
