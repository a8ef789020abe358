/** How the reader of a kind of file lets a field read what another holds, instead of what is shown of it. */
interface CircleOpening<Page, Field> {
  readonly fieldsOf: (page: Page) => readonly Field[]
  /** Whether the reader's rules may read that field as it is stored. */
  readonly mayRead: (reader: Field, read: Field) => boolean
  /** Names of what the rules of a field read as it is stored: the opened ones are added. */
  readonly storedOf: (reader: Field) => Set<string>
  /** Makes the rules of both again, once the reader reads the other as it is stored. */
  readonly again: (page: Page, reader: Field, read: Field) => void
  /** Fields whose circles were opened in this round: filled here, a new one for each round. */
  readonly round: Set<Field>
}

/**
 * Lets the fields of a circle within one page read what the others hold, as far as the source allows it. Gives whether
 * that opens the circle; one that leads over several pages stays closed.
 *
 * @param path The circle as compiling names it: names of fields, with the code of their page before a slash where
 *   that is another than `from`.
 */
export function openCircle<Page extends { readonly code: string }, Field extends { readonly prop: string }>(
  pages: readonly Page[],
  from: Page,
  path: readonly string[],
  { fieldsOf, mayRead, storedOf, again, round }: CircleOpening<Page, Field>,
): boolean {
  // A page that reads another sees the other's circle.
  const places = path.map((key) => key.split('/').toReversed())
  const page = pages.find(({ code }) => places.every(([, of = from.code]) => of === code))
  if (page === undefined) return false
  const named = places.map(([prop]) => fieldsOf(page).find((field) => field.prop === prop))
  let opened = false
  for (const [at, reader] of named.entries()) {
    const read = named[at + 1]
    if (reader === undefined || read === undefined || !mayRead(reader, read)) continue
    const stored = storedOf(reader)
    if (stored.has(read.prop)) {
      // The same circle is seen from several pages at once; one that is still there a round later is not opened by
      // this.
      opened ||= round.has(reader)
      continue
    }
    opened = true
    round.add(reader)
    stored.add(read.prop)
    again(page, reader, read)
  }
  return opened
}
