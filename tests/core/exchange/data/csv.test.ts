import { expect, it } from 'vitest'
import { writeCsvTables } from '#core/exchange/data/csv.ts'

import { codes, make, missing, table, variable } from './making.ts'

async function linesOf(...values: Parameters<typeof table>): Promise<string[]> {
  const { files } = await make(writeCsvTables, [table(...values)])
  return (files.get(`${values[0]}.csv`)?.toString('utf8') ?? '').split('\r\n')
}

const AB = [variable('A'), variable('B', { type: 'number' })]

it('begins with the mark of UTF-8 and the names, and ends each row with a return and a line feed', async () => {
  expect(await linesOf('T', AB, [['一', 1]])).toEqual(['\uFEFFA,B', '一,1', ''])
  expect(await linesOf('T', AB, [])).toEqual(['\uFEFFA,B', ''])
})

it('quotes what holds a comma, a quote or a line break, in any language', async () => {
  const rows = ['a,b', 'a"b', '中\n文', '中,文', 'a\rb', ' x '].map((text) => [text, null])
  expect((await linesOf('T', AB, rows)).slice(1, -1)).toEqual([
    '"a,b",',
    '"a""b",',
    '"中\n文",',
    '"中,文",',
    '"a\rb",',
    ' x ,',
  ])
})

it('has no text that a spreadsheet runs, and leaves numbers and numeric codes alone', async () => {
  const variables = [variable('A', { codes: codes(['-1', '拒答'], ['-9.5', '无']) }), variable('B', { type: 'number' })]
  const rows = ['=1+1', '+1', '-cmd', '@x', '\tx', '-1', '-9.5', '-2', "'a"].map((text) => [text, -1.5])
  expect((await linesOf('T', variables, rows)).slice(1, -1)).toEqual([
    "'=1+1,-1.5",
    "'+1,-1.5",
    "'-cmd,-1.5",
    "'@x,-1.5",
    "'\tx,-1.5",
    '-1,-1.5',
    '-9.5,-1.5',
    "'-2,-1.5",
    "'a,-1.5",
  ])
})

it('protects a text of a number variable as well', async () => {
  expect((await linesOf('T', AB, [['x', '=2+3']]))[1]).toBe("x,'=2+3")
})

it('writes numbers so that they are read as the same', async () => {
  const numbers = [-0, 1e-300, 1.797e308, 0.1 + 0.2, 123456789012345680000, 5e-324]
  const lines = await linesOf(
    'T',
    AB,
    numbers.map((number) => [null, number]),
  )
  expect(lines.slice(1, -1).map((line) => line.slice(1))).toEqual([
    '0',
    '1e-300',
    '1.797e+308',
    '0.30000000000000004',
    '123456789012345680000',
    '5e-324',
  ])
})

it('writes a missing reason as its code, and nothing where nothing was entered', async () => {
  expect(
    (
      await linesOf('T', AB, [
        [missing('ND'), missing('UNK')],
        [null, missing('NA')],
        ['', null],
      ])
    ).slice(1, -1),
  ).toEqual(['ND,UNK', ',NA', ','])
})

it('writes half a character as the sign for a broken one, and signs of every plane', async () => {
  expect(
    (
      await linesOf('T', AB, [
        ['a\uD83D', null],
        ['\uDE00b', null],
        ['é证😀', null],
      ])
    ).slice(1, -1),
  ).toEqual(['a\uFFFD,', '\uFFFDb,', 'é证😀,'])
})

it.each(['a\u0000', '证\u0000', '\u0000'])('refuses a NUL and says where it is: %j', async (text) => {
  await expect(
    linesOf('T', AB, [
      ['x', 1],
      [text, 1],
    ]),
  ).rejects.toMatchObject({
    reason: { kind: 'nul', table: 'T', variable: 'A', row: 2 },
  })
})

it('comes in pieces while its rows are still being made', async () => {
  let made = 0
  const long = {
    ...table('T', AB, []),
    async *rows() {
      for (; made < 100; made += 1) yield Array.from({ length: 100 }, (_, at) => ['x'.repeat(50), made * 100 + at])
    },
  }
  const madeAt: number[] = []
  for await (const { chunks } of writeCsvTables([long], {
    language: 'zh',
    createdAt: '',
    name: 'd',
    title: 't',
    note: () => undefined,
  })) {
    for await (const piece of chunks) if (piece.length > 0) madeAt.push(made)
  }
  expect(madeAt.length).toBeGreaterThan(5)
  expect(madeAt[0]).toBeLessThan(20)
})
