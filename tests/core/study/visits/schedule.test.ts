import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import { addDays, dayAt, daysBetween } from '#core/study/visits/days.ts'
import { pagesToDo } from '#core/study/visits/pagesToDo.ts'
import type { TodoPage } from '#core/study/visits/pagesToDo.ts'
import { dayOfVisit, isOutsideWindow, scheduleOf, visitStatuses } from '#core/study/visits/schedule.ts'
import type { ScheduleFolder, ScheduledVisit, VisitFacts, VisitPage } from '#core/study/visits/schedule.ts'
import type { FolderSchedule } from '#core/study/visits/visitPlan.ts'

const ENROLLED = '2026-03-01'
const planned = (
  anchor: string | null,
  day: number,
  before = 3,
  after = 3,
  date: 'actual' | 'planned' = 'actual',
): FolderSchedule => ({
  kind: 'planned',
  anchor: anchor === null ? { of: 'enrolment' } : { of: 'visit', folderCode: anchor, date },
  day,
  before,
  after,
  repeating: true,
})

const PAGES = [
  { id: 'vs', option: '{"column":[]}' },
  { id: 'lab', option: '{"column":[]}' },
]
function folder(
  code: string,
  sort: number,
  schedule?: FolderSchedule,
  pages: ScheduleFolder['pages'] = PAGES,
): ScheduleFolder {
  return { id: code, folderCode: code, sort, pages, ...(schedule === undefined ? {} : { schedule }) }
}

const STUDY = [
  folder('BL', 1, planned(null, 0, 0, 0)),
  folder('W2', 2, planned('BL', 14)),
  folder('W4', 3, planned('BL', 28)),
  folder('UNS', 4, { kind: 'unscheduled' }),
  folder('LOG', 5, { kind: 'log' }),
]

const NOTHING = {
  outcome: null,
  outcomeReason: null,
  deviationReason: null,
  removed: false,
  applies: true,
  order: null,
} as const
function said(folderId: string, facts: Partial<VisitFacts>): VisitFacts {
  return { folderId, folderRepeat: '0', actualDate: null, ...NOTHING, ...facts }
}
function entered(
  folderId: string,
  status: VisitPage['status'] = 'other',
  pageId?: string,
  folderRepeat = '0',
): VisitPage[] {
  return (pageId === undefined ? ['vs', 'lab'] : [pageId]).map((id) => ({
    folderId,
    folderRepeat,
    pageId: id,
    pageRepeat: '0',
    status,
  }))
}
function at(
  today: string,
  {
    visits = [],
    pages = [],
    folders = STUDY,
    enrolledOn = ENROLLED,
  }: { visits?: VisitFacts[]; pages?: VisitPage[]; folders?: ScheduleFolder[]; enrolledOn?: string | null } = {},
) {
  return scheduleOf({ folders, enrolledOn, visits, pages, today })
}
function visit(schedule: readonly ScheduledVisit[], code: string): ScheduledVisit {
  const found = schedule.find((one) => one.folderCode === code)
  if (found === undefined) throw new Error(`there is no visit ${code}`)
  return found
}

describe('when a visit is planned', () => {
  it('counts from enrolment, and from another visit by its actual date, or by its planned one until that is there', () => {
    expect(visit(at('2026-03-01'), 'W2')).toMatchObject({
      plannedDate: '2026-03-15',
      window: { from: '2026-03-12', to: '2026-03-18' },
    })
    expect(visit(at('2026-03-01', { visits: [said('BL', { actualDate: '2026-03-04' })] }), 'W2').plannedDate).toBe(
      '2026-03-18',
    )
    const byPlan = [folder('BL', 1, planned(null, 0)), folder('W2', 2, planned('BL', 14, 3, 3, 'planned'))]
    expect(
      visit(at('2026-03-01', { folders: byPlan, visits: [said('BL', { actualDate: '2026-03-04' })] }), 'W2')
        .plannedDate,
    ).toBe('2026-03-15')
  })

  it('may lie before its anchor, and over the end of a year and of February', () => {
    const folders = [folder('SCR', 1, planned(null, -7, 2, 0)), folder('W8', 2, planned(null, 56))]
    expect(visit(at('2026-01-01', { folders, enrolledOn: '2026-01-03' }), 'SCR')).toMatchObject({
      plannedDate: '2025-12-27',
      window: { from: '2025-12-25', to: '2025-12-27' },
    })
    expect(visit(at('2026-01-01', { folders, enrolledOn: '2028-01-04' }), 'W8').plannedDate).toBe('2028-02-29')
  })

  it('is not known without a day to count from, nor where plans count from each other', () => {
    expect(visit(at('2026-03-20', { enrolledOn: null }), 'W2')).toMatchObject({
      plannedDate: null,
      window: null,
      status: 'planned',
    })
    const circle = [folder('A', 1, planned('B', 7)), folder('B', 2, planned('A', 7))]
    expect(at('2026-03-20', { folders: circle }).map(({ plannedDate }) => plannedDate)).toEqual([null, null])
  })
})

