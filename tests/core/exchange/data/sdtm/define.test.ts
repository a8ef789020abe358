import { describe, expect, it } from 'vitest'
import { childrenOf, attributeOf } from '#core/exchange/xml/element.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { readXml } from '#core/exchange/xml/read.ts'

import { DRUGS, MAPPING, entry, written } from './study.ts'

/** The files of SDTM, and define.xml beside them. */

const ENTRIES = [
  entry('1', {
    day: '2026-03-02',
    clock: '08:30',
    temp: 98.6,
    weight: 65,
    arm: '1',
    urine: '0',
    born: '1960-05',
    term: '头痛',
    serious: ['a'],
    drugs: DRUGS,
  }),
  entry('1', { day: '2026-04-02', weight: '约70' }, { pageNo: 2 }),
]

function metaOf(text: string): XmlElement {
  const read = readXml(text, { length: 10_000_000, elements: 100_000, depth: 50, attributes: 50 })
  if (!read.ok) throw new Error('define.xml cannot be read')
  const [study] = childrenOf(read.root, 'Study')
  const [meta] = study === undefined ? [] : childrenOf(study, 'MetaDataVersion')
  if (meta === undefined) throw new Error('define.xml has no metadata')
  return meta
}

function* within(element: XmlElement): Generator<XmlElement> {
  yield element
  for (const child of element.children) yield* within(child)
}

describe('the files', () => {
  it('are a data set for each table, named as agencies want them, and define.xml', async () => {
    const { files } = await written({ entries: ENTRIES })
    expect([...files.keys()]).toEqual(['dm.xpt', 'vs.xpt', 'ae.xpt', 'cm.xpt', 'lb.xpt', 'define.xml'])
    const json = await written({ entries: ENTRIES }, 'sdtm-json')
    expect([...json.files.keys()]).toEqual(['dm.json', 'vs.json', 'ae.json', 'cm.json', 'lb.json', 'define.xml'])
    const vs = JSON.parse(Buffer.from(json.files.get('vs.json') ?? []).toString('utf8')) as {
      itemGroupOID: string
      metaDataVersionOID: string
      columns: { itemOID: string }[]
    }
    // The OIDs of both lead to each other.
    const oids = new Set([...within(metaOf(json.define))].map((one) => attributeOf(one, 'OID')))
    expect(oids).toContain(vs.itemGroupOID)
    for (const { itemOID } of vs.columns) expect(oids).toContain(itemOID)
    expect(attributeOf(metaOf(json.define), 'OID')).toBe(vs.metaDataVersionOID)
  })

  it('tell of what was cut', async () => {
    const long = '痛'.repeat(100)
    const { notes, define } = await written({ entries: [entry('1', { term: long })] })
    expect(notes).toContainEqual({ kind: 'value-cut', table: 'AE', variable: 'AETERM', row: 1, text: long })
    expect(define).toMatch(/Name="AETERM"[^>]*Length="200"/)
    const json = await written({ entries: [entry('1', { term: long })] }, 'sdtm-json')
    expect(json.notes.map(({ kind }) => kind)).not.toContain('value-cut')
    expect(json.define).toMatch(/Name="AETERM"[^>]*Length="300"/)
  })
})

