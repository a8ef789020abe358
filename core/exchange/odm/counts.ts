import type { SourceCounts } from '#core/exchange/definition.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf } from '#core/exchange/xml/element.ts'

import { redcapKey } from './namespaces.ts'

/** Counts an ODM file while it is read: elements by their names, whatever becomes of them. */

/** Elements that are counted, in the order in which they are given. */
const COUNTED = [
  'Study',
  'MetaDataVersion',
  'Protocol',
  'StudyEventDef',
  'FormDef',
  'ItemGroupDef',
  'ItemDef',
  'CodeList',
  'CodeListItem',
  'MeasurementUnit',
  'ConditionDef',
  'MethodDef',
  'RangeCheck',
  'FormalExpression',
  'Question',
  'ClinicalData',
  'SubjectData',
  'StudyEventData',
  'FormData',
  'ItemGroupData',
  'ItemData',
  'AuditRecord',
] as const
type Counted = (typeof COUNTED)[number]

const isCounted = (name: string): name is Counted => COUNTED.some((one) => one === name)

/** Most different words of one kind (data types, languages, types of groups) that are counted apart. */
const MAX_WORDS = 100

/** The counts of one file. */
export class OdmCounts {
  readonly #elements = new Map<Counted, number>()
  readonly #dataTypes = new Map<string, number>()
  readonly #groupTypes = new Map<string, number>()
  readonly #redcapTypes = new Map<string, number>()
  readonly #languages = new Map<string, number>()
  #root: XmlElement | null = null
  itemRefs = 0
  mandatory = 0
  conditional = 0
  methods = 0
  redcapBranching = 0
  redcapCalculations = 0
  #repeatingGroups = 0
  #repeatingForms = 0

  /** How many elements of that name there are. */
  of(name: Counted): number {
    return this.#elements.get(name) ?? 0
  }

  /** How many groups of a type there are, of those that ODM 2.0 knows. */
  groupsOf(type: string): number {
    return this.#groupTypes.get(type) ?? 0
  }

  /** Whether its fields say what they are in REDCap. */
  get isRedcap(): boolean {
    return this.#redcapTypes.size > 0
  }

  get dataTypes(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#dataTypes)
  }

  /** Counts an element of the file. */
  add(element: XmlElement): void {
    const { name, attributes } = element
    this.#root ??= element
    if (isCounted(name)) this.#elements.set(name, this.of(name) + 1)
    if (attributes.has('CollectionExceptionConditionOID')) this.conditional += 1
    if (name === 'ItemRef') {
      this.itemRefs += 1
      if (attributeOf(element, 'Mandatory') === 'Yes') this.mandatory += 1
      if (attributes.has('MethodOID')) this.methods += 1
    } else if (name === 'ItemDef') {
      count(this.#dataTypes, attributeOf(element, 'DataType'))
      const fieldType = attributes.get(redcapKey('FieldType'))
      if (fieldType !== undefined) count(this.#redcapTypes, fieldType)
      if (attributes.has(redcapKey('BranchingLogic'))) this.redcapBranching += 1
      if (attributes.has(redcapKey('Calculation'))) this.redcapCalculations += 1
    } else if (name === 'ItemGroupDef') {
      if (repeats(element)) this.#repeatingGroups += 1
      const type = attributes.get('Type')
      if (type !== undefined) count(this.#groupTypes, type)
    } else if (name === 'FormDef' && repeats(element)) this.#repeatingForms += 1
    else if (name === 'TranslatedText') count(this.#languages, attributeOf(element, 'xml:lang'))
  }

  /** Under the names that the counts of the samples have. Elements that do not occur are left out. */
  get all(): SourceCounts {
    const elements = COUNTED.flatMap((name) => (this.of(name) === 0 ? [] : [[name, this.of(name)] as const]))
    return {
      root: this.#root?.name ?? '',
      odm_version: this.#root?.attributes.get('ODMVersion') ?? null,
      file_type: this.#root?.attributes.get('FileType') ?? null,
      ...Object.fromEntries(elements),
      data_types: this.dataTypes,
      mandatory_item_refs: this.mandatory,
      item_refs: this.itemRefs,
      conditional_refs: this.conditional,
      repeating_item_groups: this.#repeatingGroups,
      repeating_forms: this.#repeatingForms,
      ...(this.#groupTypes.size === 0 ? {} : { item_group_types: Object.fromEntries(this.#groupTypes) }),
      languages: [...this.#languages.keys()].toSorted(),
      ...(this.redcapBranching === 0 ? {} : { redcap_branching_attrs: this.redcapBranching }),
      ...(this.#redcapTypes.size === 0 ? {} : { redcap_field_types: Object.fromEntries(this.#redcapTypes) }),
    }
  }
}

/** Whether a form or a group may be entered more than once: `Yes`, or one of the ways of ODM 2.0. */
export function repeats(element: XmlElement): boolean {
  const repeating = attributeOf(element, 'Repeating')
  return repeating !== '' && repeating !== 'No'
}

function count(words: Map<string, number>, word: string): void {
  if (words.has(word) || words.size < MAX_WORDS) words.set(word, (words.get(word) ?? 0) + 1)
}
