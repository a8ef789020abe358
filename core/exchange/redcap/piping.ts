import type { Report } from '#core/exchange/definition.ts'

/**
 * Fields that a text of REDCap names: `[age]` shows its value within the text, `{age}` puts the field itself there.
 * Here both show the value, and an embedded field stands in its own place too.
 */

/** What a name in a text leads to: a field of the same form, of another one, or none. */
export type NamedField = { readonly prop: string } | 'elsewhere' | null

/** `[age]`, `[sex:label]`, `[event_1][age]`, `[race(2)]`, and REDCap's own `[record-name]`. */
const PIPED = /\[([A-Za-z][\w-]*)(?:\((\w+)\))?(?::([\w-]+))?\](?=(\[)?)/g
const EMBEDDED = /\{([A-Za-z]\w*)(?::icons)?\}/g

/** Smart variables that a text of a form may hold. */
const SMART =
  /^(?:record-(?:name|link|url|dag-\w+)|event-\w+|(?:first|last|previous|next|current)-(?:event|instance)[\w-]*|arm-\w+|user-[\w-]+|survey-[\w-]+|form-[\w-]+|instrument-[\w-]+|project-[\w-]+|aggregate-[\w-]+|scatter-plot|rand-[\w-]+|is-form|is-survey|calendar-url|file)$/

/**
 * The places of a text that show values of the same form; others, which show nothing here, are reported with the text.
 */
export function pipesOf(
  text: string,
  named: (name: string) => NamedField,
  report: Report,
): Readonly<Record<string, string>> {
  const pipes: Record<string, string> = {}
  /** Those that stand behind the name of an event: the same text does not mean this page's field there. */
  const ofEvents = new Set<string>()
  let isLost = false
  for (const match of text.matchAll(PIPED)) {
    const [token, name = '', box, format, next] = match
    const found = named(name.toLowerCase())
    const isOfEvent = text[match.index - 1] === ']'
    if (isOfEvent) ofEvents.add(token)
    const isPlain =
      !isOfEvent &&
      next === undefined &&
      box === undefined &&
      (format === undefined || format.toLowerCase() === 'label')
    if (isPlain && found !== null && found !== 'elsewhere') pipes[token] = found.prop
    else if (found !== null || SMART.test(name.toLowerCase())) isLost = true
  }
  for (const token of ofEvents) Reflect.deleteProperty(pipes, token)
  if (isLost) report('label', 'piped-value', text)
  let isEmbedding = false
  for (const [token, name = ''] of text.matchAll(EMBEDDED)) {
    const found = named(name.toLowerCase())
    if (found === null) continue
    isEmbedding = true
    if (found !== 'elsewhere') pipes[token] = found.prop
  }
  if (isEmbedding) report('label', 'embedded-field', text)
  return pipes
}