describe('define.xml', () => {
  it('has each part in the order of the standard', async () => {
    const { define } = await written({ entries: ENTRIES })
    const order = [...new Set(metaOf(define).children.map(({ name }) => name))]
    expect(order).toEqual([
      'Standards',
      'ValueListDef',
      'WhereClauseDef',
      'ItemGroupDef',
      'ItemDef',
      'CodeList',
      'MethodDef',
    ])
  })

  it('refers to nothing that is not there, and says nothing twice', async () => {
    const { define } = await written({
      entries: ENTRIES,
      definition: { deidentify: { on: true, keepText: [], ages: [] } },
    })
    const all = [...within(metaOf(define))]
    const oids = all.map((one) => attributeOf(one, 'OID')).filter((oid) => oid !== '')
    expect(new Set(oids).size).toBe(oids.length)
    const known = new Set([...oids, ...all.map((one) => attributeOf(one, 'ID'))])
    const named = all.flatMap((one) =>
      [...one.attributes].flatMap(([name, value]) => (/(?<!^)(OID|ArchiveLocationID)$/.test(name) ? [value] : [])),
    )
    expect(named.length).toBeGreaterThan(50)
    for (const oid of named) expect([oid, known.has(oid)]).toEqual([oid, true])
    const used = new Set(named)
    const apart = new Set(['ItemGroupDef', 'MetaDataVersion', 'Study'])
    const own = all.filter(({ name }) => !apart.has(name)).map((one) => attributeOf(one, 'OID'))
    expect(own.filter((oid) => oid !== '' && !used.has(oid))).toEqual([])
  })

  it('has for each variable its kind, length, list and origin', async () => {
    const { define } = await written({ entries: ENTRIES })
    const items = new Map(childrenOf(metaOf(define), 'ItemDef').map((one) => [attributeOf(one, 'OID'), one]))
    const told = (oid: string, ...names: readonly string[]) => {
      const item = items.get(oid)
      return names.map((name) => (item === undefined ? null : attributeOf(item, name)))
    }
    expect(told('IT.VS.VSSEQ', 'DataType', 'Length')).toEqual(['integer', '1'])
    expect(told('IT.VS.VSSTRESN', 'DataType', 'Length', 'SignificantDigits')).toEqual(['integer', '2', ''])
    expect(told('IT.VS.VSDTC', 'DataType', 'Length')).toEqual(['partialDatetime', ''])
    expect(told('IT.CM.CMSTDTC', 'DataType')).toEqual(['partialDatetime'])
    expect(told('IT.VS.VSORRES.TEMP', 'DataType', 'Length', 'SignificantDigits')).toEqual(['float', '4', '1'])
    expect(told('IT.VS.VSORRES.WEIGHT', 'DataType', 'Length')).toEqual(['text', '5'])
    const lists = new Map(
      childrenOf(metaOf(define), 'CodeList').map((one) => [
        attributeOf(one, 'OID'),
        childrenOf(one, 'CodeListItem').map((item) => attributeOf(item, 'CodedValue')),
      ]),
    )
    expect(lists.get('CL.VS.VSTESTCD')).toEqual(['TEMP', 'WEIGHT', 'VSALL'])
    expect(lists.get('CL.VS.VSLOC')).toEqual(['ARM, LEFT'])
    expect(lists.get('CL.AE.AESDTH')).toEqual(['Y', 'N'])
    expect(lists.get('CL.LB.LBSTRESC.PROT')).toEqual(['NEGATIVE', '1'])
    const origins = [...items].map(([oid, item]) => {
      const origin = item.children.find(({ name }) => name === 'Origin')
      return [oid, origin === undefined ? '' : attributeOf(origin, 'Type')]
    })
    expect(Object.fromEntries(origins)).toMatchObject({
      'IT.DM.COUNTRY': 'Assigned',
      'IT.DM.SEX': 'Collected',
      'IT.VS.USUBJID': 'Derived',
      'IT.VS.VSORRES': 'Collected',
      'IT.VS.VSSTRESN': 'Derived',
    })
  })

  it('keeps the limits of names and labels', async () => {
    const { define } = await written({ entries: ENTRIES })
    for (const item of childrenOf(metaOf(define), 'ItemDef')) {
      const text = [...within(item)].find(({ name }) => name === 'TranslatedText')?.text ?? ''
      expect([text, Buffer.byteLength(text) <= 40]).toEqual([text, true])
      expect(attributeOf(item, 'Name').length).toBeLessThanOrEqual(8)
    }
  })

  it('has nothing of a field that stays behind, and says that dates were shifted', async () => {
    const { define } = await written({
      entries: ENTRIES,
      definition: { deidentify: { on: true, keepText: [], ages: [] } },
    })
    expect(define).not.toContain('CMINDC')
    expect(define).not.toContain('CMTRT" SASFieldName="CMTRT" DataType="text" Length="6')
    // What the rows are about stays, and is said to be empty.
    expect(define).toMatch(/ItemOID="IT.AE.AETERM"[^>]*def:HasNoData="Yes"/)
    expect(define).toContain('COM.DEIDENTIFIED')
    expect((await written({ entries: ENTRIES })).define).not.toContain('COM.DEIDENTIFIED')
  })

  it('says of a table without rows that it has no data', async () => {
    const { define } = await written({ entries: [], mapping: MAPPING })
    expect(define).toMatch(/OID="IG.AE"[^>]*def:HasNoData="Yes"/)
  })
})
