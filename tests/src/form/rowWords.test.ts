import i18next from 'i18next'
import { describe, expect, it } from 'vitest'
import { rowWordsIn } from '#src/form/rowWords.ts'
import { form as en } from '#src/i18n/en/form.ts'
import { form as zh } from '#src/i18n/zh/form.ts'

async function translation() {
  const i18n = i18next.createInstance()
  await i18n.init({
    lng: 'zh',
    fallbackLng: 'zh',
    defaultNS: 'form',
    resources: { zh: { form: zh } },
    interpolation: { escapeValue: false },
  })
  return i18n
}

describe('the words that all rows of a form repeat', () => {
  it('are looked up once for the texts of a language, and anew when its own texts come', async () => {
    const i18n = await translation()
    const words = rowWordsIn(i18n, 'zh')
    expect(rowWordsIn(i18n, 'zh')).toBe(words)
    expect(rowWordsIn(i18n, 'en').required).toBe(zh.required)
    i18n.addResourceBundle('en', 'form', en)
    expect(rowWordsIn(i18n, 'en').required).toBe(en.required)
    expect(rowWordsIn(i18n, 'zh')).toBe(words)
  })

  it('are whole sentences with what is put into them, whatever that is', async () => {
    const { range, reference, sectionDone, groupMissingFor } = rowWordsIn(await translation(), 'zh')
    expect([range.both('0', '300'), range.min('0'), range.max('300')]).toEqual([
      '允许范围 0–300',
      '不小于 0',
      '不大于 300',
    ])
    expect([reference.both('2026-01-01', '$&'), reference.min('1'), reference.max('2')]).toEqual([
      '参考范围 2026-01-01–$&',
      '参考范围 ≥ 1',
      '参考范围 ≤ 2',
    ])
    expect([sectionDone('3', '20'), groupMissingFor('心率 & 血压')]).toEqual(['已填 3/20 项', '心率 & 血压：本组未做'])
  })
})
