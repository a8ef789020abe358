import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orderBetween } from '#core/form/engine/rowOrder.ts'

describe('the order of rows', () => {
  it('finds a place between any two rows, however often one is put in', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 300 }), (places) => {
        const keys: string[] = []
        for (const place of places) {
          const at = place % (keys.length + 1)
          keys.splice(at, 0, orderBetween(keys[at - 1] ?? null, keys[at] ?? null))
        }
        expect(keys).toEqual(keys.toSorted())
        expect(new Set(keys).size).toBe(keys.length)
      }),
    )
  })

  it('stays as short as the wire takes it when a thousand rows are added at the end or at the beginning', () => {
    let [last, first] = [orderBetween(null, null), orderBetween(null, null)]
    for (let row = 0; row < 1000; row++) {
      const [next, previous] = [orderBetween(last, null), orderBetween(null, first)]
      expect(next > last && previous < first).toBe(true)
      ;[last, first] = [next, previous]
    }
    expect(Math.max(last.length, first.length)).toBeLessThan(10)
  })

  it('has a place after a row whose key is not one of ours', () => {
    expect(orderBetween('约', null) > '约').toBe(true)
    expect(orderBetween('a', null) > 'a').toBe(true)
    expect(orderBetween('a', 'a') > 'a').toBe(true)
  })
})
