import type { StudyDefinition } from '#core/exchange/definition.ts'
import type { NotWritten } from '#core/exchange/notWritten.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { element, xmlText } from '#core/exchange/xml/write.ts'

import { ODM_1_3, ODM_2_0 } from './namespaces.ts'
import type { OdmVersion } from './namespaces.ts'
import { Units } from './version/units.ts'
import { styleOf, writeMetaDataVersion } from './version/writeMetaData.ts'

/**
 * Writes a study definition as ODM 1.3.2 or 2.0, valid by the schemas of CDISC. What ODM has no word for is in aliases
 * of our own (docs/adr/0026-odm.md), so that reading the text again gives the same definition; it is named, as no other
 * system reads it.
 */

export interface OdmOptions {
  readonly version: OdmVersion
  readonly studyName: string
  /** When it is written, as a time of ISO 8601 with its zone. */
  readonly createdAt: string
}

export interface WrittenOdm {
  readonly text: string
  readonly notWritten: readonly NotWritten[]
}

/** The text of a file with the pages and visits of a definition. */
export function writeOdm(
  definition: Pick<StudyDefinition, 'pages' | 'folders'>,
  { version, studyName, createdAt }: OdmOptions,
): WrittenOdm {
  const units = new Units(styleOf(version))
  const name = nameOfStudy(studyName)
  const { metaDataVersion, notWritten } = writeMetaDataVersion(definition, { version, oid: 'MDV.1', name }, units)
  const root = element('ODM', rootAttributes(version, { createdAt, fileType: 'Snapshot', granularity: 'Metadata' }), [
    studyElement(version, name, units, [metaDataVersion]),
  ])
  return { text: xmlText(root), notWritten }
}

/** A study with its versions; in ODM 1.3.2 with the units that they use. */
export function studyElement(
  version: OdmVersion,
  name: string,
  units: Units,
  versions: readonly XmlElement[],
): XmlElement {
  if (version === '2.0') return element('Study', { OID: STUDY_OID, StudyName: name, ProtocolName: name }, versions)
  return element('Study', { OID: STUDY_OID }, [
    element('GlobalVariables', {}, [
      element('StudyName', {}, name),
      element('StudyDescription', {}, name),
      element('ProtocolName', {}, name),
    ]),
    ...(units.byOid.size === 0 ? [] : [element('BasicDefinitions', {}, [...units.byOid.values()])]),
    ...versions,
  ])
}

/** OID of the study in every file that we write. */
export const STUDY_OID = 'S.1'

/** The name of a study as ODM takes it, which knows no study without one. */
export function nameOfStudy(studyName: string): string {
  return studyName.trim() === '' ? 'Study' : studyName.trim()
}

/** Attributes of the element around a whole file. */
export function rootAttributes(
  version: OdmVersion,
  {
    createdAt,
    fileType,
    granularity,
  }: { readonly createdAt: string; readonly fileType: 'Snapshot' | 'Transactional'; readonly granularity: string },
): Readonly<Record<string, string>> {
  return {
    xmlns: version === '2.0' ? ODM_2_0 : ODM_1_3,
    FileType: fileType,
    Granularity: granularity,
    FileOID: `zhenglu.${createdAt}`,
    CreationDateTime: createdAt,
    SourceSystem: 'Zhenglu',
    ODMVersion: version,
  }
}
