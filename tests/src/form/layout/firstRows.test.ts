import { describe, expect, it } from 'vitest'
import { readPage } from '#core/form/definition/page.ts'
import { firstParts, firstRows, partsOf } from '#src/form/layout/layout.ts'

const TABLET = { width: 820, height: 1180 }
const DESK = { width: 1440, height: 900 }

describe('what the first screen of a form shows', () => {
  it('are fewer rows with their labels above on a tablet than beside at a desk, where two stand in a line', () => {
    expect(firstRows(null, 'input', TABLET)).toBe(17)
    expect(firstRows('left', 'input', TABLET)).toBe(27)
    expect(firstRows('top', 'input', DESK)).toBe(26)
    expect(firstRows(null, 'input', DESK)).toBe(42)
  })

  it('are more rows to a reader than to who enters', () => {
    expect(firstRows(null, 'view', TABLET)).toBe(33)
    expect(firstRows('top', 'view', DESK)).toBe(50)
  })

  it('is drawn at once and the rest after it; a page of a hundred fields is drawn as a whole', () => {
    const parts = (fields: number) => {
      const column = Array.from(
        { length: fields },
        (_, at) => ({ prop: `f${at}`, label: `项目${at}`, type: 'input' }) as const,
      )
      const page = readPage({ column })
      if (!page.ok) throw new Error(page.error.kind)
      return partsOf(page.page, 'input', 'zh')
    }
    expect([firstParts(parts(300), 17), firstParts(parts(300), 42), parts(300).length]).toEqual([1, 3, 15])
    expect(firstParts(parts(100), 17)).toBe(5)
  })
})
