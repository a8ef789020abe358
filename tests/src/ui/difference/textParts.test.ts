import { expect, test } from 'vitest'
import { differingParts } from '#src/ui/difference/textParts.ts'

/** What is marked in two values of one field: the piece in brackets. */
function marked(a: string, b: string): readonly [string, string] {
  const [left, right] = differingParts(a, b)
  const write = (parts: typeof left) => parts.map(({ text, differs }) => (differs ? `[${text}]` : text)).join('')
  return [write(left), write(right)]
}

test('in short values the letters that differ are marked', () => {
  expect(marked('22', '27')).toEqual(['2[2]', '2[7]'])
  expect(marked('2026-11-02', '2026-11-12')).toEqual(['2026-11-[0]2', '2026-11-[1]2'])
  expect(marked('Walks daily', 'walks daily')).toEqual(['[W]alks daily', '[w]alks daily'])
})

test('in long texts whole words are, and Chinese by letters', () => {
  const text = 'The patient reports mild dizziness in the morning, without'
  expect(marked(`${text} nausea`, `${text} vomiting`)[1]).toBe(`${text} [vomiting]`)
  expect(marked('患者诉头晕三日，伴乏力', '患者诉头晕五日，伴乏力')).toEqual([
    '患者诉头晕[三]日，伴乏力',
    '患者诉头晕[五]日，伴乏力',
  ])
})

test('nothing is marked where nothing is alike, or all is, or one is empty', () => {
  expect(marked('薄白', '黄腻')).toEqual(['薄白', '黄腻'])
  expect(marked('薄白', '薄白')).toEqual(['薄白', '薄白'])
  expect(marked('', '薄白')).toEqual(['', '薄白'])
})

test('a unit is no part of what was entered', () => {
  expect(differingParts('70 kg', '56 kg', 'kg')[0]).toEqual([
    { text: '70', differs: false },
    { text: ' kg', differs: false },
  ])
  expect(
    differingParts('未知 — 拒绝', '56 kg', 'kg')[1]
      .map(({ text }) => text)
      .join(''),
  ).toBe('56 kg')
})

test('texts of many pages are compared without trying every pair of words', () => {
  const page = Array.from({ length: 3000 }, (_, at) => `w${at}`).join(' ')
  const [left] = differingParts(`${page} end`, `${page.replaceAll('w1', 'x1')} end`)
  expect(left.map(({ text }) => text).join('')).toBe(`${page} end`)
})
