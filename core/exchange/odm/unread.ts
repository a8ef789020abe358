import type { NotCarried } from '#core/exchange/definition.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf, deepText } from '#core/exchange/xml/element.ts'

import { OWN_CONTEXT, isRedcapKey } from './namespaces.ts'
import { REPEATS } from './redcap/redcapPlan.ts'
import { MULTI_LIST, MULTI_REF } from './source.ts'

/**
 * What a file says that no reader looks at, one line for each kind: elements and attributes of ODM without a place
 * here, and those of others.
 */

interface Known {
  readonly attributes: readonly string[]
  readonly children: readonly string[]
}

const OID = ['OID', 'Name']
const ORDER = ['Mandatory', 'OrderNumber']
const TEXT = { attributes: [], children: ['TranslatedText'] }

/** What is read of each element, or needs no place: order, counts of what is kept whole. */
const KNOWN: Readonly<Record<string, Known>> = {
  ODM: {
    attributes: [
      'ODMVersion',
      'FileOID',
      'FileType',
      'CreationDateTime',
      'AsOfDateTime',
      'Granularity',
      'Description',
      'SourceSystem',
      'SourceSystemVersion',
      'Originator',
      'Context',
      'Archival',
      'PriorFileOID',
      'ID',
    ],
    children: ['Study', 'ClinicalData', 'AdminData', 'ReferenceData', 'Association'],
  },
  Study: {
    attributes: ['OID', 'StudyName', 'ProtocolName'],
    children: ['BasicDefinitions', 'MetaDataVersion', 'GlobalVariables'],
  },
  // A definition has no name here: that of the study is its project's.
  GlobalVariables: { attributes: [], children: ['StudyName', 'StudyDescription', 'ProtocolName'] },
  BasicDefinitions: { attributes: [], children: ['MeasurementUnit'] },
  MeasurementUnit: { attributes: OID, children: ['Symbol'] },
  Symbol: TEXT,
  MetaDataVersion: {
    attributes: OID,
    children: [
      'Include',
      'Protocol',
      'StudyEventGroupDef',
      'StudyEventDef',
      'FormDef',
      'ItemGroupDef',
      'ItemDef',
      'CodeList',
      'ConditionDef',
      'MethodDef',
      'WhereClauseDef',
    ],
  },
  Include: { attributes: ['StudyOID', 'MetaDataVersionOID'], children: [] },
  Protocol: { attributes: [], children: ['StudyEventRef', 'StudyEventGroupRef'] },
  StudyEventGroupDef: { attributes: OID, children: ['StudyEventRef', 'StudyEventGroupRef'] },
  StudyEventGroupRef: { attributes: ['StudyEventGroupOID', ...ORDER], children: [] },
  StudyEventRef: { attributes: ['StudyEventOID', 'CollectionExceptionConditionOID', ...ORDER], children: [] },
  StudyEventDef: { attributes: [...OID, 'Repeating', 'Type'], children: ['Description', 'FormRef', 'ItemGroupRef'] },
  FormRef: { attributes: ['FormOID', 'CollectionExceptionConditionOID', ...ORDER], children: [] },
  FormDef: { attributes: [...OID, 'Repeating'], children: ['Description', 'ItemGroupRef'] },
  ItemGroupRef: { attributes: ['ItemGroupOID', 'CollectionExceptionConditionOID', ...ORDER], children: [] },
  ItemGroupDef: { attributes: [...OID, 'Repeating', 'Type'], children: ['Description', 'ItemRef', 'ItemGroupRef'] },
  ItemRef: { attributes: ['ItemOID', 'MethodOID', 'CollectionExceptionConditionOID', ...ORDER], children: [] },
  ItemDef: {
    attributes: [
      ...OID,
      'DataType',
      'Length',
      'SignificantDigits',
      'DisplayFormat',
      'VariableSet',
      'SASFieldName',
      'SDSVarName',
      'Origin',
      'Comment',
    ],
    children: [
      'Description',
      'Question',
      'Prompt',
      'CRFCompletionInstructions',
      'MeasurementUnitRef',
      'RangeCheck',
      'CodeListRef',
      'Alias',
    ],
  },
  MeasurementUnitRef: { attributes: ['MeasurementUnitOID'], children: [] },
  RangeCheck: {
    attributes: ['Comparator', 'SoftHard', 'ItemOID'],
    children: ['CheckValue', 'FormalExpression', 'ErrorMessage', 'MethodSignature'],
  },
  CheckValue: { attributes: [], children: [] },
  ErrorMessage: TEXT,
  CodeListRef: { attributes: ['CodeListOID'], children: [] },
  CodeList: { attributes: [...OID, 'DataType'], children: ['CodeListItem', 'EnumeratedItem', 'ExternalCodeList'] },
  CodeListItem: { attributes: ['CodedValue', 'OrderNumber'], children: ['Decode', 'Description'] },
  EnumeratedItem: { attributes: ['CodedValue', 'OrderNumber'], children: [] },
  ExternalCodeList: { attributes: ['Dictionary', 'Version'], children: [] },
  ConditionDef: { attributes: OID, children: ['Description', 'FormalExpression', 'MethodSignature'] },
  MethodDef: { attributes: [...OID, 'Type'], children: ['Description', 'FormalExpression', 'MethodSignature'] },
  FormalExpression: { attributes: ['Context'], children: ['Code'] },
  Code: { attributes: [], children: [] },
  MethodSignature: { attributes: [], children: [] },
  Description: TEXT,
  Question: TEXT,
  Prompt: TEXT,
  CRFCompletionInstructions: TEXT,
  Decode: TEXT,
  TranslatedText: { attributes: ['Type', 'xml:lang'], children: ['div'] },
  Alias: { attributes: ['Context', 'Name'], children: [] },
}

