import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf } from '#core/exchange/xml/element.ts'

/** Names by which ODM files know each other. */

/** Versions that are written. */
export type OdmVersion = '1.3.2' | '2.0'

export const ODM_1_3 = 'http://www.cdisc.org/ns/odm/v1.3'
export const ODM_2_0 = 'http://www.cdisc.org/ns/odm/v2.0'

/** The version that a file says it has, or else its namespace, and whether it is one that we read. */
export function readOdmVersion(root: XmlElement): { readonly version: string; readonly isRead: boolean } {
  const version = attributeOf(root, 'ODMVersion') || (/\/v(\d\.\d)/.exec(root.namespace)?.[1] ?? '1.3')
  return { version, isRead: /^[12]\./.test(version) }
}

const REDCAP = 'https://projectredcap.org'

/** The key of an attribute that REDCap adds. */
export function redcapKey(name: string): string {
  return `{${REDCAP}}${name}`
}

/** Whether a key is one of REDCap's attributes. */
export function isRedcapKey(key: string): boolean {
  return key.startsWith(`{${REDCAP}}`)
}

/** Context of our own expressions, which are CEL. */
export const CEL_CONTEXT = 'zhenglu-cel'

/** Context of the alias that holds what ODM has no word for, as JSON (docs/adr/0026-odm.md). */
export const OWN_CONTEXT = 'zhenglu'
