// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PreviewSheet, widthOf } from '#src/form/PreviewTools.tsx'
import { compiled, opened } from '#tests/core/form/filling.ts'

import { show, standInForBrowser } from './screen.tsx'

beforeAll(standInForBrowser)
afterEach(cleanup)

const option = {
  labelPosition: 'left',
  labelWidth: 140,
  labelSuffix: '：',
  gutter: 12,
  column: [
    { prop: 'weight', label: '体重', type: 'number', placeholder: '公斤', span: 8 },
    { prop: 'smokes', label: '是否吸烟？', type: 'input' },
  ],
} as const
const page = compiled(option)

/** At entry a form takes values, in a preview and at user testing it is the same form; read, it draws no control. */
describe.each(['input', 'view'] as const)('a page that says how it is laid out, drawn to %s', (mode) => {
  let form: HTMLElement | null
  beforeEach(() => {
    form = show(opened(page), { mode }).container.querySelector('[data-labels]')
  })

  it('has its labels beside the fields, as wide as it says, with its room between fields', () => {
    expect([
      form?.dataset['labels'],
      form?.style.getPropertyValue('--label-width'),
      form?.style.getPropertyValue('--gutter'),
    ]).toEqual(['left', '140px', '12px'])
  })

  it('has its suffix after a label, but after no question, and in no name', () => {
    const suffixes = [...(form?.querySelectorAll('[data-row]') ?? [])].map((row) => [
      row.getAttribute('data-row'),
      row.querySelector<HTMLElement>('[data-suffix]')?.dataset['suffix'] ?? '',
    ])
    expect(suffixes).toEqual([
      ['weight', '：'],
      ['smokes', ''],
    ])
    expect(form?.textContent).not.toContain('体重：')
  })

  it('gives a field its share of the line', () => {
    const [weight, smokes] = [...(form?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    expect(weight?.getAttribute('style')).toMatch(/8/)
    expect(smokes?.getAttribute('style')).not.toBe(weight?.getAttribute('style'))
  })
})

it('a box says what its field asks for until something stands in it', () => {
  show(opened(page))
  expect((screen.getByLabelText('体重') as HTMLInputElement).placeholder).toBe('公斤')
})

it('a preview lies on a sheet of the size that the page asks for', () => {
  render(
    <PreviewSheet width={widthOf('A4-horizontal', 'auto')} language="zh">
      <p>页</p>
    </PreviewSheet>,
  )
  expect(screen.getByText('页').parentElement?.dataset['width']).toBe('horizontal')
  expect([widthOf('A4-vertical', 'auto'), widthOf(null, 'auto')]).toEqual(['vertical', 'auto'])
})