describe('where a visit stands', () => {
  it.each([
    ['before the window opens', '2026-03-11', 'planned'],
    ['on its first day', '2026-03-12', 'due'],
    ['on its last day', '2026-03-18', 'due'],
    ['a day later', '2026-03-19', 'overdue'],
  ])('%s', (_when, today, status) => {
    expect(visit(at(today), 'W2').status).toBe(status)
  })

  it.each([
    ['2026-03-11', 'early'],
    ['2026-03-12', 'inWindow'],
    ['2026-03-18', 'inWindow'],
    ['2026-03-19', 'late'],
  ])(
    'took place on %s: %s, as long as pages are open; after that it is done, and still was early or late',
    (actualDate, timing) => {
      const visits = [said('BL', { actualDate: ENROLLED }), said('W2', { actualDate })]
      expect(visit(at('2026-04-01', { visits }), 'W2')).toMatchObject({ status: timing, timing })
      expect(visit(at('2026-04-01', { visits, pages: entered('W2', 'other', 'vs') }), 'W2')).toMatchObject({
        status: timing,
        submitted: 1,
        asked: 2,
      })
      expect(visit(at('2026-04-01', { visits, pages: entered('W2') }), 'W2')).toMatchObject({ status: 'done', timing })
    },
  )

  it('that somebody entered something in without saying its day has begun; it is never overdue', () => {
    expect(visit(at('2026-04-20', { pages: entered('W2', 'process', 'vs') }), 'W2').status).toBe('begun')
  })

  it('is done once every page that is asked for is submitted, and no repeat is left open', () => {
    const open: VisitPage = { folderId: 'W2', folderRepeat: '0', pageId: 'vs', pageRepeat: newId(), status: 'process' }
    expect(visit(at('2026-03-20', { pages: entered('W2') }), 'W2').status).toBe('done')
    expect(visit(at('2026-03-20', { pages: [...entered('W2'), open] }), 'W2').status).toBe('begun')
  })

  it('needs no page that is only there once somebody makes it', () => {
    const byHand = [...PAGES, { id: 'ae', option: '{"column":[],"zl":{"createdByManual":true}}' }]
    const folders = [folder('W2', 1, planned(null, 14), byHand)]
    expect(visit(at('2026-03-20', { folders, pages: entered('W2') }), 'W2')).toMatchObject({ status: 'done', asked: 2 })
    // One that was begun counts as any other.
    expect(
      visit(at('2026-03-20', { folders, pages: [...entered('W2'), ...entered('W2', 'process', 'ae')] }), 'W2').status,
    ).toBe('begun')
  })

  it('did not take place, as a person said; unless a date or a page says that it did', () => {
    const missed = said('W2', { outcome: 'missed', outcomeReason: '外地' })
    expect(visit(at('2026-04-20', { visits: [missed] }), 'W2').status).toBe('missed')
    expect(
      visit(at('2026-04-20', { visits: [said('W2', { outcome: 'skipped', outcomeReason: '疫情' })] }), 'W2').status,
    ).toBe('skipped')
    expect(visit(at('2026-04-20', { visits: [{ ...missed, actualDate: '2026-03-15' }] }), 'W2').status).toBe('inWindow')
    expect(visit(at('2026-04-20', { visits: [missed], pages: entered('W2', 'process', 'vs') }), 'W2').status).toBe(
      'begun',
    )
  })

  it('is stopped with every planned visit after it that has not begun; what took place stays what it is', () => {
    const visits = [said('W2', { outcome: 'stopped', outcomeReason: '撤回知情同意' })]
    const stopped = at('2026-05-20', { visits, pages: entered('BL') })
    expect(['BL', 'W2', 'W4', 'LOG'].map((code) => visit(stopped, code).status)).toEqual([
      'done',
      'stopped',
      'stopped',
      'open',
    ])
    expect(visit(at('2026-05-20', { visits, pages: entered('W4', 'process', 'vs') }), 'W4').status).toBe('begun')
  })

  it('is not applicable in a folder that was left out of this patient, with all repeats; removed where somebody took it back', () => {
    const repeat = newId()
    const visits = [said('W2', { applies: false }), said('W2', { folderRepeat: repeat, actualDate: '2026-03-20' })]
    expect(
      at('2026-03-20', { visits })
        .filter(({ folderCode }) => folderCode === 'W2')
        .map(({ status }) => status),
    ).toEqual(['notApplicable', 'notApplicable'])
    const made = said('UNS', { folderRepeat: repeat, removed: true })
    expect(visit(at('2026-03-20', { visits: [made] }), 'UNS').status).toBe('removed')
  })

  it('without a plan it is open, and every day is in its window', () => {
    const folders = [folder('X', 1)]
    expect(visit(at('2026-03-20', { folders }), 'X')).toMatchObject({ kind: 'none', status: 'open', plannedDate: null })
    expect(visit(at('2026-03-20', { folders, pages: entered('X', 'process', 'vs') }), 'X').status).toBe('open')
    expect(visit(at('2026-03-20', { folders, visits: [said('X', { actualDate: '2026-01-01' })] }), 'X').status).toBe(
      'inWindow',
    )
  })
})

