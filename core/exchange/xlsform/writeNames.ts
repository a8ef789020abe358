import type { DefinedPage } from '#core/exchange/definition.ts'
import type { XPathNames } from '#core/exchange/xpath/write.ts'
import type { Column, PageOption } from '#core/form/column.ts'

/** Names of fields in an XLSForm: one for each of all pages together, since that is how its expressions mean them. */

/** The columns of a page in reading order, without those of its tables. */
export function columnsOf({ column, group = [] }: PageOption): readonly Column[] {
  return [...column, ...group.flatMap((one) => one.column)]
}

/** Names that XML takes. */
const NAME = /^[\p{L}_][\p{L}\p{N}_.-]*$/u

export class WrittenNames {
  readonly #names = new Map<string, string>()

  constructor(pages: readonly DefinedPage[]) {
    const taken = new Set<string>()
    for (const { pageCode, option } of pages) {
      for (const column of columnsOf(option)) {
        this.#add([pageCode, '', column.prop], column, pageCode, taken)
        for (const child of column.children?.column ?? []) this.#add([pageCode, column.prop, child.prop], child, pageCode, taken)
      }
    }
  }

  /** @param table '' for a field of the page */
  name(page: string, table: string, prop: string): string | null {
    return this.#names.get(keyOf([page, table, prop])) ?? null
  }

  /** As the rules of a field mean names. @param table that the field stands in the rows of, or '' */
  seenFrom(page: string, table: string): XPathNames {
    return {
      field: (other, prop) => this.name(other ?? page, '', prop),
      row: (prop) => (table === '' ? null : this.name(page, table, prop)),
      column: (other, of, prop) => this.name(other ?? page, of, prop),
    }
  }

  #add(key: readonly string[], { prop, zl }: Column, page: string, taken: Set<string>): void {
    const own = zl?.sourceOid !== undefined && NAME.test(zl.sourceOid) ? [zl.sourceOid] : []
    const candidates = [...own, prop, `${page}_${prop}`]
    let name = candidates.find((one) => !taken.has(one)) ?? `${page}_${prop}_${taken.size}`
    while (taken.has(name)) name += '_'
    taken.add(name)
    this.#names.set(keyOf(key), name)
  }
}

function keyOf(key: readonly string[]): string {
  return key.join('/')
}
