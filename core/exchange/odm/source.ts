import type { DefinitionError } from '#core/exchange/definition.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf, childOf, childrenOf } from '#core/exchange/xml/element.ts'
import type { XmlLimits } from '#core/exchange/xml/read.ts'
import { readXml } from '#core/exchange/xml/read.ts'

import { OdmCounts } from './counts.ts'
import { readOdmVersion } from './namespaces.ts'

/** The definitions of an ODM file, by their OIDs, as they stand in it. Data of patients are counted and not kept. */

/** The largest files with the data of a whole study have a tenth; definitions alone a hundredth. */
const LIMITS: XmlLimits = { length: 60_000_000, depth: 100, elements: 400_000, attributes: 500 }

/** Most fields of a file, defined or used. */
export const MAX_FIELDS = 20_000

/** Parts of a file beside its studies: none of them defines a form. */
const BESIDE: ReadonlySet<string> = new Set(['ClinicalData', 'ReferenceData', 'AdminData', 'Association'])

/** Elements of OpenClinica, in a namespace that its versions name differently. */
export const MULTI_LIST = 'MultiSelectList'
export const MULTI_REF = 'MultiSelectListRef'

type Definitions = ReadonlyMap<string, XmlElement>

export interface OdmSource {
  readonly version: string
  readonly counts: OdmCounts
  readonly root: XmlElement
  readonly study: XmlElement
  readonly metadata: XmlElement
  /** Versions of the definition that are not read, as they stand in the file. */
  readonly otherVersions: readonly XmlElement[]
  readonly events: Definitions
  readonly eventGroups: Definitions
  readonly forms: Definitions
  readonly groups: Definitions
  readonly items: Definitions
  readonly codeLists: Definitions
  /** Lists of OpenClinica, of which several may be chosen. */
  readonly multiLists: Definitions
  readonly conditions: Definitions
  readonly methods: Definitions
  readonly units: Definitions
}

export type SourceResult =
  | { readonly ok: true; readonly source: OdmSource }
  | { readonly ok: false; readonly error: DefinitionError }

/** Reads the text of an ODM file. One that defines nothing is an error that says what it holds instead. */
export function readSource(text: string): SourceResult {
  const counts = new OdmCounts()
  const read = readXml(text, LIMITS, (element, parent) => {
    counts.add(element)
    return parent !== null && parent.name === 'ODM' && BESIDE.has(element.name) ? 'skip' : 'keep'
  })
  if (!read.ok) return read
  const { root } = read
  const { version, isRead } = readOdmVersion(root)
  if (!isRead) return { ok: false, error: { kind: 'odm-version', version } }
  if (counts.of('ItemDef') > MAX_FIELDS) return { ok: false, error: { kind: 'too-large' } }

  const studies = childrenOf(root, 'Study')
  // Of several studies the first that asks for anything: one before it may only lend its lists.
  const defining = studies.filter((one) => childOf(one, 'MetaDataVersion') !== null)
  const study =
    defining.find((one) =>
      childrenOf(one, 'MetaDataVersion').some((version) => childOf(version, 'ItemDef') !== null),
    ) ?? defining[0]
  const metadata = study === undefined ? undefined : childrenOf(study, 'MetaDataVersion').at(-1)
  if (study === undefined || metadata === undefined || counts.of('ItemDef') === 0) {
    const subjects = counts.of('SubjectData')
    return {
      ok: false,
      error: subjects === 0 ? { kind: 'no-metadata' } : { kind: 'clinical-data-only', subjects, counts: counts.all },
    }
  }

  return { ok: true, source: sourceOf({ version, counts, root, study, metadata }) }
}

/** What one version of the definition holds. */
export function sourceOf({
  version,
  counts,
  root,
  study,
  metadata,
}: Pick<OdmSource, 'version' | 'counts' | 'root' | 'study' | 'metadata'>): OdmSource {
  const versions = childrenOf(root, 'Study').flatMap((one) => childrenOf(one, 'MetaDataVersion'))
  const parts = withIncluded(metadata, childrenOf(study, 'MetaDataVersion'))
  const definitions = (name: string, within: readonly XmlElement[] = parts): Definitions =>
    new Map(within.flatMap((part) => childrenOf(part, name)).map((one) => [attributeOf(one, 'OID'), one]))
  return {
    version,
    counts,
    root,
    study,
    metadata,
    otherVersions: versions.filter((one) => !parts.includes(one)),
    events: definitions('StudyEventDef'),
    eventGroups: definitions('StudyEventGroupDef'),
    forms: definitions('FormDef'),
    groups: definitions('ItemGroupDef'),
    items: definitions('ItemDef'),
    codeLists: definitions('CodeList'),
    multiLists: new Map(
      parts
        .flatMap(({ children }) => children.filter(({ name }) => name === MULTI_LIST))
        .map((one) => [attributeOf(one, 'ID'), one]),
    ),
    conditions: definitions('ConditionDef'),
    methods: definitions('MethodDef'),
    units: definitions('MeasurementUnit', childrenOf(study, 'BasicDefinitions')),
  }
}

/** A version with those that it includes, the included ones first: what it defines itself goes before. */
function withIncluded(metadata: XmlElement, versions: readonly XmlElement[]): readonly XmlElement[] {
  const parts = [metadata]
  for (let at: XmlElement | undefined = metadata; at !== undefined;) {
    const include: XmlElement | null = childOf(at, 'Include')
    const wanted: string = include === null ? '' : attributeOf(include, 'MetaDataVersionOID')
    at = versions.find((one) => attributeOf(one, 'OID') === wanted && !parts.includes(one))
    if (at !== undefined) parts.unshift(at)
  }
  return parts
}

/** References in the order that they give, else in that of the file. */
export function inOrder(references: readonly XmlElement[]): readonly XmlElement[] {
  const places = references.map((one, at) => ({
    one,
    at,
    place: Number(one.attributes.get('OrderNumber') ?? Number.NaN),
  }))
  if (places.some(({ place }) => Number.isNaN(place))) return references
  return places.toSorted((a, b) => a.place - b.place || a.at - b.at).map(({ one }) => one)
}
