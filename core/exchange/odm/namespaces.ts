/** Names by which ODM files know each other. */

/** Versions that are written. */
export type OdmVersion = '1.3.2' | '2.0'

export const ODM_1_3 = 'http://www.cdisc.org/ns/odm/v1.3'
export const ODM_2_0 = 'http://www.cdisc.org/ns/odm/v2.0'

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
