import type { OdmVersion } from '#core/exchange/odm/namespaces.ts'
import { STUDY_OID, nameOfStudy, rootAttributes, studyElement } from '#core/exchange/odm/write.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { element, xmlText } from '#core/exchange/xml/write.ts'

import { adminElement, namesOfFile } from './adminData.ts'
import type { FileVersion } from './fileVersions.ts'
import { fileVersions } from './fileVersions.ts'
import { subjectElement } from './nodeElements.ts'
import type { SubjectNode } from './nodes.ts'
import { snapshotOf } from './snapshot.ts'
import type { ClinicalStudy, ClinicalSubject, TellNote } from '#core/exchange/clinical/subject.ts'
import { transactionsOf } from './transactions.ts'

/**
 * Writes data of subjects as CDISC ODM 1.3.2 or 2.0, valid by the schemas of CDISC, with the definition of every
 * version that they are of (docs/adr/0048-clinical-odm.md). What of the data ODM has no word for stands beside them in
 * annotations of our own, so that reading the file gives the same data again.
 */

export interface ClinicalOdmOptions {
  readonly version: OdmVersion
  /** `Snapshot`: what holds now. `Transactional`: everything that happened, with who did it, when and why. */
  readonly fileType: 'Snapshot' | 'Transactional'
}

/**
 * The pieces of a file in UTF-8, in their order: one subject at a time is held.
 *
 * @param tell told of everything that could not be said in words of ODM, by its place
 */
export async function* writeClinicalOdm(
  { version, fileType }: ClinicalOdmOptions,
  study: ClinicalStudy,
  subjects: AsyncIterable<ClinicalSubject>,
  tell: TellNote,
): AsyncIterable<string> {
  const versions = fileVersions(study, version)
  const all = [...versions.byId.values()]
  const names = namesOfFile(study, tell)
  const { studyName, createdAt } = study
  yield openingTag(element('ODM', rootAttributes(version, { createdAt, fileType, granularity: 'All' })))
  if (all.length > 0) {
    const definitions = all.map(({ metaDataVersion }) => metaDataVersion)
    yield fragment(studyElement(version, nameOfStudy(studyName), versions.units, definitions))
    yield fragment(adminElement(study, all, names, version))
  }
  let open: FileVersion | null = null
  for await (const subject of subjects) {
    const parts =
      fileType === 'Transactional'
        ? transactionsOf(subject, versions, version, tell).map(({ version: { id }, node }) => [id, node] as const)
        : inTurn(snapshotOf(subject, versions, version, tell), open)
    for (const [id, node] of parts) {
      const of = versions.byId.get(id)
      if (of === undefined) continue
      if (of !== open) {
        if (open !== null) yield '</ClinicalData>\n'
        yield openingOf(of)
        open = of
      }
      yield fragment(subjectElement(node, { ...names, version, lists: of.lists }))
    }
  }
  if (open !== null) yield '</ClinicalData>\n'
  yield '</ODM>\n'
}

/** What is of the version that is open goes first, so that a file changes between versions no more than it must. */
function inTurn(
  nodes: ReadonlyMap<string, SubjectNode>,
  open: FileVersion | null,
): readonly (readonly [string, SubjectNode])[] {
  return [...nodes].toSorted(([one], [other]) => Number(other === open?.id) - Number(one === open?.id))
}

function openingOf({ oid }: FileVersion): string {
  const tag = element('ClinicalData', { StudyOID: STUDY_OID, MetaDataVersionOID: oid })
  return openingTag(tag).replace(/^<\?xml[^>]*>\n/, '')
}

/** The beginning of an element that stays open, with the line that says that the text is XML. */
function openingTag(root: XmlElement): string {
  return xmlText(root).replace(/\/>\n$/, '>\n')
}

/** An element within a document. */
function fragment(part: XmlElement): string {
  return xmlText(part).replace(/^<\?xml[^>]*>\n/, '')
}
