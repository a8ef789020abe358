import type { OdmOptions } from '#core/exchange/odm/write.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { readXml } from '#core/exchange/xml/read.ts'

/**
 * What a file of ODM must look like, in our own words: which elements stand in which and in what order, which
 * attributes they must and may have, what these may say, and that whatever is named is defined once. It knows the
 * elements that we write and no others, so it holds without the schemas of CDISC; where these are, they are asked as
 * well.
 */

type Version = OdmOptions['version']

interface Rule {
  /** Attributes by name; one that need not be there has a question mark. */
  readonly attributes: string
  /**
   * Elements in their order; `?` at most one, `*` any number, `+` at least one, `|` either. Without any the element
   * holds text, or nothing.
   */
  readonly content: string
}

const rule = (attributes: string, content = ''): Rule => ({ attributes, content })

const TEXTS = rule('', 'TranslatedText+')

const BOTH: Readonly<Record<string, Rule>> = {
  Description: TEXTS,
  Question: TEXTS,
  Decode: TEXTS,
  ErrorMessage: TEXTS,
  Alias: rule('Context Name'),
  CheckValue: rule(''),
  CodeListRef: rule('CodeListOID'),
  ItemGroupRef: rule('ItemGroupOID Mandatory OrderNumber? CollectionExceptionConditionOID?'),
  ItemRef: rule('ItemOID Mandatory OrderNumber? MethodOID? CollectionExceptionConditionOID?'),
  ODM: rule('FileType FileOID CreationDateTime ODMVersion Granularity? SourceSystem?', 'Study*'),
  CodeListItem: rule('CodedValue OrderNumber?', 'Decode'),
}

const RULES: Readonly<Record<Version, Readonly<Record<string, Rule>>>> = {
  '1.3.2': {
    ...BOTH,
    Study: rule('OID', 'GlobalVariables BasicDefinitions? MetaDataVersion*'),
    GlobalVariables: rule('', 'StudyName StudyDescription ProtocolName'),
    StudyName: rule(''),
    StudyDescription: rule(''),
    ProtocolName: rule(''),
    BasicDefinitions: rule('', 'MeasurementUnit*'),
    MeasurementUnit: rule('OID Name', 'Symbol Alias*'),
    Symbol: TEXTS,
    MetaDataVersion: rule(
      'OID Name',
      'Protocol? StudyEventDef* FormDef* ItemGroupDef* ItemDef* CodeList* ConditionDef* MethodDef*',
    ),
    Protocol: rule('', 'StudyEventRef*'),
    StudyEventRef: rule('StudyEventOID Mandatory OrderNumber?'),
    StudyEventDef: rule('OID Name Repeating Type', 'Description? FormRef* Alias*'),
    FormRef: rule('FormOID Mandatory OrderNumber?'),
    FormDef: rule('OID Name Repeating', 'Description? ItemGroupRef* Alias*'),
    ItemGroupDef: rule('OID Name Repeating', 'Description? ItemRef* Alias*'),
    ItemDef: rule(
      'OID Name DataType Length? SignificantDigits? SASFieldName? SDSVarName? Origin? Comment?',
      'Description? Question? MeasurementUnitRef* RangeCheck* CodeListRef? Alias*',
    ),
    MeasurementUnitRef: rule('MeasurementUnitOID'),
    RangeCheck: rule('SoftHard Comparator?', 'CheckValue* FormalExpression* ErrorMessage?'),
    CodeList: rule('OID Name DataType', 'CodeListItem+'),
    ConditionDef: rule('OID Name', 'Description FormalExpression* Alias*'),
    MethodDef: rule('OID Name Type', 'Description FormalExpression* Alias*'),
    FormalExpression: rule('Context'),
    TranslatedText: rule('xml:lang?'),
  },
  '2.0': {
    ...BOTH,
    Study: rule('OID StudyName ProtocolName', 'MetaDataVersion+'),
    MetaDataVersion: rule('OID Name', 'StudyEventDef* ItemGroupDef* ItemDef* CodeList* ConditionDef* MethodDef*'),
    StudyEventDef: rule('OID Name Repeating Type', 'Description? ItemGroupRef* Alias*'),
    ItemGroupDef: rule('OID Name Repeating Type', 'Description? ItemGroupRef|ItemRef+ Alias*'),
    ItemDef: rule(
      'OID Name DataType Length? DisplayFormat? VariableSet?',
      'Description? Question? CRFCompletionInstructions? RangeCheck* CodeListRef? Alias*',
    ),
    CRFCompletionInstructions: TEXTS,
    RangeCheck: rule('SoftHard? Comparator?', 'CheckValue* MethodSignature? FormalExpression* ErrorMessage?'),
    CodeList: rule('OID Name DataType', 'CodeListItem*'),
    ConditionDef: rule('OID Name', 'Description MethodSignature FormalExpression* Alias*'),
    MethodDef: rule('OID Name Type?', 'Description MethodSignature FormalExpression* Alias*'),
    MethodSignature: rule(''),
    FormalExpression: rule('Context?', 'Code'),
    Code: rule(''),
    TranslatedText: rule('Type xml:lang?'),
  },
}

