import { describe, expect, it } from 'vitest'
import { inLanguage, pageNameIn, visitNameIn } from '#core/form/definition/inLanguage.ts'
import { parsePage } from '#core/form/definition/page.ts'
import type { PageModel } from '#core/form/definition/page.ts'
import { suffixAfter } from '#core/form/definition/pageLook.ts'

/** What visits, pages, sections and fields are called for readers of either language. */

function read(option: object): PageModel {
  const result = parsePage(JSON.stringify(option))
  if (!result.ok) throw new Error(result.error.kind)
  return result.page
}

describe('a name in the reader’s language', () => {
  it('is the English one for an English reader, and the definition’s own for everybody else', () => {
    expect(inLanguage('en', '筛选期', 'Screening')).toBe('Screening')
    expect(inLanguage('zh', '筛选期', 'Screening')).toBe('筛选期')
    expect(visitNameIn('en', { folderName: '筛选期', folderNameEn: 'Screening' })).toBe('Screening')
    expect(pageNameIn('zh', { pageName: '生命体征', pageNameEn: 'Vital signs' })).toBe('生命体征')
  })

  it('is the definition’s own where nobody wrote an English one', () => {
    for (const english of [null, undefined, '']) expect(inLanguage('en', '筛选期', english)).toBe('筛选期')
    expect(visitNameIn('en', { folderName: '筛选期' })).toBe('筛选期')
    expect(pageNameIn('en', { pageName: null })).toBeNull()
  })
})

describe('a page option', () => {
  it('says its sections, hints, units, boxes and scales in both languages', () => {
    const page = read({
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
              placeholder: '数到一分钟',
              zl: {
                unit: '次/分',
                unitEn: '/min',
                note: '静坐后',
                noteEn: 'After sitting',
                placeholderEn: 'Count a minute',
              },
            },
            {
              prop: 'pain',
              label: '疼痛',
              type: 'slider',
              zl: { marks: ['无痛', '最痛'], marksEn: ['None', 'Worst'] },
            },
          ],
        },
      ],
      labelSuffix: '：',
      submitText: '交',
      zl: { labelSuffixEn: ':', submitTextEn: 'Hand in' },
    })
    expect(page.sections).toMatchObject([{ label: '体征', labelEn: 'Signs' }])
    expect(page.byCode.get('pulse')).toMatchObject({
      unit: '次/分',
      unitEn: '/min',
      note: '静坐后',
      noteEn: 'After sitting',
      placeholder: '数到一分钟',
      placeholderEn: 'Count a minute',
    })
    expect(page.byCode.get('pain')).toMatchObject({ marks: ['无痛', '最痛'], marksEn: ['None', 'Worst'] })
    expect([
      suffixAfter('Pulse', page.look, 'en'),
      suffixAfter('脉搏', page.look, 'zh'),
      page.look.submitTextEn,
    ]).toEqual([':', '：', 'Hand in'])
  })

  it('of before, in one language, is read as it was', () => {
    const page = read({
      column: [{ prop: 'pulse', label: '脉搏', type: 'number', zl: { unit: '次/分', note: '静坐后' } }],
      group: [{ prop: 'g', label: '体征', column: [] }],
      labelSuffix: '：',
    })
    expect(page.sections.map(({ labelEn }) => labelEn)).toEqual([null, null])
    expect(page.byCode.get('pulse')).toMatchObject({ unitEn: null, noteEn: null, placeholderEn: null, marksEn: [] })
    expect(suffixAfter('Pulse', page.look, 'en')).toBe('：')
  })
})
