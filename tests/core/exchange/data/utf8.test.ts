import { expect, it } from 'vitest'
import { ByteBlock } from '#core/exchange/data/byteBlock.ts'
import { cutUtf8, utf8Length } from '#core/exchange/data/utf8.ts'

const TEXTS = ['', 'abc', 'é', '证', '😀', 'a证😀é', '\uD83D', '\uDE00', 'x\uD83Dy', '\uD83D\uD83D\uDE00', '\uFFFF']

it.each(TEXTS)('bytes of %j are those of UTF-8', (text) => {
  const block = new ByteBlock()
  block.putText(text)
  expect(Buffer.from(block.take())).toEqual(Buffer.from(text, 'utf8'))
  expect(utf8Length(text)).toBe(Buffer.byteLength(text, 'utf8'))
})

it.each([
  [4, '证'],
  [5, '证'],
  [6, '证'],
  [7, '证😀'],
  [8, '证😀'],
  [9, '证😀é'],
  [2, ''],
])('a cut at %i bytes leaves no half character', (bytes, cut) => {
  expect(cutUtf8('证😀é!', bytes)).toBe(cut)
})

it('a text that fits is not cut', () => {
  expect(cutUtf8('证'.repeat(10), 30)).toBe('证'.repeat(10))
  expect(cutUtf8('证'.repeat(10), 29)).toBe('证'.repeat(9))
})