/** Kinds of data that both versions have; 2.0 has decimals too, which we do not write. */
const DATA =
  'integer float double date datetime time text string URI boolean hexBinary base64Binary hexFloat base64Float partialDate partialTime partialDatetime durationDatetime intervalDatetime incompleteDatetime incompleteDate incompleteTime'

/** What attributes may say, by `Element.Attribute` or for all elements that have it. */
const WORDS: Readonly<Record<string, string>> = {
  'ODM.FileType': 'Snapshot Transactional',
  'ODM.Granularity': 'All Metadata AdminData ReferenceData AllClinicalData SingleSite SingleSubject',
  'StudyEventDef.Type': 'Scheduled Unscheduled Common',
  'StudyEventDef.Repeating': 'Yes No',
  'FormDef.Repeating': 'Yes No',
  'ItemGroupDef.Type': 'Form Section Dataset Concept',
  'MethodDef.Type': 'Computation Imputation Transpose',
  'ItemDef.DataType': DATA,
  'CodeList.DataType': 'integer float text string',
  Mandatory: 'Yes No',
  SoftHard: 'Soft Hard',
  Comparator: 'LT LE GT GE EQ NE IN NOTIN',
}

const PATTERNS: Readonly<Record<string, RegExp>> = {
  OrderNumber: /^[1-9]\d*$/,
  Length: /^[1-9]\d*$/,
  SignificantDigits: /^\d+$/,
  SASFieldName: /^[A-Za-z_][A-Za-z0-9_]{0,7}$/,
  SDSVarName: /^[A-Za-z_][A-Za-z0-9_]{0,7}$/,
  OID: /^[^]+$/,
  CreationDateTime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  'xml:lang': /^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/,
}

/** What an attribute names. */
const NAMED: Readonly<Record<string, string>> = {
  StudyEventOID: 'StudyEventDef',
  FormOID: 'FormDef',
  ItemGroupOID: 'ItemGroupDef',
  ItemOID: 'ItemDef',
  CodeListOID: 'CodeList',
  MeasurementUnitOID: 'MeasurementUnit',
  MethodOID: 'MethodDef',
  CollectionExceptionConditionOID: 'ConditionDef',
}

const NAMESPACES: Readonly<Record<Version, string>> = {
  '1.3.2': 'http://www.cdisc.org/ns/odm/v1.3',
  '2.0': 'http://www.cdisc.org/ns/odm/v2.0',
}

