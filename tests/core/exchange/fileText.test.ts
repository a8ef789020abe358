import { describe, expect, it } from 'vitest'

import { readDefinition } from '#core/exchange/readDefinition.ts'
import { readFileText } from '#core/exchange/fileText.ts'

import { decode } from './odm/files.ts'

/**
 * A file is read in the encoding that it is in, or refused with the place: labels of another one would be wrong without
 * a word.
 */

const HEADER = 'field_name,form_name,field_type,field_label\n'
const CHINESE = `${HEADER}age,visit,text,年龄\nsex,visit,text,性别\n`

/** The bytes of a text with one of them replaced behind a place in it. */
function damaged(text: string, behind: string, byte: number): Uint8Array {
  const bytes = Buffer.from(text)
  bytes[bytes.indexOf(behind) + Buffer.byteLength(behind)] = byte
  return bytes
}

function table(...cells: readonly (readonly number[])[]): Uint8Array {
  return Buffer.concat([
    Buffer.from(HEADER),
    ...cells.flatMap((cell, at) => [Buffer.from(`f${at},visit,text,`), Buffer.from(cell), Buffer.from('\n')]),
  ])
}

describe('the encoding of a file', () => {
  it('with one bad byte in Chinese UTF-8 is no Western one: the line and the byte are named', () => {
    const bytes = damaged(CHINESE, '性', 0xff)
    expect(readFileText(bytes, decode)).toEqual({
      ok: false,
      error: { kind: 'bad-encoding', line: 3, byte: bytes.indexOf(0xff) + 1 },
    })
    expect(readDefinition({ name: 'a.csv', bytes }, decode).result).toMatchObject({
      ok: false,
      error: { kind: 'bad-encoding', line: 3 },
    })
  })

  it('with one bad byte in GB 18030 names the line', () => {
    // 年龄 and 性别 of a Chinese spreadsheet, and a byte that begins no character.
    const age = [0xc4, 0xea, 0xc1, 0xe4]
    expect(readFileText(table(age, [...age, ...age], [0xd0, 0xd4, 0xff, 0xb1, 0xf0], age, age), decode)).toMatchObject({
      ok: false,
      error: { kind: 'bad-encoding', line: 4 },
    })
  })

  it.each<[string, readonly (readonly number[])[]]>([
    // 年齡, 性別, 體重.
    [
      'Big5',
      [
        [0xa6, 0x7e, 0xc4, 0xd6],
        [0xa9, 0xca, 0xa7, 0x4f],
        [0xc5, 0xe9, 0xad, 0xab],
      ],
    ],
    // 年齢, 性別, 体重.
    [
      'Shift-JIS',
      [
        [0x94, 0x4e, 0x97, 0xee],
        [0x90, 0xab, 0x95, 0xca],
        [0x91, 0xcc, 0x8f, 0x64],
      ],
    ],
    // こども.
    ['Shift-JIS in kana', [[0x82, 0xb1, 0x82, 0xc7, 0x82, 0xe0]]],
  ])('that is %s is told of with the first place, and not taken for another', (_, cells) => {
    expect(readFileText(table(...cells), decode)).toMatchObject({
      ok: false,
      error: { kind: 'unknown-encoding', line: 2 },
    })
  })

  it('of a Chinese and of a Western spreadsheet is read', () => {
    expect(readFileText(table([0xc4, 0xea, 0xc1, 0xe4], [0xd0, 0xd4, 0xb1, 0xf0]), decode)).toMatchObject({
      ok: true,
      encoding: 'gb18030',
      text: CHINESE.replace('age', 'f0').replace('sex', 'f1'),
    })
    expect(
      readFileText(Buffer.from(`${HEADER}a,visit,text,Größe über 5 µm – naïf\n`.replace('–', '-'), 'latin1'), decode),
    ).toMatchObject({ ok: true, encoding: 'windows-1252' })
  })

  it('of UTF-16 that ends within a character is refused', () => {
    expect(
      readFileText(Buffer.concat([Buffer.from(`\uFEFF${CHINESE}`, 'utf16le'), Buffer.from([0x20])]), decode),
    ).toMatchObject({ ok: false, error: { kind: 'bad-encoding' } })
  })
})