/** Kinds that are told apart; a file with more has no schema at all. */
const MAX_KINDS = 500
/** Of what is said of each kind, the beginning of the first. */
const MAX_TEXT = 300

interface Kind {
  readonly first: NotCarried
  count: number
}

/** Every kind of what is not read below an element, with its first line, its first words, and how often it occurs. */
export function unreadParts(root: XmlElement): readonly NotCarried[] {
  const kinds = new Map<string, Kind>()
  const add = (key: string, first: NotCarried) => {
    const kind = kinds.get(key)
    if (kind !== undefined) kind.count += 1
    else if (kinds.size < MAX_KINDS) kinds.set(key, { first, count: 1 })
  }
  walk(root, '', root.namespace, add)
  return Array.from(kinds.values(), ({ first, count }) =>
    count === 1 ? first : { ...first, text: `${first.text} ×${count}` },
  )
}

type Add = (key: string, part: NotCarried) => void

function walk(element: XmlElement, around: string, namespace: string, add: Add): void {
  const { name, line: row } = element
  const known = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined
  if (known === undefined) return
  const field = attributeOf(element, 'OID') || around
  for (const [key, value] of element.attributes) {
    // Those of REDCap are read, and what they lose is told field by field.
    if (known.attributes.includes(key) || isRedcapKey(key) || key.startsWith('xml:') || key.startsWith(XSI)) continue
    const isForeign = key.startsWith('{')
    const text = `${name} ${key}="${value.slice(0, MAX_TEXT)}"`
    add(`${name} ${key}`, {
      row,
      field,
      what: isForeign ? 'extension' : 'element',
      why: isForeign ? 'foreign-namespace' : 'no-place',
      text,
    })
  }
  for (const child of element.children) {
    if (child.name === REPEATS || child.name === MULTI_LIST || child.name === MULTI_REF) continue
    const isForeign = child.namespace !== namespace && child.name !== 'div'
    if (!isForeign && known.children.includes(child.name)) walk(child, field, namespace, add)
    // The name of an alias of a form and the like is other systems' business as well, unless it is our own.
    else if (isForeign || child.name !== 'Alias' || attributeOf(child, 'Context') !== OWN_CONTEXT) {
      const text =
        `${child.name}${attributesText(child)} ${deepText(child).replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT)}`.trim()
      const part = {
        row: child.line,
        field: attributeOf(child, 'OID') || field,
        text: isForeign ? `{${child.namespace}}${text}` : text,
      }
      add(
        `${name} ${child.namespace} ${child.name}`,
        isForeign
          ? { ...part, what: 'extension', why: 'foreign-namespace' }
          : { ...part, what: 'element', why: 'no-place' },
      )
    }
  }
}

const XSI = '{http://www.w3.org/2001/XMLSchema-instance}'

function attributesText({ attributes }: XmlElement): string {
  return Array.from(attributes, ([key, value]) => ` ${key}="${value}"`)
    .join('')
    .slice(0, MAX_TEXT)
}
