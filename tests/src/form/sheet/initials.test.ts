import { expect, test } from 'vitest'
import { initialsOf } from '#src/form/sheet/initials.ts'

test('a choice is found by the first letters of its pinyin; letters and figures of its name stay', () => {
  expect(initialsOf('气虚血瘀证')).toBe('qxxyz')
  expect(initialsOf('薄白苔')).toBe('bbt')
  expect(initialsOf('阿司匹林 100 MG')).toBe('aspl 100 mg')
  expect(initialsOf('维生素B12')).toBe('wssb12')
})
