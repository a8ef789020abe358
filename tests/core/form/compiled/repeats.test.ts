import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { compilePage } from '#core/form/compiled/compile.ts'
import { CompiledVersion } from '#core/form/compiled/compiledVersion.ts'
import type { EntryPosition } from '#core/form/compiled/repeats.ts'
import { findEntry } from '#core/form/compiled/repeats.ts'
import { placeKey, VersionPages } from '#core/form/compiled/version.ts'
import type { ReadPlace } from '#core/form/compiled/version.ts'
import type { Column } from '#core/form/definition/column.ts'
import type { OtherPages } from '#core/form/engine/otherPages.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { compiledIn, entry, opened } from '#tests/core/form/filling.ts'

/**
 * Rules that read one of several entries of a page: `first`, `last` and `prev` of this visit, of one visit, or of all.
 */

const FOLDERS = ['screening', 'therapy', 'end']
const VITALS: readonly Column[] = [
  { prop: 'weight', label: '体重', type: 'number' },
  {
    prop: 'fasting',
    label: '空腹',
    type: 'radio',
    dicData: [
      { value: '1', label: '是' },
      { value: '0', label: '否' },
    ],
  },
  { prop: 'sugar', label: '血糖', type: 'number', zl: { show: 'page.fasting == "1"' } },
]

/** A study in which the vital signs are taken at each of its visits, and a second page reads them. */
function study(columns: readonly Column[], vitals: readonly Column[] = VITALS) {
  const [signs, reads] = [vitals, columns].map((column) => JSON.stringify({ column }))
  return FOLDERS.map((folderCode) => ({
    folderCode,
    pages: [
      { pageCode: 'vs', option: signs ?? '' },
      { pageCode: 'here', option: reads ?? '' },
    ],
  }))
}

const calculated = (calculate: string): readonly Column[] => [
  { prop: 'x', label: 'x', type: 'number', zl: { calculate } },
]

function at(folder: string, folderRepeat = '0', page = 'vs', pageRepeat = '0'): EntryPosition {
  return { folder, folderRepeat, page, pageRepeat }
}

/** What a page calculates from the signs of the patient. */
function value(rule: string, reader: EntryPosition, saved: readonly (readonly [EntryPosition, EntryData])[]) {
  const page = compiledIn(new VersionPages(study(calculated(rule))), { folder: reader.folder, page: 'here' })
  return opened(page, entry({}), dataFor(page.otherPages, reader, saved)).getCell('x')?.value
}

function dataFor(
  places: readonly ReadPlace[],
  reader: EntryPosition,
  saved: readonly (readonly [EntryPosition, EntryData])[],
): OtherPages {
  const known = { entries: saved.map(([position]) => position), folders: FOLDERS }
  return new Map(
    places.flatMap((place) => {
      const found = findEntry(place, reader, known)
      const data = saved.find(([position]) => found !== null && isDeepStrictEqual(position, found))?.[1]
      return data === undefined ? [] : [[placeKey(place), data]]
    }),
  )
}

const weighed = (weight: number): EntryData => entry({ weight })

describe('of a page at several visits', () => {
  const saved = [
    [at('end'), weighed(58)],
    [at('screening'), weighed(61)],
    [at('therapy', '0192b000-0000-7000-8000-000000000002'), weighed(59)],
    [at('therapy', '0192b000-0000-7000-8000-000000000001'), weighed(60)],
  ] as const

  it('a rule finds the first and the last in the order of the visits and of their repeats', () => {
    expect(value('visits.vs.first.weight', at('end', '0', 'here'), saved)).toBe(61)
    expect(value('visits.vs.last.weight', at('screening', '0', 'here'), saved)).toBe(58)
    expect(value('form.therapy.vs.first.weight', at('end', '0', 'here'), saved)).toBe(60)
    expect(value('form.therapy.vs.last.weight', at('end', '0', 'here'), saved)).toBe(59)
  })

  it('a rule finds the one before its own visit', () => {
    const prev = (reader: EntryPosition) => value('visits.vs.prev.weight', reader, saved)
    expect(prev(at('screening', '0', 'here'))).toBeNull()
    expect(prev(at('therapy', '0192b000-0000-7000-8000-000000000001', 'here'))).toBe(61)
    expect(prev(at('therapy', '0192b000-0000-7000-8000-000000000002', 'here'))).toBe(60)
    expect(prev(at('end', '0', 'here'))).toBe(59)
    expect(value('form.screening.vs.prev.weight', at('end', '0', 'here'), saved)).toBe(61)
  })

  it('a page of the same visit is that of the very repeat', () => {
    expect(value('visit.vs.weight', at('therapy', '0192b000-0000-7000-8000-000000000002', 'here'), saved)).toBe(59)
    expect(value('form.therapy.vs.weight', at('therapy', '0192b000-0000-7000-8000-000000000001', 'here'), saved)).toBe(
      60,
    )
    expect(value('form.therapy.vs.weight', at('end', '0', 'here'), saved)).toBeNull()
  })

  it('there is none where nothing was saved', () => {
    expect(value('visits.vs.last.weight', at('end', '0', 'here'), [])).toBeNull()
    expect(value('visits.vs.last.weight - visits.vs.first.weight', at('end', '0', 'here'), saved)).toBe(-3)
  })
})

