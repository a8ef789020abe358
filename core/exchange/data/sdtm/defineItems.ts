import type { SdtmFormatId } from '#core/dataset/formats.ts'
import type { SdtmVariable } from '#core/dataset/sdtm/variables.ts'
import type { Language } from '#core/language.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { element } from '#core/exchange/xml/write.ts'

import type { WriteOptions } from '../contract.ts'
import { XPORT_5 } from '../xport/xportVariables.ts'
import { listOfTest, listOfVariable } from './codeLists.ts'
import type { DomainTable, SdtmStudy } from './domainTable.ts'
import type { ValueFacts } from './tableFacts.ts'

/** The variables of a table in define.xml, and of findings what each test's results are. */

export interface DefineOptions extends WriteOptions {
  readonly format: SdtmFormatId
}

export interface DefinedItems {
  readonly valueLists: readonly XmlElement[]
  readonly whereClauses: readonly XmlElement[]
  readonly items: readonly XmlElement[]
}

/** How results get their standard form. */
export const STANDARDISED = 'MT.STRES'

/** Variables that are something else for each test. */
const BY_TEST = /^..(ORRES|STRESC)$/

export function defineItems(table: DomainTable, of: SdtmStudy, options: DefineOptions): DefinedItems {
  const tests = [
    ...new Map(table.sources.flatMap((source) => source.tests.map(({ test }) => [test.code, test.name] as const))),
  ]
  const byTest = tests.length === 0 ? [] : table.columns.filter(({ name }) => BY_TEST.test(name))
  const isShifted = of.leaving.definition.deidentify.on
  return {
    valueLists: byTest.map(({ name }) =>
      element(
        'def:ValueListDef',
        { OID: `VL.${table.name}.${name}` },
        tests.map(([test], at) =>
          element(
            'ItemRef',
            {
              ItemOID: itemOid(table, name, test),
              OrderNumber: String(at + 1),
              Mandatory: 'No',
              MethodOID: name.endsWith('STRESC') ? STANDARDISED : undefined,
            },
            [element('def:WhereClauseRef', { WhereClauseOID: `WC.${table.name}.${test}` })],
          ),
        ),
      ),
    ),
    whereClauses: tests.map(([test]) => whereClause(table, test)),
    items: [
      ...table.columns.map((column) => variableItem(table, column, { isShifted, options, hasTests: tests.length > 0 })),
      ...byTest.flatMap(({ name }) => tests.map(([test, label]) => testItem(table, name, [test, label], options))),
    ],
  }
}

export function describeText(text: string, language: Language): XmlElement {
  return element('Description', {}, [element('TranslatedText', { 'xml:lang': language }, text)])
}

function itemOid({ name }: DomainTable, variable: string, test?: string): string {
  return test === undefined ? `IT.${name}.${variable}` : `IT.${name}.${variable}.${test}`
}

function whereClause(table: DomainTable, test: string): XmlElement {
  return element('def:WhereClauseDef', { OID: `WC.${table.name}.${test}` }, [
    element(
      'RangeCheck',
      { Comparator: 'EQ', SoftHard: 'Soft', 'def:ItemOID': itemOid(table, `${table.name}TESTCD`) },
      [element('CheckValue', {}, test)],
    ),
  ])
}

function variableItem(
  table: DomainTable,
  column: SdtmVariable,
  of: { readonly isShifted: boolean; readonly options: DefineOptions; readonly hasTests: boolean },
): XmlElement {
  const { name, label, type } = column
  const list = listOfVariable(table, name)
  const isChanged = type === 'date' || name === 'USUBJID' || name === 'SUBJID'
  return element(
    'ItemDef',
    {
      OID: itemOid(table, name),
      Name: name,
      SASFieldName: name,
      ...typeOf(type, table.factsOf(name), of.options),
      'def:CommentOID': of.isShifted && isChanged ? 'COM.DEIDENTIFIED' : undefined,
    },
    [
      describeText(label, 'en'),
      ...(list === null ? [] : [element('CodeListRef', { CodeListOID: list.oid })]),
      originOf(table, name),
      ...(of.hasTests && BY_TEST.test(name)
        ? [element('def:ValueListRef', { ValueListOID: `VL.${table.name}.${name}` })]
        : []),
    ],
  )
}

function testItem(
  table: DomainTable,
  variable: string,
  [test, label]: readonly [string, string],
  options: DefineOptions,
): XmlElement {
  const facts = table.factsOf(variable, test)
  const list = variable.endsWith('STRESC') ? listOfTest(table, test) : null
  const type = list === null && facts.areNumbers ? 'number' : 'text'
  return element(
    'ItemDef',
    { OID: itemOid(table, variable, test), Name: test, SASFieldName: test, ...typeOf(type, facts, options) },
    [
      describeText(label, 'en'),
      ...(list === null ? [] : [element('CodeListRef', { CodeListOID: list.oid })]),
      originOf(table, variable),
    ],
  )
}

function typeOf(
  type: SdtmVariable['type'],
  { bytes, decimals, digits, dates, values }: ValueFacts,
  { format }: DefineOptions,
): Readonly<Record<string, string | undefined>> {
  if (type === 'date') return { DataType: { days: 'date', times: 'datetime', mixed: 'partialDatetime' }[dates] }
  if (type === 'number') {
    if (decimals === 0) return { DataType: 'integer', Length: String(Math.max(1, digits)) }
    const Length = String(digits + 1 + decimals)
    return { DataType: 'float', Length, SignificantDigits: String(decimals) }
  }
  const most = format === 'sdtm-xport5' ? XPORT_5.textBytes : bytes
  return { DataType: 'text', Length: String(Math.max(1, values === 0 ? 1 : Math.min(bytes, most))) }
}

/** Where a variable comes from: a person entered it, the sponsor says it, or it is computed. */
function originOf(table: DomainTable, variable: string): XmlElement {
  const type = originType(table, variable)
  return element('def:Origin', { Type: type, Source: type === 'Collected' ? 'Investigator' : 'Sponsor' })
}

function originType({ name, sources }: DomainTable, variable: string): 'Collected' | 'Assigned' | 'Derived' {
  if (variable === 'USUBJID' || variable === `${name}SEQ` || /^..STRES[CNU]$/.test(variable)) return 'Derived'
  if (/^..(ORRES|REASND|STAT)$/.test(variable)) return 'Collected'
  const readers = sources.flatMap(({ values, tests }) => [...values, ...tests.flatMap((test) => test.values)])
  const isEntered = readers.some(
    (reader) => reader.variable.name === variable && (reader.place !== null || reader.value.fact !== undefined),
  )
  return isEntered ? 'Collected' : 'Assigned'
}
