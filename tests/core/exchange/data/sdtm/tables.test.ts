import { describe, expect, it } from 'vitest'
import { sdtmTables } from '#core/exchange/data/sdtm/sdtmFiles.ts'
import { recordsOf } from '#tests/core/dataset/fixtures.ts'

import { DRUGS, MAPPING, entry, studyWith, subject, written } from './study.ts'
import type { Told } from './study.ts'

/** What pages become in tables of SDTM. */

async function made(told: Told) {
  const tables = sdtmTables(studyWith(told))
  const rowsOf = (name: string) => recordsOf(tables.find((table) => table.name === name))
  return {
    DM: await rowsOf('DM'),
    VS: await rowsOf('VS'),
    AE: await rowsOf('AE'),
    CM: await rowsOf('CM'),
    LB: await rowsOf('LB'),
    notes: tables.flatMap((table) => table.notes()),
  }
}

const key = { STUDYID: 'XAK-01', USUBJID: 'XAK-01-01-1' }

describe('demographics', () => {
  it('have one row for each subject, also for one of whom no page was begun', async () => {
    const subjects = [subject('1'), subject('2', { sex: 'M' })]
    const { DM } = await made({ subjects, entries: [entry('1', { born: '1960-05' })] })
    const known = { SITEID: 'N01', RFSTDTC: '2026-03-01', DOMAIN: 'DM', STUDYID: 'XAK-01' }
    expect(DM).toEqual([
      { ...known, USUBJID: 'XAK-01-01-1', SUBJID: '01-1', SEX: 'F', BRTHDTC: '1960-05', COUNTRY: 'CHN' },
      { ...known, USUBJID: 'XAK-01-01-2', SUBJID: '01-2', SEX: 'M', COUNTRY: 'CHN' },
    ])
  })

  it('take the first value and tell of another one', async () => {
    const entries = [entry('1', { born: '1960' }), entry('1', { born: '1961' }, { pageNo: 2 })]
    const { DM, notes } = await made({ entries })
    expect(DM).toMatchObject([{ BRTHDTC: '1960' }])
    expect(notes).toContainEqual({ kind: 'second-value', table: 'DM', variable: 'BRTHDTC', row: 1, text: '1961' })
  })
})

describe('findings', () => {
  it('have a row for each result, as entered and in standard units', async () => {
    const { VS } = await made({
      entries: [entry('1', { day: '2026-03-02', clock: '08:30', temp: 98.6, weight: 65.5, arm: '1' })],
    })
    const at = { ...key, DOMAIN: 'VS', VSDTC: '2026-03-02T08:30', VISITNUM: 1, VISIT: 'BASELINE' }
    expect(VS).toEqual([
      {
        ...at,
        VSSEQ: 1,
        VSTESTCD: 'TEMP',
        VSTEST: 'Temperature',
        VSORRES: '98.6',
        VSORRESU: 'F',
        VSSTRESC: '37',
        VSSTRESN: 37,
        VSSTRESU: 'C',
        VSLOC: 'ARM, LEFT',
      },
      {
        ...at,
        VSSEQ: 2,
        VSTESTCD: 'WEIGHT',
        VSTEST: 'Weight',
        VSORRES: '65.5',
        VSORRESU: 'kg',
        VSSTRESC: '65.5',
        VSSTRESN: 65.5,
        VSSTRESU: 'kg',
      },
    ])
  })

  it('say what was not done, and why', async () => {
    const missing = { temp: { m: 'ND', reason: '体温计损坏' }, weight: { m: 'UNK', reason: '' } } as const
    const { VS } = await made({ entries: [entry('1', {}, { missing })] })
    expect(VS).toMatchObject([
      { VSTESTCD: 'TEMP', VSSTAT: 'NOT DONE', VSREASND: '体温计损坏' },
      { VSTESTCD: 'WEIGHT', VSSTAT: 'NOT DONE', VSREASND: '不详' },
    ])
    expect(Object.keys(VS[0] ?? {})).not.toContain('VSORRES')
  })

  it('have one row where the whole examination was not made', async () => {
    const { VS } = await made({ entries: [entry('1', { done: '0', why: '拒绝', temp: 36 })] })
    expect(VS).toMatchObject([
      { VSSEQ: 1, VSTESTCD: 'VSALL', VSTEST: 'Vital Signs', VSSTAT: 'NOT DONE', VSREASND: '拒绝' },
    ])
  })

  it('keep a text that is no number as it was entered', async () => {
    const { VS } = await made({ entries: [entry('1', { weight: '约70' })] })
    expect(VS).toMatchObject([{ VSORRES: '约70', VSSTRESC: '约70' }])
    expect(Object.keys(VS[0] ?? {})).not.toContain('VSSTRESN')
  })

  it('of a list have the label as the original, and the submission value as the standard', async () => {
    const { LB, notes } = await made({
      entries: [entry('1', { urine: '0' }), entry('1', { urine: '1' }, { visitNo: 2 })],
    })
    expect(LB).toMatchObject([
      { LBSEQ: 1, LBORRES: '阴性', LBSTRESC: 'NEGATIVE', VISITNUM: 1, VISIT: 'BASELINE' },
      { LBSEQ: 2, LBORRES: '阳性', LBSTRESC: '1', VISITNUM: 1.01, VISIT: 'BASELINE (2)' },
    ])
    expect(notes).toContainEqual({ kind: 'term-not-listed', table: 'LB', variable: 'LBSTRESC', row: 2, text: '1' })
  })

  it('of a visit that the mapping does not have say so, and have its name', async () => {
    const mapping = { ...MAPPING, visits: [] }
    const { VS, notes } = await made({ mapping, entries: [entry('1', { weight: 60 })] })
    expect(VS).toMatchObject([{ VISIT: '基线' }])
    expect(notes).toContainEqual({ kind: 'visit-not-listed', table: 'VS', variable: 'VISITNUM', text: 'V1' })
  })
})