describe('of a page with repeats in one visit', () => {
  const repeat = (no: number) => `0192b000-0000-7000-8000-00000000000${no}`
  const saved = [1, 2, 3].map((no) => [at('therapy', '0', 'vs', repeat(no)), weighed(60 + no)] as const)
  const own = (rule: string, pageRepeat: string) => {
    const page = compiledIn(new VersionPages(study([], [...VITALS, ...calculated(rule)])), {
      folder: 'therapy',
      page: 'vs',
    })
    const reader = at('therapy', '0', 'vs', pageRepeat)
    return opened(page, weighed(70), dataFor(page.otherPages, reader, saved)).getCell('x')?.value
  }

  it('each follows from the one before it', () => {
    expect(own('page.weight - visit.vs.prev.weight', repeat(2))).toBe(9)
    expect(own('page.weight - visit.vs.prev.weight', repeat(1))).toBeNull()
    expect(own('page.weight - visits.vs.prev.weight', repeat(4))).toBe(7)
  })

  it('an entry is never the first or the last to itself', () => {
    expect(own('visit.vs.first.weight', repeat(2))).toBe(61)
    expect(own('visit.vs.first.weight', repeat(1))).toBeNull()
    expect(own('visit.vs.last.weight', repeat(3))).toBeNull()
    expect(own('visit.vs.last.weight', repeat(4))).toBeNull()
    expect(own('visit.vs.last.weight', repeat(1))).toBe(63)
  })

  it('another page finds them too', () => {
    expect(value('visit.vs.last.weight', at('therapy', '0', 'here'), saved)).toBe(63)
    expect(value('visit.vs.last.weight', at('end', '0', 'here'), saved)).toBeNull()
  })
})

describe('what is hidden on an entry that a rule picks', () => {
  it('is missing to it, as on any other', () => {
    const sugar = (fasting: string) =>
      value('visits.vs.prev.sugar', at('end', '0', 'here'), [[at('therapy'), entry({ fasting, sugar: 5 })]])
    expect([sugar('1'), sugar('0')]).toEqual([5, null])
  })

  it('follows the pages of its own visit', () => {
    const vitals: readonly Column[] = [
      { prop: 'weight', label: '体重', type: 'number', zl: { show: 'visit.here.asked == "1"' } },
    ]
    const here: readonly Column[] = [
      { prop: 'asked', label: '问', type: 'input' },
      ...calculated('visits.vs.prev.weight'),
    ]
    const page = compiledIn(new VersionPages(study(here, vitals)), { folder: 'end', page: 'here' })
    const x = (asked: string) =>
      opened(
        page,
        entry({ asked: '0' }),
        dataFor(page.otherPages, at('end', '0', 'here'), [
          [at('therapy', 'a1'), weighed(60)],
          [at('therapy', 'a1', 'here'), entry({ asked })],
          [at('therapy', '0', 'here'), entry({ asked: '0' })],
        ]),
      ).getCell('x')?.value
    expect([x('1'), x('0')]).toEqual([60, null])
  })
})

describe('a rule over repeats', () => {
  const wrong = (when: string) => {
    const version = new VersionPages(study([{ prop: 'y', label: 'y', type: 'input', zl: { show: when } }]))
    const page = version.model('here')
    const result = page === null ? null : compilePage(page, { folder: 'end', page: 'here', version })
    return result?.ok === false ? result.errors.map((error) => (error.kind === 'rule' ? error.problem : error)) : []
  }

  it('is wrong where there is no such page or field, or the types do not fit', () => {
    expect(wrong('visits.nowhere.last.x == "1"')).toMatchObject([
      { kind: 'unknown-field', code: 'visits.nowhere.last.x' },
    ])
    expect(wrong('visits.vs.last.nothing == "1"')).toMatchObject([
      { kind: 'unknown-field', code: 'visits.vs.last.nothing' },
    ])
    expect(wrong('form.nowhere.vs.last.weight > 1')).toMatchObject([
      { kind: 'unknown-field', code: 'form.nowhere.vs.last.weight' },
    ])
    expect(wrong('visits.vs.last.weight == "1"')).toMatchObject([{ kind: 'type' }])
    expect(wrong('visits.vs.weight > 1')).toMatchObject([{ kind: 'not-allowed', name: 'visits' }])
    expect(wrong('visits.vs.second.weight > 1')).toMatchObject([{ kind: 'not-allowed', name: 'visits' }])
    expect(wrong('visits.vs.prev.weight > 60 && visit.vs.first.weight > 60')).toEqual([])
  })

  it('makes every page that may be meant one that it reads', () => {
    const version = new CompiledVersion(study(calculated('visits.vs.prev.weight')))
    expect(version.readersOf({ folder: 'screening', page: 'vs' })).toEqual(
      FOLDERS.map((folder) => ({ folder, page: 'here' })),
    )
    expect(version.readersOf({ folder: 'end', page: 'here' })).toEqual([])
  })

  it('may follow from the one before it; two pages that wait for each other’s last are a circle', () => {
    expect(new CompiledVersion(study(calculated('visits.here.prev.x + 1'))).circles()).toEqual([])
    const circles = new CompiledVersion(
      study(calculated('visits.vs.last.y + 1'), [
        { prop: 'y', label: 'y', type: 'number', zl: { calculate: 'visits.here.last.x + 1' } },
      ]),
    ).circles()
    expect(circles[0]).toContain('screening/here/x')
  })

  it('takes a field of that name for what it is', () => {
    const vitals: readonly Column[] = [{ prop: 'last', label: '末次', type: 'number' }]
    const page = compiledIn(new VersionPages(study(calculated('visit.vs.last + 1'), vitals)), {
      folder: 'end',
      page: 'here',
    })
    expect(opened(page, entry({}), new Map([['end/vs', entry({ last: 4 })]])).getCell('x')?.value).toBe(5)
  })
})