/** What is wrong with a file, a line each; none where it looks as it must. */
export function structureErrors(text: string, version: Version): readonly string[] {
  const read = readXml(text, { length: 60_000_000, depth: 20, elements: 400_000, attributes: 50 })
  if (!read.ok) return [read.error.kind]
  const all = withAllIn(read.root)
  const defined = new Set(
    all.flatMap(({ name, attributes }) => (attributes.has('OID') ? [`${name} ${attributes.get('OID') ?? ''}`] : [])),
  )
  const oids = all.flatMap(({ name, attributes }) =>
    attributes.has('OID') && name !== 'Study' && name !== 'MetaDataVersion'
      ? [`${name} ${attributes.get('OID') ?? ''}`]
      : [],
  )
  return [
    ...(read.root.name === 'ODM' ? [] : [`${read.root.name} is the root`]),
    ...(read.root.attributes.get('ODMVersion') === version ? [] : ['ODMVersion is another']),
    ...all.flatMap((element) => errorsOf(element, version)),
    ...oids.filter((oid, at) => oids.indexOf(oid) !== at).map((oid) => `${oid} is defined twice`),
    ...all.flatMap((element) =>
      referencesOf(element)
        .filter((reference) => !defined.has(reference))
        .map((reference) => `${reference} is named and not defined`),
    ),
  ]
}

function withAllIn(element: XmlElement): readonly XmlElement[] {
  return [element, ...element.children.flatMap(withAllIn)]
}

function referencesOf({ attributes }: XmlElement): readonly string[] {
  return Object.entries(NAMED).flatMap(([name, what]) =>
    attributes.has(name) ? [`${what} ${attributes.get(name) ?? ''}`] : [],
  )
}

function errorsOf(element: XmlElement, version: Version): readonly string[] {
  const { name, namespace, attributes, children, text } = element
  const own = RULES[version][name]
  if (own === undefined || namespace !== NAMESPACES[version]) return [`${name} is no element of it`]
  const order = children.map((child) => `${child.name} `).join('')
  const numbers = children.flatMap((child) => child.attributes.get('OrderNumber') ?? [])
  const known = own.attributes.split(' ').filter((one) => one !== '')
  const wanted = known.filter((one) => !one.endsWith('?'))
  return [
    ...(contentPattern(own.content).test(order) ? [] : [`${name} holds ${order === '' ? 'nothing' : order.trim()}`]),
    ...(own.content === '' || text.trim() === '' ? [] : [`${name} holds text`]),
    ...(new Set(numbers).size === numbers.length ? [] : [`${name} counts twice to the same number`]),
    ...wanted.filter((one) => !attributes.has(one)).map((one) => `${name} has no ${one}`),
    ...[...attributes].flatMap(([attribute, value]) => {
      if (!known.includes(attribute) && !known.includes(`${attribute}?`)) return [`${name} has ${attribute}`]
      return isSaid(name, attribute, value, version) ? [] : [`${name} has ${attribute}="${value}"`]
    }),
  ]
}

function isSaid(name: string, attribute: string, value: string, version: Version): boolean {
  if (name === 'ItemGroupDef' && attribute === 'Repeating')
    return (version === '2.0' ? ['No', 'Simple', 'Dynamic', 'Static'] : ['No', 'Yes']).includes(value)
  const words = WORDS[`${name}.${attribute}`] ?? WORDS[attribute]
  if (words !== undefined) return words.split(' ').includes(value)
  // What an alias says is anybody's words.
  if (name === 'Alias') return true
  return (attribute in NAMED ? /^[^]+$/ : (PATTERNS[attribute] ?? /^[^]*$/)).test(value)
}

const patterns = new Map<string, RegExp>()

function contentPattern(content: string): RegExp {
  const known = patterns.get(content)
  if (known !== undefined) return known
  const pieces = content.split(' ').filter((one) => one !== '')
  const pattern = new RegExp(
    `^${pieces.map((piece) => `(?:(?:${piece.replace(/[?*+]$/, '')}) )${/[?*+]$/.exec(piece)?.[0] ?? ''}`).join('')}$`,
  )
  patterns.set(content, pattern)
  return pattern
}
