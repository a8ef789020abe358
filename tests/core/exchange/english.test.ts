// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'

import type { DefinedFolder, DefinedPage, StudyDefinition } from '#core/exchange/definition.ts'
import { readJson, writeJson } from '#core/exchange/json/json.ts'
import { readOdm } from '#core/exchange/odm/read.ts'
import { writeOdm } from '#core/exchange/odm/write.ts'
import { printCrf } from '#core/exchange/print/printCrf.ts'
import { en } from '#core/exchange/print/words.en.ts'
import { zh } from '#core/exchange/print/words.zh.ts'
import { writeRedcapDictionary } from '#core/exchange/redcap/write.ts'
import { readSheets } from '#core/exchange/sheet/readSheets.ts'
import { readWorkbook } from '#core/exchange/workbook/read.ts'
import { writeWorkbook } from '#core/exchange/workbook/write.ts'
import { readXlsForm } from '#core/exchange/xlsform/read.ts'
import { writeXlsForm } from '#core/exchange/xlsform/write.ts'

/**
 * English names of visits, pages, sections, hints and units on their way through files, as far as each format has words
 * for them.
 */

const VITALS: DefinedPage = {
  pageCode: 'VS',
  pageName: '生命体征',
  pageNameEn: 'Vital signs',
  option: {
    column: [],
    group: [
      {
        prop: 'signs',
        label: '体征',
        labelEn: 'Signs',
        column: [
          {
            prop: 'pulse',
            label: '脉搏',
            type: 'number',
            span: 24,
            placeholder: '数到一分钟',
            zl: {
              unit: '次/分',
              unitEn: '/min',
              note: '静坐后',
              noteEn: 'After sitting',
              placeholderEn: 'Count a minute',
              labels: { zh: '脉搏', en: 'Pulse' },
            },
          },
        ],
      },
    ],
    labelPosition: 'top',
    labelSuffix: '',
    labelWidth: 120,
  },
}
const OTHER: DefinedPage = {
  pageCode: 'LB',
  pageName: '化验',
  pageNameEn: 'Laboratory',
  option: {
    column: [{ prop: 'wbc', label: '白细胞', type: 'number', span: 24 }],
    labelPosition: 'top',
    labelSuffix: '',
    labelWidth: 120,
  },
}
const SCREENING: DefinedFolder = {
  folderCode: 'SCR',
  folderName: '筛选期',
  folderNameEn: 'Screening',
  pages: ['VS', 'LB'],
}
const STUDY: Pick<StudyDefinition, 'pages' | 'folders'> = { pages: [VITALS, OTHER], folders: [SCREENING] }

function only(result: ReturnType<typeof readJson>): StudyDefinition {
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.definition
}

function sheets(bytes: Uint8Array) {
  const read = readSheets(bytes)
  if (!read.ok) throw new Error(read.error.kind)
  return read.sheets
}

const odm = (version: '1.3.2' | '2.0') =>
  writeOdm(STUDY, { version, studyName: 'S', createdAt: '2026-01-01T00:00:00Z' }).text

describe('English names come back', () => {
  it('from our own formats', () => {
    for (const read of [only(readJson(writeJson(STUDY))), only(readWorkbook(sheets(writeWorkbook(STUDY))))])
      expect({ pages: read.pages, folders: read.folders }).toEqual(STUDY)
  })

  it.each(['1.3.2', '2.0'] as const)('from ODM %s, as translated texts that other systems read', (version) => {
    const text = odm(version)
    for (const words of ['Screening', 'Vital signs', 'Signs', 'After sitting'])
      expect(text).toContain(`xml:lang="en"${version === '2.0' ? ' Type="text/plain"' : ''}>${words}</TranslatedText>`)
    const { pages, folders } = only(readOdm(text))
    expect({ pages, folders }).toEqual(STUDY)
  })

  it('from an XLSForm, which has no word for a box that is empty', () => {
    const { bytes, notWritten } = writeXlsForm(STUDY)
    const [survey] = sheets(bytes)
    expect(survey?.rows[0]?.cells).toEqual(
      expect.arrayContaining(['label::English (en)', 'hint::English (en)', 'zl_unit_en']),
    )
    const { pages, notCarried } = only(readXlsForm(sheets(bytes), 'S'))
    expect(notCarried).toEqual([])
    expect(pages.map(({ pageNameEn }) => pageNameEn)).toEqual(['Vital signs', 'Laboratory'])
    expect(pages[0]?.option.group).toMatchObject([
      { labelEn: 'Signs', column: [{ zl: { noteEn: 'After sitting', unitEn: '/min' } }] },
    ])
    expect(notWritten.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['placeholder', 'placeholderEn', 'visit']),
    )
  })

  it('from a changed file as somebody else changed them', () => {
    const { folders, pages } = only(
      readOdm(odm('1.3.2').replace('>Screening<', '>Run-in<').replace('>Vital signs<', '>Vitals<')),
    )
    expect([folders[0]?.folderNameEn, pages[0]?.pageNameEn]).toEqual(['Run-in', 'Vitals'])
  })
})

describe('where a format has one language', () => {
  it('REDCap is told to have left the English out', () => {
    const { notWritten } = writeRedcapDictionary(STUDY.pages)
    expect(notWritten.map(({ what, text }) => `${what} ${text}`)).toEqual(
      expect.arrayContaining([
        'pageNameEn Vital signs',
        'labelEn Signs',
        'noteEn After sitting',
        'unitEn /min',
        'placeholderEn Count a minute',
      ]),
    )
  })
})

describe('on paper', () => {
  const printed = (words: typeof zh) =>
    new DOMParser().parseFromString(printCrf(STUDY, 'S', words), 'text/html').body.textContent ?? ''

  it('an English form has visits, pages, sections, hints and units in English', () => {
    const text = printed(en)
    for (const words of ['Screening', 'Vital signs', 'Signs', 'After sitting', '/min']) expect(text).toContain(words)
    expect(text).not.toMatch(/筛选期|生命体征|体征|静坐后|次\/分/)
  })

  it('a Chinese one has them in Chinese', () => {
    const text = printed(zh)
    for (const words of ['筛选期', '生命体征', '体征', '静坐后', '次/分']) expect(text).toContain(words)
    expect(text).not.toContain('Screening')
  })
})
