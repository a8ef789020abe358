import { describe, expect, it } from 'vitest'
import { withoutFormula } from '#core/exchange/formula.ts'

describe('text that goes into a spreadsheet', () => {
  it.each(['=A1', '+1', '-1', '@x', '\tx', '\r=A1'])('is no formula there: %j', (text) => {
    expect(withoutFormula(text)).toBe(`'${text}`)
  })

  it.each(['N01-001', '舌红', 'a=b', ''])('stays as it is where no spreadsheet would run it: %j', (text) => {
    expect(withoutFormula(text)).toBe(text)
  })
})
