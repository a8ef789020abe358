import { expect, it } from 'vitest'
import { readBeside } from '#server/sheet/readBeside.ts'
import { parts, workbook, zipped } from '#tests/core/exchange/sheet/making.ts'

it('a workbook is read beside the server, which answers others meanwhile', async () => {
  let answered = 0
  const others = setInterval(() => {
    answered += 1
  }, 5)
  const cell = '<c t="inlineStr"><is><t>a</t></is></c>'
  const row = `<row>${cell.repeat(4)}</row>`
  const read = await readBeside(
    zipped(parts({ a: `<worksheet><sheetData>${row.repeat(20_000)}</sheetData></worksheet>` })),
  )
  clearInterval(others)
  expect(read.ok && read.sheets[0]?.rows.length).toBe(20_000)
  expect(answered).toBeGreaterThan(10)
})

it('says of what is none that it is none, and ends', async () => {
  expect(await readBeside(new Uint8Array([1, 2, 3]))).toEqual({ ok: false, error: { kind: 'not-a-workbook' } })
  expect(await readBeside(workbook({ a: [['x']] }))).toMatchObject({ ok: true, sheets: [{ name: 'a' }] })
})