describe('events and interventions', () => {
  it('have a row for each page that says something', async () => {
    const entries = [
      entry('1', { term: '头痛', serious: ['a'] }),
      entry('1', { weight: 60 }, { pageNo: 2 }),
      entry('1', { term: '恶心', serious: ['b'] }, { pageNo: 3 }),
    ]
    const { AE } = await made({ entries })
    expect(AE).toEqual([
      { ...key, DOMAIN: 'AE', AESEQ: 1, AETERM: '头痛', AESDTH: 'Y' },
      { ...key, DOMAIN: 'AE', AESEQ: 2, AETERM: '恶心', AESDTH: 'N' },
    ])
  })

  it('have a row for each row of a table, with partial dates as they are and fields of the page', async () => {
    const { CM, notes } = await made({ entries: [entry('1', { day: '2026-03-02', drugs: DRUGS })] })
    expect(CM).toEqual([
      { ...key, DOMAIN: 'CM', CMSEQ: 1, CMTRT: '丹参', CMSTDTC: '2025-03', CMDTC: '2026-03-02' },
      { ...key, DOMAIN: 'CM', CMSEQ: 2, CMTRT: '阿司匹林', CMDOSE: 100, CMSTDTC: '2025', CMDTC: '2026-03-02' },
    ])
    expect(notes).toContainEqual({ kind: 'value-not-of-type', table: 'CM', variable: 'CMDOSE', row: 1, text: '两片' })
  })

  it('stand in the order of the casebook, whatever the order in which they were begun', async () => {
    const entries = [entry('1', { term: '后' }, { visitNo: 2 }), entry('1', { term: '先' }, { pageNo: 2 })]
    const { AE } = await made({ entries })
    expect(AE).toMatchObject([
      { AESEQ: 1, AETERM: '先' },
      { AESEQ: 2, AETERM: '后' },
    ])
  })

  it('are numbered within each subject', async () => {
    const subjects = [subject('1'), subject('2')]
    const entries = [entry('1', { term: 'a' }), entry('1', { term: 'b' }), entry('2', { term: 'c' })]
    const { AE } = await made({ subjects, entries })
    expect(AE).toMatchObject([{ AESEQ: 1 }, { AESEQ: 2 }, { AESEQ: 1, USUBJID: 'XAK-01-01-2' }])
  })
})

describe('what stays behind', () => {
  const ON = { on: true, keepText: [], ages: [] }
  const planted = entry(
    '1',
    {
      day: '2026-03-12',
      born: '1960-05',
      term: '张三头痛',
      contact: '王五',
      weight: '约70',
      serious: ['a'],
      drugs: DRUGS,
    },
    { missing: { temp: { m: 'ND', reason: '李四说' } } },
  )

  it('is in no table of a reader who may not see it, and is named', async () => {
    const { CM, notes } = await made({ entries: [planted] })
    expect(JSON.stringify(CM)).not.toContain('王五')
    expect(notes).toContainEqual({
      kind: 'field-not-in-data',
      table: 'CM',
      variable: 'CMINDC',
      text: 'VS.drugs.contact',
    })
    expect(
      sdtmTables(studyWith({ entries: [] }))
        .find(({ name }) => name === 'CM')
        ?.columns.map(({ name }) => name),
    ).not.toContain('CMINDC')
  })

  it('is what free text and what identifies is where data are de-identified; dates are shifted', async () => {
    const { DM, VS, AE, CM } = await made({ definition: { deidentify: ON }, entries: [planted] })
    const texts = JSON.stringify([DM, VS, AE, CM])
    for (const word of ['张三', '王五', '约70', '李四', '丹参', '01-1', '2026-03-12', '1960-05'])
      expect([word, texts.includes(word)]).toEqual([word, false])
    expect(DM).toMatchObject([{ USUBJID: 'XAK-01-S1', SUBJID: 'S1', RFSTDTC: '2026-02-19', BRTHDTC: '1960' }])
    expect(VS).toMatchObject([{ VSTESTCD: 'TEMP', VSREASND: '未做', VSDTC: '2026-03-02' }])
    expect(AE).toMatchObject([{ USUBJID: 'XAK-01-S1', AESDTH: 'Y' }])
    expect(CM).toMatchObject([{ CMSTDTC: '2025' }, { CMDOSE: 100 }])
  })

  it('is the second pass of double entry', async () => {
    const entries = [entry('1', { weight: 60 }), entry('1', { weight: 61 }, { pass: 2 })]
    const { VS } = await made({ entries, definition: { passes: 'both' } })
    expect(VS).toMatchObject([{ VSORRES: '60' }])
  })

  it('is what no table has a use for, and each such field is named', async () => {
    const { notes } = await written({ entries: [] })
    const named = notes.flatMap((note) => (note.kind === 'field-not-mapped' ? [note.variable] : []))
    expect(named).toEqual([])
    const mapping = { ...MAPPING, domains: MAPPING.domains.filter(({ domain }) => domain === 'DM') }
    const less = await written({ entries: [], mapping })
    expect(less.notes).toContainEqual({ kind: 'field-not-mapped', table: 'VS', variable: 'drugs.dose' })
    expect(less.notes).not.toContainEqual({ kind: 'field-not-mapped', table: 'VS', variable: 'contact' })
  })
})
