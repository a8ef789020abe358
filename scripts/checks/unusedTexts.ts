import { parseSync, Visitor } from 'vite'
import { lineAt } from '#scripts/checks/sources.ts'
import type { Finding, SourceFile } from '#scripts/checks/sources.ts'

/** Where texts are written first; English has the same keys. */
const TEXTS = /^src\/i18n\/zh\/[^/]+\.ts$/
const READERS = /^(src|offline|workers|sw)\//

/** i18next's plural forms: each language has those that it needs. */
const PLURAL = /_(zero|one|two|few|many|other)$/

/**
 * Texts that no code uses. A key counts as used when the code contains it as a string, with or without its namespace,
 * or when a template can produce it. The check does not know what a template is filled with, so it does not report an
 * unused key that only looks like a produced one.
 */
export function checkUnusedTexts(files: readonly SourceFile[]): Finding[] {
  const asked = askedFor(files.filter(({ path }) => READERS.test(path) && !path.startsWith('src/i18n/')))
  return files
    .filter(({ path }) => TEXTS.test(path))
    .flatMap((file) =>
      keysOf(file)
        .filter(({ key }) => !asked.strings.has(key) && !asked.patterns.some((pattern) => pattern.test(key)))
        .map(({ key, offset }) => ({
          path: file.path,
          line: lineAt(file.text, offset),
          message: `${key} is asked for nowhere`,
        })),
    )
}

/** The keys that code names, and the patterns of keys that it builds. */
function askedFor(files: readonly SourceFile[]): {
  readonly strings: ReadonlySet<string>
  readonly patterns: readonly RegExp[]
} {
  const strings = new Set<string>()
  const shapes = new Set<string>()
  for (const { path, text } of files) {
    new Visitor({
      Literal({ value }) {
        if (typeof value === 'string') strings.add(withoutNamespace(value))
      },
      TemplateLiteral({ quasis }) {
        const pieces = quasis.map(({ value }, at) => (at === 0 ? withoutNamespace(value.raw) : value.raw))
        // A template without any fixed part of a key could produce anything.
        if (pieces.length === 1) strings.add(pieces[0] ?? '')
        else if (pieces.some((piece) => /\w/.test(piece)) && pieces.every((piece) => /^[\w.-]*$/.test(piece)))
          shapes.add(pieces.join('\n'))
      },
    }).visit(parseSync(path, text).program)
  }
  const patterns = [...shapes].map(
    (shape) => new RegExp(`^${shape.replaceAll('.', '\\.').split('\n').join('[#\\w-]+')}$`),
  )
  return { strings, patterns }
}

function withoutNamespace(key: string): string {
  return key.replace(/^\w+:/, '')
}

interface Key {
  readonly key: string
  readonly offset: number
}

/** The keys of a text file, with the place of each. */
function keysOf(file: SourceFile): Key[] {
  const keys: Key[] = []
  const trail: string[] = []
  new Visitor({
    Property({ key, value, start }) {
      const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : ''
      trail.push(name)
      if (value.type === 'Literal') keys.push({ key: trail.join('.').replace(PLURAL, ''), offset: start })
    },
    'Property:exit'() {
      trail.pop()
    },
  }).visit(parseSync(file.path, file.text).program)
  return keys
}
