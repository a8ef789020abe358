import { describe, expect, it } from 'vitest'
import { PLAIN_LOOK, readLook, readSpan, suffixAfter } from '#core/form/definition/pageLook.ts'

describe('how a page is laid out', () => {
  it('is as its definition says: labels, suffix, room, submit, size', () => {
    const root = {
      labelPosition: 'left',
      labelWidth: 140,
      labelSuffix: '：',
      gutter: 12,
      submitText: '完成本页',
      menuPosition: 'center',
      zl: { pageSize: 'A4-vertical', labelSuffixEn: ':', submitTextEn: 'Finish this page' },
    }
    expect(readLook(root)).toEqual({
      labelPosition: 'left',
      labelWidth: 140,
      labelSuffix: '：',
      labelSuffixEn: ':',
      gutter: 12,
      submitText: '完成本页',
      submitTextEn: 'Finish this page',
      menuPosition: 'center',
      size: 'A4-vertical',
    })
  })

  it('is the app’s own where nothing is said, or nothing that could be done', () => {
    expect(readLook({})).toEqual(PLAIN_LOOK)
    expect(
      readLook({
        labelPosition: 'below',
        labelWidth: -1,
        labelSuffix: '',
        gutter: 'wide',
        submitText: '',
        menuPosition: 'top',
        zl: { pageSize: 'A5' },
      }),
    ).toEqual(PLAIN_LOOK)
  })

  it('keeps within what a screen has room for', () => {
    expect(readLook({ labelWidth: 9000, gutter: 9000 })).toMatchObject({ labelWidth: 600, gutter: 200 })
    expect([readSpan(8), readSpan(12.5), readSpan(24), readSpan(0), readSpan(undefined)]).toEqual([
      8,
      12,
      null,
      null,
      null,
    ])
  })

  it('puts the suffix after a label, and none after a question or a label that ends by itself', () => {
    const look = { labelSuffix: '：', labelSuffixEn: ':' }
    expect(['体重', '是否吸烟？', '体重：', 'Weight:'].map((label) => suffixAfter(label, look, 'zh'))).toEqual([
      '：',
      '',
      '',
      '',
    ])
  })
})
