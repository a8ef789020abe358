import type { SdtmFormatId } from '#core/dataset/formats.ts'
import type { SdtmClass } from '#core/dataset/sdtm/mapping.ts'
import type { SdtmVariable } from '#core/dataset/sdtm/variables.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { element, xmlText } from '#core/exchange/xml/write.ts'

import { listOfTest, listOfVariable } from './codeLists.ts'
import type { SdtmCodeList } from './codeLists.ts'
import { STANDARDISED, defineItems, describeText } from './defineItems.ts'
import type { DefineOptions } from './defineItems.ts'
import type { DomainTable, SdtmStudy } from './domainTable.ts'

/** define.xml: what stands in the tables, by Define-XML 2.1. */

const CLASSES: Readonly<Record<SdtmClass, string>> = {
  'special-purpose': 'SPECIAL PURPOSE',
  findings: 'FINDINGS',
  events: 'EVENTS',
  interventions: 'INTERVENTIONS',
}

const STRUCTURES: Readonly<Record<SdtmClass, string>> = {
  'special-purpose': 'One record per subject',
  findings: 'One record per finding per visit per subject',
  events: 'One record per event per subject',
  interventions: 'One record per recorded intervention occurrence per subject',
}

const STANDARD = 'STD.SDTMIG'

/** @param tables once their rows have been gone through */
export function defineText(tables: readonly DomainTable[], of: SdtmStudy, options: DefineOptions): string {
  const { mapping } = of
  const study = options.name
  return xmlText(
    element(
      'ODM',
      {
        xmlns: 'http://www.cdisc.org/ns/odm/v1.3',
        'xmlns:xlink': 'http://www.w3.org/1999/xlink',
        'xmlns:def': 'http://www.cdisc.org/ns/def/v2.1',
        ODMVersion: '1.3.2',
        FileType: 'Snapshot',
        FileOID: `${study}.define.${options.createdAt}`,
        CreationDateTime: options.createdAt,
        Originator: 'Zhenglu',
        SourceSystem: 'Zhenglu',
        SourceSystemVersion: '1',
        'def:Context': 'Other',
      },
      [
        element('Study', { OID: study }, [
          element('GlobalVariables', {}, [
            element('StudyName', {}, mapping.study),
            element('StudyDescription', {}, options.title),
            element('ProtocolName', {}, mapping.study),
          ]),
          metaDataOf(tables, of, options),
        ]),
      ],
    ),
  )
}

function metaDataOf(tables: readonly DomainTable[], of: SdtmStudy, options: DefineOptions): XmlElement {
  const items = tables.map((table) => defineItems(table, of, options))
  const isShifted = of.leaving.definition.deidentify.on
  return element(
    'MetaDataVersion',
    {
      OID: `MDV.${options.name}`,
      Name: `Study ${of.mapping.study}, Data Definitions`,
      Description: `Study ${of.mapping.study}, Data Definitions`,
      'def:DefineVersion': '2.1.0',
    },
    [
      element('def:Standards', {}, [
        element('def:Standard', {
          OID: STANDARD,
          Name: 'SDTMIG',
          Type: 'IG',
          Version: of.mapping.standard,
          Status: 'Final',
        }),
      ]),
      ...items.flatMap(({ valueLists }) => valueLists),
      ...items.flatMap(({ whereClauses }) => whereClauses),
      ...tables.map((table) => groupOf(table, options.format)),
      ...items.flatMap(({ items: own }) => own),
      ...tables.flatMap(listsOf).map(codeListOf(options.language)),
      ...METHODS.filter(([id]) =>
        tables.some((table) => table.columns.some((one) => methodOf(one, table.name) === id)),
      ).map(([id, name, text]) =>
        element('MethodDef', { OID: id, Name: name, Type: 'Computation' }, [describeText(text, 'en')]),
      ),
      ...(isShifted
        ? [
            element('def:CommentDef', { OID: 'COM.DEIDENTIFIED' }, [
              describeText(
                'De-identified: the subject is a pseudonym, and all dates of a subject are earlier by one number of days (0 to 364). Of partial dates the year is kept.',
                'en',
              ),
            ]),
          ]
        : []),
    ],
  )
}

function groupOf(table: DomainTable, format: SdtmFormatId): XmlElement {
  const { name, label, columns } = table
  const of = table.domain.class
  const file = `${name.toLowerCase()}.${format === 'sdtm-xport5' ? 'xpt' : 'json'}`
  const keys = ['STUDYID', 'USUBJID', `${name}SEQ`].filter((key) => columns.some((one) => one.name === key))
  const hasRows = table.factsOf('STUDYID').values > 0
  return element(
    'ItemGroupDef',
    {
      OID: `IG.${name}`,
      Name: name,
      Domain: name,
      Repeating: of === 'special-purpose' ? 'No' : 'Yes',
      IsReferenceData: 'No',
      SASDatasetName: name,
      Purpose: 'Tabulation',
      'def:StandardOID': STANDARD,
      'def:Structure': STRUCTURES[of],
      'def:ArchiveLocationID': `LF.${name}`,
      'def:HasNoData': hasRows ? undefined : 'Yes',
    },
    [
      describeText(label, 'en'),
      ...columns.map((column, at) => {
        const key = keys.indexOf(column.name)
        return element('ItemRef', {
          ItemOID: `IT.${name}.${column.name}`,
          OrderNumber: String(at + 1),
          Mandatory: column.isRequired ? 'Yes' : 'No',
          KeySequence: key < 0 ? undefined : String(key + 1),
          MethodOID: methodOf(column, name) ?? undefined,
          'def:HasNoData': hasRows && table.factsOf(column.name).values === 0 ? 'Yes' : undefined,
        })
      }),
      element('def:Class', { Name: CLASSES[of] }),
      element('def:leaf', { ID: `LF.${name}`, 'xlink:href': file }, [element('def:title', {}, file)]),
    ],
  )
}

/** What is computed: identifier, name, and how. */
const METHODS: readonly (readonly [id: string, name: string, text: string])[] = [
  ['MT.USUBJID', 'USUBJID', 'STUDYID, a hyphen, and the identifier of the subject within the study.'],
  ['MT.SEQ', '--SEQ', 'Number of the record within the subject, in the order of the casebook.'],
  [
    STANDARDISED,
    '--STRESC, --STRESN, --STRESU',
    'The submission value of the result. Of a number in other units: the original result times the factor of the mapping, plus its offset. --STRESN is --STRESC where it is a number.',
  ],
]

function methodOf({ name }: SdtmVariable, domain: string): string | null {
  if (name === 'USUBJID') return 'MT.USUBJID'
  if (name === `${domain}SEQ`) return 'MT.SEQ'
  return /^..STRES[CNU]$/.test(name) ? STANDARDISED : null
}

function listsOf(table: DomainTable): readonly SdtmCodeList[] {
  const tests = new Set(table.sources.flatMap((source) => source.tests.map(({ test }) => test.code)))
  return [
    ...table.columns.map(({ name }) => listOfVariable(table, name)),
    ...[...tests].map((test) => listOfTest(table, test)),
  ].filter((list) => list !== null)
}

function codeListOf(language: DefineOptions['language']): (list: SdtmCodeList) => XmlElement {
  return ({ oid, name, items }) =>
    element(
      'CodeList',
      { OID: oid, Name: name, DataType: 'text', 'def:IsNonStandard': 'Yes' },
      items.map(({ code, label }, at) =>
        element('CodeListItem', { CodedValue: code, OrderNumber: String(at + 1) }, [
          element('Decode', {}, [element('TranslatedText', { 'xml:lang': language }, label)]),
        ]),
      ),
    )
}