describe('which visits there are, and in which order', () => {
  it('an unscheduled visit is there once somebody makes it; a log always', () => {
    expect(at('2026-03-01').map(({ folderCode }) => folderCode)).toEqual(['BL', 'W2', 'W4', 'LOG'])
    const [early, late] = [newId(), newId()]
    const visits = [
      said('UNS', { folderRepeat: early, actualDate: '2026-04-02' }),
      said('UNS', { folderRepeat: late, actualDate: '2026-03-20' }),
    ]
    expect(
      at('2026-03-01', { visits })
        .filter(({ folderCode }) => folderCode === 'UNS')
        .map(({ folderRepeat, no }) => [folderRepeat, no]),
    ).toEqual([
      [late, 1],
      [early, 2],
    ])
  })

  it('what was entered before a folder became unscheduled is still there', () => {
    expect(visit(at('2026-03-01', { pages: entered('UNS') }), 'UNS')).toMatchObject({
      folderRepeat: '0',
      status: 'done',
    })
  })

  it('a patient has an order of their own where somebody gave one', () => {
    expect(at('2026-03-01', { visits: [said('LOG', { order: 0 })] }).map(({ folderCode }) => folderCode)).toEqual([
      'LOG',
      'BL',
      'W2',
      'W4',
    ])
  })
})

describe('a study that hides visits outside of their window', () => {
  it('hides what is planned or overdue, and never what was begun or said', () => {
    const visits = [said('BL', { actualDate: ENROLLED })]
    const hidden = (today: string, pages: VisitPage[] = []) =>
      at(today, { visits, pages })
        .filter(isOutsideWindow)
        .map(({ folderCode }) => folderCode)
    expect(hidden('2026-03-13')).toEqual(['W4'])
    expect(hidden('2026-03-30')).toEqual(['W2'])
    expect(hidden('2026-03-30', entered('W2', 'process', 'vs'))).toEqual([])
  })
})

describe('pages that somebody must go on with', () => {
  const page = (folderId: string, pageId: string, more: Partial<TodoPage> = {}): TodoPage => ({
    folderId,
    folderRepeat: '0',
    pageId,
    pageRepeat: '0',
    status: 'process',
    progress: null,
    conflicted: false,
    ...more,
  })
  const todo = (today: string, pages: TodoPage[], visits: VisitFacts[] = []) =>
    pagesToDo(at(today, { pages, visits }), STUDY, pages).map(
      ({ folderId, pageId, why, missing }) => `${folderId} ${pageId} ${why}${missing > 0 ? ` ${missing}` : ''}`,
    )

  it('are those of visits that are due or took place, and whatever was begun, each with why', () => {
    const pages = [
      page('BL', 'vs', { progress: { total: 4, answered: 2, missing: 2 } }),
      page('BL', 'lab', { status: 'other', conflicted: true }),
      page('W4', 'vs'),
    ]
    expect(todo('2026-03-13', pages)).toEqual([
      'BL vs missing 2',
      'BL lab conflict',
      'W2 vs notStarted',
      'W2 lab notStarted',
      'W4 vs process',
      'W4 lab notStarted',
    ])
    expect(todo('2026-03-30', [])).toContain('W2 vs overdue')
  })

  it('of visits that are not due, were missed or stopped nobody is asked for any', () => {
    expect(todo('2026-02-01', [])).toEqual([])
    expect(
      todo(
        '2026-03-30',
        entered('BL').map((one) => ({ ...one, progress: null, conflicted: false })),
        [said('W2', { outcome: 'missed', outcomeReason: 'x' })],
      ),
    ).toEqual(['W4 vs notStarted', 'W4 lab notStarted'])
  })
})

/** Whether what is said of a visit is so. */
function meansIt(one: ScheduledVisit, today: string): boolean {
  const { status, window, timing, begun, facts } = one
  const tookPlace = begun || (facts?.actualDate ?? null) !== null
  if (isOutsideWindow(one) && tookPlace) return false
  if (status === 'due') return window !== null && window.from <= today && today <= window.to
  if (status === 'overdue') return window !== null && window.to < today && !tookPlace
  if (status === 'early' || status === 'late' || status === 'inWindow')
    return timing === status && dayOfVisit(one) !== null
  return true
}

