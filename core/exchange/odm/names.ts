import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf, childrenOf } from '#core/exchange/xml/element.ts'
import { isFieldCode } from '#core/form/definition/page.ts'

/** Codes for what ODM names by OIDs: an OID that can be a code is one, others get a code and stay beside it. */

/** Longest code, as pages and fields have it. */
const MAX_CODE = 100

/** Codes of the items of a file: one item has one code wherever it stands. */
export class ItemCodes {
  readonly #byOid = new Map<string, string>()
  readonly #taken = new Set<string>()

  /** @param items all that the file defines: what is the code of one by its OID is not given to another */
  constructor(items: Iterable<XmlElement>) {
    const others: XmlElement[] = []
    for (const item of items) {
      const oid = attributeOf(item, 'OID')
      if (isFieldCode(oid) && !this.#taken.has(oid.toLowerCase())) this.#give(oid, oid)
      else others.push(item)
    }
    for (const item of others) this.#give(attributeOf(item, 'OID'), this.#codeFor(item))
  }

  /** The code of an item; null where the file has no such item. */
  of(oid: string): string | null {
    return this.#byOid.get(oid) ?? null
  }

  /**
   * Its name in the standard for collected data goes first, then its own, then its OID without what a code cannot have.
   */
  #codeFor(item: XmlElement): string {
    const cdash = childrenOf(item, 'Alias').find((alias) => /^cdash/i.test(attributeOf(alias, 'Context')))
    const names = [cdash === undefined ? '' : attributeOf(cdash, 'Name'), attributeOf(item, 'Name')]
    const found = names.find((name) => isFieldCode(name) && !this.#taken.has(name.toLowerCase()))
    return found ?? freeCode(attributeOf(item, 'OID'), 'field', this.#taken)
  }

  #give(oid: string, code: string): void {
    this.#byOid.set(oid, code)
    this.#taken.add(code.toLowerCase())
  }
}

/** A code that is not taken, made of an OID: `ODM.F.DM` becomes `ODM_F_DM`. @param taken in lower case */
export function freeCode(oid: string, kind: string, taken: ReadonlySet<string>): string {
  const isFree = (code: string) => !taken.has(code.toLowerCase())
  if (isFieldCode(oid) && isFree(oid)) return oid
  const plain = oid
    .replace(/[^A-Za-z0-9_]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, MAX_CODE - 20)
  const code = [plain, `${kind}_${plain}`].find(isFieldCode) ?? kind
  if (isFree(code)) return code
  // Among thousands of the same name the next free number is near their count.
  for (let at = isFree(`${code}_2`) ? 2 : taken.size + 1; ; at += 1) if (isFree(`${code}_${at}`)) return `${code}_${at}`
}
