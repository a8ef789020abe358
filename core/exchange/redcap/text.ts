/** Labels and choices of a dictionary as plain text. */

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  le: '≤',
  ge: '≥',
  deg: '°',
  micro: 'µ',
}

/** A label without its markup. Text that only looks like a tag (`<5 mg`) stays. */
export function plainText(label: string): string {
  return label
    .replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<br\s*\/?>|<\/(p|div|li|h[1-6]|tr)\s*>/gi, '\n')
    .replace(/<\/?[a-z][a-z0-9]*(\s[^<>]*)?\/?>|<!--[\s\S]*?-->/gi, '')
    .replace(/&([a-z]+|#\d{1,7});/gi, (whole, name: string) => entity(name) ?? whole)
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim()
}

/** Whether a label holds markup that `plainText` takes away. */
export function hasMarkup(label: string): boolean {
  return /<\/?[a-z][a-z0-9]*(\s[^<>]*)?\/?>|<!--/i.test(label)
}

/** A plain text so that `plainText` gives it back: what would be read as markup or as an entity is written as one. */
export function escapedText(text: string): string {
  return text.replace(/&(?=[a-z]+;|#\d{1,7};)/gi, '&amp;').replace(/<(?=[a-z/!])/gi, '&lt;')
}

export interface SourceChoice {
  readonly value: string
  readonly label: string
}

/** `1, Yes | 0, No`, or one choice a line. A part without a comma is its own label. */
export function readChoices(text: string): readonly SourceChoice[] {
  return text
    .split(/\||\r?\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const comma = part.indexOf(',')
      if (comma === -1) return { value: part, label: part }
      const value = part.slice(0, comma).trim()
      const label = part.slice(comma + 1).trim()
      return { value, label: label === '' ? value : label }
    })
}

function entity(name: string): string | null {
  if (name.startsWith('#')) {
    const code = Number(name.slice(1))
    return code > 31 && code < 0x110000 && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : null
  }
  return ENTITIES[name.toLowerCase()] ?? null
}