describe('for any patient on any day', () => {
  const anyDay = fc.integer({ min: 0, max: 200 }).map((days) => addDays('2026-01-01', days))
  const anyFacts = fc.record({
    folderId: fc.constantFrom('BL', 'W2', 'W4', 'UNS', 'LOG'),
    folderRepeat: fc.constantFrom('0', '0199a0e5-0000-7000-8000-000000000001', '0199a0e5-0000-7000-8000-000000000002'),
    actualDate: fc.option(anyDay),
    outcome: fc.option(fc.constantFrom('missed' as const, 'skipped' as const, 'stopped' as const)),
    outcomeReason: fc.constant(null),
    deviationReason: fc.constant(null),
    removed: fc.boolean(),
    applies: fc.boolean(),
    order: fc.option(fc.integer({ min: 0, max: 9 })),
  })
  const anyVisits = fc.uniqueArray(anyFacts, {
    selector: ({ folderId, folderRepeat }) => `${folderId} ${folderRepeat}`,
  })
  const anyPages = fc.uniqueArray(
    fc.record({
      folderId: fc.constantFrom('BL', 'W2', 'W4', 'UNS', 'LOG'),
      folderRepeat: fc.constantFrom('0', '0199a0e5-0000-7000-8000-000000000001'),
      pageId: fc.constantFrom('vs', 'lab'),
      pageRepeat: fc.constant('0'),
      status: fc.constantFrom('init' as const, 'process' as const, 'other' as const),
    }),
    { selector: ({ folderId, folderRepeat, pageId }) => `${folderId} ${folderRepeat} ${pageId}` },
  )

  it('nothing that was said or entered is missing, nothing is there twice, and the order of facts says nothing', () => {
    fc.assert(
      fc.property(anyVisits, anyPages, fc.option(anyDay), anyDay, (visits, pages, enrolledOn, today) => {
        const schedule = at(today, { visits, pages, enrolledOn })
        const keys = schedule.map(({ folderId, folderRepeat }) => `${folderId} ${folderRepeat}`)
        expect(new Set(keys).size).toBe(keys.length)
        const begun = pages.filter(({ status }) => status !== 'init')
        for (const { folderId, folderRepeat } of [...visits, ...begun]) {
          if (folderId === 'UNS' && folderRepeat === '0') continue
          expect(keys).toContain(`${folderId} ${folderRepeat}`)
        }
        expect(at(today, { visits: visits.toReversed(), pages: pages.toReversed(), enrolledOn })).toEqual(schedule)
      }),
    )
  })

  it('every status is one of those that are explained, and says what it means', () => {
    fc.assert(
      fc.property(anyVisits, anyPages, fc.option(anyDay), anyDay, (visits, pages, enrolledOn, today) => {
        const wrong = at(today, { visits, pages, enrolledOn }).filter(
          (one) => !visitStatuses.includes(one.status) || !meansIt(one, today),
        )
        expect(wrong).toEqual([])
      }),
    )
  })

  it('what is planned, due or overdue is so whatever is known of pages: lists look at those of such visits alone', () => {
    fc.assert(
      fc.property(anyVisits, anyPages, fc.option(anyDay), anyDay, (visits, pages, enrolledOn, today) => {
        const without = new Map(
          at(today, { visits, enrolledOn }).map((one) => [`${one.folderId} ${one.folderRepeat}`, one.status]),
        )
        const waiting = at(today, { visits, pages, enrolledOn }).filter(({ status }) =>
          ['planned', 'due', 'overdue'].includes(status),
        )
        expect(
          waiting.filter(({ folderId, folderRepeat, status }) => without.get(`${folderId} ${folderRepeat}`) !== status),
        ).toEqual([])
      }),
    )
  })

  it('as days go by, a visit of which nobody says anything becomes due and then overdue, and never goes back', () => {
    const rank = { planned: 0, due: 1, overdue: 2 } as const
    fc.assert(
      fc.property(anyDay, anyDay, fc.nat(60), (enrolledOn, today, later) => {
        const statusOf = (day: string) => rank[visit(at(day, { enrolledOn }), 'W2').status as keyof typeof rank]
        expect(statusOf(addDays(today, later))).toBeGreaterThanOrEqual(statusOf(today))
      }),
    )
  })

  it('days added are days between, whatever the calendar has in between', () => {
    fc.assert(
      fc.property(
        anyDay,
        fc.integer({ min: -5000, max: 5000 }),
        (day, days) => daysBetween(day, addDays(day, days)) === days,
      ),
    )
    expect(dayAt('2026-03-01T16:30:00.000Z', 480)).toBe('2026-03-02')
  })
})
