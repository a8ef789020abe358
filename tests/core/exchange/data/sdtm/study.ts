import type { DataSetDefinition } from '#core/dataset/definition.ts'
import type { SdtmMapping } from '#core/dataset/sdtm/mapping.ts'
import type { Subject, SubjectEntry } from '#core/dataset/source.ts'
import type { WriteNote } from '#core/exchange/data/contract.ts'
import { sdtmTables, writeSdtm } from '#core/exchange/data/sdtm/sdtmFiles.ts'
import type { SdtmFormatId } from '#core/dataset/formats.ts'
import { define, entry, sourceOf, studyOf, subject } from '#tests/core/dataset/fixtures.ts'

/** A small study with a page of everything, and its mapping. */

const YES_NO = [
  { label: '否', value: '0' },
  { label: '是', value: '1' },
]
const SITES = [
  { label: '左臂', value: '1' },
  { label: '右臂', value: '2' },
]
export const COLUMNS = [
  { prop: 'done', label: '是否测量', type: 'radio', dicData: YES_NO },
  { prop: 'why', label: '未测原因', type: 'input' },
  { prop: 'day', label: '日期', type: 'date' },
  { prop: 'clock', label: '时间', type: 'time', format: 'HH:mm' },
  { prop: 'temp', label: '体温', type: 'number', precision: 1 },
  { prop: 'weight', label: '体重', type: 'number' },
  { prop: 'arm', label: '部位', type: 'radio', dicData: SITES },
  {
    prop: 'urine',
    label: '尿蛋白',
    type: 'radio',
    dicData: [
      { label: '阴性', value: '0' },
      { label: '阳性', value: '1' },
    ],
  },
  { prop: 'born', label: '出生', type: 'date', zl: { partial: 'year' } },
  { prop: 'contact', label: '联系人', type: 'input', zl: { identifier: true } },
  {
    prop: 'drugs',
    label: '用药',
    type: 'dynamic',
    children: {
      column: [
        { prop: 'drug', label: '药名', type: 'input' },
        { prop: 'dose', label: '剂量', type: 'number' },
        { prop: 'from', label: '开始', type: 'date', zl: { partial: 'year' } },
      ],
    },
  },
  {
    prop: 'serious',
    label: '严重标准',
    type: 'checkbox',
    dicData: [
      { label: '死亡', value: 'a' },
      { label: '住院', value: 'b' },
    ],
  },
  { prop: 'term', label: '不良事件', type: 'textarea' },
]

export const STUDY = studyOf([COLUMNS], ['contact'])

export const MAPPING: SdtmMapping = {
  format: 'zhenglu-sdtm',
  version: 1,
  study: 'XAK-01',
  standard: '3.4',
  visits: [{ visit: 'V1', number: 1, name: 'BASELINE' }],
  domains: [
    {
      domain: 'DM',
      class: 'special-purpose',
      label: 'Demographics',
      sources: [
        {
          page: 'VS',
          values: {
            SITEID: { fact: 'center' },
            SEX: { fact: 'sex' },
            RFSTDTC: { fact: 'enrolled' },
            BRTHDTC: { field: 'born' },
            COUNTRY: { constant: 'CHN' },
          },
        },
      ],
    },
    {
      domain: 'VS',
      class: 'findings',
      label: 'Vital Signs',
      sources: [
        {
          page: 'VS',
          values: { VSDTC: { field: 'day', time: 'clock' } },
          performed: { field: 'done', no: ['0'], reason: 'why' },
          tests: [
            {
              code: 'TEMP',
              name: 'Temperature',
              result: { field: 'temp' },
              unit: 'F',
              standard: { unit: 'C', factor: 5 / 9, offset: -160 / 9 },
              values: { VSLOC: { field: 'arm', terms: { 1: 'ARM, LEFT', 2: '' } } },
            },
            { code: 'WEIGHT', name: 'Weight', result: { field: 'weight' }, unit: 'kg' },
          ],
        },
      ],
    },
    {
      domain: 'AE',
      class: 'events',
      label: 'Adverse Events',
      sources: [{ page: 'VS', values: { AETERM: { field: 'term' }, AESDTH: { field: 'serious', choice: 'a' } } }],
    },
    {
      domain: 'CM',
      class: 'interventions',
      label: 'Concomitant/Prior Medications',
      sources: [
        {
          page: 'VS',
          table: 'drugs',
          values: {
            CMTRT: { field: 'drug' },
            CMDOSE: { field: 'dose' },
            CMSTDTC: { field: 'from' },
            CMDTC: { field: 'day' },
            CMINDC: { field: 'contact' },
          },
        },
      ],
    },
    {
      domain: 'LB',
      class: 'findings',
      label: 'Laboratory Test Results',
      sources: [
        {
          page: 'VS',
          tests: [{ code: 'PROT', name: 'Protein', result: { field: 'urine', terms: { 0: 'NEGATIVE' } } }],
        },
      ],
    },
  ],
}

export const DRUGS = [
  { _rid: 'b', _ord: 'B', drug: '阿司匹林', dose: 100, from: '2025' },
  { _rid: 'a', _ord: 'A', drug: '丹参', dose: '两片', from: '2025-03' },
]

export interface Told {
  readonly entries: readonly SubjectEntry[]
  readonly subjects?: readonly Subject[]
  readonly definition?: Partial<DataSetDefinition>
  readonly mapping?: SdtmMapping
}

export function studyWith({ entries, subjects = [subject('1')], definition = {}, mapping = MAPPING }: Told) {
  const leaving = { definition: define({ sdtm: mapping, ...definition }), isIdentifying: false }
  const pseudonymOf = (id: string) => ({ subject: `S${id}`, shiftDays: 10 })
  const reading = {
    source: sourceOf(subjects, entries),
    places: STUDY.places,
    pseudonymOf: leaving.definition.deidentify.on ? pseudonymOf : null,
  }
  return { study: STUDY, leaving, reading, mapping }
}

/** All files of a format, and the notes on them. */
export async function written(told: Told, format: SdtmFormatId = 'sdtm-xport5') {
  const of = studyWith(told)
  const tables = sdtmTables(of)
  const notes: WriteNote[] = []
  const options = {
    language: 'zh' as const,
    createdAt: '2026-11-30T08:00:00Z',
    name: 'data',
    title: '心安颗粒研究',
    note: (note: WriteNote) => notes.push(note),
  }
  const files = new Map<string, Uint8Array>()
  for await (const { name, chunks } of writeSdtm({ format, tables, read: tables, of }, options)) {
    const pieces: Uint8Array[] = []
    for await (const piece of chunks) pieces.push(piece)
    files.set(name, Buffer.concat(pieces))
  }
  return { files, notes, define: Buffer.from(files.get('define.xml') ?? []).toString('utf8') }
}

export { entry, subject }
