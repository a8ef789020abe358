/** Pages and their fields to pick from, in the reader's words. */

export interface PickedField {
  /** Names it among all fields of all pages. */
  readonly key: string
  readonly code: string
  /** With its table, where it is a column of one. */
  readonly label: string
  readonly note?: string
}

export interface PickedPage {
  readonly id: string
  readonly name: string
  readonly note?: string
  readonly fields: readonly PickedField[]
}

/** Pages with the fields that a search leaves: all of a page that it finds by its name. */
export function searchPages(pages: readonly PickedPage[], typed: string): readonly PickedPage[] {
  const search = typed.trim().toLowerCase()
  if (search === '') return pages
  const has = (...words: readonly string[]) => words.some((word) => word.toLowerCase().includes(search))
  return pages.flatMap((page) => {
    const isFound = has(page.name, page.note ?? '')
    const fields = isFound ? page.fields : page.fields.filter(({ label, code }) => has(label, code))
    return fields.length === 0 ? [] : [{ ...page, fields }]
  })
}
