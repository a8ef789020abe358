import { describe, expect, test } from 'vitest'
import { nextKeys, nextSpan, spanInView } from '#src/ui/lists/drawnRows.ts'
import type { RowKeys, Span } from '#src/ui/lists/drawnRows.ts'
import { nextFacts } from '#src/ui/lists/useFactSteps.ts'

const STEPS = { ahead: 12, step: 4 }
const COUNT = 2000

/** All that is drawn on the way from what was drawn to where nothing is missing any more. */
function way(drawn: Span, inView: Span, count = COUNT): readonly Span[] {
  const spans: Span[] = []
  for (let now = drawn; ; now = spans.at(-1) ?? now) {
    const next = nextSpan(now, inView, count, STEPS)
    if (next === now) return spans
    spans.push(next)
  }
}

describe('rows of a long list', () => {
  test('in view are those that lie there in part', () => {
    expect(spanInView({ top: 90, height: 120 }, 60, COUNT)).toEqual({ first: 1, last: 4 })
    expect(spanInView({ top: -300, height: 400 }, 60, COUNT)).toEqual({ first: 0, last: 2 })
    expect(spanInView({ top: 999_999, height: 400 }, 60, COUNT)).toEqual({ first: 1999, last: 2000 })
  })

  test('a screen’s rows are followed by those ahead, a few at once', () => {
    expect(way({ first: 0, last: 20 }, { first: 0, last: 20 })).toEqual([
      { first: 0, last: 24 },
      { first: 0, last: 28 },
      { first: 0, last: 32 },
    ])
  })

  test('what is in view is drawn before what is not, and no step brings or takes more than a few', () => {
    const from = { first: 88, last: 132 }
    const inView = { first: 130, last: 150 }
    const steps = way(from, inView)
    expect(steps[0]).toEqual({ first: 92, last: 136 })
    expect(steps.at(-1)).toEqual({ first: 118, last: 162 })
    for (const [at, { first, last }] of steps.entries()) {
      const before = at === 0 ? from : (steps[at - 1] ?? from)
      expect(Math.abs(first - before.first)).toBeLessThanOrEqual(4)
      expect(Math.abs(last - before.last)).toBeLessThanOrEqual(4)
    }
    const whole = steps.findIndex(({ first, last }) => first <= inView.first && last >= inView.last)
    expect(steps[whole]?.last).toBeLessThan(155)
  })

  test('a jump begins at the top of where it went, and comes to all of it', () => {
    const [first, ...others] = way({ first: 0, last: 32 }, { first: 1000, last: 1020 })
    expect(first).toEqual({ first: 1000, last: 1008 })
    expect(others.at(-1)).toEqual({ first: 988, last: 1032 })
  })

  test('scrolled up again it is the same', () => {
    expect(way({ first: 988, last: 1032 }, { first: 990, last: 1010 }).at(-1)).toEqual({ first: 978, last: 1022 })
  })

  test('at both ends there is nothing beyond', () => {
    expect(way({ first: 1970, last: 1990 }, { first: 1980, last: 2000 }).at(-1)).toEqual({ first: 1968, last: 2000 })
    expect(way({ first: 0, last: 3 }, { first: 0, last: 3 }, 3)).toEqual([])
  })

  test('of a list that became shorter its end is drawn', () => {
    expect(way({ first: 400, last: 440 }, spanInView({ top: 0, height: 600 }, 60, 5), 5).at(-1)).toEqual({
      first: 0,
      last: 5,
    })
  })
})

describe('elements of rows that have left', () => {
  const none: RowKeys = new Map()
  const after = (...lists: readonly string[]): RowKeys =>
    lists.reduce((keys, ids) => nextKeys(keys, ids.split('')), none)
  const said = (keys: RowKeys): string => [...keys].map(([id, key]) => `${id}${key}`).join(' ')

  test('are drawn in by what comes into view below, and what stays keeps its own', () => {
    expect(said(after('abcd', 'cdef'))).toBe('c2 d3 e0 f1')
    expect(said(after('abcd', 'cdefg'))).toBe('c2 d3 e0 f1 g4')
  })

  test('of a whole jump are taken in their order', () => {
    expect(said(after('abcd', 'wxy'))).toBe('w0 x1 y2')
  })

  test('are not brought to the front where it goes upwards, nor to the midst where somebody comes between', () => {
    expect(said(after('cdef', 'abcd'))).toBe('a4 b5 c0 d1')
    expect(said(after('abcd', 'bxcd'))).toBe('b1 x4 c2 d3')
  })

  test('no two rows ever share one, whatever comes and goes', () => {
    let keys = none
    for (let at = 0; at < 200; at += 1) {
      const first = (at * 37) % 60
      const ids = Array.from({ length: 1 + ((at * 13) % 30) }, (_, next) => `p${first + next}`)
      keys = nextKeys(keys, ids)
      expect([...keys.keys()]).toEqual(ids)
      expect(new Set(keys.values()).size).toBe(ids.length)
    }
    expect(nextKeys(keys, [...keys.keys()])).toBe(keys)
  })
})

describe('what was read of rows', () => {
  const IDS = ['a', 'b', 'c', 'd', 'e']
  const none: ReadonlyMap<string, number | undefined> = new Map()
  const read = new Map(IDS.map((id, at) => [id, at]))

  test('is shown at once by rows that are drawn for the first time', () => {
    expect(nextFacts(none, read, IDS, 2)).toEqual({ shown: read, isBehind: false })
  })

  test('is taken by a few rows in each frame where it comes late, from the top', () => {
    let { shown } = nextFacts(none, new Map<string, number>(), IDS, 2)
    const steps: (readonly (number | undefined)[])[] = []
    for (let isBehind = true; isBehind;) {
      ;({ shown, isBehind } = nextFacts(shown, read, IDS, 2))
      steps.push([...shown.values()])
    }
    expect(steps).toEqual([
      [0, 1, undefined, undefined, undefined],
      [0, 1, 2, 3, undefined],
      [0, 1, 2, 3, 4],
    ])
  })

  test('of a row that comes into view is not held back by what others wait for', () => {
    const { shown } = nextFacts(none, new Map<string, number>(), ['a', 'b', 'c', 'd'], 1)
    const next = nextFacts(shown, read, IDS, 1)
    expect([...next.shown.values()]).toEqual([0, undefined, undefined, undefined, 4])
    expect(next.isBehind).toBe(true)
  })

  test('goes again where it is known no more', () => {
    const { shown } = nextFacts(none, read, IDS, 5)
    const gone = nextFacts(shown, new Map<string, number>(), IDS, 3)
    expect([...gone.shown.values()]).toEqual([undefined, undefined, undefined, 3, 4])
  })
})
