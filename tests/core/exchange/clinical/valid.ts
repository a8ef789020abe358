import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OdmVersion } from '#core/exchange/odm/namespaces.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf, childrenOf } from '#core/exchange/xml/element.ts'
import { readXml } from '#core/exchange/xml/read.ts'

import { samplePath } from '../samples.ts'

/**
 * What data in a file of ODM must look like, in our own words: which elements stand in which and in what order, which
 * attributes they have, and that whatever they name is defined, in the version of the definition that they are of. The
 * schemas of CDISC are asked as well where they are.
 */

/** Elements in their order, and attributes; `?` for what need not be there, `*` for any number, `|` for either. */
type Rules = Readonly<Record<string, readonly [content: string, attributes: string]>>

const AUDIT: Rules = {
  AdminData: ['User* Location*', 'StudyOID'],
  User: ['FullName', 'OID UserType'],
  FullName: ['', ''],
  Location: ['MetaDataVersionRef+', 'OID Name LocationType? Role?'],
  MetaDataVersionRef: ['', 'StudyOID MetaDataVersionOID EffectiveDate'],
  ClinicalData: ['SubjectData*', 'StudyOID MetaDataVersionOID'],
  SiteRef: ['', 'LocationOID'],
  AuditRecord: ['UserRef LocationRef DateTimeStamp ReasonForChange? SourceID?', 'UsedImputationMethod? UsedMethod?'],
  UserRef: ['', 'UserOID'],
  LocationRef: ['', 'LocationOID'],
  DateTimeStamp: ['', ''],
  ReasonForChange: ['', ''],
  SourceID: ['', ''],
  Annotation: ['Comment? Flag+', 'SeqNum ID?'],
  Flag: ['FlagValue FlagType?', ''],
  FlagValue: ['', 'CodeListOID'],
  FlagType: ['', 'CodeListOID'],
}

const RULES: Readonly<Record<OdmVersion, Rules>> = {
  '1.3.2': {
    ...AUDIT,
    SubjectData: ['AuditRecord? SiteRef? Annotation* StudyEventData*', 'SubjectKey TransactionType?'],
    StudyEventData: ['AuditRecord? Annotation* FormData*', 'StudyEventOID StudyEventRepeatKey? TransactionType?'],
    FormData: ['AuditRecord? Annotation* ItemGroupData*', 'FormOID FormRepeatKey? TransactionType?'],
    ItemGroupData: ['AuditRecord? Annotation* ItemData*', 'ItemGroupOID ItemGroupRepeatKey? TransactionType?'],
    ItemData: ['AuditRecord? Annotation*', 'ItemOID TransactionType? Value? IsNull?'],
    Comment: ['', ''],
  },
  '2.0': {
    ...AUDIT,
    SubjectData: ['SiteRef? StudyEventData* AuditRecord? Annotation* Query*', 'SubjectKey TransactionType?'],
    StudyEventData: [
      'ItemGroupData* AuditRecord? Annotation* Query*',
      'StudyEventOID StudyEventRepeatKey? TransactionType?',
    ],
    ItemGroupData: [
      'ItemGroupData|ItemData* AuditRecord? Annotation* Query*',
      'ItemGroupOID ItemGroupRepeatKey? TransactionType? ItemGroupDataSeq?',
    ],
    ItemData: ['Value* AuditRecord? Annotation* Query*', 'ItemOID TransactionType? IsNull?'],
    Value: ['', 'SeqNum?'],
    Query: ['Value AuditRecord*', 'OID Source Type State LastUpdateDatetime Name'],
    Comment: ['TranslatedText', ''],
    TranslatedText: ['', 'Type xml:lang?'],
  },
}

const WORDS: Readonly<Record<string, RegExp>> = {
  TransactionType: /^(Insert|Update|Remove|Upsert|Context)$/,
  IsNull: /^Yes$/,
  SeqNum: /^[1-9]\d*$/,
  ItemGroupDataSeq: /^[1-9]\d*$/,
  EffectiveDate: /^\d{4}-\d\d-\d\d$/,
  LastUpdateDatetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  Source: /^(System|Data Management|Site Monitor)$/,
  State: /^(Candidate|Open|Answered|Closed|Cancelled)$/,
}

