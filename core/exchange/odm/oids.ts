/** OIDs of a file that is written. In ODM 1.3.2 no two definitions of a study have the same, whatever they define. */

export class Oids {
  readonly #taken = new Set<string>()
  readonly #reserved: ReadonlySet<string>

  /** @param reserved OIDs that only fields get: data are known by them */
  constructor(reserved: Iterable<string>) {
    this.#reserved = new Set(Array.from(reserved, (oid) => oid.toLowerCase()))
  }

  /** The OID that is wanted, or another one that begins with it. Two that differ in capitals alone are one. */
  take(wanted: string, isField = false): string {
    const isFree = (oid: string) =>
      oid !== '' && !this.#taken.has(oid.toLowerCase()) && (isField || !this.#reserved.has(oid.toLowerCase()))
    let oid = wanted
    for (let at = 2; !isFree(oid); at = at < 10 ? at + 1 : at + this.#taken.size) oid = `${wanted}.${at}`
    this.#taken.add(oid.toLowerCase())
    return oid
  }
}
