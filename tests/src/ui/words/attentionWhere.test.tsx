import { renderHook } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { DELETED } from '#core/sync/merge.ts'
import { useAttentionWhere } from '#src/ui/words/attentionWhere.ts'
import { speak } from '#tests/src/support/screen.tsx'

/** Where something lies that needs a person, in their language. */

const dose = {
  patientLabel: '01-001',
  pageName: '合并用药',
  pageNameEn: 'Medication',
  fieldCode: 'dose',
  fieldLabel: '剂量',
  fieldLabelEn: 'Dose',
  tableRow: { fieldLabel: '用药', fieldLabelEn: 'Drugs', no: 2 },
}
const where = (
  place: typeof dose | (Omit<typeof dose, 'fieldLabel' | 'tableRow'> & { fieldLabel: null; tableRow: null }),
): string => renderHook(() => useAttentionWhere()).result.current(place)

describe('where something lies', () => {
  test('is said in Chinese as the definition says it', async () => {
    await speak('zh')
    expect(where(dose)).toMatch(/^01-001 · 合并用药 · .*用药.*2.* · 剂量$/)
  })

  test('is said in English where the definition has English words, for the table and the field too', async () => {
    await speak('en')
    expect(where(dose)).toMatch(/^01-001 · Medication · .*Drugs.*2.* · Dose$/)
  })

  test('is the whole page where that was deleted', async () => {
    await speak('en')
    expect(where({ ...dose, fieldCode: DELETED, fieldLabel: null, tableRow: null })).toBe(
      '01-001 · Medication · Entire page',
    )
  })
})
