import type { XmlElement } from '#core/exchange/xml/element.ts'
import { element } from '#core/exchange/xml/write.ts'

import type { TextStyle } from '#core/exchange/odm/texts.ts'
import { textsElement } from '#core/exchange/odm/texts.ts'

/** Units of a study that is written: ODM 1.3.2 defines them once for all versions of the definition. */
export class Units {
  readonly #style: TextStyle
  readonly #byOid = new Map<string, XmlElement>()
  readonly #known = new Map<string, string>()

  constructor(style: TextStyle) {
    this.#style = style
  }

  /** Definitions by their OIDs, in the order in which they came up. */
  get byOid(): ReadonlyMap<string, XmlElement> {
    return this.#byOid
  }

  /** The OID of a unit, which is defined where it was not yet. */
  define(unit: string, unitEn: string | undefined): string {
    const key = JSON.stringify([unit, unitEn])
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const oid = `MU.${this.#byOid.size + 1}`
    const symbol = textsElement('Symbol', { zh: unit, ...(unitEn === undefined ? {} : { en: unitEn }) }, this.#style)
    this.#byOid.set(oid, element('MeasurementUnit', { OID: oid, Name: unit }, [symbol]))
    this.#known.set(key, oid)
    return oid
  }
}
