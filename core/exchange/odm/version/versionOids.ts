/** OIDs that the definition of a version has in a file, by our codes: data are written under the same. */

export interface ItemOid {
  readonly oid: string
  /** `DataType` of its definition. */
  readonly dataType: string
  /** Coded values of its list; null for an item without one. */
  readonly codes: ReadonlySet<string> | null
}

/** A group of items: fields of a section that stand together, or a table, whose rows repeat it. */
export interface GroupOids {
  readonly oid: string
  /** Code of the table; null for fields of the page. */
  readonly table: string | null
  /** By field code, in the order of the page. */
  readonly items: ReadonlyMap<string, ItemOid>
}

export interface FormOids {
  readonly oid: string
  readonly repeats: boolean
  /** In the order of the page. */
  readonly groups: readonly GroupOids[]
}

export interface EventOids {
  readonly oid: string
  readonly repeats: boolean
}

export interface VersionOids {
  /** By folder code. */
  readonly events: ReadonlyMap<string, EventOids>
  /** By page code. */
  readonly forms: ReadonlyMap<string, FormOids>
  /** Lists that were asked for beside those of the definition, by the OID that was asked for. */
  readonly lists: ReadonlyMap<string, string>
}
