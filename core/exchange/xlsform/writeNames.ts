import type { DefinedPage } from '#core/exchange/definition.ts'
import type { XPathNames } from '#core/exchange/xpath/write.ts'
import type { RedcapNames } from '#core/exchange/xpath/writeRedcap.ts'
import type { Column, PageOption } from '#core/form/definition/column.ts'

/** Names of fields in an XLSForm: one for each of all pages together, since that is how its expressions mean them. */

/** The columns of a page in reading order, without those of its tables. */
export function columnsOf({ column, group = [] }: PageOption): readonly Column[] {
  return [...column, ...group.flatMap((one) => one.column)]
}

/** Names that XML takes. */
const NAME = /^[\p{L}_][\p{L}\p{N}_.-]*$/u

/** Names that a form has for parts of its own, in lower case: names are told apart without regard to case. */
const RESERVED = ['meta', 'data', 'instanceid', 'instancename']

export class WrittenNames {
  readonly #names = new Map<string, string>()
  readonly #columns = new Map<string, Column>()
  readonly #groups = new Map<string, string>()

  constructor(pages: readonly DefinedPage[]) {
    const taken = new Set<string>(RESERVED)
    for (const { pageCode, option } of pages) {
      for (const column of columnsOf(option)) {
        this.#add([pageCode, '', column.prop], column, pageCode, taken)
        for (const child of column.children?.column ?? [])
          this.#add([pageCode, column.prop, child.prop], child, pageCode, taken)
      }
    }
    // Groups take what fields leave, since nothing names them.
    for (const { pageCode, option } of pages) {
      if (pages.length > 1) this.#groups.set(pageCode, free(pageCode, taken))
      for (const { prop } of option.group ?? [])
        this.#groups.set(keyOf([pageCode, prop]), free(prop === '' ? `${pageCode}_part` : prop, taken))
    }
  }

  /** The group of a section, or of a page where there are several. */
  group(page: string, section?: string): string {
    return this.#groups.get(section === undefined ? page : keyOf([page, section])) ?? section ?? page
  }

  /** @param table '' for a field of the page */
  name(page: string, table: string, prop: string): string | null {
    return this.#names.get(keyOf([page, table, prop])) ?? null
  }

  /** As the rules of a field mean names. @param table that the field stands in the rows of, or '' */
  seenFrom(page: string, table: string): XPathNames & RedcapNames {
    return {
      columnOf: (other, prop) => this.#columns.get(keyOf([other ?? page, '', prop])) ?? null,
      field: (other, prop) => this.name(other ?? page, '', prop),
      row: (prop) => (table === '' ? null : this.name(page, table, prop)),
      column: (other, of, prop) => this.name(other ?? page, of, prop),
    }
  }

  #add(key: readonly string[], column: Column, page: string, taken: Set<string>): void {
    const { prop, zl } = column
    this.#columns.set(keyOf(key), column)
    const own = zl?.sourceOid !== undefined && NAME.test(zl.sourceOid) ? [zl.sourceOid] : []
    const candidates = [...own, prop, `${page}_${prop}`]
    const wish = candidates.find((one) => !taken.has(one.toLowerCase())) ?? `${page}_${prop}_${taken.size}`
    this.#names.set(keyOf(key), free(wish, taken))
  }
}

function free(wish: string, taken: Set<string>): string {
  let name = wish
  while (taken.has(name.toLowerCase())) name += '_'
  taken.add(name.toLowerCase())
  return name
}

function keyOf(key: readonly string[]): string {
  return key.join('/')
}
