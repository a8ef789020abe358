/** Splits a field annotation into action tags (`@CHARLIMIT=20`, `@CALCTEXT(…)`) and what else the designer wrote. */

export interface ActionTag {
  /** `@CHARLIMIT`, in capitals. */
  readonly name: string
  /** What stands after `=`, without its quotation marks, or between the brackets; null without either. */
  readonly argument: string | null
  /** The tag as written. */
  readonly text: string
}

export interface Annotation {
  readonly tags: readonly ActionTag[]
  /** The annotation without its tags. */
  readonly rest: string
}

const TAG = /(?<![\w.@])@[A-Z][A-Z0-9_-]*/g
const VALUE = /\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s@]+))/y

/** Reads an annotation. A bracket that is never closed ends with the annotation. */
export function readAnnotation(annotation: string): Annotation {
  const tags: ActionTag[] = []
  let rest = ''
  let done = 0
  for (const match of annotation.matchAll(TAG)) {
    if (match.index < done) continue
    rest += annotation.slice(done, match.index)
    const { argument, end } = argumentAt(annotation, match.index + match[0].length)
    tags.push({ name: match[0], argument, text: annotation.slice(match.index, end) })
    done = end
  }
  return { tags, rest: (rest + annotation.slice(done)).trim() }
}

function argumentAt(text: string, at: number): { readonly argument: string | null; readonly end: number } {
  if (text[at] === '(') {
    const close = closingBracket(text, at)
    return { argument: text.slice(at + 1, close), end: Math.min(text.length, close + 1) }
  }
  VALUE.lastIndex = at
  const value = VALUE.exec(text)
  if (value === null) return { argument: null, end: at }
  return { argument: value[1] ?? value[2] ?? value[3] ?? '', end: VALUE.lastIndex }
}

/** The bracket that closes the one at `open`; quoted brackets do not count. */
function closingBracket(text: string, open: number): number {
  let depth = 0
  let quote = ''
  for (let at = open; at < text.length; at += 1) {
    const char = text[at] ?? ''
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === '(') depth += 1
    else if (char === ')' && --depth === 0) return at
  }
  return text.length
}
