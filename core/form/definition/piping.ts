/**
 * Labels and hints that show values of other fields: the places in the text, as the source wrote them, and the codes of
 * the fields that they show.
 */

export interface Pipe {
  /** The place as it is written in the text: `[age]`, `${age}`. */
  readonly token: string
  readonly code: string
}

/** The text for a missing value, as in REDCap. */
const BLANK = '______'

/** The places in a stored extension; anything that is no place is left out. */
export function readPipes(value: unknown): readonly Pipe[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return NONE
  const pipes = Object.entries(value).flatMap(([token, code]): Pipe[] =>
    token !== '' && typeof code === 'string' ? [{ token, code }] : [],
  )
  return pipes.length === 0 ? NONE : pipes
}

const NONE: readonly Pipe[] = []

/**
 * A text with the places filled in, in one pass: a place within a value is never filled in.
 *
 * @param valueOf gives '' where the field is empty
 */
export function pipedText(text: string, pipes: readonly Pipe[], valueOf: (code: string) => string): string {
  if (pipes.length === 0) return text
  let result = ''
  let at = 0
  while (at < text.length) {
    const next = nextPlace(text, at, pipes)
    if (next === null) break
    const value = valueOf(next.pipe.code)
    result += text.slice(at, next.at) + (value === '' ? BLANK : value)
    at = next.at + next.pipe.token.length
  }
  return result + text.slice(at)
}

/** The text with all places blank, for use without data. */
export function blankText(text: string, pipes: readonly Pipe[]): string {
  return pipedText(text, pipes, () => '')
}

function nextPlace(
  text: string,
  from: number,
  pipes: readonly Pipe[],
): { readonly at: number; readonly pipe: Pipe } | null {
  let found: { at: number; pipe: Pipe } | null = null
  for (const pipe of pipes) {
    const at = text.indexOf(pipe.token, from)
    if (
      at !== -1 &&
      (found === null || at < found.at || (at === found.at && pipe.token.length > found.pipe.token.length))
    )
      found = { at, pipe }
  }
  return found
}