/** What attributes name in the version of the definition; of people and places in the data about these. */
const NAMED: Readonly<Record<string, string>> = {
  StudyEventOID: 'StudyEventDef',
  FormOID: 'FormDef',
  ItemGroupOID: 'ItemGroupDef',
  ItemOID: 'ItemDef',
  CodeListOID: 'CodeList',
  UserOID: 'User',
  LocationOID: 'Location',
}

/** What is wrong with a file, a line each; none where it is as it must be. */
export function clinicalErrors(text: string, version: OdmVersion): readonly string[] {
  const read = readXml(text, { length: 60_000_000, depth: 30, elements: 400_000, attributes: 50 })
  if (!read.ok) return [read.error.kind]
  const { root } = read
  const admin = oidsIn(childrenOf(root, 'AdminData'))
  const versions = new Map(
    childrenOf(root, 'Study')
      .flatMap((study) => childrenOf(study, 'MetaDataVersion'))
      .map((one) => [attributeOf(one, 'OID'), oidsIn([one])]),
  )
  const errors = [
    ...childrenOf(root, 'AdminData').flatMap((one) => errorsIn(one, version, admin)),
    ...childrenOf(root, 'ClinicalData').flatMap((one) => {
      const defined = versions.get(attributeOf(one, 'MetaDataVersionOID'))
      return defined === undefined ? ['no version'] : errorsIn(one, version, new Set([...defined, ...admin]))
    }),
    ...root.children.flatMap(({ name }, at, all) => {
      const order = ['Study', 'AdminData', 'ClinicalData']
      return at > 0 && order.indexOf(name) < order.indexOf(all[at - 1]?.name ?? '') ? [`${name} out of order`] : []
    }),
  ]
  return [...errors, ...schemaErrors(text, version)]
}

function oidsIn(holders: readonly XmlElement[]): ReadonlySet<string> {
  return new Set(holders.flatMap(({ children }) => children.map((one) => `${one.name} ${attributeOf(one, 'OID')}`)))
}

function errorsIn(element: XmlElement, version: OdmVersion, defined: ReadonlySet<string>): readonly string[] {
  const rule = RULES[version][element.name]
  if (rule === undefined) return [`${element.name} is no element`]
  const [content, attributes] = rule
  const pattern = content
    .split(' ')
    .filter((part) => part !== '')
    .map((part) => {
      const [, names = '', times = ''] = /^([^?*+]+)([?*+]?)$/.exec(part) ?? []
      return `(?:(?:${names}),)${times}`
    })
    .join('')
  const names = element.children.map(({ name }) => `${name},`).join('')
  const known = new Map(attributes.split(' ').map((one) => [one.replace('?', ''), one.endsWith('?')]))
  return [
    ...(new RegExp(`^${pattern}$`).test(names) ? [] : [`${element.name} holds ${names}`]),
    ...[...known].flatMap(([name, may]) =>
      name === '' || may || element.attributes.has(name) ? [] : [`${element.name} lacks ${name}`],
    ),
    ...[...element.attributes].flatMap(([name, value]) => [
      ...(known.has(name) ? [] : [`${element.name} has ${name}`]),
      ...(WORDS[name]?.test(value) === false ? [`${name} says ${value}`] : []),
      ...(isDefined(name, value, version, defined) ? [] : [`${name} ${value} is not defined`]),
    ]),
    ...element.children.flatMap((child) => errorsIn(child, version, defined)),
  ]
}

function isDefined(name: string, value: string, version: OdmVersion, defined: ReadonlySet<string>): boolean {
  const kind = NAMED[name]
  return kind === undefined || (version === '2.0' && kind === 'FormDef') || defined.has(`${kind} ${value}`)
}

const SCHEMAS: Readonly<Record<OdmVersion, string>> = { '1.3.2': 'odm1-3-2/ODM1-3-2.xsd', '2.0': 'odm2-0/ODM.xsd' }

/** Whether the schemas of CDISC are on this machine, and a program that reads them. */
const canValidate = existsSync(samplePath('xsd')) && spawnSync('xmllint', ['--version']).status === 0

function schemaErrors(text: string, version: OdmVersion): readonly string[] {
  if (!canValidate) return []
  const folder = mkdtempSync(join(tmpdir(), 'zl-clinical-'))
  const file = join(folder, 'out.xml')
  writeFileSync(file, text)
  const schema = samplePath('xsd', SCHEMAS[version])
  const { status, stderr } = spawnSync('xmllint', ['--noout', '--nonet', '--schema', schema, file], {
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  return status === 0 ? [] : [stderr]
}
