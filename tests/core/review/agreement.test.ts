import { expect, test } from 'vitest'
import { acceptanceOf, errorShare, perTenThousand } from '#core/review/agreement.ts'

test('errors are counted in 10,000 fields', () => {
  expect(perTenThousand({ compared: 4000, differing: 3 })).toBe(7.5)
  expect(perTenThousand({ compared: 12, differing: 0 })).toBe(0)
})

test('up to the limit itself is accepted, one error more is not', () => {
  expect(acceptanceOf({ compared: 1000, differing: 5 }, 0.5)).toBe('within')
  expect(acceptanceOf({ compared: 1000, differing: 6 }, 0.5)).toBe('over')
  expect(acceptanceOf({ compared: 1000, differing: 3 }, 0.3)).toBe('within')
  expect(acceptanceOf({ compared: 1000, differing: 0 }, 0)).toBe('within')
})

test('where nothing was compared nothing is said; a row that only one pass has is an error all the same', () => {
  expect([errorShare({ compared: 0, differing: 0 }), acceptanceOf({ compared: 0, differing: 0 }, 0.5)]).toEqual([
    null,
    'none',
  ])
  expect([errorShare({ compared: 0, differing: 2 }), acceptanceOf({ compared: 0, differing: 2 }, 0.5)]).toEqual([
    1,
    'over',
  ])
  expect(errorShare({ compared: 2, differing: 5 })).toBe(1)
})
