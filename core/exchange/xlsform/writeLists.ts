import type { DictionaryItem } from '#core/form/definition/column.ts'

/** Lists of choices on their way into an XLSForm: fields with the same choices share one. */

interface WrittenChoice {
  readonly item: Pick<DictionaryItem, 'value' | 'label'>
  /** Further cells by the titles of their columns. */
  readonly more: Readonly<Record<string, string>>
}

export class WrittenLists {
  readonly #lists = new Map<string, readonly WrittenChoice[]>()
  readonly #byContent = new Map<string, string>()

  /** The name of a list of these choices. @param wish what it is best called */
  nameFor(choices: readonly WrittenChoice[], wish: string): string {
    const content = JSON.stringify(choices)
    const known = this.#byContent.get(content)
    if (known !== undefined) return known
    let name = wish.replaceAll(/\s+/g, '_')
    while (this.#lists.has(name)) name += '_'
    this.#lists.set(name, choices)
    this.#byContent.set(content, name)
    return name
  }

  get hasDuplicates(): boolean {
    return [...this.#lists.values()].some(
      (choices) => new Set(choices.map(({ item }) => item.value)).size < choices.length,
    )
  }

  /** Rows of the sheet `choices`, by the titles of their columns. */
  rows(labelTitle: string): readonly Readonly<Record<string, string>>[] {
    return [...this.#lists].flatMap(([name, choices]) =>
      choices.map(({ item, more }) => ({
        list_name: name,
        name: String(item.value),
        [labelTitle]: item.label,
        ...more,
      })),
    )
  }
}
